package evidence

import "time"

// What a business write did.
const (
	EffectCommitted  = "committed"   // dedupe row and business row are both on disk
	EffectRolledBack = "rolled-back" // neither is
	EffectAbsorbed   = "absorbed"    // a duplicate of a committed one: nothing was written
	// The rest are results that an endpoint has only if it was told more about its events than a run tells it.
	EffectSuperseded = "superseded" // as committed, and the object's state was kept, which is newer
	EffectConflict   = "conflict"   // as committed, and the object's state was kept: nothing tells which is newer
	EffectIgnored    = "ignored"    // the subscriber does not know the type: nothing was written
	EffectQueued     = "queued"     // the event is in the inbox, and nothing was done about it yet
)

// Effect is what the business write of a request did, as read from the database afterwards.
type Effect struct {
	Meta
	Of       int64         `json:"of"` // Arrival.Seq
	Scenario string        `json:"scenario,omitempty"`
	Endpoint string        `json:"endpoint"`
	Key      string        `json:"key"` // the idempotency key: the event's id within its endpoint
	Result   string        `json:"result"`
	At       time.Duration `json:"at_ns"`         // when the transaction had ended
	Dedupe   bool          `json:"dedupe_row"`    // is there a dedupe row for the key afterwards
	Rows     int           `json:"business_rows"` // how many business rows are there for the key afterwards
	Detail   string        `json:"detail,omitempty"`
	Reason   string        `json:"reason,omitempty"` // of a copy that a person sent: why
}
