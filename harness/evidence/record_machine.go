package evidence

import "time"

// NoiseReceiver is the Source of noise that was measured by requests of our own to the receiver: a whole time from connecting to the
// answer, beyond the usual.
const NoiseReceiver = "receiver"

// Noise is a stretch of a time series of lateness: sample i was due at From + i × Step and came LateUS[i] µs late.
type Noise struct {
	Meta
	Source string        `json:"source"` // ticker (the harness), receiver (NoiseReceiver) or probe:INSTANCE
	From   time.Duration `json:"from_ns"`
	Step   time.Duration `json:"step_ns"`
	LateUS []int64       `json:"late_us"`
}

// Trouble is something that went wrong in the harness or its receiver. Verdicts of the scenario that it names become errors;
// with no scenario it concerns the whole run. Lost counts records that could not be kept.
type Trouble struct {
	Meta
	Scenario string        `json:"scenario,omitempty"`
	At       time.Duration `json:"at_ns"`
	What     string        `json:"what"`
	Lost     int           `json:"lost,omitempty"`
}
