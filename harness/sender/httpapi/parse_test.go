package httpapi_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/sender/httpapi"
)

// smallest is the shortest adapter, to which tests add.
const smallest = `schema: hookassay.adapter/1
name: tiny
base_url: http://127.0.0.1:1
ops:
  register: {method: POST, path: /e, expect: 201, extract: {id: .id}}
  emit: {method: POST, path: /m, expect: [200, 202]}
`

func TestParseReportsEachProblemWithItsPlace(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		text string
		want []string
	}{
		{"empty file", "", []string{"a.yaml:1:1: want one YAML document"}},
		{"no mapping", "- 1", []string{"adapter: want a mapping, got a list", `field "schema" is missing`}},
		{"broken YAML", "a: [1", []string{"a.yaml:1:4: "}},
		{"two documents", smallest + "---\na: 1\n", []string{"want one YAML document"}},
		{"a key twice", smallest + "name: other\n", []string{"a.yaml:7:1: ", "name"}},
		{"other schema", strings.Replace(smallest, "adapter/1", "adapter/9", 1), []string{`a.yaml:1:9: schema: want hookassay.adapter/1, got "hookassay.adapter/9"`}},
		{"unknown field", smallest + "lunch: {}\n", []string{`a.yaml:7:1: adapter: unknown field "lunch" (did you mean launch?); known: schema, name, version`}},
		{"alias", smallest + "requires: &x [a]\n", []string{"a.yaml:7:11: requires: want a list, got an anchor or alias"}},
		{"no ops", "schema: hookassay.adapter/1\nname: x\nbase_url: http://h\n", []string{`a.yaml:1:1: adapter: field "ops" is missing`}},
		{"unknown op", smallest + "  destroy: {}\n", []string{`a.yaml:7:3: ops: unknown field "destroy"`}},
		{"no register", "schema: hookassay.adapter/1\nname: x\nbase_url: http://h\nops: {emit: {method: POST, path: /m, expect: 200}}\n", []string{`ops: field "register" is missing`}},
		{"id is not extracted", strings.Replace(smallest, ", extract: {id: .id}", "", 1), []string{"a.yaml:5:3: op register: extract: id is missing"}},
		{"no base URL", strings.Replace(smallest, "base_url: http://127.0.0.1:1\n", "", 1), []string{"base_url or launch is missing"}},
		{"two base URLs", smallest + "launch: {command: [x], ready: '(.*)'}\n", []string{"a.yaml:3:11: base_url: the group in launch: ready gives it already"}},
		{"bad pattern", smallest + "launch: {command: [x], ready: '('}\n", []string{"a.yaml:7:31: launch: ready: error parsing regexp"}},
		{"no command", smallest + "launch: {command: [], ready: x}\n", []string{"launch: command: want a program"}},
		{"bad times", smallest + "launch: {command: [x], ready: x, stop_grace: 10, ready_timeout: -1s}\n", []string{"a.yaml:7:46: launch: stop_grace: want a time", "a.yaml:7:65: launch: ready_timeout: want a time"}},
		{"bad var name", smallest + "vars: {Key: x, dir: y, ca: z}\n", []string{`vars: "Key" is no name`, "vars: the name dir is taken", "vars: the name ca is taken"}},
		{"secret that is no var", smallest + "secrets: [key]\n", []string{`a.yaml:7:11: secrets: there is no var "key"`}},
		{"input of another op", smallest + "  log: {method: GET, path: '/x/${event.type}', expect: 200, result: .}\n", []string{"a.yaml:7:28: ${event.type} is not known in op log; its inputs: delivery.event, delivery.endpoint"}},
		{"input outside ops", smallest + "headers: {X: '${event.type}'}\n", []string{"${event.type} is not known in this place, which has no inputs"}},
		{"nothing extracted before", smallest + "  replay: {steps: [{method: PUT, path: '/${got.x}', expect: 200}]}\n", []string{"${got.x} is not known in op replay"}},
		{"unclosed variable", smallest + "  replay: {method: PUT, path: '/${reason', expect: 200}\n", []string{"a.yaml:7:31: op replay: path: ${reason has no closing }"}},
		{"JSON in a path", smallest + "  change_object: {method: PUT, path: '/${object.data}', expect: 200}\n", []string{"${object.data} is JSON, which only a body can hold"}},
		{"JSON within text", smallest + "  change_object: {method: PUT, path: /x, body: {a: 'b ${object.data}'}, expect: 200}\n", []string{"body: ${object.data} is JSON and must be the whole value"}},
		{"no JSON number", smallest + "  change_object: {method: PUT, path: /x, body: {a: 0x1F}, expect: 200}\n", []string{`body: "0x1F" is not in the form that JSON has`}},
		{"body key twice", smallest + "  change_object: {method: PUT, path: /x, body: {a: 1, a?: 2}, expect: 200}\n", []string{`a.yaml:7:55: body: key "a" is there twice`}},
		{"body of a GET", smallest + "  log: {method: GET, path: /x, body: {a: 1}, expect: 200, result: .}\n", []string{"body: a GET has none"}},
		{"log without result", smallest + "  log: {method: GET, path: /x, expect: 200}\n", []string{`a.yaml:7:3: op log: field "result" is missing`}},
		{"result of a replay", smallest + "  replay: {method: PUT, path: /x, expect: 200, result: .}\n", []string{`op replay: unknown field "result"`}},
		{"bad jq", smallest + "  log: {method: GET, path: /x, expect: 200, result: '.['}\n", []string{"a.yaml:7:53: op log: result: jq: "}},
		{"unknown jq function", smallest + "  log: {method: GET, path: /x, expect: 200, result: 'frobnicate'}\n", []string{"function not defined: frobnicate/0"}},
		{"poll of a POST", smallest + "  replay: {method: POST, path: /x, expect: 200, poll: {every: 1s, until: .a, max: 2s}}\n", []string{"poll: only GET is asked again"}},
		{"bad method", smallest + "  replay: {method: post, path: /x, expect: 200}\n", []string{`a.yaml:7:20: op replay: method: want GET, POST, PUT, PATCH or DELETE, got "post"`}},
		{"bad statuses", smallest + "  replay: {method: PUT, path: /x, expect: [200, 99, ok]}\n", []string{`want a status from 200 to 599, got "99"`, `got "ok"`}},
		{"no status", smallest + "  replay: {method: PUT, path: /x, expect: []}\n", []string{"expect: want at least one status"}},
		{"disable alone", smallest + "  disable: {method: POST, path: /x, expect: 200}\n", []string{"a.yaml:4:1: ops: disable and enable belong together, and one is missing"}},
		{"ability that an op stands for", smallest + "abilities: [replay]\n", []string{`a.yaml:7:13: abilities: "replay" cannot stand here; known: issue-secrets, fan-out, environments; all others follow`}},
		{"ability twice", smallest + "abilities: [fan-out, fan-out]\n", []string{"a.yaml:7:22: abilities: fan-out is there twice"}},
		{"abilities as text", smallest + "abilities: fan-out\n", []string{"a.yaml:7:12: abilities: want a list, got text"}},
		{"issued secret is not extracted", smallest + "  rotate: {method: PUT, path: /x, expect: 200}\nabilities: [issue-secrets]\n", []string{"a.yaml:8:12: abilities: issue-secrets needs op register to extract secret", "needs op rotate to extract secret"}},
		{"secret must be given", smallest + "  revoke: {method: PUT, path: /x, body: {a: [{b: '${endpoint.secret}'}]}, expect: 200, extract: {secret: .s}}\nabilities: [issue-secrets]\n", []string{"a.yaml:7:50: op revoke: ability issue-secrets needs a call without ${endpoint.secret}; end the key with ?"}},
		{"endpoint in the emit's path", strings.Replace(smallest, "/m", "'/${event.endpoint}'", 1) + "abilities: [fan-out]\n", []string{"a.yaml:6:30: op emit: ability fan-out needs a call without ${event.endpoint}"}},
		{"environment is not passed on", smallest + "abilities: [fan-out, environments]\n", []string{"a.yaml:7:12: abilities: environments needs op register to use ${endpoint.environment}", "environments needs op emit to use ${event.environment}"}},
		{"query in a path", smallest + "  replay: {method: PUT, path: '/x?a=b', expect: 200}\n", []string{"parameters go under query"}},
		{"relative path", smallest + "  replay: {method: PUT, path: x, expect: 200}\n", []string{"want a path that begins with /"}},
		{"header of the client", smallest + "headers: {content-length: 5}\n", []string{"content-length is set by the HTTP client"}},
		{"header with a line end", smallest + "headers: {X: \"a\\r\\nY: b\"}\n", []string{"X holds a line end"}},
		{"no header name", smallest + "headers: {'X Y': a}\n", []string{`"X Y" is no header name`}},
		{"id that nobody gives", smallest + "  replay: {method: PUT, path: '/x/${delivery.event}', expect: 200}\n", []string{"a.yaml:7:31: op replay: ${delivery.event} is an id that op emit must extract"}},
		{"half an auth", smallest + "auth: {user: me}\n", []string{"a.yaml:7:1: auth: want bearer, or user and password"}},
		{"two ways to reload", smallest + "config: {file: x, content: ., reload: {command: [x], request: {method: POST, path: /r, expect: 200}}}\n", []string{"a.yaml:7:31: config: reload: want one of signal, restart, command and request"}},
		{"signal to a stranger", smallest + "config: {file: x, content: ., reload: {signal: HUP}}\n", []string{"only a sender with a launch section can be sent a signal"}},
		{"signal that kills", smallest + "config: {file: x, content: ., reload: {signal: KILL}}\n", []string{`want HUP, USR1 or USR2, got "KILL"`}},
		{"optional no", strings.Replace(smallest, "/m,", "/m, optional: false,", 1), []string{"op emit: optional: want true, or leave it out"}},
		{"NUL", "a\x00", []string{"NUL bytes"}},
		{"too long", "#" + strings.Repeat("x", 70_000), []string{"too many for an adapter"}},
		{"deep", strings.Repeat("[", 60_000), []string{"a.yaml:1:51: brackets are nested over 50 deep"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := httpapi.Parse("a.yaml", []byte(tt.text))
			if err == nil {
				t.Fatal("accepted")
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("want %q in:\n%v", want, err)
				}
			}
		})
	}
}

func TestParseReportsAllProblemsInOrder(t *testing.T) {
	t.Parallel()
	_, err := httpapi.Parse("a.yaml", []byte(`schema: hookassay.adapter/2
name: ""
ops:
  register: {method: GO, path: x, expect: 1, extract: {id: '.['}}
  emit: {method: POST, path: /m}
surplus: 1
`))
	if err == nil {
		t.Fatal("accepted")
	}
	lines := strings.Split(err.Error(), "\n")
	for i, prefix := range []string{
		"a.yaml:1:1: adapter: base_url or launch", "a.yaml:1:9: schema", "a.yaml:2:7: name: is empty", "a.yaml:4:22: op register: method",
		"a.yaml:4:32: op register: path", "a.yaml:4:43: op register: expect", "a.yaml:4:60: op register: extract: id: jq",
		"a.yaml:5:3: op emit: field \"expect\" is missing", "a.yaml:6:1: adapter: unknown field",
	} {
		if i >= len(lines) || !strings.HasPrefix(lines[i], prefix) {
			t.Errorf("line %d: want %q in:\n%v", i, prefix, err)
		}
	}
}

func TestSmallestAdapterIsEnough(t *testing.T) {
	t.Parallel()
	a, err := httpapi.Parse("a.yaml", []byte(smallest))
	if err != nil {
		t.Fatal(err)
	}
	if a.Name != "tiny" {
		t.Errorf("name %q", a.Name)
	}
}

func TestLoad(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "tiny.yaml")
	if _, err := httpapi.Load(path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("a missing file gave %v", err)
	}
	if err := os.WriteFile(path, []byte(smallest+"x: 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := httpapi.Load(path); err == nil || !strings.HasPrefix(err.Error(), "tiny.yaml:7:1: ") {
		t.Errorf("an unknown field gave %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(smallest))
	f.Add([]byte("a: &x [*x]\n<<: 1\n? [b]\n: !!c d\n"))
	if text, err := os.ReadFile("../../../examples/refsender/adapter.yaml"); err == nil {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		begun := time.Now()
		a, err := httpapi.Parse("a.yaml", text)
		if took := time.Since(begun); took > 5*time.Second {
			t.Fatalf("took %s", took)
		}
		if err != nil {
			if err.Error() == "" || a != nil {
				t.Fatalf("error %q with adapter %v", err, a)
			}
			return
		}
		// What is accepted can be used: New may refuse variables, but nothing panics.
		_, _ = httpapi.New(a, httpapi.Options{})
	})
}
