package accept

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Format is the form of a log.
type Format string

// The forms.
const (
	CSV    Format = "csv"    // with a line of names; fields in quotes may hold commas and line ends
	NDJSON Format = "ndjson" // one JSON object in each line
)

// rows reads a log row by row. next returns io.EOF at the end; line is that of the row last read.
type rows interface {
	next(*row) error
	line() int
	has(Column) bool // whether the log can say it
}

func open(f Format, r io.Reader, m Map) (rows, error) {
	switch f {
	case CSV:
		in := bufio.NewReaderSize(&lineBound{r: r}, 1<<16)
		if err := begin(in); err != nil {
			return nil, err
		}
		return openCSV(in, m)
	case NDJSON:
		in := bufio.NewReaderSize(r, 1<<16)
		if err := begin(in); err != nil {
			return nil, err
		}
		return openNDJSON(in, m), nil
	}
	return nil, fmt.Errorf("format %q is unknown; write csv or ndjson", f)
}

// begin passes over the mark with which spreadsheets begin a file, and refuses what is no text in UTF-8.
func begin(in *bufio.Reader) error {
	head, err := in.Peek(3)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	switch {
	case bytes.HasPrefix(head, []byte("\ufeff")):
		_, err = in.Discard(len("\ufeff"))
		return err
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		return errors.New("is packed by gzip; unpack it first")
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}), bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		return errors.New("is text in UTF-16; save it in UTF-8")
	}
	return nil
}

// maxLine bounds a row: a log line with a payload of the largest size that senders send fits.
const maxLine = 8 << 20

type csvRows struct {
	r     *csv.Reader
	place []int // of each of Columns in a record; -1: it is not there
}

func openCSV(in *bufio.Reader, m Map) (rows, error) {
	c := csv.NewReader(in)
	c.ReuseRecord = true
	c.Comma = separator(in)
	head, err := c.Read()
	if errors.Is(err, io.EOF) {
		return nil, errors.New("is empty; the first line must hold the names of the columns")
	}
	if err != nil {
		return nil, fmt.Errorf("read the line of names: %w", err)
	}
	head = slices.Clone(head)
	for i, name := range head {
		head[i] = strings.TrimSpace(name)
	}
	out := &csvRows{r: c}
	for _, column := range Columns() {
		i := slices.Index(head, m[column])
		if i >= 0 && slices.Contains(head[i+1:], m[column]) {
			return nil, fmt.Errorf("there are two columns %q, for %s; say which with another name in the file", m[column], column)
		}
		if i < 0 && (column == ColumnEvent || m[column] != string(column)) {
			return nil, fmt.Errorf("there is no column %q, for %s; the file has %s; say another name with --columns %s=NAME",
				m[column], column, names(head), column)
		}
		out.place = append(out.place, i)
	}
	return out, nil
}

// separator tells what stands between the fields: where a comma is part of numbers, spreadsheets write semicolons.
func separator(in *bufio.Reader) rune {
	head, _ := in.Peek(in.Size()) // what is there: the line of names fits
	line, _, _ := bytes.Cut(head, []byte("\n"))
	for _, c := range []byte{',', ';', '\t'} {
		if bytes.IndexByte(line, c) >= 0 {
			return rune(c)
		}
	}
	return ','
}

func names(head []string) string {
	const most = 20
	var out []string
	for i, h := range head {
		if i == most {
			out = append(out, "…")
			break
		}
		out = append(out, short(h))
	}
	return strings.Join(out, ", ")
}

func (c *csvRows) next(r *row) error {
	rec, err := c.r.Read()
	if errors.Is(err, csv.ErrFieldCount) {
		return fmt.Errorf("has another number of fields (%d) than the line of names (%d)", len(rec), c.r.FieldsPerRecord)
	}
	if err != nil {
		return err
	}
	for column, i := range c.place {
		if i >= 0 {
			r.set(column, strings.TrimSpace(rec[i]))
		} else {
			r.set(column, "")
		}
	}
	return nil
}

func (c *csvRows) line() int {
	n, _ := c.r.FieldPos(0)
	return n
}

func (c *csvRows) has(column Column) bool { return c.place[slices.Index(Columns(), column)] >= 0 }

// lineBound ends a reader that sends no line end for too long: the parser would keep all of it.
type lineBound struct {
	r    io.Reader
	open int // bytes since the last line end
}

var errLongLine = errors.New("a line is over 8 MiB long; is it a log?")

func (l *lineBound) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	if i := bytes.LastIndexByte(p[:n], '\n'); i >= 0 {
		l.open = n - i
	} else {
		l.open += n
	}
	if l.open > maxLine {
		return 0, errLongLine
	}
	return n, err
}
