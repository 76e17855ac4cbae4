package reports_test

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/hookassay/hookassay/reports"
)

var update = flag.Bool("update", false, "write the golden files")

// inputs are the made-up runs that every format is written from.
func inputs() map[string]reports.Input {
	return map[string]reports.Input{"": mixed(), "-empty": empty(), "-perfect": perfect(), "-known": listed(), "-stale": stale()}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, got) {
		line, w, g := firstDifference(want, got)
		t.Errorf("%s line %d:\nwant %q\ngot  %q\nIf the change is meant, run go test ./reports -update and read the diff.", path, line, w, g)
	}
}

func firstDifference(want, got []byte) (line int, w, g []byte) {
	ws, gs := bytes.Split(want, []byte("\n")), bytes.Split(got, []byte("\n"))
	for i := range max(len(ws), len(gs)) {
		w, g = nil, nil
		if i < len(ws) {
			w = ws[i]
		}
		if i < len(gs) {
			g = gs[i]
		}
		if !bytes.Equal(w, g) {
			return i + 1, w, g
		}
	}
	return 0, nil, nil
}

func TestFormatsMatchTheirGoldens(t *testing.T) {
	for suffix, in := range inputs() {
		for _, f := range reports.Formats() {
			golden(t, f.Name+suffix, render(t, f, in))
		}
	}
}

func TestTerminalMatchesItsGolden(t *testing.T) {
	for suffix, in := range inputs() {
		golden(t, "terminal"+suffix, terminal(t, in, 72, false))
	}
	golden(t, "terminal-color", terminal(t, mixed(), 0, true))
}

func render(t *testing.T, f reports.Format, in reports.Input) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := f.Write(&b, reports.Prepare(in)); err != nil {
		t.Fatalf("write %s: %v", f.File, err)
	}
	return b.Bytes()
}

func terminal(t *testing.T, in reports.Input, width int, color bool) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := reports.Terminal(&b, reports.Build(in), width, color); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func format(t *testing.T, name string) reports.Format {
	t.Helper()
	for _, f := range reports.Formats() {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("no format %s", name)
	return reports.Format{}
}

var errFull = errors.New("no space left on device")

// fullDisk takes so many bytes and then no more.
type fullDisk struct{ left int }

func (w *fullDisk) Write(p []byte) (int, error) {
	if len(p) > w.left {
		n := w.left
		w.left = 0
		return n, errFull
	}
	w.left -= len(p)
	return len(p), nil
}

func TestEveryFormatReturnsTheWritersError(t *testing.T) {
	write := map[string]func(io.Writer) error{
		"terminal": func(w io.Writer) error { return reports.Terminal(w, reports.Build(mixed()), 80, false) },
	}
	for _, f := range reports.Formats() {
		write[f.Name] = func(w io.Writer) error { return f.Write(w, reports.Prepare(mixed())) }
	}
	for name, f := range write {
		var whole bytes.Buffer
		if err := f(&whole); err != nil {
			t.Fatal(err)
		}
		for _, room := range []int{0, 1, whole.Len() / 2, whole.Len() - 1} {
			if err := f(&fullDisk{room}); !errors.Is(err, errFull) {
				t.Errorf("%s on a disk with room for %d of %d bytes: error %v, want %v", name, room, whole.Len(), err, errFull)
			}
		}
	}
}

func TestWritingTwiceGivesTheSameBytes(t *testing.T) {
	for _, f := range reports.Formats() {
		if !bytes.Equal(render(t, f, mixed()), render(t, f, mixed())) {
			t.Errorf("%s differs from one writing to the next", f.File)
		}
	}
}
