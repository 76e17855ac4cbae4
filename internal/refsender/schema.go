package refsender

// schema is the whole database. Times are Unix nanoseconds.
//
// An endpoint's failures are those since its last success, as the contract counts them, and failing_since is when the first of
// them was counted; 0: none.
//
// A delivery's state is pending, in-flight, delivered or dead-lettered. While a replay is pending or in flight, fallback
// keeps the state to return to if it fails. round counts the replays: what waits in memory for an earlier round finds that its
// turn is over. lease is the run of the process that owns a delivery in flight, leased_at when it took it. A lease ends with
// its run: since a database belongs to one process at a time, whatever is leased when a process starts is orphaned, and waiting
// for Schedule.Lease to pass would only delay its recovery.
const schema = `
CREATE TABLE IF NOT EXISTS endpoints (
	id TEXT PRIMARY KEY, url TEXT NOT NULL, keys TEXT NOT NULL, types TEXT NOT NULL, tenant TEXT NOT NULL,
	environment TEXT NOT NULL, state TEXT NOT NULL DEFAULT 'enabled', reason TEXT NOT NULL DEFAULT '',
	headers TEXT NOT NULL DEFAULT '{}', failures INTEGER NOT NULL DEFAULT 0, failing_since INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS objects (
	name TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS events (
	id TEXT PRIMARY KEY, type TEXT NOT NULL, created TEXT NOT NULL, object TEXT NOT NULL, body BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS deliveries (
	event TEXT NOT NULL, endpoint TEXT NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
	accepted_at INTEGER NOT NULL, next_at INTEGER, trigger TEXT NOT NULL, reason TEXT NOT NULL DEFAULT '',
	fallback TEXT NOT NULL DEFAULT '', round INTEGER NOT NULL DEFAULT 0, lease TEXT NOT NULL DEFAULT '', leased_at INTEGER NOT NULL DEFAULT 0,
	last_failure TEXT NOT NULL DEFAULT '', PRIMARY KEY (event, endpoint)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS attempts (
	event TEXT NOT NULL, endpoint TEXT NOT NULL, number INTEGER NOT NULL, at INTEGER NOT NULL, status INTEGER NOT NULL,
	outcome TEXT NOT NULL, error TEXT NOT NULL, response_sha256 TEXT NOT NULL, trigger TEXT NOT NULL,
	PRIMARY KEY (event, endpoint, number)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS dead_letters (
	endpoint TEXT NOT NULL, event TEXT NOT NULL, reason TEXT NOT NULL, hint TEXT NOT NULL, attempts INTEGER NOT NULL,
	last_status INTEGER NOT NULL, last_error TEXT NOT NULL, dead_at INTEGER NOT NULL,
	PRIMARY KEY (endpoint, event)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS replays (
	event TEXT NOT NULL, endpoint TEXT NOT NULL, number INTEGER NOT NULL, at INTEGER NOT NULL, outcome TEXT NOT NULL,
	status INTEGER NOT NULL, error TEXT NOT NULL, reason TEXT NOT NULL,
	PRIMARY KEY (event, endpoint, number)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS life (
	id INTEGER PRIMARY KEY CHECK (id = 1), clean INTEGER NOT NULL);
INSERT INTO life VALUES (1, 1) ON CONFLICT DO NOTHING;
`

// States of a delivery.
const (
	statePending   = "pending"
	stateInFlight  = "in-flight"
	stateDelivered = "delivered"
	stateDead      = "dead-lettered"
)

// States of an endpoint.
const (
	endpointEnabled  = "enabled"
	endpointDisabled = "disabled" // by request: what is pending is held, and goes on if the endpoint is enabled in time
	endpointGone     = "gone"     // by a final answer, or by its failures, as the contract says: nothing is pending; shown as disabled
	endpointDeleted  = "deleted"  // kept for its log and dead letters only
)

// Outcomes of an attempt.
const (
	outcomeDelivered   = "delivered"
	outcomeFailed      = "failed"
	outcomeInterrupted = "interrupted" // the process was killed during the attempt; what came of it is not known
)

// What made an attempt.
const (
	triggerSchedule = "schedule"
	triggerReplay   = "replay"
)
