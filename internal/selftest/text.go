package selftest

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// missedSign stands where the check that must fail did not.
const missedSign = "M"

// sign is how a cell stands in the grids.
func (f *Found) sign(check string) string {
	m := f.Cells[check].Mark
	if check == f.MustFail && m != Caught && m != Wrong {
		return missedSign
	}
	switch m {
	case Wrong:
		return "!"
	case Caught:
		return "F"
	case Company:
		return "f"
	case Passed:
		return "·"
	case Undecided:
		return "?"
	case None:
	}
	return " "
}

// Text writes the whole matrix as plain text: the summary, one line for each row, and the grid.
func (m *Matrix) Text(w io.Writer) error {
	var b strings.Builder
	m.list(&b)
	m.grid(&b)
	m.summary(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// Print writes what belongs on a terminal: the rows, the grid where the lines are wide enough for it, and last what holds.
func (m *Matrix) Print(w io.Writer, width int) error {
	var b strings.Builder
	m.list(&b)
	if m.nameWidth()+len(m.Checks) < width {
		m.grid(&b)
	}
	m.summary(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// list tells of each row in one line.
func (m *Matrix) list(b *strings.Builder) {
	heads := []struct {
		kind Kind
		head string
	}{
		{Correct, "The correct sender, by contract"},
		{Variant, "Variants of it that break no promise"},
		{Defect, "Defects of the sender, with the check that must fail"},
		{Receiver, "Defects of the receiver, with the check that must find it, and not the sender, at fault"},
		{Silent, "The sender that sends nothing"},
	}
	for _, h := range heads {
		first := true
		for i := range m.Rows {
			if m.Rows[i].Kind != h.kind {
				continue
			}
			if first {
				fmt.Fprintf(b, "\n%s\n", h.head)
				first = false
			}
			m.line(b, &m.Rows[i])
		}
	}
}

// line tells of one row. What does not hold stands out by its capitals, and says why.
func (m *Matrix) line(b *strings.Builder, f *Found) {
	result := string(f.Result)
	if !f.Result.Holds() {
		result = strings.ToUpper(result)
	}
	line := fmt.Sprintf("  %-14s  %-*s  %-23s", result, m.nameWidth(), f.Key(), f.MustFail)
	if c := f.marked(Company); f.Kind != Silent && len(c) > 0 {
		line += "  and " + strings.Join(c, ", ")
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
	if !f.Result.Holds() {
		b.WriteString("      " + plain(f.Why) + "\n")
		for _, e := range f.Evidence {
			b.WriteString("      " + e + "\n")
		}
	}
}

// grid draws rows by checks. The names of the checks stand upright over their columns.
func (m *Matrix) grid(b *strings.Builder) {
	width, tall := m.nameWidth(), 0
	for _, c := range m.Checks {
		tall = max(tall, len(c.ID))
	}
	b.WriteString("\nF failed as it must   f failed as it may   ! failed without a reason   M should have failed   · passed   ? undecided\n\n")
	for level := range tall {
		var line strings.Builder
		for _, c := range m.Checks {
			upright := fmt.Sprintf("%*s", tall, c.ID) // it ends just above its column
			line.WriteByte(upright[level])
		}
		b.WriteString(strings.TrimRight(strings.Repeat(" ", width+1)+line.String(), " ") + "\n")
	}
	for i := range m.Rows {
		f := &m.Rows[i]
		var line strings.Builder
		fmt.Fprintf(&line, "%-*s ", width, f.Key())
		for _, c := range m.Checks {
			line.WriteString(f.sign(c.ID))
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}

// summary says what holds, and in one line each what does not.
func (m *Matrix) summary(b *strings.Builder) {
	b.WriteString("\n")
	for _, s := range m.Sentences() {
		b.WriteString(s + "\n")
	}
	switch {
	case !m.Holds:
		fmt.Fprintf(b, "\nDOES NOT HOLD: %s\n", plain(strings.Join(m.Short(), "; ")))
	case !m.Complete:
		b.WriteString("\nHOLDS for what was selected\n")
	default:
		b.WriteString("\nHOLDS\n")
	}
}

// Sentences count what was found, by kind of rows and over the checks.
func (m *Matrix) Sentences() []string {
	var s []string
	for _, k := range []struct {
		kind Kind
		says string
	}{
		{Defect, "%d of %s with a defect caught by the named check, and by no other that the defect does not explain"},
		{Receiver, "%d of %s with a defect of the receiver found by the named check, and none blamed on the sender"},
		{Correct, "the correct sender is clean under %d of %s"},
		{Variant, "%d of %s of it clean"},
		{Silent, "the silent sender passes nothing: %d of %s"},
	} {
		if hold, all := m.Counts(k.kind); all > 0 {
			s = append(s, fmt.Sprintf(k.says, hold, count(all, noun(k.kind))))
		}
	}
	proven := 0
	for _, c := range m.Checks {
		if len(c.Defects) > 0 {
			proven++
		}
	}
	return append(s, fmt.Sprintf("%d of %s have a defect that proves them", proven, count(len(m.Checks), "check")))
}

func noun(k Kind) string {
	switch k {
	case Correct:
		return "contract"
	case Variant:
		return "harmless variant"
	case Defect, Silent, Receiver:
	}
	return "row"
}

// Short names what does not hold, in a few words each.
func (m *Matrix) Short() []string {
	var s []string
	for i := range m.Rows {
		f := &m.Rows[i]
		if f.Result.Holds() {
			continue
		}
		word := f.Key() + " " + string(f.Result)
		if wrong := f.marked(Wrong); len(wrong) > 0 {
			word += " (" + strings.Join(wrong, ", ") + ")"
		}
		s = append(s, word)
	}
	for _, c := range m.Checks {
		if len(c.Defects) == 0 {
			s = append(s, c.ID+" has no defect")
		}
	}
	return s
}

func (m *Matrix) nameWidth() int {
	width := 0
	for i := range m.Rows {
		width = max(width, utf8.RuneCountInString(m.Rows[i].Key()))
	}
	return width
}

// plain is text without what could steer a terminal: a verdict may quote what a sender wrote.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '\uFFFD'
		}
		return r
	}, s)
}
