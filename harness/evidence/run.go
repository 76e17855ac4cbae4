// Package evidence holds what was seen in a run: records, and no conclusions.
//
// All times are monotonic offsets from Header.Started unless a field is a time.Time, which is a wall-clock reading.
package evidence

// Run is a whole evidence file in memory. Slices keep the order of the file.
type Run struct {
	Header      Header
	Scenarios   []Scenario
	Endpoints   []Endpoint
	Former      []Endpoint // of plays that were cut and began anew: nothing is judged by them, and their keys are secret still
	Acts        []Act
	Attempts    []Attempt
	Effects     []Effect
	Logs        []LogEntry
	DeadLetters []DeadLetter
	Output      []Output
	Noise       []Noise
	Troubles    []Trouble
	Connections []Connection
	// Footer is nil if the file was cut short.
	Footer *Footer
}

// Attempt is one HTTP request: its arrival, and its outcome if that is known.
type Attempt struct {
	Arrival
	// Outcome is nil if the evidence does not say what became of the request.
	Outcome *Outcome
}

// Complete tells whether the run was written to its end and was not interrupted.
func (r *Run) Complete() bool { return r.Footer != nil && r.Footer.Interrupted == "" }
