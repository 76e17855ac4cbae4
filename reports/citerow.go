package reports

import (
	"fmt"
	"time"

	"github.com/hookassay/hookassay/internal/words"
)

// citeRow is a record below a verdict, ready to print.
type citeRow struct {
	Line                  int
	Kind, At, Event, What string
}

// maxWhat cuts what a record says in the page: a line of output may be a book.
const maxWhat = 240

// citeRows returns the records that are shown below a verdict, and how many more it rests on.
func citeRows(w words.Texts, all map[int]cited, f finding) (rows []citeRow, more int) {
	for i, n := range f.Records {
		if i == mostCited(f.Outcome) {
			break
		}
		r, ok := all[n]
		if !ok {
			continue
		}
		row := citeRow{Line: n, Kind: plain(r.Kind), Event: plain(r.Event), What: short(plain(r.What), maxWhat), At: w.Text("cites.in-run", span(r.At))}
		if r.Attributed {
			row.At = sinceText(r.Since)
		}
		rows = append(rows, row)
	}
	return rows, len(f.Records) - len(rows)
}

// sinceText prints an offset from the emit with its sign, finer than span: verdicts rest on differences of these.
func sinceText(d time.Duration) string {
	sign := "+"
	if d < 0 {
		sign, d = "−", -d
	}
	switch {
	case d < time.Second:
		return fmt.Sprintf("%s%.1f ms", sign, float64(d)/float64(time.Millisecond))
	case d < time.Minute:
		return fmt.Sprintf("%s%.3f s", sign, d.Seconds())
	}
	return sign + span(d)
}
