// Package command drives a sender in any language through a shim: a program of the user's that reads calls from its standard
// input and writes answers to its standard output, one JSON object a line. What it prints on standard error is the sender's
// output. `hookassay adapter protocol` prints the JSON Schema of both directions.
//
//	→ {"id":1,"call":"hello","params":{"protocol":"hookassay.shim/1","dir":"/tmp/x","vars":{},"contract":{"schedule.waits_ms":"5,25"},"files":{}}}
//	← {"id":1,"result":{"name":"my sender","abilities":["launch","kill"]}}
//	→ {"id":2,"call":"register","params":{"name":"delivery.first-try","url":"http://127.0.0.1:4711/hooks/x","secret":"s"}}
//	← {"id":2,"result":{"id":"ep1"}}
//	→ {"id":3,"call":"emit","params":{"endpoint":"ep1","type":"order.created","object":"o1","marker":"hkm…","data":{"amount":1.50}}}
//	← {"id":3,"result":{"id":"evt1"}}
//	← {"id":4,"error":"why not"}
//	← {"id":5,"refused":"too busy"}
//
// A call is one line without a line end within it; its members, and those of params, come in the order shown, data last, so that a
// shell can take it apart. Calls do not wait for one another; answers may come in any order. refused says that the sender takes no
// event just now, which is its right; error is trouble. What the sender does in between, it does by itself: the shim may be
// the sender, or talk to one.
//
// # Calls
//
//	hello             protocol, dir, vars, contract, files → name*, version, abilities
//	register          name, url, secret, types, tenant, environment, headers → id*, secret if the sender issued one
//	emit              endpoint, type, tenant, environment, object, marker, data → id, where the sender has one
//	emit_rolled_back  as emit
//	replay            event, endpoint, reason
//	log               event, endpoint → {state*, last_failure, next, attempts: [{number*, at*, status, outcome, error, digest, trigger}]}
//	dead_letters      endpoint → [{event*, reason*, hint, attempts*, last_status, last_error, payload, at, replays: […]}]
//	change_object     object, data
//	rotate, revoke    endpoint, secret → secret if the sender issued one
//	disable, enable, delete, read_endpoint  endpoint
//	replay_range      endpoint, from, to, reason
//	ping              → {}
//
// Members without a value are left out. An emit without endpoint is for all endpoints that match, which only those are asked for
// that declare fan-out. dir is a folder of the shim's own, removed at the end.
//
// # Abilities
//
// hello answers with what the sender can do beyond register and emit: replay, log, dead-letters, change-object, rotate, revoke,
// disable (with enable), delete, read-endpoint, replay-range, roll-back, issue-secrets, fan-out, environments, custom-headers. Three say
// what the shim's process is: launch, that each one that is started is a sender of its own; stop and kill, that the sender
// ends with it, gracefully after SIGTERM or at once, and that one started again in the same dir goes on.
//
// ping is for a shim whose process delivers. It is asked for a sign of life every 100 ms, one at a time, and is to answer from where it delivers,
// from its event loop say: by how much the answer comes later than usual, the process is late, and that is noise, for which no
// promise is broken. Without it nothing shows that the process got no processor time, and its late deliveries count against the
// sender. A shim that answers one line after the other answers a ping behind a slow emit late, and what happens then is not
// judged: declare ping only where such a delay does hold up deliveries. An error as the answer is no sign of life, and said once.
package command
