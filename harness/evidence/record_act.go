package evidence

import "time"

// ActKind names what the harness did.
type ActKind string

// What the harness does to a sender, or to its own plans.
const (
	ActRegister ActKind = "register"
	ActEmit     ActKind = "emit"
	ActReplay   ActKind = "replay"
	ActChange   ActKind = "change" // the object behind an event was changed
	ActReplan   ActKind = "replan" // a fault plan was changed after the emit
	ActLaunch   ActKind = "launch"
	ActStart    ActKind = "start"
	ActStop     ActKind = "stop"
	ActKill     ActKind = "kill"
	ActExit     ActKind = "exit" // the sender ended by itself
	ActRotate   ActKind = "rotate"
	ActRevoke   ActKind = "revoke"
	ActDisable  ActKind = "disable"
	ActEnable   ActKind = "enable"
	ActDelete   ActKind = "delete"
	ActClock    ActKind = "clock" // the sender's clock was advanced
	// ActDown: our listener went down, and ActUp: it came up again. Without a scenario they are about all listeners: a run was interrupted,
	// and gone on with.
	ActDown ActKind = "down"
	ActUp   ActKind = "up"
	// ActWatch: a scenario has done all its acts, and what is left is to watch.
	ActWatch ActKind = "watch"
	// ActAgain: a scenario is played anew. What was recorded of it before is no part of the Run: it was cut in the middle of its acts.
	ActAgain ActKind = "again"
	// ActEmitRolledBack is a business change that was rolled back: its event must never be delivered.
	ActEmitRolledBack ActKind = "emit-rolled-back"
	// ActReadEndpoint and ActReadDead asked for an endpoint and for the dead letters of one; the second is there even when
	// the answer was an empty list.
	ActReadEndpoint ActKind = "read-endpoint"
	ActReadDead     ActKind = "read-dead-letters"
	// ActReplayRange asked for a replay of an endpoint's dead letters of a time range.
	ActReplayRange ActKind = "replay-range"
	// ActCount counted the connections that were open to an endpoint's address. Nothing was asked of the sender.
	ActCount ActKind = "count-connections"
)

// Act is something the harness did, with its answer and its time.
type Act struct {
	Meta
	Act      ActKind `json:"act"`
	Scenario string  `json:"scenario,omitempty"`
	Instance string  `json:"instance,omitempty"`
	Endpoint string  `json:"endpoint,omitempty"`
	Marker   string  `json:"marker,omitempty"` // the event it concerns
	Event    string  `json:"event,omitempty"`  // the event's id as the sender returned it
	Type     string  `json:"type,omitempty"`   // emit: the event's type
	Object   string  `json:"object,omitempty"` // emit: the business object, where other events are about the same one
	Tenant   string  `json:"tenant,omitempty"` // emit: whose event it is
	// Environment is test or live for an emit that names one.
	Environment string        `json:"environment,omitempty"`
	From        *time.Time    `json:"from,omitempty"` // replay-range: from this acceptance time, included
	To          *time.Time    `json:"to,omitempty"`   // replay-range: to this one, left out
	Data        Raw           `json:"data,omitempty"` // emit: the business fields as handed over, JSON
	Called      time.Duration `json:"called_ns"`      // offset at which the call began
	Returned    time.Duration `json:"returned_ns"`    // offset at which it was answered
	Advance     time.Duration `json:"advance_ns,omitempty"`
	Note        string        `json:"note,omitempty"`
	// Unsaid: nobody was there to write it, and it is told by whoever went on with the run. It happened then or later, and what was
	// under way left no trace.
	Unsaid bool `json:"unsaid,omitempty"`
	// Open lists the connections that count-connections found, oldest first, the first thousand of them.
	Open []OpenConn `json:"open,omitempty"`
	Err  string     `json:"err,omitempty"` // why it failed; empty if it succeeded
}

// OpenConn is a connection that neither side had ended when it was counted.
type OpenConn struct {
	ID       int64         `json:"id"` // as in Conn
	Opened   time.Duration `json:"opened_ns"`
	Requests int           `json:"requests"` // how many it had carried
}

// OK tells whether the act succeeded.
func (a *Act) OK() bool { return a.Err == "" }
