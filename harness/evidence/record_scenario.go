package evidence

import "time"

// FamilyObserve is the family of a scenario in which nothing was played: traffic that somebody else caused was watched.
const FamilyObserve = "observe"

// Scenario is one situation that was played, or that could not be. A later record of the same name replaces the earlier one, which was
// written when the run was interrupted.
type Scenario struct {
	Meta
	Name     string   `json:"name"`               // family/situation
	Family   string   `json:"family"`             // the part before the slash
	Title    string   `json:"title,omitempty"`    // one sentence for people
	Checks   []string `json:"checks"`             // ids of the checks that it feeds
	Instance string   `json:"instance,omitempty"` // which sender process it ran on
	// NotRun says why the scenario was not played (an ability is absent); empty if it was.
	NotRun string `json:"not_run,omitempty"`
	// From and WatchUntil bound the time during which the harness watched, as offsets.
	From       time.Duration `json:"from_ns"`
	WatchUntil time.Duration `json:"watch_until_ns"`
	// Ended is the offset at which it was over: watched to its end, and the sender asked for its records. 0: it was not played, or the run
	// was interrupted before.
	Ended time.Duration `json:"ended_ns,omitempty"`
	// Phase is the number of the phase in which it was played, from 1: those of one phase are played side by side.
	Phase int `json:"phase,omitempty"`
}

// Endpoint is a URL of ours where deliveries land, with its secrets.
type Endpoint struct {
	Meta
	Name     string   `json:"name"` // unique in the run
	Scenario string   `json:"scenario"`
	URL      string   `json:"url"`
	SenderID string   `json:"sender_id,omitempty"` // the sender's own id of it
	Secrets  []Secret `json:"secrets,omitempty"`
	Tenant   string   `json:"tenant,omitempty"`
	// Environment is test or live where the sender tells them apart.
	Environment string `json:"environment,omitempty"`
	// Types is the filter asked for; empty means all.
	Types []string `json:"types,omitempty"`
	// Headers are those that the endpoint was configured with, to be sent with each request.
	Headers map[string]string `json:"headers,omitempty"`
}

// Secret is a signing key and when it may sign, as offsets. Until is 0 while no end is known. When an endpoint's keys change,
// a new Endpoint record of the same name replaces the earlier one.
type Secret struct {
	// Value is empty for a key that the sender issued: such a key stays out of the evidence, and Arrival.VerifiedBy says
	// which requests it signed.
	Value string `json:"value,omitempty"`
	// Name tells issued keys apart; it is unique in the run and empty for a key of ours.
	Name  string        `json:"name,omitempty"`
	From  time.Duration `json:"from_ns"`
	Until time.Duration `json:"until_ns,omitempty"`
}
