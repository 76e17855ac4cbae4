package scenarios

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/drive"
)

// TestEveryAnswerThatAContractNamesIsPlayed: single statuses, the ends of ranges, and classes that only the rest falls into.
func TestEveryAnswerThatAContractNamesIsPlayed(t *testing.T) {
	t.Parallel()
	k := kit{c: &contract.Contract{
		Answers: contract.Answers{
			Success: contract.Codes{"200"}, Retry: contract.Codes{"404", "413", "460-470", "500"}, Disable: contract.Codes{"410", "452"},
			Otherwise: contract.OtherwisePermanent,
		},
		Schedule:   &contract.Schedule{Attempts: 3},
		RetryAfter: &contract.RetryAfter{Codes: contract.Codes{"413", "470", "503"}, Forms: []string{"seconds"}},
	}}
	retried := k.meant(k.c.Answers.Retry, contract.Transient)
	if want := []int{404, 413, 460, 470, 500}; !slices.Equal(retried, want) {
		t.Errorf("retried are %d, want %d", retried, want)
	}
	refused := k.meant(k.c.Answers.Permanent, contract.Permanent)
	for _, s := range []int{201, 204, 299, 300, 400, 429, 503} {
		if !slices.Contains(refused, s) {
			t.Errorf("%d is not played as permanent; played are %d", s, refused)
		}
	}
	if gone := k.meant(k.c.Answers.Disable, contract.Disable); !slices.Equal(gone, []int{410, 452}) {
		t.Errorf("%d end deliveries, want 410 and 452", gone)
	}
	if honoured, why := k.allHonoured("seconds"); !slices.Equal(honoured, []int{413, 470}) { // 503 is not retried
		t.Errorf("Retry-After is asked for with %d (%s), want 413 and 470", honoured, why)
	}
	if got := k.plan("503*%d, 200", 2).String(); got != "500*2, 200" {
		t.Errorf("a failure that is retried is played as %s, want 500*2, 200", got)
	}
}

// TestARestThatIsRetriedIsPlayedOnlyWhereNothingElseIs: a list that a contract gives is its promise.
func TestARestThatIsRetriedIsPlayedOnlyWhereNothingElseIs(t *testing.T) {
	t.Parallel()
	k := kit{c: &contract.Contract{Answers: contract.Answers{Success: contract.Codes{"2xx"}, Otherwise: contract.OtherwiseRetry}}}
	if got := k.transient(404, 503, 204); !slices.Equal(got, []int{404, 503}) {
		t.Errorf("retried are %d, want 404 and 503", got)
	}
	k.c.Answers.Retry = contract.Codes{"5xx"}
	if got := k.transient(404, 503, 204); !slices.Equal(got, []int{503}) {
		t.Errorf("retried are %d, want 503", got)
	}
}

// TestAnAnswerThatWasChosenStays: Retry-After may be honoured on a status that is retried only as all the rest is.
func TestAnAnswerThatWasChosenStays(t *testing.T) {
	t.Parallel()
	k := kit{c: &contract.Contract{
		Answers:    contract.Answers{Success: contract.Codes{"2xx"}, Retry: contract.Codes{"500"}, Otherwise: contract.OtherwiseRetry},
		Schedule:   &contract.Schedule{Attempts: 3},
		RetryAfter: &contract.RetryAfter{Codes: contract.Codes{"503"}, Forms: []string{"seconds"}},
	}}
	status, why := k.honoured()
	if got := k.plan("503, %d(retry-after=2), 200", status).String(); got != "500, 503(retry-after=2), 200" {
		t.Errorf("played is %s (%s), want 503 where Retry-After is honoured on it, and 500 elsewhere", got, why)
	}
}

// TestEveryStatusCanBeAFailure makes each a failure in turn that is retried or is not: some can have no body.
func TestEveryStatusCanBeAFailure(t *testing.T) {
	t.Parallel()
	for s := firstFinal; s <= lastFinal; s++ {
		if s == 200 || redirects(s) {
			continue
		}
		of := contract.Codes{strconv.Itoa(s)}
		for _, answers := range []contract.Answers{{Success: contract.Codes{"200"}, Retry: of}, {Success: contract.Codes{"200"}, Permanent: of}} {
			k := kit{c: &contract.Contract{
				Answers: answers, Schedule: &contract.Schedule{Attempts: 3}, RetryAfter: &contract.RetryAfter{Codes: answers.Retry, Forms: []string{"seconds", "date"}},
			}}
			for _, sc := range []drive.Scenario{k.retryStatus(), k.retryPermanent(), k.retryBroken(), k.retryAfterSeconds(), k.retryAfterDate(), k.lifecycleGone()} {
				if sc.Play == nil && sc.NotRun == "" {
					t.Errorf("%s is neither played nor not, with %d as %v", sc.Name, s, answers)
				}
			}
		}
	}
}

// TestASuccessIsOneOfTheContract: where 200 is none, plans end with another; with one that may have a body, if there is any.
func TestASuccessIsOneOfTheContract(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		success contract.Codes
		want    string
	}{
		{contract.Codes{"2xx"}, `503, 200, 200(body="x"), 200(delay=2s)`},
		{contract.Codes{"202", "204"}, `503, 202, 202(body="x"), 202(delay=2s)`},
		{contract.Codes{"204"}, `503, 204, 200(body="x"), 204(delay=2s)`},
	} {
		k := kit{c: &contract.Contract{Answers: contract.Answers{
			Success: tt.success, Retry: contract.Codes{"5xx"}, Otherwise: contract.OtherwisePermanent,
		}}}
		if got := k.plan(`503, 200, 200(body="x"), 200(delay=%s)`, "2s").String(); got != tt.want {
			t.Errorf("success is %s: %s, want %s", tt.success, got, tt.want)
		}
		if got := k.plan("%d, 503", 200).String(); !strings.HasPrefix(got, "200, ") { // a status that was chosen stays
			t.Errorf("success is %s: %s", tt.success, got)
		}
	}
}

// TestFailuresAreThoseOfTheContract: one that names none of the usual statuses gets what it names, and one that names nothing gets none.
func TestFailuresAreThoseOfTheContract(t *testing.T) {
	t.Parallel()
	few := kit{events: 1000, c: &contract.Contract{Answers: contract.Answers{
		Success: contract.Codes{"200"}, Retry: contract.Codes{"429"}, Permanent: contract.Codes{"415"}, Otherwise: contract.OtherwiseOpen,
	}}}
	if got := few.refusals(422, 404); !slices.Equal(got, []int{415}) {
		t.Errorf("refused is with %d, want 415", got)
	}
	if got := few.failures(503, 500); !slices.Equal(got, []int{429}) {
		t.Errorf("failures are %d, want 429", got)
	}
	none := kit{events: 1000, c: &contract.Contract{Answers: contract.Answers{Success: contract.Codes{"200"}, Otherwise: contract.OtherwiseOpen}}}
	for k, want := range map[*kit]bool{&few: true, &none: false} {
		if _, lost := k.mix(rand.New(rand.NewPCG(1, 2))); (len(lost) > 0) != want {
			t.Errorf("%d of 1000 events are to be given up; some: %t", len(lost), want)
		}
	}
}
