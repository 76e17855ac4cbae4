package contract_test

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
)

// providers are the profiles that were gathered from what providers publish.
func providers() []string {
	return []string{
		"standard-webhooks", "cloudevents-webhook", "svix-oss", "convoy", "outpost", "stripe", "github", "shopify", "slack", "twilio",
		"sendgrid", "paypal", "square", "paddle", "zoom", "discord", "linear", "twitch", "meta", "intercom", "mailgun", "adyen", "gitlab",
		"gitea", "bitbucket", "alertmanager", "websub",
	}
}

func profile(t *testing.T, name string) *contract.Contract {
	t.Helper()
	c, err := contract.Profile(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestEachValueOfAProviderHasItsSource(t *testing.T) {
	for _, name := range providers() {
		c := profile(t, name)
		t.Run(name, func(t *testing.T) {
			if !strings.HasPrefix(c.Source, "https://") {
				t.Errorf("source: got %q, want the address where the promises are published", c.Source)
			}
			for _, path := range valuesOf(c) {
				if _, ok := factOf(c, path); !ok {
					t.Errorf("%s has no fact that says where it comes from", path)
				}
			}
			for _, f := range c.Facts {
				for _, of := range f.Of {
					if !slices.ContainsFunc(valuesOf(c), func(path string) bool { return within(path, of) }) {
						t.Errorf("facts name %s, of which the profile says nothing", of)
					}
				}
			}
		})
	}
}

// advised maps fields to the checks, or families of checks, that rest on them.
func advised() map[string][]string {
	return map[string][]string{
		"signature.scheme": {"sig"}, "signature.tolerance": {"time"}, "signature.resign": {"time.fresh"},
		"identity": {"id"}, "body": {"body"},
		"answers.success": {"outcome"}, "answers.retry": {"retry"}, "answers.errors": {"retry"}, "answers.otherwise": {"retry"},
		"answers.permanent": {"retry.permanent"}, "answers.disable": {"life"}, "answers.redirects": {"sec.no-redirect"},
		"schedule.waits": {"backoff"}, "schedule.jitter": {"backoff"}, "schedule.slack.share": {"backoff"}, "schedule.attempts": {"budget"}, "schedule.attempts_min": {"budget"},
		"schedule.timeout": {"timeout.request"}, "schedule.deadline": {"budget"}, "schedule.measured_from": {"backoff"},
		"retry_after": {"backoff.retry-after"}, "keys.overlap": {"secret.rotation"}, "keys.per_scope": {"secret.isolation"}, "replay.id": {"replay"}, "replay.body": {"replay.body"},
		"auto_disable":        {"life.threshold"},
		"schedule.slack.late": {}, "schedule.claimed_window": {}, // the first only widens what is right, the second is not judged
	}
}

func TestWhatIsToBeConfirmedOnlyWarns(t *testing.T) {
	for _, name := range providers() {
		c := profile(t, name)
		for _, path := range valuesOf(c) {
			f, _ := factOf(c, path)
			if f.Confidence != contract.Known {
				continue
			}
			known := false
			for field, checks := range advised() {
				if !within(path, field) {
					continue
				}
				known = true
				for _, check := range checks {
					if !c.Advises(check) {
						t.Errorf("%s: %s is to be confirmed (K), and %s is not under advice", name, path, check)
					}
				}
			}
			if !known {
				t.Errorf("%s: %s is to be confirmed (K), and this test does not know which checks rest on it", name, path)
			}
		}
	}
}

func TestFindingsOfLintStandInTheProfile(t *testing.T) {
	for _, name := range contract.Profiles() {
		text, err := os.ReadFile("profiles/" + name + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		var stated []string
		for line := range strings.Lines(string(text)) {
			if hint, ok := strings.CutPrefix(strings.TrimSpace(line), "# lint: "); ok {
				stated = append(stated, hint)
			}
		}
		if found := contract.Lint(profile(t, name)); !slices.Equal(found, stated) {
			t.Errorf("%s: lint finds\n  %s\nand the file states\n  %s", name, strings.Join(found, "\n  "), strings.Join(stated, "\n  "))
		}
	}
}

// valuesOf lists the fields that a contract says something in, but for those that describe it.
func valuesOf(c *contract.Contract) []string {
	var paths []string
	v := reflect.ValueOf(c).Elem()
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("yaml"), ",")
		switch name {
		case "schema", "name", "title", "source", "facts", "advice", "time_unit", "compressed_by":
		default:
			paths = append(paths, leaves(v.Field(i), name)...)
		}
	}
	return paths
}

func leaves(v reflect.Value, path string) []string {
	if v.IsZero() {
		return nil
	}
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return []string{path}
	}
	var paths []string
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("yaml"), ",")
		paths = append(paths, leaves(v.Field(i), path+"."+name)...)
	}
	return paths
}

// within tells whether a field is the other one or lies in it.
func within(path, of string) bool { return path == of || strings.HasPrefix(path, of+".") }

// factOf returns the fact with the longest name that a field lies in.
func factOf(c *contract.Contract, path string) (fact contract.Fact, ok bool) {
	longest := -1
	for _, f := range c.Facts {
		for _, of := range f.Of {
			if within(path, of) && len(of) > longest {
				fact, ok, longest = f, true, len(of)
			}
		}
	}
	return fact, ok
}

func TestOpenSchedule(t *testing.T) {
	s := contract.Schedule{Attempts: 9}
	if got := s.Wait(2); got.Min != 0 || got.Max < 30*24*time.Hour {
		t.Errorf("a wait that is not published: got %v, want any", got)
	}
	if got := s.Count(); got != 9 || s.Stepped() || !s.Counted() {
		t.Errorf("attempts without waits: got %d, stepped %v, counted %v", got, s.Stepped(), s.Counted())
	}
	s = contract.Schedule{Waits: []time.Duration{0, 10 * time.Second}, Slack: &contract.Slack{Share: 0.5, Late: 3 * time.Second}}
	if got, want := s.Wait(2), (contract.Band{Min: 5 * time.Second, Max: 18 * time.Second}); got != want {
		t.Errorf("slack: got %v, want %v", got, want)
	}
	s.Throttle = &contract.Throttle{Codes: contract.Codes{"429"}, Errors: []string{contract.ErrorTimeout}, Wait: time.Minute}
	for _, tt := range []struct {
		status int
		kind   string
		want   time.Duration
	}{{429, "", 93 * time.Second}, {0, contract.ErrorTimeout, 93 * time.Second}, {503, "", 18 * time.Second}} {
		if got := s.Throttled(s.Wait(2), tt.status, tt.kind); got.Max != tt.want || got.Min != 5*time.Second {
			t.Errorf("wait after %d%s: got %v, want 5s to %v", tt.status, tt.kind, got, tt.want)
		}
	}
}
