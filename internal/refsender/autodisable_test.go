package refsender_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/internal/refsender"
)

// disabling has an endpoint that is disabled by the rule, and answers its requests by these statuses in turn.
func disabling(t *testing.T, defect string, rule contract.AutoDisable, statuses ...int) (r *rig, endpoint string) {
	t.Helper()
	c := fast(t)
	c.AutoDisable = &rule
	r = newRig(t, refsender.Config{Contract: c, Defect: defect})
	var answers []http.HandlerFunc
	for _, s := range statuses {
		answers = append(answers, status(s))
	}
	r.plan("/a", answers...)
	return r, r.register(r.URL + "/a")
}

func (r *rig) refusesEvents(endpoint string) bool {
	body := map[string]any{"type": "a.b", "endpoint": endpoint, "data": struct{}{}}
	return r.call("POST", "/v1/events", body, nil) == 409
}

func TestFailuresInARowDisableAnEndpoint(t *testing.T) {
	for _, of := range []string{contract.OfAttempts, contract.OfEvents} {
		t.Run(of, func(t *testing.T) {
			rule := contract.AutoDisable{Failures: 2, Of: of, OnSuccess: contract.OnSuccessReset}
			r, ep := disabling(t, "", rule, 404, 200, 404, 404, 200)
			for i, want := range []string{"dead-lettered", "delivered", "dead-lettered", "dead-lettered"} {
				if got := r.endpoint(ep); got.State != "enabled" {
					t.Fatalf("endpoint %+v before event %d", got, i+1)
				}
				r.ended(r.emit(ep, struct{}{}), ep, want)
			}
			if got := r.endpoint(ep); got.State != "disabled" || !strings.Contains(got.Reason, "2 failed "+of+" in a row") {
				t.Errorf("endpoint %+v", got)
			}
			if !r.refusesEvents(ep) {
				t.Error("an event is accepted for a disabled endpoint")
			}
			r.post(ep, "enable", nil, nil, 204)
			r.ended(r.emit(ep, struct{}{}), ep, "delivered")
		})
	}
}

func TestFailedAttemptsOfOneEventDisableAnEndpoint(t *testing.T) {
	r, ep := disabling(t, "", contract.AutoDisable{Failures: 2, Of: contract.OfAttempts}, 503, 503, 200)
	id := r.emit(ep, struct{}{})
	log := r.ended(id, ep, "dead-lettered")
	d := r.deadLetters(ep)
	if len(log.Attempts) != 2 || len(d) != 1 || !strings.HasPrefix(d[0].Reason, "endpoint disabled by what came of earlier attempts: attempt 3 was cancelled") {
		t.Errorf("log %+v, dead letters %+v", log, d)
	}
}

func TestTimeOfFailuresDisablesAnEndpoint(t *testing.T) {
	const long = 300 * time.Millisecond
	r, ep := disabling(t, "", contract.AutoDisable{FailingFor: long}, 404, 404, 404)
	begun := time.Now()
	r.ended(r.emit(ep, struct{}{}), ep, "dead-lettered")
	first := time.Now()
	r.waitFor("the time", func() bool { return time.Since(first) > long })
	if got := r.endpoint(ep); got.State != "enabled" {
		t.Errorf("disabled %v after its first failure, and by no other", time.Since(begun))
	}
	r.ended(r.emit(ep, struct{}{}), ep, "dead-lettered")
	if got := r.endpoint(ep); got.State != "disabled" || got.Reason != "nothing but failures for 300ms, the last with status 404" {
		t.Errorf("endpoint %+v", got)
	}
}

func TestDefectsOfTheThreshold(t *testing.T) {
	// The endpoint fails once, succeeds, and fails from then on; disabled says after how many failures it was disabled.
	for defect, disabled := range map[string]int{"": 4, "threshold-too-early": 3, "threshold-adds-up": 3, "threshold-ignored": 0} {
		t.Run(defect, func(t *testing.T) {
			r, ep := disabling(t, defect, contract.AutoDisable{Failures: 3, Of: contract.OfAttempts, OnSuccess: contract.OnSuccessReset}, 404, 200, 404)
			got := 0
			for failures := range 6 {
				r.ended(r.emit(ep, struct{}{}), ep, "dead-lettered")
				if r.endpoint(ep).State == "disabled" {
					got = failures + 1
					break
				}
				if failures == 0 {
					r.ended(r.emit(ep, struct{}{}), ep, "delivered")
				}
			}
			if got != disabled {
				t.Errorf("disabled after %d failures, want %d", got, disabled)
			}
		})
	}
}
