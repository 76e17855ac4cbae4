package reports_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/reports"
)

// storedRun writes a report of a run with a few hundred records and returns its folder.
func storedRun(t *testing.T, dir string) {
	t.Helper()
	storedRunIn(t, dir, "")
}

func storedRunIn(t *testing.T, dir string, l reports.Language) {
	t.Helper()
	d := open(t, dir)
	f, err := d.Evidence()
	if err != nil {
		t.Fatal(err)
	}
	w := evidence.NewWriter(f)
	h := mixed().Run.Header
	h.Schema = evidence.Schema
	if err := w.Write(&h); err != nil {
		t.Fatal(err)
	}
	for i := range 400 {
		if err := w.Write(&evidence.Output{Stream: "stdout", Line: fmt.Sprintf("line %d of a sender", i)}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Close(30*s, ""); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	in, err := mixedJudge(stored(t, dir), h.Contract, nil)
	if err != nil {
		t.Fatal(err)
	}
	in.Command, in.Language = "hookassay run", l
	if _, err := d.Write(in); err != nil {
		t.Fatal(err)
	}
}

func stored(t *testing.T, dir string) *evidence.Run {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "evidence.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	run, err := evidence.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// mixedJudge finds in any run what mixed has.
func mixedJudge(run *evidence.Run, _ string, _ []judge.KnownFailure) (reports.Input, error) {
	in := mixed()
	in.Run = run
	return in, nil
}

// seal makes the manifest say what the files are now, as somebody who covers up a change would.
func seal(t *testing.T, dir string) {
	t.Helper()
	path := filepath.Join(dir, "manifest.json")
	var m reports.Manifest
	if err := json.Unmarshal(content(t, path), &m); err != nil {
		t.Fatal(err)
	}
	for i, f := range m.Files {
		text := content(t, filepath.Join(dir, f.Name))
		sum := sha256.Sum256(text)
		m.Files[i].Bytes, m.Files[i].SHA256 = int64(len(text)), hex.EncodeToString(sum[:])
	}
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	put(t, path, string(text))
}

func editManifest(t *testing.T, dir string, change func(*reports.Manifest)) {
	t.Helper()
	path := filepath.Join(dir, "manifest.json")
	var m reports.Manifest
	if err := json.Unmarshal(content(t, path), &m); err != nil {
		t.Fatal(err)
	}
	change(&m)
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	put(t, path, string(text)+"\n")
}

// unlist takes a file out of the manifest.
func unlist(t *testing.T, dir, name string) {
	t.Helper()
	editManifest(t, dir, func(m *reports.Manifest) {
		m.Files = slices.DeleteFunc(m.Files, func(f reports.ManifestFile) bool { return f.Name == name })
	})
}

func content(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// edit replaces the first occurrence in a file, which must be there.
func edit(t *testing.T, path, old, by string) {
	t.Helper()
	text := content(t, path)
	if !bytes.Contains(text, []byte(old)) {
		t.Fatalf("%s does not hold %q", path, old)
	}
	put(t, path, string(bytes.Replace(text, []byte(old), []byte(by), 1)))
}

func TestVerifyOfAReportThatHolds(t *testing.T) {
	dir := t.TempDir()
	storedRun(t, dir)
	put(t, filepath.Join(dir, "notes.txt"), "mine")
	v, err := reports.Verify(dir, "0.9.0", mixedJudge)
	if err != nil {
		t.Fatal(err)
	}
	if len(v.Altered) > 0 {
		t.Errorf("nothing was altered, and it says %q", v.Altered)
	}
	if v.Files != 9 || v.Views != 5 || v.Verdicts != len(mixed().Verdicts) || len(v.Manifest) != 64 {
		t.Errorf("compared: %+v", v)
	}
	if len(v.Notes) != 1 || !strings.Contains(v.Notes[0], "notes.txt") {
		t.Errorf("notes: %q, want one of notes.txt", v.Notes)
	}
}

// Each alteration is named. Those that are covered up come with a manifest that fits them.
func TestVerifyNamesWhatWasAltered(t *testing.T) {
	other := t.TempDir()
	storedRun(t, other)
	edit(t, filepath.Join(other, "junit.xml"), "acme-webhooks", "other-sender")
	for _, c := range []struct {
		name    string
		covered bool
		alter   func(t *testing.T, dir string)
		says    []string
	}{
		{"a changed byte", false, func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, "evidence.ndjson"), "line 200 of", "line 2O0 of")
		}, []string{"evidence.ndjson is not the file that was written", "evidence.ndjson differs first in lines 129 to 256", "digest"}},
		{"a changed byte, covered up", true, func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, "evidence.ndjson"), "line 200 of", "line 2O0 of")
		}, []string{"evidence.ndjson is not the one that results.json rests on", "the footer's digest"}},
		{"a removed record", false, func(t *testing.T, dir string) {
			path := filepath.Join(dir, "evidence.ndjson")
			lines := strings.SplitAfter(string(content(t, path)), "\n")
			put(t, path, strings.Join(append(lines[:300:300], lines[301:]...), ""))
		}, []string{"lines 257 to 384", "line 301: record says that it is number 302; lines are missing"}},
		{"a swapped file", false, func(t *testing.T, dir string) {
			put(t, filepath.Join(dir, "junit.xml"), string(content(t, filepath.Join(other, "junit.xml"))))
		}, []string{"junit.xml is not the file that was written"}},
		{"a swapped file, covered up", true, func(t *testing.T, dir string) {
			put(t, filepath.Join(dir, "junit.xml"), string(content(t, filepath.Join(other, "junit.xml"))))
		}, []string{"junit.xml is not what the evidence gives"}},
		{"a file that is gone", false, func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, "ctrf.json")); err != nil {
				t.Fatal(err)
			}
		}, []string{"ctrf.json is gone"}},
		{"a file that is a link to what it was", false, func(t *testing.T, dir string) {
			if err := os.Rename(filepath.Join(dir, "junit.xml"), filepath.Join(dir, "other.xml")); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink("other.xml", filepath.Join(dir, "junit.xml")); err != nil {
				t.Fatal(err)
			}
		}, []string{"junit.xml is no file but a symbolic link"}},
		{"a folder for the evidence", false, func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, "evidence.ndjson")); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(filepath.Join(dir, "evidence.ndjson"), 0o700); err != nil {
				t.Fatal(err)
			}
		}, []string{"evidence.ndjson is no file but a folder", "evidence.ndjson, which results.json rests on, cannot be read"}},
		{"an empty file", false, func(t *testing.T, dir string) {
			put(t, filepath.Join(dir, "attempts.har"), "")
		}, []string{"attempts.har is not the file that was written: 0 bytes"}},
		{"a renamed file", false, func(t *testing.T, dir string) {
			if err := os.Rename(filepath.Join(dir, "badge.json"), filepath.Join(dir, "badge2.json")); err != nil {
				t.Fatal(err)
			}
		}, []string{"badge.json is gone"}},
		{"a file gone from the manifest too", false, func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, "failures.csv")); err != nil {
				t.Fatal(err)
			}
			unlist(t, dir, "failures.csv")
		}, []string{"failures.csv is gone, from the folder and from the manifest"}},
		{"evidence gone from the manifest too", false, func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, "evidence.ndjson")); err != nil {
				t.Fatal(err)
			}
			unlist(t, dir, "evidence.ndjson")
		}, []string{"evidence.ndjson, which results.json rests on, cannot be read"}},
		{"a size in the manifest", false, func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, "manifest.json"), `"bytes": `, `"bytes": 1`)
		}, []string{"evidence.ndjson is not the file that was written"}},
		{"a digest of a block in the manifest", false, func(t *testing.T, dir string) {
			editManifest(t, dir, func(m *reports.Manifest) { m.Blocks.SHA256[1] = m.Blocks.SHA256[0] })
		}, []string{"manifest.json is not the one of these files, from line"}},
		{"the digest of the evidence in the manifest", false, func(t *testing.T, dir string) {
			editManifest(t, dir, func(m *reports.Manifest) { m.Files[0].SHA256 = m.Files[1].SHA256 })
		}, []string{"manifest.json: what it has of evidence.ndjson as a whole does not fit"}},
		{"the version in the manifest", false, func(t *testing.T, dir string) {
			editManifest(t, dir, func(m *reports.Manifest) { m.Suite = "0.8.0" })
		}, []string{`manifest.json is of version "0.8.0", results.json of "0.9.0"`}},
		{"an entry twice in the manifest", false, func(t *testing.T, dir string) {
			editManifest(t, dir, func(m *reports.Manifest) { m.Files = append(m.Files, m.Files[2]) })
		}, []string{"manifest.json lists", "twice"}},
		{"an entry outside of the folder", false, func(t *testing.T, dir string) {
			editManifest(t, dir, func(m *reports.Manifest) { m.Files[3].Name = "../" + m.Files[3].Name })
		}, []string{`which is no file that it can be the manifest of`}},
		{"a space in the manifest", false, func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, "manifest.json"), `"suite": `, `"suite":  `)
		}, []string{"manifest.json is not the one of these files, from line 3 on"}},
		{"a verdict, covered up", true, func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, "results.json"), `"outcome": "fail"`, `"outcome": "pass"`)
		}, []string{"acceptance.rate in acceptance/sample: results.json says pass, the evidence gives fail", "counts"}},
		{"the acceptance, covered up", true, func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, "results.json"), `"delivered_first_try": 1953`, `"delivered_first_try": 1999`)
		}, []string{"acceptance: results.json says (1999 + 26) / 2000", "the evidence gives (1953 + 26) / 2000"}},
		{"the exit code, covered up", true, func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, "results.json"), `"exit_code": 1`, `"exit_code": 0`)
		}, []string{"exit code 0"}},
		{"a count of the page, covered up", true, func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, "report.html"), `fail</a><b>3</b>`, `fail</a><b>0</b>`)
		}, []string{"report.html shows 0 failed"}},
		{"a count of the summary, covered up", true, func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, "summary.md"), ": 3 fail,", ": 1 fail,")
		}, []string{"summary.md shows 1 failed"}},
		{"a count of JUnit, covered up", true, func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, "junit.xml"), `failures="3"`, `failures="0"`)
		}, []string{"junit.xml: its attributes say 0 failed"}},
		{"a count of CTRF, covered up", true, func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, "ctrf.json"), `"failed": 3`, `"failed": 0`)
		}, []string{"ctrf.json: its summary says 0 failed"}},
		{"the badge, covered up", true, func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, "badge.json"), `3 failures`, `conformant`)
		}, []string{"badge.json says", `gives "3 failures (0 of 2 scenarios), 98.95 %"`}},
		{"a sentence of the page, covered up", true, func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, "report.html"), `attempt 2 carried id evt_9`, `attempt 2 carried id evt_1`)
		}, []string{"report.html is not what the evidence gives, from line"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			storedRun(t, dir)
			before := content(t, filepath.Join(dir, "manifest.json"))
			c.alter(t, dir)
			if c.covered {
				seal(t, dir)
			}
			v, err := reports.Verify(dir, "0.9.0", mixedJudge)
			if err != nil {
				t.Fatal(err)
			}
			all := strings.Join(v.Altered, "\n")
			for _, says := range c.says {
				if !strings.Contains(all, says) {
					t.Errorf("it does not say %q:\n%s", says, all)
				}
			}
			sum := sha256.Sum256(before)
			changed := c.covered || !bytes.Equal(before, content(t, filepath.Join(dir, "manifest.json")))
			if other := v.Manifest != hex.EncodeToString(sum[:]); other != changed {
				t.Errorf("the manifest's own digest is another one: %v, want %v", other, changed)
			}
		})
	}
}

func TestVerifyLeavesTheDrawingOfAnotherVersionToIt(t *testing.T) {
	dir := t.TempDir()
	storedRun(t, dir)
	edit(t, filepath.Join(dir, "report.html"), `<p class="kicker">`, `<p class="kicker old">`)
	seal(t, dir)
	v, err := reports.Verify(dir, "1.0.0", mixedJudge)
	if err != nil {
		t.Fatal(err)
	}
	if len(v.Altered) > 0 || len(v.Notes) != 1 || !strings.Contains(v.Notes[0], "was written by 0.9.0") {
		t.Errorf("altered %q, notes %q", v.Altered, v.Notes)
	}
}

func TestVerifyOfNoReport(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	put(t, file, "")
	for _, dir := range []string{t.TempDir(), file, filepath.Join(file, "gone")} {
		if _, err := reports.Verify(dir, "0.9.0", mixedJudge); err == nil {
			t.Errorf("%s is verified", dir)
		}
	}
}
