package judge_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
)

var update = flag.Bool("update", false, "rewrite the want files of testdata")

type archive struct {
	path string
	name string
	ar   *txtar.Archive
	c    *contract.Contract
	run  *evidence.Run
}

func (a *archive) file(name string) []byte {
	for _, f := range a.ar.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

func openArchive(t testing.TB, path string) *archive {
	t.Helper()
	ar, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	a := &archive{path: path, name: strings.TrimSuffix(filepath.Base(path), ".txtar"), ar: ar}
	a.c = readContract(t, a.file("contract"))
	a.run = parseEvidence(t, a.c, string(a.file("evidence")))
	return a
}

func archives(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	return paths
}

func printed(vs []judge.Verdict) string {
	var b strings.Builder
	for _, v := range vs {
		fmt.Fprintf(&b, "%s %s %s: %s %v\n", v.Scenario, v.Check, v.Outcome, v.Because, v.Records)
	}
	return b.String()
}

// TestArchives compares the verdicts of every archive with its want file.
func TestArchives(t *testing.T) {
	for _, path := range archives(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			a := openArchive(t, path)
			got := printed(judge.Judge(a.c, a.run))
			if *update {
				writeWant(t, a, got)
				return
			}
			if d := cmp.Diff(string(a.file("want")), got); d != "" {
				t.Errorf("verdicts (-want +got):\n%s", d)
			}
		})
	}
}

func writeWant(t *testing.T, a *archive, got string) {
	t.Helper()
	for i := range a.ar.Files {
		if a.ar.Files[i].Name == "want" {
			a.ar.Files[i].Data = []byte(got)
		}
	}
	if err := os.WriteFile(a.path, txtar.Format(a.ar), 0o644); err != nil {
		t.Fatal(err)
	}
}

// insteadOfFail lists checks that never fail, with the outcome that takes its place and the reason.
func insteadOfFail() map[string]judge.Outcome {
	return map[string]judge.Outcome{
		// With stable ids a second effect is our receiver's; with changed ids it is another check's.
		"effect.once": judge.Error,
		// The rollback is our receiver's as well.
		"effect.rollback": judge.Error,
	}
}

// TestEveryCheckHasItsCases wants an archive for each check and outcome, in which that check has that outcome.
func TestEveryCheckHasItsCases(t *testing.T) {
	for _, ch := range judge.Checks() {
		for _, o := range []judge.Outcome{judge.Pass, judge.Fail, judge.Inconclusive} {
			path := filepath.Join("testdata", ch.ID+"_"+string(o)+".txtar")
			want := o
			if other, ok := insteadOfFail()[ch.ID]; ok && o == judge.Fail {
				want = other
			}
			if _, err := os.Stat(path); err != nil {
				t.Errorf("%s: no archive for outcome %s of %s", path, o, ch.ID)
				continue
			}
			a := openArchive(t, path)
			hit := false
			for _, v := range judge.Judge(a.c, a.run) {
				hit = hit || v.Check == ch.ID && v.Outcome == want
			}
			if !hit {
				t.Errorf("%s: %s has no outcome %s:\n%s", path, ch.ID, want, printed(judge.Judge(a.c, a.run)))
			}
		}
	}
}

// TestNamedOutcomes holds archives to what their name says: benign variants alarm nobody, defects fail only what they may.
func TestNamedOutcomes(t *testing.T) {
	for _, path := range archives(t) {
		a := openArchive(t, path)
		kind, _, _ := strings.Cut(a.name, "_")
		must, may := owners(a)
		failed := map[string]bool{}
		everything(a, kind)
		for _, v := range judge.Judge(a.c, a.run) {
			alarm := v.Outcome == judge.Fail || v.Outcome == judge.Warn || v.Outcome == judge.Error
			if alarm {
				failed[v.Check] = true
			}
			switch {
			case kind == "benign" && alarm, kind == "defect" && alarm && !slices.Contains(must, v.Check) && !slices.Contains(may, v.Check):
				t.Errorf("%s: %s must not be %s: %s", path, v.Check, v.Outcome, v.Because)
			case a.name == "defect_silent" && v.Outcome == judge.Pass:
				t.Errorf("%s: %s passes a sender that sends nothing", path, v.Check)
			}
		}
		for _, id := range must {
			if !failed[id] {
				t.Errorf("%s: %s did not fail", path, id)
			}
		}
	}
}

// everything makes benign variants and defects face all checks, whatever their scenario lists.
func everything(a *archive, kind string) {
	if kind != "benign" && kind != "defect" {
		return
	}
	for i := range a.run.Scenarios {
		sc := &a.run.Scenarios[i]
		for _, ch := range judge.Checks() {
			if !strings.HasPrefix(ch.ID, "acceptance.") && !slices.Contains(sc.Checks, ch.ID) {
				sc.Checks = append(sc.Checks, ch.ID)
			}
		}
	}
}

// owners reads the first line of a defect's comment: fails A B; may fail C D
func owners(a *archive) (must, may []string) {
	line, _, _ := bytes.Cut(a.ar.Comment, []byte("\n"))
	rest, ok := strings.CutPrefix(string(line), "fails ")
	if !ok {
		return nil, nil
	}
	m, y, _ := strings.Cut(rest, "; may fail ")
	return strings.Fields(m), strings.Fields(y)
}
