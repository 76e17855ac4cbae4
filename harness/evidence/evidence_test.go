package evidence_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hookassay/hookassay/harness/evidence"
)

func sample(t testing.TB) (*evidence.Run, []byte) {
	t.Helper()
	var b bytes.Buffer
	rec, err := evidence.NewRecorder(evidence.NewWriter(&b), &evidence.Header{Suite: "test", Seed: 7, Contract: "name: x\n"})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []evidence.Record{
		&evidence.Scenario{Name: "retry/one", Family: "retry", Checks: []string{"retry.transient"}},
		&evidence.Endpoint{Name: "e", Scenario: "retry/one", URL: "http://127.0.0.1/e", Secrets: []evidence.Secret{{Value: "s"}}},
		&evidence.Act{Act: evidence.ActEmit, Marker: "hkm01234567890123456789", Called: 1, Returned: 2, Data: evidence.Raw(`{"a":"<&>"}`)},
		&evidence.Arrival{Seq: 1, Endpoint: "e", Head: evidence.Raw("POST / HTTP/1.1\r\nX: \xff\r\n\r\n"), Body: evidence.Raw(`{"a":"<&>"}`)},
		&evidence.Arrival{Seq: 2, Endpoint: "e"},
		&evidence.Outcome{Of: 1, Status: 502, End: evidence.EndComplete},
		&evidence.Effect{Of: 1, Result: evidence.EffectRolledBack},
		&evidence.LogEntry{Event: "e1", State: evidence.StatePending},
		&evidence.DeadLetter{Event: "e1", Reason: "exhausted"},
		&evidence.Output{Line: "hello"},
		&evidence.Noise{Source: "ticker", Step: 10 * time.Millisecond, LateUS: []int64{1, 2}},
		&evidence.Trouble{What: "x"},
		&evidence.Connection{ID: 3, End: evidence.EndPeerGone, TLS: &evidence.TLS{SNI: "a"}},
	} {
		if err := rec.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	run, err := rec.Close(time.Second, "")
	if err != nil {
		t.Fatal(err)
	}
	return run, b.Bytes()
}

func TestReadGivesWhatWasRecorded(t *testing.T) {
	want, file := sample(t)
	got, err := evidence.Read(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-recorded +read:\n%s", d)
	}
	if !got.Complete() {
		t.Error("a file with its footer is not complete")
	}
	if got.Attempts[0].Outcome == nil || got.Attempts[1].Outcome != nil {
		t.Error("outcomes are joined to the wrong arrivals")
	}
	if !bytes.Contains(file, []byte(`"body":"{\"a\":\"<&>\"}"`)) {
		t.Error("a text body cannot be read with the eye in the file")
	}
	for i, line := range bytes.Split(bytes.TrimSpace(file), []byte("\n")) {
		if want := fmt.Sprintf(`{"n":%d,"kind":`, i+1); !bytes.HasPrefix(line, []byte(want)) {
			t.Errorf("line %d does not open with %s", i+1, want)
		}
	}
}

// A file that a crash ended early must never pass for a whole one, wherever the cut lies.
func TestACutFileIsCutNotAltered(t *testing.T) {
	_, file := sample(t)
	first := bytes.IndexByte(file, '\n') + 1
	for n := first; n < len(file); n++ {
		run, err := evidence.Read(bytes.NewReader(file[:n]))
		if err != nil {
			t.Fatalf("cut after %d of %d bytes: %v", n, len(file), err)
		}
		if run.Complete() {
			t.Fatalf("cut after %d of %d bytes: complete", n, len(file))
		}
	}
}

func TestAlteredFilesAreRefused(t *testing.T) {
	_, file := sample(t)
	lines := strings.SplitAfter(strings.TrimSuffix(string(file), "\n"), "\n")
	last := len(lines) - 1
	lines[last] += "\n"
	without := func(i int) string { return strings.Join(lines[:i], "") + strings.Join(lines[i+1:], "") }
	for name, text := range map[string]string{
		"a digit changed":        strings.Replace(string(file), `"status":502`, `"status":200`, 1),
		"a middle line dropped":  without(3),
		"two lines swapped":      strings.Join(lines[:3], "") + lines[4] + lines[3] + strings.Join(lines[5:], ""),
		"the header dropped":     without(0),
		"a line after the end":   string(file) + lines[4],
		"half a line after":      string(file) + `{"n":`,
		"a wrong count":          strings.Replace(string(file), `"arrival":2`, `"arrival":3`, 1),
		"a wrong digest":         strings.Replace(string(file), `"sha256":"`, `"sha256":"00`, 1),
		"a line that is no JSON": strings.Join(lines[:3], "") + "oops\n" + strings.Join(lines[3:], ""),
		"an unknown kind":        strings.Replace(string(file), `"kind":"act"`, `"kind":"axt"`, 1),
		"an outcome twice":       strings.Join(lines[:7], "") + strings.Replace(lines[6], `"n":7`, `"n":8`, 1),
	} {
		if _, err := evidence.Read(strings.NewReader(text)); !errors.Is(err, evidence.ErrAltered) {
			t.Errorf("%s: got %v, want ErrAltered", name, err)
		}
	}
}

func TestForeignFilesAreRefusedWithOneSentence(t *testing.T) {
	_, file := sample(t)
	for name, text := range map[string]string{
		"empty":         "",
		"another form":  strings.Replace(string(file), "hookassay.evidence/1", "hookassay.evidence/9", 1),
		"no evidence":   "hello\n",
		"JSON, no kind": "{}\n",
	} {
		_, err := evidence.Read(strings.NewReader(text))
		if err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v, want one sentence", name, err)
		}
	}
}

func TestRawKeepsEveryByte(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := evidence.Raw(rapid.OneOf(
			rapid.SliceOf(rapid.Byte()),
			rapid.Map(rapid.String(), func(s string) []byte { return []byte("base64:" + s) }),
			rapid.Map(rapid.String(), func(s string) []byte { return []byte(s) }),
		).Draw(t, "bytes"))
		b, err := want.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		var got evidence.Raw
		if err := got.UnmarshalJSON(b); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(want, got) {
			t.Fatalf("%q became %q", want, got)
		}
	})
}

func FuzzRead(f *testing.F) {
	_, file := sample(f)
	f.Add(file)
	f.Fuzz(func(t *testing.T, b []byte) {
		if run, err := evidence.Read(bytes.NewReader(b)); err == nil && run == nil {
			t.Error("neither a run nor an error")
		}
	})
}

func FuzzParseHead(f *testing.F) {
	f.Add([]byte("POST /a?b HTTP/1.1\r\nHost: x\r\nx-y:  z \r\n\r\n"))
	f.Fuzz(func(_ *testing.T, b []byte) {
		h, _ := evidence.ParseHead(b)
		h.Header()
	})
}

func TestHeadKeepsOrderCaseAndRepeats(t *testing.T) {
	h, err := evidence.ParseHead(evidence.Raw("POST /a?b=%2F HTTP/1.1\r\nhost: x\r\nX-a: 1\r\nx-A:\t2 \r\n\r\nbody: no\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := evidence.Head{Method: "POST", Target: "/a?b=%2F", Proto: "HTTP/1.1", Fields: [][2]string{{"host", "x"}, {"X-a", "1"}, {"x-A", "2"}}}
	if d := cmp.Diff(want, h); d != "" {
		t.Error(d)
	}
	if got := h.Get("X-A"); got != "1" {
		t.Errorf("Get: %q", got)
	}
	if got := h.Header()["X-A"]; len(got) != 2 {
		t.Errorf("Header: %q", got)
	}
}

func TestMarkerSurvivesWrapping(t *testing.T) {
	m := "hkm" + strings.Repeat("a1", 10)
	if got := evidence.MarkerIn([]byte(`{"data":"{\"m\":\"` + m + `\"}"}`)); got != m {
		t.Errorf("got %q", got)
	}
	if got := evidence.MarkerIn([]byte("hkmTOOSHORT")); got != "" {
		t.Errorf("got %q in a body without one", got)
	}
}
