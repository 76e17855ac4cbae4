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
		return openCSV(r, m)
	case NDJSON:
		return openNDJSON(r, m), nil
	}
	return nil, fmt.Errorf("format %q is unknown; write csv or ndjson", f)
}

// maxLine bounds a row: a log line with a payload of the largest size that senders send fits.
const maxLine = 8 << 20

type csvRows struct {
	r     *csv.Reader
	place []int // of each of Columns in a record; -1: it is not there
}

func openCSV(r io.Reader, m Map) (rows, error) {
	c := csv.NewReader(bufio.NewReaderSize(&lineBound{r: r}, 1<<16))
	c.ReuseRecord = true
	head, err := c.Read()
	if err != nil {
		return nil, fmt.Errorf("read the line of names: %w", err)
	}
	head = slices.Clone(head)
	head[0] = strings.TrimPrefix(head[0], "\ufeff") // as spreadsheets begin each file
	out := &csvRows{r: c}
	for _, column := range Columns() {
		i := slices.Index(head, m[column])
		if i < 0 && (column == ColumnEvent || m[column] != string(column)) {
			return nil, fmt.Errorf("there is no column %q, for %s; the file has %s; say another name with --columns %s=NAME",
				m[column], column, names(head), column)
		}
		out.place = append(out.place, i)
	}
	return out, nil
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
	if err != nil {
		return err
	}
	for column, i := range c.place {
		if i >= 0 {
			r.set(column, rec[i])
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
