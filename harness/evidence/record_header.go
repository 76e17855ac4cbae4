package evidence

import (
	"slices"
	"strings"
	"time"
)

// Header opens the file: what was run, against what, with which settings.
type Header struct {
	Meta
	Schema   string    `json:"schema"`
	Suite    string    `json:"suite"`              // version of hookassay
	Started  time.Time `json:"started"`            // wall clock at offset 0
	Seed     uint64    `json:"seed"`               // of every random choice of the run
	Contract string    `json:"contract"`           // the effective contract, in its YAML form
	Sender   Sender    `json:"sender"`             // what was under test
	Machine  Machine   `json:"machine"`            // where
	Secrets  string    `json:"secrets,omitempty"`  // a sentence that says which secrets the file holds
	Selected []string  `json:"selected,omitempty"` // the user's selection, as given
	// LeftOut lists the scenarios that the selection left out: a verdict says nothing of them.
	LeftOut []string `json:"left_out,omitempty"`
}

// SelectedLabels opens the entry of Header.Selected that is a filter over the checks.
const SelectedLabels = "labels: "

// SelectsChecks tells whether the user's selection leaves out checks of scenarios that were played.
func (h *Header) SelectsChecks() bool {
	return slices.ContainsFunc(h.Selected, func(s string) bool { return strings.HasPrefix(s, SelectedLabels) })
}

// Sender says what was under test and what its driver can do.
type Sender struct {
	Name      string   `json:"name"`
	Driver    string   `json:"driver"`              // httpapi, command, go, …
	Abilities []string `json:"abilities,omitempty"` // sender.Ability names, sorted
	Version   string   `json:"version,omitempty"`
}

// Machine says where the run took place, as far as it matters to timing.
type Machine struct {
	OS    string `json:"os"`
	Arch  string `json:"arch"`
	CPUs  int    `json:"cpus"`
	GoVer string `json:"go"`
}

// Footer closes a complete file. A file without it was cut short.
type Footer struct {
	Meta
	Ended       time.Duration `json:"ended_ns"`
	Interrupted string        `json:"interrupted,omitempty"` // why the run stopped early, if it did
	Counts      map[Kind]int  `json:"counts"`
	SHA256      string        `json:"sha256"` // hex, of all bytes before this line
}
