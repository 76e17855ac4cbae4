// Package httpapi drives any sender that has an HTTP API by a file that describes the API: an adapter. A product becomes a
// sender under test by writing such a file; no code is needed.
//
// # The file
//
//	schema: hookassay.adapter/1
//	name: my sender
//	version: 1.2.3                 # for the report
//	requires: [text]               # what must be true of the sender; for people
//	vars: {plan: free, api_key: }  # settings with their defaults; an empty one must be given
//	secrets: [api_key]             # the vars that no message may show
//	launch:                        # leave it out to attach to a sender that runs already
//	  command: [program, argument]
//	  env: {NAME: value}           # added to the environment of the harness
//	  dir: folder                  # working directory, from the folder of the file; that folder if left out
//	  ready: 'regular expression'  # matches the line of output that says ready; its first group is the base URL, host:port or the port
//	  ready_timeout: 30s
//	  stop_grace: 10s
//	container: {…}                 # instead of launch and base_url, see below
//	base_url: http://127.0.0.1:80  # needed unless ready has a group
//	probe: /healthz                # something cheap to GET, asked ten times a second while a launched sender runs
//	headers: {Authorization: Bearer ${api_key}}  # sent with every call
//	auth: {bearer: "${api_key}"}   # or user and password; with every call
//	setup: {…}                     # an op that is done once for each instance, before the first of the others
//	teardown: {…}                  # an op that is done at the end, if setup was
//	config: {…}                    # for a sender without an API for endpoints, see below
//	ops:
//	  register: {…}                # needed, unless there is config; must extract id
//	  emit: {…}                    # needed
//	  replay: {…}                  # the rest are abilities, as far as they are given
//	  log: {…}
//	  dead_letters: {…}
//	  change_object: {…}
//	  rotate: {…}                  # a new key, beside which the old one goes on signing for the overlap
//	  revoke: {…}                  # a new key, at once the only one
//	  disable: {…}                 # stops an endpoint's deliveries; needs enable as well
//	  enable: {…}
//	  delete: {…}
//	  read_endpoint: {…}           # whatever the API says of an endpoint: no key may be in it
//	  replay_range: {…}            # replays an endpoint's dead letters of a time range
//	  emit_rolled_back: {…}        # the business change of an event, rolled back with its event
//	abilities: [issue-secrets, fan-out, environments]  # what no op stands for, as far as it is so:
//
// issue-secrets: a registration, rotation or revocation without a secret is answered with one. fan-out: an event without an
// endpoint goes to all whose tenant and types match. environments: endpoints of test and live are told apart. What the ops
// cannot do is refused.
//
// An op is one call, or a list of calls under steps. A call has
//
//	method: POST
//	path: /v1/endpoints/${endpoint.id}   # appended to the base URL
//	query: {name: value}
//	headers: {name: value}
//	body: {name: value}                  # becomes JSON, in the order of the file
//	form: {name: value}                  # instead of body: is sent as a web form; a[b] is a name like any other
//	expect: 201                          # or a list; any other status is an error
//	extract: {id: .id}                   # names for values of the answer, by jq expressions
//	refuse: [429, 503]                   # emit only, this if left out: the sender takes no event just now, which is its right
//	optional: true                       # another status is put up with, and nothing extracted then
//	poll: {every: 100ms, until: .done, max: 5s}  # GET only: asks again until the expression is true
//
// No call is ever repeated, except by poll: an emit that was repeated would be two events.
//
// # Senders that read their endpoints from a file
//
//	config:
//	  file: ${dir}/webhooks.yml    # rendered before the sender starts, with no endpoint in it, and again for new ones
//	  content: '{hooks: [.endpoints[] | {name: .id, url, secret}]}'
//	  gather: 300ms                # registrations within this time are told together
//	  reload: {signal: HUP}        # or USR1, USR2; or restart: true; or command: [program, argument]; or request: an op
//
// content is a jq expression on {endpoints: [{id, name, url, secret, types, tenant, environment, headers}], vars}; a text is
// written as it is, everything else as JSON, which YAML readers take. An endpoint's id is its name; secrets are ours. reload
// has settle too, how long the sender needs until it has read the file: 1s for a signal and a command, nothing for the others. A
// reload while events are under way may disturb them: let gather be long enough. A sender that must be restarted gets no
// endpoint any more once it has an event.
//
// # Senders in containers
//
//	container:
//	  image: name:tag              # taken from a registry if it is not on this machine; or
//	  build: {folder: ., dockerfile: Dockerfile, args: {NAME: value}}
//	  entrypoint: [program]        # these two replace those of the image
//	  command: [argument]
//	  env: {NAME: value}
//	  files:                       # written before the first start, readable by everybody inside
//	    /etc/sender.yaml: sender.yaml          # a copy of a file on this machine, from the folder of the adapter
//	    /etc/contract.yaml: ${file.contract.yaml}
//	    /etc/hello.txt: {text: "hello ${name}"}
//	  volumes: [/data]             # kept over a kill and a restart, removed at the end
//	  port: 8080                   # of the API inside; published on loopback, on a free port
//	  base_path: /api/v1           # what paths of the API begin with
//	  ready: {log: 'pattern'}      # or {http: /healthz}, or {port: 8080}, that takes connections; within: 60s
//	  stop_grace: 10s
//	  networks: [name]             # that exist already
//	  receiver: {listen: 172.17.0.1, host: host.docker.internal}  # how the sender reaches the receiver, where the harness errs
//	  beside:                      # its database and the like: started before it, reached by name, not stopped with it
//	    db: {image: "postgres:18", env: {…}, ready: {port: 5432}}
//
// The sender reaches this machine as host.docker.internal, and the URLs of its endpoints say so. On Linux the receiver then listens on
// the address of Docker's bridge; where Docker runs in a machine of its own (Docker Desktop), on loopback. A process that is to
// end by SIGTERM as number 1 of its container must handle it. Paths in the command are those inside: name in files what the
// sender is to read.
//
// # Templates
//
// ${name} is replaced in image, build, entrypoint, files, command, env, dir, base_url, probe, path, auth, query, headers, body and form. ${name:-text} stands for text
// where the value is empty; $${ is a literal ${. A name is
//
//   - a var, or dir, the folder that a launched instance has for itself, or a name given by the harness (hookassay is the
//     path of its own program);
//   - ca, of a launched sender: the path of a PEM file with the certificate authority of the run's receiver. Where an adapter
//     uses it the sender is taken to trust that authority in its deliveries, and gets endpoints with https;
//   - contract.NAME, a value of the effective contract, or file.NAME, the path of a file that the harness writes
//     (contract.yaml);
//   - env.NAME, a variable of the environment of the harness. An adapter that needs one is refused where it is empty; wherever a
//     key can stand, that is, everywhere but in base_url, probe and image, no message shows its value;
//   - an input of the op: endpoint.name, .url, .secret, .types, .tenant, .environment, .headers in register; event.type, .data,
//     .endpoint, .tenant, .environment, .object, .marker in emit and emit_rolled_back; delivery.event, delivery.endpoint in log and
//     replay, which has reason too; endpoint.id in dead_letters, disable, enable, delete and read_endpoint; endpoint.id and
//     endpoint.secret, empty if the sender is to issue one, in rotate and revoke; endpoint.id, range.from, range.to and
//     reason in replay_range: events accepted from range.from, included, to range.to, left out, both in RFC 3339 in UTC with
//     up to nine digits after the second; object.id and object.data in change_object;
//   - got.NAME, extracted by an earlier step of the op, or setup.NAME, extracted by setup.
//
// Escaping follows from the place: a value in a path or query is URL-escaped, a value in a body becomes part of a JSON
// string, a value in a header must not hold control characters. An empty value in a path is an error. event.data,
// object.data, endpoint.types and endpoint.headers (an object of names and values; where register uses it the sender is taken to send
// them with each request) are JSON already; so is ${json:name}, which reads the text of a variable as JSON. These
// must be the whole value of a body's field and are sent token by token as they are, so that 1.50 stays 1.50.
//
// ${text:event.data} puts the JSON into a text.
//
// An event is known again by its marker, which is within event.data; an API that takes no data of ours is given event.marker
// alone, in whatever reaches the delivery's body. Only then does the id of the event not matter, which many senders do not return.
//
// A key of body, form, query or headers that ends with ? is optional: the field is left out, and the ? with it, where its value
// is an empty string, null, or a list or mapping without entries. Items of lists are never left out.
//
// # jq
//
// Expressions are evaluated by gojq on the answer. $in holds the op's inputs (without secrets and payloads) and got and
// setup, as in $in.delivery.event; $status is the status. An extracted value must be a string or a number; a name that ends
// with ? may be missing. register gives id, and secret where the sender issues one, as rotate and revoke do; emit gives id where
// the sender returns one.
//
// log and dead_letters have an expression result, on the answer of the last step, that brings the sender's words into this
// form. Times are RFC 3339; only the fields marked * are needed, and null is as good as absent; other fields are refused.
//
//	log:          {state*, last_failure, next, attempts: [{number*, at*, status, outcome, error, digest, trigger}]}
//	dead_letters: [{event*, reason*, hint, attempts*, last_status, last_error, payload, at,
//	               replays: [{at*, status, outcome, error, reason}]}]
//
// state is pending, delivered or dead-lettered, or the sender's own word where it is none of these. payload is a string
// that holds the body's bytes.
//
// # Keys
//
// What the sender answers is searched for keys and signatures that have no place there, so each answer is passed on, its
// first 64 KiB, whatever its status. Left out are the answers to setup, register, rotate and revoke that are no refusal
// (below 400), since they may show a key. The vars under secrets are taken out. Messages never show a key, be it ours or
// issued by the sender.
package httpapi
