package selftest

import (
	_ "embed" // the page's template and style
	"fmt"
	"html/template"
	"io"
	"strings"
)

//go:embed matrix.html.tmpl
var pageTemplate string

//go:embed matrix.css
var pageStyle string

// HTML writes the matrix as one page that needs nothing else: no script, no file, no network.
func (m *Matrix) HTML(w io.Writer) error {
	t, err := template.New("matrix").Parse(pageTemplate)
	if err != nil {
		return err
	}
	return t.Execute(w, m.page())
}

// page is what the template shows.
type page struct {
	*Matrix

	Style    template.CSS
	Heads    []head
	Groups   []group
	Width    int // columns of the grid, the names included
	ByFamily []family
	Fits     int // pixels of a window that shows the grid as a whole
}

// The grid's measures of matrix.css, in pixels, and what is left free beside it.
const (
	nameColumn, checkColumn = 240, 18
	margins                 = 2 * 20
)

// head is one column of the grid.
type head struct {
	Column

	First bool // of its family
	At    int  // its place among the cells of a row, from 1: for the style sheet
}

// group is the rows of one kind.
type group struct {
	Title string
	Lead  string
	Rows  []shown
}

// shown is one row as the page shows it.
type shown struct {
	Found

	Squares []square
	Company []string // checks that failed with the named one
	Strange []string // checks that failed and should not have
}

// Elsewhere is what the row's key says beside its name: another contract than the default one, or that only a load is played.
func (s shown) Elsewhere() string {
	_, more, _ := strings.Cut(s.Key(), "@")
	return more
}

// square is one cell of the grid.
type square struct {
	Sign  string
	Class string
	Title string
	First bool
}

// family is the checks whose names begin alike.
type family struct {
	Name   string
	Checks []Column
}

func (m *Matrix) page() page {
	p := page{Matrix: m, Style: template.CSS(pageStyle), Width: len(m.Checks) + 1} //nolint:gosec // our own style sheet
	p.Fits = nameColumn + len(m.Checks)*checkColumn + margins
	last := ""
	for i, c := range m.Checks {
		name, _, _ := strings.Cut(c.ID, ".")
		if name != last {
			p.ByFamily = append(p.ByFamily, family{Name: name})
		}
		f := &p.ByFamily[len(p.ByFamily)-1]
		f.Checks = append(f.Checks, c)
		p.Heads = append(p.Heads, head{Column: c, First: name != last, At: i + 2}) // behind the name of the row
		last = name
	}
	for _, g := range []struct {
		kind        Kind
		title, lead string
	}{
		{Defect, "Defects of the sender", "one bug each; the named check must fail, and none that the bug does not explain"},
		{Receiver, "Defects of the receiver", "one bug of ours each; the named check must find the receiver at fault, and none the sender"},
		{Silent, "Silent sender", "sends nothing; no check may pass"},
		{Correct, "Correct sender", "by contract; nothing may fail"},
		{Variant, "Harmless variants", "other correct senders; nothing may fail"},
	} {
		if rows := p.rows(g.kind); len(rows) > 0 {
			p.Groups = append(p.Groups, group{g.title, g.lead, rows})
		}
	}
	return p
}

func (p page) rows(k Kind) []shown {
	var rows []shown
	for i := range p.Rows {
		if p.Rows[i].Kind != k {
			continue
		}
		s := shown{Found: p.Rows[i]}
		if k == Defect || k == Receiver {
			s.Company = s.marked(Company)
		}
		s.Strange = s.marked(Wrong)
		for _, h := range p.Heads {
			s.Squares = append(s.Squares, s.square(h))
		}
		rows = append(rows, s)
	}
	return rows
}

func (s shown) square(h head) square {
	c := s.Cells[h.ID]
	q := square{Sign: s.sign(h.ID), Class: string(c.Mark), First: h.First}
	if c.Mark == "" {
		q.Class = string(None)
	}
	if q.Sign == missedSign {
		q.Class = "missed"
	}
	if q.Class != string(None) && q.Class != string(Passed) {
		q.Title = fmt.Sprintf("%s × %s: %s. %s: %s", s.Key(), h.ID, q.Class, c.Scenario, c.Because)
	}
	return q
}
