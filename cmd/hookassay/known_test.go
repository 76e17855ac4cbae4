package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/reports"
)

// timeless are the checks that what a sender sends decides, and not when: a busy machine leaves none of them open.
const timeless = "body || id || sig"

// TestKnownFailures runs a sender with a defect once, has its failures written down, and judges the evidence with that list in
// all the forms that people give it.
func TestKnownFailures(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	list, out := filepath.Join(dir, "known.yaml"), filepath.Join(dir, "out")
	quick, _ := quickContract(t, "")
	code, _, stderr := hookassay(t, "demo", "--contract", quick, "--compress", "1", "--var", "defect=id-new-on-retry",
		"--select", "delivery/first-try,retry/transient-status", "--labels", timeless, "--write-known", list, "--out", out)
	if code != 1 {
		t.Fatalf("exit code %d, want 1: %s", code, stderr)
	}
	written, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	filled := strings.ReplaceAll(string(written), `reason: ""`, "reason: ids are stable from 2.3 on")
	entry := func(scenario, check, reason string) string {
		return "  - {scenario: '" + scenario + "', check: '" + check + "', reason: '" + reason + "'}\n"
	}
	for _, tt := range []struct {
		name, list string
		code       int
		says       string
	}{
		{"as written", string(written), 2, "entry 1: known failure body.stable in retry/transient-status has no reason"},
		{"filled in", filled, 0, "CONFORMANT-WITH-KNOWN-FAILURES"},
		{"selection: what was left out is not stale", filled + entry("log/*", "log.state", "r"), 0, "CONFORMANT-WITH-KNOWN-FAILURES"},
		{"stale", filled + entry("delivery/*", "sig.verifies", "r"), 1, "the known failure sig.verifies in delivery/* is stale"},
		{"unmatched", filled + entry("delivery/none", "sig.verifies", "r"), 1, "matches no scenario"},
		{"twice", filled + entry("retry/transient-status", "id.stable", "ids are stable from 2.3 on"), 1, "is listed twice"},
		{"contradictory", filled + entry("retry/*", "id.*", "never"), 1, "is listed by two known failures with different reasons"},
		{"only one of two", strings.Split(filled, "  # \"attempt 2 of event")[0] + entry("retry/*", "id.stable", "r"), 1, "1 MUST verdict failed, the first body.stable"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path, judged := filepath.Join(t.TempDir(), "list.yaml"), filepath.Join(t.TempDir(), "judged")
			if err := os.WriteFile(path, []byte(tt.list), 0o600); err != nil {
				t.Fatal(err)
			}
			code, stdout, stderr := hookassay(t, "judge", out, "--known-failures", path, "--out", judged)
			if said := strings.Join(strings.Fields(stdout+stderr), " "); code != tt.code || !strings.Contains(said, tt.says) {
				t.Fatalf("exit code %d, want %d and %q in:\n%s", code, tt.code, tt.says, said)
			}
			if tt.code == 2 {
				return
			}
			res, err := reports.ReadResults(filepath.Join(judged, "results.json"))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(res.Rejudge, " --known-failures "+path) {
				t.Errorf("to be judged again by %q", res.Rejudge)
			}
		})
	}
}

// TestKnownFailuresAreWrittenAsTheyAreRead: what a list says survives being written anew, and what is over is left out.
func TestKnownFailuresAreWrittenAsTheyAreRead(t *testing.T) {
	kept := judge.KnownFailure{Scenario: "*/*", Check: "backoff.[bj]*", Reason: "# \"waits\": 2 × as long\nuntil 2.3 - see TICKET-7"}
	fresh := judge.Verdict{Scenario: "retry/x", Check: "id.stable", Outcome: judge.Fail, Because: "new id\n  - {scenario: injected}"}
	text, err := knownText(reports.Results{
		Known: []judge.Known{
			{KnownFailure: kept, State: judge.KnownUsed},
			{KnownFailure: judge.KnownFailure{Scenario: "log/*", Check: "log.state", Reason: "r"}, State: judge.KnownStale},
		},
		Verdicts: []judge.Verdict{
			fresh,
			{Scenario: "acceptance/x", Check: "acceptance.rate", Outcome: judge.Fail},
			{Scenario: "retry/x", Check: "body.stable", Outcome: judge.Fail, Known: "r"},
			{Scenario: "retry/x", Check: "sig.verifies", Outcome: judge.Warn},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parseKnown("list", text); err == nil || !strings.Contains(err.Error(), "entry 2: known failure id.stable in retry/x has no reason") {
		t.Errorf("an entry without a reason was taken: %v", err)
	}
	got, err := parseKnown("list", []byte(strings.Replace(string(text), `reason: ""`, "reason: r", 1)))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	want := []judge.KnownFailure{kept, {Scenario: "retry/x", Check: "id.stable", Reason: "r"}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("list (-want +got):\n%s", d)
	}
}

func TestKnownFailuresFileIsOutsideInput(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", `list: schema is ""; write schema: hookassay.known/1`},
		{"schema: hookassay.known/1\nknown_failures: []\n", ""},
		{"schema: hookassay.known/1\nknown: []\n", `list: line 2, column 1: unknown field "known" (did you mean known_failures?)`},
		{"schema: hookassay.known/1\n---\nschema: hookassay.known/1\n", "list: holds more than one document; a file of known failures is one"},
		{"schema: hookassay.known/1\nknown_failures: [{check: id.stable, reason: r}]\n", "list: entry 1: a known failure names a scenario and a check, each by a glob such as 'retry/*' and 'backoff.*'"},
		{strings.Repeat("[", 20_001), "list: holds 20001 words and signs, and a file of known failures at most 20000; list them by globs"},
	} {
		got := ""
		if _, err := parseKnown("list", []byte(tt.text)); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
}

// TestKnownFailuresAreNotWrittenOverAnotherFile: the reasons in it would be lost.
func TestKnownFailuresAreNotWrittenOverAnotherFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "known.yaml")
	if err := os.WriteFile(path, []byte(knownHead), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		path, inUse string
		ok          bool
	}{{path, "", false}, {path, path, true}, {path + ".new", "", true}, {filepath.Join(path, "x"), "", false}, {"", "", true}} {
		if err := checkKnownTarget(tt.path, tt.inUse); (err == nil) != tt.ok {
			t.Errorf("write %s, in use %s: %v", tt.path, tt.inUse, err)
		}
	}
}
