package reports_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/reports"
)

const evidenceHead = `{"n":1,"kind":"header","schema":"hookassay.evidence/1"}` + "\n"

func open(t *testing.T, path string) *reports.Dir {
	t.Helper()
	d, err := reports.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return strings.Join(out, " ")
}

func TestAWholeRunLeavesAllArtifacts(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", "on", "the", "way")
	d := open(t, dir)
	if err := d.Begin(reports.Build(empty())); err != nil {
		t.Fatal(err)
	}
	text := ""
	for range 2 {
		w, err := d.Evidence()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(evidenceHead)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		text += evidenceHead
	}
	wrote, err := d.Write(mixed())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := names(t, dir), "attempts.har badge.json ctrf.json evidence.ndjson failures.csv junit.xml manifest.json report.html results.json summary.md"; got != want {
		t.Errorf("the folder holds %s, want %s", got, want)
	}
	read, err := reports.ReadResults(filepath.Join(dir, "results.json"))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(wrote, read) {
		t.Errorf("read back:\n%+v\nwrote:\n%+v", read, wrote)
	}
	sum := sha256.Sum256([]byte(text))
	if read.Evidence.SHA256 != hex.EncodeToString(sum[:]) || read.Evidence.Records != 2 {
		t.Errorf("evidence %+v, want the digest of the file and 2 records", read.Evidence)
	}
}

func TestACrashLeavesIncomplete(t *testing.T) {
	dir := t.TempDir()
	d := open(t, dir)
	for _, in := range []reports.Input{empty(), perfect()} {
		if err := d.Begin(reports.Build(in)); err != nil {
			t.Fatal(err)
		}
		r, err := reports.ReadResults(filepath.Join(dir, "results.json"))
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != judge.Incomplete || r.ExitCode != 3 || r.Ended != nil || r.Why == "" {
			t.Errorf("verdict %s, exit code %d, ended %v, why %q; want an incomplete run without end", r.Verdict, r.ExitCode, r.Ended, r.Why)
		}
	}
	if got := names(t, dir); got != "results.json" {
		t.Errorf("the folder holds %s", got)
	}
}

func TestAnEarlierReportMakesRoomAndStrangersFilesStay(t *testing.T) {
	dir := t.TempDir()
	if _, err := open(t, dir).Write(perfect()); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "evidence.ndjson"), evidenceHead)
	put(t, filepath.Join(dir, "notes.txt"), "mine")
	put(t, filepath.Join(dir, ".hookassay-123.tmp"), "half a report")
	d := open(t, dir)
	if err := d.Begin(reports.Build(empty())); err != nil {
		t.Fatal(err)
	}
	if got, want := names(t, dir), "evidence.ndjson notes.txt results.json"; got != want {
		t.Errorf("after Begin the folder holds %s, want %s", got, want)
	}
	w, err := d.Evidence()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"evidence.ndjson": "", "notes.txt": "mine"} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, want)
		}
	}
}

func TestEvidenceThatIsALinkLeavesItsTargetAlone(t *testing.T) {
	dir, target := t.TempDir(), filepath.Join(t.TempDir(), "precious")
	put(t, target, evidenceHead)
	if err := os.Symlink(target, filepath.Join(dir, "evidence.ndjson")); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	w, err := open(t, dir).Evidence()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(target); err != nil || string(got) != evidenceHead {
		t.Errorf("the target is now %q, %v", got, err)
	}
}

func TestJudgingAgainKeepsTheEvidence(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "evidence.ndjson"), evidenceHead)
	if _, err := open(t, dir).Write(perfect()); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "evidence.ndjson")); err != nil || string(got) != evidenceHead {
		t.Errorf("the evidence is now %q, %v", got, err)
	}
}

func TestOpenRefuses(t *testing.T) {
	base := t.TempDir()
	file := filepath.Join(base, "file")
	put(t, file, "text")
	foreign := filepath.Join(base, "foreign")
	if err := os.Mkdir(foreign, 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(foreign, "results.json"), `{"schema": "someone else's"}`)
	readOnly := filepath.Join(base, "read-only")
	if err := os.Mkdir(readOnly, 0o555); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ path, says string }{
		"a file":                    {file, "is a file"},
		"a folder below a file":     {filepath.Join(file, "out"), "not a directory"},
		"a folder of someone else":  {foreign, "no hookassay report"},
		"a folder without a permit": {readOnly, "cannot be written to"},
	} {
		if c.path == readOnly && os.Geteuid() == 0 {
			continue // permissions do not bind the superuser
		}
		_, err := reports.Open(c.path)
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), c.path) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v, want one line that names %s and says %q", name, err, c.path, c.says)
		}
	}
	if got := names(t, foreign); got != "results.json" {
		t.Errorf("the folder of someone else now holds %s", got)
	}
}

func TestWriteErrorsAreReturned(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "report.html", "in the way"), 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "evidence.ndjson"), evidenceHead)
	_, err := open(t, dir).Write(mixed())
	if err == nil || !strings.Contains(err.Error(), "report.html") {
		t.Errorf("a view that cannot be written: error %v, want one that names report.html", err)
	}
	if got, want := names(t, dir), "attempts.har badge.json ctrf.json evidence.ndjson failures.csv junit.xml report.html results.json summary.md"; got != want {
		t.Errorf("the folder holds %s, want %s: the other artifacts, and nothing temporary", got, want)
	}
	gone := filepath.Join(t.TempDir(), "gone")
	d := open(t, gone)
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	if err := d.Begin(reports.Results{}); err == nil {
		t.Error("Begin in a folder that is gone: no error")
	}
	if _, err := d.Evidence(); err == nil {
		t.Error("Evidence in a folder that is gone: no error")
	}
	if _, err := d.Write(empty()); err == nil {
		t.Error("Write in a folder that is gone: no error")
	}
}

func TestReadResultsRefuses(t *testing.T) {
	dir := t.TempDir()
	whole := string(render(t, format(t, "json"), perfect()))
	for name, c := range map[string]struct{ text, says string }{
		"half a document":    {whole[:len(whole)/2], "not a whole JSON document"},
		"another schema":     {`{"schema":"hookassay.results/2"}`, "this version reads"},
		"another document":   {`{"name":"x"}`, "this version reads"},
		"a list":             {`[1]`, "not a whole JSON document"},
		"two documents":      {whole + whole, "not a whole JSON document"},
		"a field of another": {`{"schema":"hookassay.results/1","verdicts":7}`, "verdicts"},
	} {
		path := filepath.Join(dir, "results.json")
		put(t, path, c.text)
		_, err := reports.ReadResults(path)
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v, want one that names the file and says %q", name, err, c.says)
		}
	}
	if _, err := reports.ReadResults(filepath.Join(dir, "none.json")); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("no file: error %v", err)
	}
}

// TestTwoRunsInOneFolder: the second takes the folder, and the first must not put its results beside the second's evidence.
func TestTwoRunsInOneFolder(t *testing.T) {
	dir := t.TempDir()
	begin := func() *reports.Dir {
		d := open(t, dir)
		w, err := d.Evidence()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(evidenceHead)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if err := d.Begin(reports.Results{}); err != nil {
			t.Fatal(err)
		}
		return d
	}
	first := begin()
	second := begin()
	if _, err := first.Write(perfect()); err == nil || !strings.Contains(err.Error(), "another run took it") {
		t.Errorf("the first run: error %v", err)
	}
	res, err := reports.ReadResults(filepath.Join(dir, "results.json"))
	if err != nil || res.Verdict != judge.Incomplete {
		t.Errorf("while the second goes on: %s, %v; want incomplete", res.Verdict, err)
	}
	if _, err := second.Write(perfect()); err != nil {
		t.Errorf("the second run: %v", err)
	}
}
