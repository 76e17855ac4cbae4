package fault_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hookassay/hookassay/mockreceiver/fault"
)

func TestEveryKindHasAGenerator(t *testing.T) {
	known := generators()
	for _, k := range fault.Kinds() {
		if known[k.Name] == nil {
			t.Errorf("kind %s: has no generator, so its text form is not tested", k.Name)
		}
		if k.Reason == "" || k.Form == "" {
			t.Errorf("kind %s: has no reason or no form", k.Name)
		}
		p, err := fault.Parse(k.Form)
		if err != nil {
			t.Errorf("kind %s: its own form does not parse: %v", k.Name, err)
			continue
		}
		if p.Then.Kind() != k.Name {
			t.Errorf("kind %s: its form %q parses as %s", k.Name, k.Form, p.Then.Kind())
		}
	}
	if len(known) != len(fault.Kinds()) {
		t.Errorf("%d generators for %d kinds", len(known), len(fault.Kinds()))
	}
}

// plans are plans of all kinds, with steps that last and times to live.
func plans() *rapid.Generator[fault.Plan] {
	var kinds []*rapid.Generator[fault.Fault]
	for _, g := range generators() {
		kinds = append(kinds, g)
	}
	span := rapid.Map(rapid.Int64Range(1, int64(24*time.Hour)), func(n int64) time.Duration { return time.Duration(n) })
	perhaps := rapid.OneOf(rapid.Just(time.Duration(0)), span)
	return rapid.Custom(func(t *rapid.T) fault.Plan {
		list := rapid.SliceOfN(rapid.OneOf(kinds...), 1, 6).Draw(t, "faults")
		if rapid.Bool().Draw(t, "repeat") {
			list = append(list, list[len(list)-1], list[len(list)-1])
		}
		p := fault.Of(list...)
		for i := range p.Steps {
			p.Steps[i].For = perhaps.Draw(t, "for")
		}
		p.TTL = perhaps.Draw(t, "ttl")
		return p
	})
}

func TestPlanRoundTrip(t *testing.T) {
	all := plans()
	rapid.Check(t, func(t *rapid.T) {
		want := all.Draw(t, "plan")
		got, err := fault.Parse(want.String())
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("%s: %s", want, d)
		}
	})
}

func TestParse(t *testing.T) {
	for text, want := range map[string]fault.Plan{
		"502, timeout, 429(retry-after=2), reset, business-failure, 200": fault.Of(
			fault.Status{Code: 502}, fault.Timeout{}, fault.Status{Code: 429, RetryAfter: fault.RetryAfter{Text: "2"}},
			fault.Reset{}, fault.BusinessFailure{}, fault.Status{Code: 200}),
		"502 for 30s, reset*2, 200; ttl=10m": {
			Steps: []fault.Step{{Fault: fault.Status{Code: 502}, For: 30 * time.Second}, {Fault: fault.Reset{}}, {Fault: fault.Reset{}}},
			Then:  fault.Step{Fault: fault.Status{Code: 200}}, TTL: 10 * time.Minute,
		},
		"502*3":                        fault.Of(fault.Status{Code: 502}, fault.Status{Code: 502}, fault.Status{Code: 502}),
		" 200 ":                        fault.OK(),
		"timeout(5s),lost-ack":         fault.Of(fault.Timeout{For: 5 * time.Second}, fault.LostAck{}),
		"business-failure(status=503)": fault.Of(fault.BusinessFailure{Code: 503}),
		"503(retry-after=date+3s)":     fault.Of(fault.Status{Code: 503, RetryAfter: fault.RetryAfter{Date: true, In: 3 * time.Second}}),
		`429(retry-after="soon")`:      fault.Of(fault.Status{Code: 429, RetryAfter: fault.RetryAfter{Text: "soon"}}),
		`200(header="X-A: 1", header="X-B: 2", body="{\"a\": 1}", delay=300ms, copies=4, work=1s)`: fault.Of(fault.Status{
			Code: 200, Header: [][2]string{{"X-A", "1"}, {"X-B", "2"}}, Body: `{"a": 1}`,
			Delay: 300 * time.Millisecond, Copies: 4, Work: time.Second,
		}),
		`mix(502=0.2, 429(retry-after=2, body="(\")")=0.1, timeout=0, 201)`: fault.Of(fault.Mix{Shares: []fault.Share{
			{Step: fault.Step{Fault: fault.Status{Code: 502}}, P: 0.2},
			{Step: fault.Step{Fault: fault.Status{Code: 429, RetryAfter: fault.RetryAfter{Text: "2"}, Body: `(")`}}, P: 0.1},
			{Step: fault.Step{Fault: fault.Timeout{}}},
		}, Rest: fault.Step{Fault: fault.Status{Code: 201}}}),
		"chance(0.25, status=500)": fault.Of(fault.Chance{P: 0.25, Code: 500}),
	} {
		got, err := fault.Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", text, d)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                                    "position 1: want a step",
		"502,":                                "position 5: want a step",
		"502 503":                             "position 5: want a comma",
		"502 for 30s":                         "position 12: the last step repeats for ever",
		"502 for , 200":                       `position 9: for "": want a duration above 0s`,
		"502 for 0s, 200":                     "want a duration above 0s",
		"502 for 25h, 200":                    "up to 24h",
		"502*2 for 1s, 200":                   "position 7: want a comma",
		"502 for 1s*2, 200":                   "position 11: want a comma",
		"200;":                                "position 5: want ttl=10m",
		"200; ttl":                            "position 6: want ttl=10m",
		"200; ttl=":                           "want a duration",
		"200; ttl=1m, 502":                    "want a comma",
		"oops":                                `position 1: unknown step "oops"`,
		"status":                              `position 1: unknown step "status"`,
		"200, 99":                             "position 6: status 99: want 200 to 999",
		"1000":                                "position 1: status 1000",
		"stall(after=-1)":                     "want a number from 0",
		"stall(status=204)":                   "has no body by definition",
		"cut-request(with=bang)":              "want with=close or with=reset",
		"cut-request(status=500)":             "takes no such argument",
		"interim(101)":                        "101 is a final answer",
		"interim(200)":                        "want a number from 100 to 199",
		"latency(to=1s, in=head)":             "want in=body",
		"latency(to=1s, in=body, status=204)": "status 204 has no body",
		"mix":                                 "want 1 to 64 steps",
		"slow-read":                           "give the bytes of each interval",
		"mix(200)":                            "want 1 to 64 steps",
		"mix(502=2)":                          "502=2: want a share from 0 to 1",
		"mix(502=NaN)":                        "want a share",
		"mix(502=0.6, 503=0.6)":               "the shares are 1.2 together",
		"mix(502=0.1, 502=0.1)":               "502: is there twice",
		"mix(502=0.1, 200, 201)":              "the step for the others is there twice",
		"mix(oops=0.1)":                       `position 5: "oops": position 1: unknown step`,
		"mix(502(delay=soon)=0.1)":            `position 5: "502(delay=soon)": position 5: delay=soon: want a duration`,
		"mix(mix(502=0.1)=0.1)":               "want no mix inside",
		"mix(502(delay=1s":                    "want a closing bracket",
		`mix(502(body="x)=0.1)`:               "want a text in double quotes",
		"100":                                 "position 1: status 100",
		"502*0":                               `position 5: count "0"`,
		"502*x":                               `position 5: count "x"`,
		"502*9999999":                         "position 5: count",
		"502*10000, 200":                      "more than 10000 steps",
		"502(":                                "want an argument of 502",
		"502(delay=1s":                        "want a comma or a closing bracket",
		"502(delay=soon)":                     "position 5: delay=soon: want a duration",
		"502(delay=-1s)":                      "want a duration",
		"502(delay=1s, delay=2s)":             "position 15: delay=2s: 502 takes no such argument, or takes it once",
		"502(oops=1)":                         "position 5: oops=1: 502 takes no such argument",
		"timeout(5)":                          "want a duration",
		"502(copies=2)":                       "work and copies belong to a 2xx",
		"200(copies=65)":                      "copies=65: want a number from 1 to 64",
		"429(retry-after=soon)":               "want whole seconds",
		"429(retry-after=date)":               "want whole seconds",
		`429(retry-after="")`:                 "want a text",
		`200(body="x)`:                        "want a text in double quotes",
		`204(body="x")`:                       "has no body by definition",
		`200(header="X")`:                     "want header=",
		`200(header="X: a\r\nY: b")`:          "in printable characters",
		`200(header="Content-Length: 9")`:     "framing is the receiver's own",
		"business-failure(status=200)":        "want a number from 300 to 599",
		"large":                               "give the size",
		"large(0)":                            "want a number from 1",
		"large(9, status=204)":                "status 204 has no body",
		"drip":                                "give the bytes",
		"cut(with=bang)":                      "want with=close or with=reset",
		"wrong-length":                        "say by how much",
		"wrong-length(-26)":                   "want a number from -25",
		"malformed":                           "want malformed(status-line)",
		"malformed(status-line, status=200)":  "has no status",
		"latency":                             "want latency(from",
		"latency(median=1s)":                  "want latency(from",
		"latency(to=1s, sigma=1)":             "want latency(from",
		"latency(from=2s, to=1s)":             "from=2s is above to=1s",
		"latency(median=1s, sigma=NaN)":       "want a number above 0",
		"early(status=200)":                   "want a number from 300",
		"redirect":                            "want where to",
		`redirect(to="x")`:                    "want where to",
		`redirect(to="/a b")`:                 "want where to",
		`redirect(to="/x", status=304)`:       "status 304: want 301",
		"early-hints(count=1001)":             "want a number from 1 to 1000",
		"rate-limit":                          "give the requests per second",
		"rate-limit(0)":                       "want a number from 1",
		"rate-limit(1, status=200)":           "want a number from 300",
		"outage(from=2s, to=2s)":              "to=2s is not after from=2s",
		"outage(with=reset, status=500)":      "not both",
		"429(retry-after=-5)":                 "or any text in double quotes",
		"continue":                            "want continue(never)",
		"continue(0s)":                        "want continue(never)",
		"continue(soon)":                      "want continue(never)",
		"chance":                              "want the share",
		"chance(1.5)":                         "want the share",
		"chance(NaN)":                         "want the share",
		"Äh, oops":                            "position 1",
		`200(body="ä"), oops`:                 "position 16: unknown step",
		"\xff":                                "not valid UTF-8",
		strings.Repeat("2", 70_000):           "at most",
	} {
		_, err := fault.Parse(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: got %v, want %q in it", text, err, want)
		}
	}
}

func TestStepOfPlan(t *testing.T) {
	p, err := fault.Parse("502, reset, 200")
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]string{1: "502", 2: "reset", 3: "200", 4: "200", 1000: "200"} {
		if got := p.Step(n).String(); got != want {
			t.Errorf("step %d: got %s, want %s", n, got, want)
		}
	}
	var zero fault.Plan
	if got := zero.String(); got != "200" {
		t.Errorf("zero plan: got %s, want 200", got)
	}
}

func TestPlanInJSON(t *testing.T) {
	var v struct{ Plan fault.Plan }
	if err := json.Unmarshal([]byte(`{"Plan": "502*2, 200"}`), &v); err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(b), `{"Plan":"502*2, 200"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if err := json.Unmarshal([]byte(`{"Plan": null}`), &v); err != nil || v.Plan.String() != "502*2, 200" {
		t.Errorf("after null: %s, %v", v.Plan, err)
	}
	if err := json.Unmarshal([]byte(`{"Plan": {"steps": [{"429": {"retry-after": 2, "body": "a\/b \ud83d\ude00"}}], "then": 200, "ttl": "1m"}}`), &v); err != nil {
		t.Fatal(err)
	}
	if got, want := v.Plan.String(), `429(retry-after=2, body="a/b 😀"), 200; ttl=1m0s`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for text, want := range map[string]string{
		`{"Plan": 502}`: "want fields", `{"Plan": [[502]]}`: "want a step", `{"Plan": ""}`: "position 1: want a step",
		`{"Plan": {"steps": [502], "x": 1}}`: `line 1, column 18: unknown field "x"`,
	} {
		if err := json.Unmarshal([]byte(text), &v); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q in it", text, err, want)
		}
	}
}

func TestRetryAfterDateIsCutToSeconds(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 900e6, time.UTC)
	got := fault.RetryAfter{Date: true, In: 3 * time.Second}.Value(now)
	if want := "Sun, 01 Mar 2026 12:00:03 GMT"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"502*3, 200", `200(body="x", header="A: b")`, "timeout(1s)", "chance(0.1)", "429(retry-after=date-1h)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := fault.Parse(text)
		if err != nil {
			return
		}
		again, err := fault.Parse(p.String())
		if err != nil {
			t.Fatalf("%q became %q: %v", text, p, err)
		}
		if d := cmp.Diff(p, again); d != "" {
			t.Fatal(d)
		}
	})
}
