package selftest

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/internal/near"
	"github.com/hookassay/hookassay/internal/refsender"
)

// Kind says what a row's sender is, and so what must be found.
type Kind string

// The kinds of rows.
const (
	Correct Kind = "correct" // nothing may fail
	Variant Kind = "variant" // nor with one that differs in a way that breaks no promise
	Defect  Kind = "defect"  // its check must fail, and none that it does not explain
	Silent  Kind = "silent"  // sends nothing: nothing may pass

	// Receiver is the correct sender before a receiver with a defect: its check must say that the receiver is at fault, and nothing may
	// fail, since that would blame the sender.
	Receiver Kind = "receiver"
)

// Row is one sender under one contract.
type Row struct {
	Kind  Kind   `json:"kind"`
	Name  string `json:"name"` // of the defect or variant; the contract's for the correct sender
	Title string `json:"title"`
	// Load says that only a load is played, and all of the contract's sample.
	Load bool `json:"load,omitempty"`
	// Contract is a name of Contracts.
	Contract string   `json:"contract"`
	MustFail string   `json:"must_fail,omitempty"` // the check that must fail
	MayAlso  []string `json:"may_also,omitempty"`  // checks that may fail with it
}

// Key names the row: its name, with the contract where that is not the default one, and with load where only that is played.
func (r Row) Key() string {
	key := r.Name
	if r.Kind != Correct && r.Contract != Default {
		key += "@" + r.Contract
	}
	if r.Load {
		key += "@load"
	}
	return key
}

// DefectName is the defect that the reference sender is to have; empty for none.
func (r Row) DefectName() string {
	if r.Kind != Defect && r.Kind != Silent {
		return ""
	}
	return r.Name
}

// ReceiverDefect is the defect that the receiver is to have; empty for none.
func (r Row) ReceiverDefect() string {
	if r.Kind != Receiver {
		return ""
	}
	return strings.TrimPrefix(r.Name, ofReceiver)
}

// VariantName is the variant that the reference sender is to be; empty for none.
func (r Row) VariantName() string {
	if r.Kind != Variant {
		return ""
	}
	return r.Name
}

// silent is the defect that sends nothing.
const silent = "silent"

// ofReceiver is how the names of a receiver's defects begin.
const ofReceiver = "receiver-"

// Rows returns all rows: the correct sender under every contract that its usual self keeps, then its variants, then the defects in the order of the checks
// that must fail, then the receiver's. Last comes the silent sender.
func Rows() []Row {
	var rows []Row
	for _, n := range Contracts() {
		if n.notUsual {
			continue
		}
		rows = append(rows, Row{Kind: Correct, Name: n.Name, Title: n.Title, Contract: n.Name})
	}
	for _, v := range refsender.Variants() {
		rows = append(rows, Row{Kind: Variant, Name: v.Name, Title: v.Title, Contract: cmp.Or(v.Contract, Default)})
	}
	defects, last := defectRows()
	return slices.Concat(rows, defects, receiverRows(), last)
}

func defectRows() (defects, silents []Row) {
	order := map[string]int{}
	for i, ch := range judge.Checks() {
		order[ch.ID] = i
	}
	for _, d := range refsender.Defects() {
		for _, c := range append([]string{d.Contract}, d.Also...) {
			r := Row{
				Kind: Defect, Name: d.Name, Title: d.Title, Contract: cmp.Or(c, Default), MustFail: d.MustFail, MayAlso: d.MayAlso,
			}
			if d.Name == silent {
				r.Kind = Silent
				silents = append(silents, r)
				continue
			}
			defects = append(defects, r)
			if d.Load != "" && c == d.Contract {
				r.Load, r.MustFail, r.MayAlso = true, d.Load, append(slices.Clone(d.MayAlso), d.MustFail)
				defects = append(defects, r)
			}
		}
	}
	slices.SortStableFunc(defects, func(a, b Row) int { return order[a.MustFail] - order[b.MustFail] })
	return defects, silents
}

// receiverRows are the defects of a receiver's business side, which package business has: no sender can break the checks of what a
// receiver does with an event that comes again, so that they are proven by a receiver that does it wrong.
func receiverRows() []Row {
	row := func(name, title, mustFail string, mayAlso ...string) Row {
		return Row{Kind: Receiver, Name: ofReceiver + name, Title: title, Contract: Default, MustFail: mustFail, MayAlso: mayAlso}
	}
	return []Row{
		row("effect-again", "the receiver lets an event that comes again take effect again", "effect.once", "acceptance.absorbed"),
		row("row-twice", "the receiver writes two business rows for one event", "effect.once", "acceptance.absorbed"),
		row("mark-stays", "the receiver keeps the dedupe row of a business write that it rolled back", "effect.rollback", "acceptance.absorbed"),
	}
}

// Select returns the rows whose key or name one of the globs matches, such as sig-* or limit-1; no globs select all. A glob that
// matches nothing is an error.
func Select(rows []Row, globs []string) ([]Row, error) {
	if len(globs) == 0 {
		return rows, nil
	}
	chosen := make([]bool, len(rows))
	for _, g := range globs {
		found := false
		var names []string
		for i, r := range rows {
			names = append(names, r.Key())
			byKey, err := path.Match(g, r.Key())
			if err != nil {
				return nil, fmt.Errorf("selection %q: %w; write a name or a glob, as sig-*", g, err)
			}
			byName, _ := path.Match(g, r.Name) // the glob is sound
			if byKey || byName {
				chosen[i], found = true, true
			}
		}
		if !found {
			return nil, fmt.Errorf("selection %q matches no row of the self-test%s; hookassay list defects names the defects", g, near.Meant(g, names))
		}
	}
	var some []Row
	for i, r := range rows {
		if chosen[i] {
			some = append(some, r)
		}
	}
	return some, nil
}

// explains tells whether a check may fail with the row's sender.
func (r Row) explains(check string) bool {
	return check == r.MustFail || slices.Contains(r.MayAlso, check) || slices.Contains(r.MayAlso, "*")
}
