package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/reports"
)

// storedRun is the evidence of a run without any scenario, under bounded-6 compressed by 200, with the records given.
func storedRun(t *testing.T, interrupted string, records ...evidence.Record) []byte {
	t.Helper()
	c, err := contract.Profile("bounded-6")
	if err != nil {
		t.Fatal(err)
	}
	if c, err = c.Compress(200); err != nil {
		t.Fatal(err)
	}
	text, err := c.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := evidence.NewWriter(&b)
	for _, r := range append([]evidence.Record{&evidence.Header{Schema: evidence.Schema, Contract: string(text)}}, records...) {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Close(time.Second, interrupted); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestJudgeByAnotherContract compares the seconds of a compressed run with a schedule that is compressed as much: by the
// published one each correct sender would fail.
func TestJudgeByAnotherContract(t *testing.T) {
	dir := t.TempDir()
	path, out := filepath.Join(dir, "evidence.ndjson"), filepath.Join(dir, "out")
	if err := os.WriteFile(path, storedRun(t, ""), 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, stderr := hookassay(t, "judge", path, "--contract", "bounded-6", "--out", out)
	res, err := reports.ReadResults(filepath.Join(out, "results.json"))
	if err != nil {
		t.Fatal(err, stderr)
	}
	if res.Contract.CompressedBy != 200 || res.Contract.Deadline != "22.5s" {
		t.Errorf("judged by a contract compressed by %d with a deadline of %s", res.Contract.CompressedBy, res.Contract.Deadline)
	}
}

// TestJudgeFromAPipe: what is judged must also be what lies beside the verdicts, though a pipe can be read only once.
func TestJudgeFromAPipe(t *testing.T) {
	want := storedRun(t, "")
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	path := fmt.Sprintf("/dev/fd/%d", r.Fd())
	if _, err := os.Stat(path); err != nil {
		t.Skip("pipes have no names here: ", err)
	}
	go func() {
		_, _ = w.Write(want) // a failure shows as other evidence
		_ = w.Close()
	}()
	out := filepath.Join(t.TempDir(), "out")
	_, _, stderr := hookassay(t, "judge", path, "--out", out)
	got, err := os.ReadFile(filepath.Join(out, "evidence.ndjson"))
	if err != nil {
		t.Fatal(err, stderr)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the report holds %d bytes of evidence, want the %d that were judged", len(got), len(want))
	}
}

// TestJudgeWhileTheRunGoesOn: the copy ends where the reading ended.
func TestJudgeWhileTheRunGoesOn(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "evidence.ndjson")
	want := storedRun(t, "")
	if err := os.WriteFile(path, want, 0o600); err != nil {
		t.Fatal(err)
	}
	src, err := openEvidence(path)
	if err != nil {
		t.Fatal(err)
	}
	defer src.close()
	if _, err := src.read(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(want, "more\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	to, err := reports.Open(filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	if err := src.copyTo(to); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "out", "evidence.ndjson")); err != nil || string(got) != strings.TrimSuffix(string(want), "more\n") {
		t.Errorf("copied %d bytes, %v; want %d", len(got), err, len(want))
	}
}

func TestJudgeRefusesDevices(t *testing.T) {
	f, err := os.Open("/dev/zero")
	if err != nil {
		t.Skip("no such device here: ", err)
	}
	if _, err := io.ReadFull(f, make([]byte, 1)); err != nil {
		t.Skip(err)
	}
	_ = f.Close() // opened for reading
	code, _, stderr := hookassay(t, "judge", "/dev/zero", "--out", filepath.Join(t.TempDir(), "out"))
	if code != 2 || !strings.Contains(stderr, "/dev/zero: is a device") {
		t.Errorf("exit code %d, %q", code, stderr)
	}
}
