package selftest

import (
	"fmt"
	"slices"
	"time"

	"github.com/hookassay/hookassay/harness/judge"
)

// Schema names the form of matrix.json.
const Schema = "hookassay.selftest/1"

// Matrix is the kill matrix: rows of senders, columns of checks. Its JSON is the form of matrix.json.
type Matrix struct {
	Schema string `json:"schema"`
	// Holds tells whether everything is as it must be; Findings says what is not, one sentence each.
	Holds    bool     `json:"holds"`
	Findings []string `json:"findings"`
	// Complete tells whether all rows were played, and not a selection.
	Complete  bool      `json:"complete"`
	Command   string    `json:"command"` // the command line that does it again
	Seed      uint64    `json:"seed"`
	Started   time.Time `json:"started"`
	Seconds   float64   `json:"seconds"`
	Contracts []Named   `json:"contracts"`
	Checks    []Column  `json:"checks"`
	Rows      []Found   `json:"rows"`
}

// Column is one check of the matrix.
type Column struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	// Defects are the names of those that it must fail for, a receiver's beginning with receiver-.
	Defects []string `json:"defects"`
}

// columns are all checks, in the order in which reports show them.
func columns() []Column {
	var cols []Column
	rows := Rows()
	for _, ch := range judge.Checks() {
		c := Column{ID: ch.ID, Title: ch.Title, Defects: []string{}}
		for _, r := range rows {
			if r.MustFail == ch.ID && !slices.Contains(c.Defects, r.Name) {
				c.Defects = append(c.Defects, r.Name)
			}
		}
		cols = append(cols, c)
	}
	return cols
}

// sum finds what does not hold.
func (m *Matrix) sum() {
	m.Findings = []string{}
	for _, r := range m.Rows {
		if !r.Result.Holds() {
			m.Findings = append(m.Findings, fmt.Sprintf("%s under %s: %s: %s", r.Name, r.Contract, r.Result, r.Why))
		}
	}
	for _, c := range m.Checks {
		if len(c.Defects) == 0 {
			m.Findings = append(m.Findings, c.ID+" has no defect that proves it")
		}
	}
	m.Holds = len(m.Findings) == 0
}

// Counts is how many rows of a kind there are, and with how many the result is as it must be.
func (m *Matrix) Counts(k Kind) (hold, all int) {
	for _, r := range m.Rows {
		if r.Kind == k {
			all++
			if r.Result.Holds() {
				hold++
			}
		}
	}
	return hold, all
}
