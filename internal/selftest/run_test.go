package selftest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/internal/selftest"
)

// played is a self-test whose players say what the rows must show, unless they are told otherwise.
type played struct {
	mu       sync.Mutex
	jobs     []string
	virtual  func(selftest.Job) (selftest.Played, error)
	progress []int
	alone    bool // one row at a time
}

func asItMust(j selftest.Job) (selftest.Played, error) {
	p := selftest.Played{Verdict: judge.Conformant}
	switch j.Row.Kind {
	case selftest.Correct, selftest.Variant:
		p.Verdicts = []judge.Verdict{said("sig.verifies", judge.Pass)}
	case selftest.Receiver:
		p.Verdict, p.Verdicts = judge.RunError, []judge.Verdict{said(j.Row.MustFail, judge.Error)}
	case selftest.Defect, selftest.Silent:
		p.Verdicts = []judge.Verdict{said(j.Row.MustFail, judge.Fail)}
	}
	return p, nil
}

func (p *played) run(ctx context.Context, t *testing.T, rows []selftest.Row) (*selftest.Matrix, error) {
	t.Helper()
	began := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	var ticks atomic.Int64
	computing := 2
	if p.alone {
		computing = 1
	}
	return selftest.Run(ctx, selftest.Config{
		Rows: rows, Whole: true, Seed: 7, AcceptanceEvents: 100, Computing: computing, Waiting: 1,
		Now: func() time.Time { return began.Add(time.Duration(ticks.Add(1)) * time.Second) },
		Dir: func(r selftest.Row, how string) (string, error) { return r.Key() + "/" + how, nil },
		Virtual: func(_ context.Context, j selftest.Job) (selftest.Played, error) {
			p.note(j)
			return p.virtual(j)
		},
		Processes: func(_ context.Context, j selftest.Job) (selftest.Played, error) {
			p.note(j)
			return asItMust(j)
		},
		Progress: func(_ selftest.Found, done, all int) { p.progress = append(p.progress, done, all) },
	})
}

func (p *played) note(j selftest.Job) {
	p.mu.Lock()
	defer p.mu.Unlock()
	text, _ := json.Marshal([]any{j.Dir, j.Seed, j.AcceptanceEvents, j.OnlyLoad, j.Select})
	p.jobs = append(p.jobs, string(text))
}

func TestRunPlaysWhatIsLeftByProcesses(t *testing.T) {
	t.Parallel()
	p := &played{virtual: func(j selftest.Job) (selftest.Played, error) {
		out, err := asItMust(j)
		if j.Row.Kind == selftest.Defect {
			out.Verdicts, out.Unplayed = nil, []string{"durability/kill"}
		}
		return out, err
	}}
	loaded := defect()
	loaded.Load = true
	m, err := p.run(t.Context(), t, []selftest.Row{correct(), defect(), loaded, receiver()})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(p.jobs)
	want := []string{
		`["bounded-6/virtual",7,0,false,null]`,
		`["no-ids/processes",7,100,false,["durability/kill"]]`, `["no-ids/virtual",7,100,false,null]`,
		`["no-ids@load/processes",7,0,true,["durability/kill"]]`, `["no-ids@load/virtual",7,0,true,null]`,
		`["receiver-effect-again/virtual",7,100,false,null]`,
	}
	if diff := cmp.Diff(want, p.jobs); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int{1, 4, 2, 4, 3, 4, 4, 4}, p.progress); diff != "" {
		t.Error(diff)
	}
	for i, want := range []selftest.Result{selftest.IsClean, selftest.IsCaught, selftest.IsCaught, selftest.IsCaught} {
		if got := m.Rows[i].Result; got != want {
			t.Errorf("%s: %s, want %s", m.Rows[i].Key(), got, want)
		}
	}
	if m.Holds != (len(m.Findings) == 0) {
		t.Errorf("holds is %t with %q", m.Holds, m.Findings)
	}
}

func TestRunTellsOfTroubleAndGoesOn(t *testing.T) {
	t.Parallel()
	p := &played{virtual: func(j selftest.Job) (selftest.Played, error) {
		if j.Row.Kind == selftest.Defect {
			return selftest.Played{}, errors.New("time has stood still")
		}
		return asItMust(j)
	}}
	m, err := p.run(t.Context(), t, []selftest.Row{defect(), silent()})
	if err != nil {
		t.Fatal(err)
	}
	if f := m.Rows[0]; f.Result != selftest.Trouble || f.Why != "time has stood still" {
		t.Errorf("%s: %s", f.Result, f.Why)
	}
	if f := m.Rows[1]; f.Result != selftest.PassesNothing {
		t.Errorf("%s: %s", f.Result, f.Why)
	}
	if want := "no-ids under bounded-6: trouble: time has stood still"; m.Holds || !slices.Contains(m.Findings, want) {
		t.Errorf("holds is %t with %q", m.Holds, m.Findings)
	}
}

// TestRunBeginsWithWhatTakesLongest keeps the rows in their order all the same.
func TestRunBeginsWithWhatTakesLongest(t *testing.T) {
	t.Parallel()
	p := &played{virtual: asItMust, alone: true}
	rows := []selftest.Row{correct(), defect(), silent()}
	m, err := p.run(t.Context(), t, rows)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.jobs) != len(rows) || !strings.Contains(p.jobs[0], "silent/virtual") || !strings.Contains(p.jobs[1], "bounded-6/virtual") {
		t.Errorf("played were %q", p.jobs)
	}
	for i, r := range rows {
		if m.Rows[i].Key() != r.Key() {
			t.Errorf("row %d is %s, want %s", i, m.Rows[i].Key(), r.Key())
		}
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("stopped by a signal")
	p := &played{virtual: func(j selftest.Job) (selftest.Played, error) {
		cancel(stopped)
		return asItMust(j)
	}}
	rows := slices.Repeat([]selftest.Row{defect()}, 50)
	if m, err := p.run(ctx, t, rows); m != nil || !errors.Is(err, stopped) {
		t.Errorf("%v %v", m, err)
	}
	if len(p.jobs) >= 50 || len(p.progress) > 0 {
		t.Errorf("%d plays after the end, and progress %v", len(p.jobs), p.progress)
	}
}

// TestFormsSayWhatDoesNotHold reads all forms of a matrix in which one row is wrong, and quotes what a hostile sender wrote.
func TestFormsSayWhatDoesNotHold(t *testing.T) {
	t.Parallel()
	const hostile = "\x1b[2J<script>alert(1)</script>"
	p := &played{virtual: func(j selftest.Job) (selftest.Played, error) {
		out, err := asItMust(j)
		if j.Row.Kind == selftest.Defect {
			wrong := said("sig.verifies", judge.Fail)
			wrong.Because = hostile
			out.Verdicts = append(out.Verdicts, wrong)
			out.Evidence = "rows/no-ids/evidence.ndjson"
		}
		return out, err
	}}
	m, err := p.run(t.Context(), t, []selftest.Row{correct(), defect(), silent()})
	if err != nil {
		t.Fatal(err)
	}
	m.Command = "hookassay selftest --seed 7"
	var text, printed, page, doc bytes.Buffer
	for _, err := range []error{m.Text(&text), m.Print(&printed, 60), m.HTML(&page), m.JSON(&doc)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	const verdict = "DOES NOT HOLD: no-ids wrong check (sig.verifies)"
	for name, want := range map[string][2]string{
		"matrix.txt":  {text.String(), verdict},
		"the summary": {printed.String(), verdict},
		"the row":     {text.String(), "  WRONG CHECK     no-ids     id.present\n"},
		"the file":    {printed.String(), "      rows/no-ids/evidence.ndjson\n"},
		"the grid":    {text.String(), "\nno-ids    !    F"},
		"matrix.html": {page.String(), "no-ids under bounded-6: wrong check: sig.verifies fails in family/case: "},
		"the cell":    {page.String(), `title="no-ids × id.present: caught. family/case: because of id.present">F</td>`},
		"the command": {page.String(), "hookassay selftest --seed 7"},
		"matrix.json": {doc.String(), `"result": "wrong check"`},
	} {
		if !strings.Contains(want[0], want[1]) {
			t.Errorf("%s does not say %q:\n%s", name, want[1], want[0])
		}
	}
	if got := printed.String(); strings.Contains(got, "F failed as it must") {
		t.Errorf("the grid does not fit on 60 columns:\n%s", got)
	}
	if strings.Contains(text.String(), "\x1b") || strings.Contains(printed.String(), "\x1b") {
		t.Error("an escape sequence reaches the terminal")
	}
	for _, foreign := range []string{"<script", "src=", "http://", "https://", "@import"} {
		if strings.Contains(page.String(), foreign) {
			t.Errorf("the page has %s", foreign)
		}
	}
	var again selftest.Matrix
	if err := json.Unmarshal(doc.Bytes(), &again); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(m.Rows, again.Rows); diff != "" || again.Schema != selftest.Schema {
		t.Errorf("%s %s", again.Schema, diff)
	}
}
