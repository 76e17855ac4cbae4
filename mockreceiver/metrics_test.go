package mockreceiver_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/alarm"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// scrape returns the receiver's series by name and labels, as Prometheus sees them.
func (r *rig) scrape() map[string]float64 {
	r.t.Helper()
	status, text := r.fetch("/metrics", r.Token())
	if status != http.StatusOK {
		r.t.Fatalf("scrape: got %d %s", status, text)
	}
	series := map[string]float64{}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		v, err := strconv.ParseFloat(value, 64)
		if err != nil {
			r.t.Fatalf("series %q: %v", line, err)
		}
		series[name] = v
	}
	return series
}

// fetch asks the control listener; an empty token is not sent.
func (r *rig) fetch(path, token string) (int, string) {
	r.t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), http.MethodGet, r.ControlURL()+path, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := client(r.t).Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	return resp.StatusCode, string(b)
}

func TestMetricsCountWhatTheReceiverDid(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	url, c := r.endpoint("orders", "502, reset, 200"), client(t)
	for range 2 {
		_, _, _ = try(c, url, `{"id":"evt_1"}`) // the second is reset
	}
	post(t, c, url, `{"id":"evt_1"}`)
	post(t, c, url, `{"id":"evt_1"}`)
	post(t, c, r.DataURL()+"/nowhere", `{}`)
	r.outcomes(5)
	r.effects(2)
	got := r.scrape()
	for name, want := range map[string]float64{
		`hookassay_attempts_total{endpoint="orders",fault="status",status="5xx"}`: 1,
		`hookassay_attempts_total{endpoint="orders",fault="reset",status="none"}`: 1,
		`hookassay_attempts_total{endpoint="orders",fault="status",status="2xx"}`: 2,
		`hookassay_attempt_results_total{result="success"}`:                       2,
		`hookassay_attempt_results_total{result="failure"}`:                       2,
		`hookassay_retries_total{endpoint="orders"}`:                              3,
		`hookassay_effects_total{endpoint="orders",result="committed"}`:           1,
		`hookassay_effects_total{endpoint="orders",result="absorbed"}`:            1,
		`hookassay_unhandled_requests_total`:                                      1,
		`hookassay_request_seconds_count`:                                         3,
		`hookassay_acknowledge_seconds_count`:                                     3,
		`hookassay_stream_readers`:                                                0,
		`hookassay_endpoints`:                                                     1,
		`hookassay_retry_backlog`:                                                 0,
		`hookassay_dead_letters`:                                                  0,
		`hookassay_lost_records_total`:                                            0,
		`hookassay_troubles_total`:                                                0,
		`hookassay_journal_failures_total`:                                        0,
		`hookassay_journal_writable`:                                              1,
		`hookassay_body_bytes_in_flight`:                                          0,
	} {
		if v, ok := got[name]; !ok || v != want {
			t.Errorf("%s: got %v (there: %t), want %v", name, v, ok, want)
		}
	}
	if got[`hookassay_received_bytes_total{endpoint="orders"}`] < 4*float64(len(`{"id":"evt_1"}`)) {
		t.Errorf("received bytes: %v", got[`hookassay_received_bytes_total{endpoint="orders"}`])
	}
	if got["hookassay_journal_group_records_sum"] < 12 {
		t.Errorf("12 records went to the journal, it counts %v", got["hookassay_journal_group_records_sum"])
	}
	if got["hookassay_last_success_timestamp_seconds"] <= got["hookassay_start_time_seconds"] {
		t.Errorf("last success at %v, start at %v", got["hookassay_last_success_timestamp_seconds"], got["hookassay_start_time_seconds"])
	}
}

func TestMetricsCountSignatures(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	url, err := r.AddEndpoint(mockreceiver.Endpoint{Name: "signed", Verify: &mockreceiver.Verify{Scheme: "timestamp-v1", Secrets: []string{"a key"}}})
	if err != nil {
		t.Fatal(err)
	}
	post(t, client(t), url, `{"id":"evt_1"}`)
	r.outcomes(1)
	got := r.scrape()
	for name, want := range map[string]float64{
		`hookassay_signatures_total{endpoint="signed",state="missing"}`: 1,
		`hookassay_signature_results_total{result="failure"}`:           1,
		`hookassay_signature_results_total{result="success"}`:           0,
	} {
		if v, ok := got[name]; !ok || v != want {
			t.Errorf("%s: got %v (there: %t), want %v", name, v, ok, want)
		}
	}
}

// TestMetricsStayBounded covers a peer's and an operator's ways to make series.
func TestMetricsStayBounded(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	c := client(t)
	for i := range 120 {
		url, err := r.AddEndpoint(mockreceiver.Endpoint{Name: fmt.Sprintf("e%d\n\"", i), Path: fmt.Sprintf("/e/%d", i), Plan: fault.Of(fault.Status{Code: 200 + i})})
		if err != nil {
			t.Fatal(err)
		}
		post(t, c, url, `{"id":"evt_\"x\""}`)
	}
	r.outcomes(120)
	endpoints := map[string]bool{}
	for name := range r.scrape() {
		if _, rest, ok := strings.Cut(name, `endpoint="`); ok {
			endpoint, _, _ := strings.Cut(rest, `",`)
			endpoints[strings.TrimSuffix(endpoint, `"}`)] = true
		}
		if strings.Contains(name, "evt_") {
			t.Errorf("an event's id is a label: %s", name)
		}
	}
	if len(endpoints) != 101 || !endpoints["(other)"] {
		t.Errorf("%d endpoints have series, want 100 and (other): %v", len(endpoints), endpoints)
	}
}

func TestTwoReceiversOfAProcessCountApart(t *testing.T) {
	a, b := start(t, mockreceiver.Config{}), start(t, mockreceiver.Config{})
	post(t, client(t), a.endpoint("e", "200"), `{}`)
	a.outcomes(1)
	const name = `hookassay_attempt_results_total{result="success"}`
	if got := a.scrape()[name]; got != 1 {
		t.Errorf("the one that got an attempt counts %v", got)
	}
	if got := b.scrape()[name]; got != 0 {
		t.Errorf("the other counts %v", got)
	}
}

// rulesFile is what the test reads of a file of Prometheus rules.
type rulesFile struct {
	Groups []struct {
		Rules []struct {
			Alert  string            `yaml:"alert"`
			Expr   string            `yaml:"expr"`
			Labels map[string]string `yaml:"labels"`
		} `yaml:"rules"`
	} `yaml:"groups"`
}

func TestRulesFileUsesWhatIsExposed(t *testing.T) {
	text, err := os.ReadFile("../examples/prometheus/hookassay.rules.yml")
	if err != nil {
		t.Fatal(err)
	}
	var file rulesFile
	if err := yaml.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	// A fresh receiver: a series that only comes with the first failure would hide that failure from increase().
	exposed := map[string]bool{}
	for name := range start(t, mockreceiver.Config{}).scrape() {
		name, labels, _ := strings.Cut(name, "{")
		exposed[name] = true
		exposed[name+"{"+labels] = true
	}
	var alarms []string
	metric := regexp.MustCompile(`hookassay_[a-z_]+(\{[^}]*\})?`)
	for _, g := range file.Groups {
		for _, rule := range g.Rules {
			alarms = append(alarms, rule.Labels["alarm"])
			used := metric.FindAllString(rule.Expr, -1)
			if len(used) == 0 {
				t.Errorf("%s looks at no metric: %s", rule.Alert, rule.Expr)
			}
			for _, name := range used {
				if !exposed[name] {
					t.Errorf("%s looks at %s, which /metrics does not expose", rule.Alert, name)
				}
			}
		}
	}
	var want []string
	for _, r := range alarm.Rules() {
		want = append(want, r.Name)
	}
	if !slices.Equal(alarms, want) {
		t.Errorf("the file has rules for %q, the receiver has %q", alarms, want)
	}
}
