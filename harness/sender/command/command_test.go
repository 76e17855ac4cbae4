package command_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/harness/sender/command"
)

// open opens a shim that is written in shell: answers holds what it prints for each call, where $id is the call's.
func open(t *testing.T, o command.Options, answers map[string]string) (sender.Launcher, error) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("there is no sh")
	}
	script := `while IFS= read -r line; do echo "$line" >&2; id=${line#*:}; id=${id%%,*}; case $line in` + "\n"
	if answers["hello"] == "" {
		answers["hello"] = `{"id":$id,"result":{"name":"tiny"}}`
	}
	for call, answer := range answers {
		script += `*'"call":"` + call + `"'*) cat <<END` + "\n" + answer + "\nEND\n;;\n"
	}
	o.Folder, o.TempDir = t.TempDir(), t.TempDir()
	o.Command = []string{"sh", "-c", script + "esac; done"}
	return command.Open(t.Context(), o)
}

func launch(t *testing.T, o command.Options, answers map[string]string) sender.Instance {
	t.Helper()
	l, err := open(t, o, answers)
	if err != nil {
		t.Fatal(err)
	}
	i, err := l.Launch(t.Context(), "shared", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := i.Close(); err != nil {
			t.Error(err)
		}
	})
	return i
}

func TestErrorsOfShims(t *testing.T) {
	t.Parallel()
	endpoint := sender.Endpoint{Name: "x", URL: "http://r/x", Secret: "hush-hush-hush"}
	event := sender.Event{Type: "a.b", Data: []byte(`{"m":"hkm00000000000000000001","n":1.50}`)}
	for name, tt := range map[string]struct {
		call, answer, want string
	}{
		"error":          {"emit", `{"id":$id,"error":"no such hush-hush-hush"}`, "emit a.b: emit: the shim says: no such [secret]"},
		"refused":        {"emit", `{"id":$id,"refused":"full"}`, "the sender refuses the event: full"},
		"no JSON":        {"emit", `debug: got it`, `the shim wrote a line that answers no call: "debug: got it"; standard output is for answers`},
		"other call":     {"emit", `{"id":99,"result":{}}`, "the shim wrote a line that answers no call"},
		"silence":        {"emit", ``, "emit: the shim gave no answer within 3s"},
		"unknown member": {"emit", `{"id":$id,"result":{"ID":"e","evt":1}}`, `unknown field "evt"`},
		"no id":          {"register", `{"id":$id,"result":{}}`, "register endpoint x: the shim's answer gives no id"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answers := map[string]string{"register": `{"id":$id,"result":{"id":"e"}}`}
			answers[tt.call] = tt.answer
			o := command.Options{}
			if name == "silence" {
				o.CallTimeout = 3 * time.Second // ample for the answer to the call before, on a busy machine
			}
			i := launch(t, o, answers)
			_, err := i.RegisterEndpoint(t.Context(), endpoint)
			if err == nil {
				_, err = i.Emit(t.Context(), event)
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("want %q, got %v", tt.want, err)
			}
			if strings.Contains(name, "refused") != errors.Is(err, sender.ErrRefused) {
				t.Errorf("%v is taken for a refusal, or not", err)
			}
		})
	}
}

func TestHelloIsChecked(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ hello, want string }{
		"no name":         {`{"id":$id,"result":{"name":" "}}`, "gives no name of the sender"},
		"unknown ability": {`{"id":$id,"result":{"name":"x","abilities":["fly"]}}`, `unknown ability "fly"; known: replay, log`},
		"misspelt":        {`{"id":$id,"result":{"name":"x","ability":[]}}`, `unknown field "ability"`},
		"error":           {`{"id":$id,"error":"too old"}`, "the shim says: too old"},
	} {
		_, err := open(t, command.Options{}, map[string]string{"hello": tt.hello})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: want %q, got %v", name, tt.want, err)
		}
	}
	if _, err := command.Open(t.Context(), command.Options{}); err == nil {
		t.Error("a shim without a command is opened")
	}
}

// The data must reach the shim as it is, and last, so that a shell can cut it out.
func TestLinesAreAsDocumented(t *testing.T) {
	t.Parallel()
	l, err := open(t, command.Options{Files: map[string][]byte{"contract.yaml": []byte("x")}}, map[string]string{
		"hello": `{"id":$id,"result":{"name":"tiny","version":"1","abilities":["launch","kill","log"]}}`,
		"emit":  `{"id":$id,"result":{"id":"evt"}}`,
		"log":   `{"id":$id,"result":{"state":"pending","attempts":[{"number":1,"at":"2026-01-02T03:04:05Z"}]}}`,
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := l.Info(); got.Name != "tiny" || got.Version != "1" || strings.Join(got.Abilities, " ") != "kill launch log output" {
		t.Errorf("it says of itself: %+v", got)
	}
	i, err := l.Launch(t.Context(), "shared", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer i.Close()
	if _, err := i.Emit(t.Context(), sender.Event{Type: "a.b", Endpoint: "e", Data: []byte("{\n \"m\": \"hkm00000000000000000001<&>\", \"n\": 1.50}")}); err != nil {
		t.Fatal(err)
	}
	entry, err := i.(sender.LogReader).DeliveryLog(t.Context(), sender.Delivery{Event: "evt", Endpoint: "e"})
	if err != nil || entry.Event != "evt" || len(entry.Attempts) != 1 {
		t.Errorf("log: %+v, %v", entry, err)
	}
	if err := i.Kill(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := i.Emit(t.Context(), sender.Event{Type: "a.b", Data: []byte("{}")}); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Errorf("a killed shim accepts an event: %v", err)
	}
	if err := i.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := i.Emit(t.Context(), sender.Event{Type: "a.b", Data: []byte("{}")}); err != nil {
		t.Error(err)
	}
}

func TestCallsInTheOrderThatIsPublished(t *testing.T) {
	t.Parallel()
	l, err := open(t, command.Options{}, map[string]string{"emit": `{"id":$id,"result":{"id":"evt"}}`})
	if err != nil {
		t.Fatal(err)
	}
	w := &output{lines: make(chan string, 100)}
	i, err := l.Launch(t.Context(), "shared", w)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = i.Close() })
	if _, err := i.Emit(t.Context(), sender.Event{Type: "a.b", Endpoint: "e", Object: "o", Data: []byte(`{"m":"hkm00000000000000000001","n":1.50}`)}); err != nil {
		t.Fatal(err)
	}
	const want = `{"id":2,"call":"emit","params":{"endpoint":"e","type":"a.b","object":"o","marker":"hkm00000000000000000001","data":{"m":"hkm00000000000000000001","n":1.50}}}`
	var seen []string
	for !slices.Contains(seen, want) || !slices.Contains(seen, `emit {"id":"evt"}`) {
		select {
		case l := <-w.lines:
			seen = append(seen, l)
		case <-time.After(time.Minute):
			t.Fatalf("want the call %s and its answer, got %q", want, seen)
		}
	}
}

// output is a watcher that keeps what it is told.
type output struct{ lines chan string }

func (o *output) Line(_, line string)               { o.lines <- line }
func (o *output) Answer(call string, body []byte)   { o.lines <- call + " " + string(body) }
func (o *output) Exited(error)                      {}
func (o *output) Late(_ time.Time, _ time.Duration) {}

func TestSchemaNamesEveryCall(t *testing.T) {
	t.Parallel()
	var schema struct {
		Defs struct {
			Call struct {
				Properties struct{ Call struct{ Enum []string } }
			}
		} `json:"$defs"`
	}
	if err := json.Unmarshal(command.Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var source string
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		source += string(text)
	}
	for _, call := range schema.Defs.Call.Properties.Call.Enum {
		if !strings.Contains(source, `"`+call+`"`) {
			t.Errorf("the schema knows the call %s, and nobody makes it", call)
		}
	}
	if !slices.Contains(schema.Defs.Call.Properties.Call.Enum, "emit_rolled_back") {
		t.Errorf("the schema's calls: %v", schema.Defs.Call.Properties.Call.Enum)
	}
}

func TestTrigger(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("there is no sh")
	}
	event := sender.Event{Type: "a.b", Data: []byte(`{"m":"hkm00000000000000000001"}`)}
	for name, tt := range map[string]struct {
		script, want string // want is empty where the event is accepted
	}{
		"accepted": {`[ "$(cat)" = '{"m":"hkm00000000000000000001"}' ] && [ "$HOOKASSAY_URL $HOOKASSAY_TYPE $HOOKASSAY_MARKER" = "http://r/hook a.b hkm00000000000000000001" ]`, ""},
		"refused":  {"exit 75", "the sender refuses the event"},
		"trouble":  {"echo the key hush-hush-hush is wrong; exit 1", "exit status 1; it said: the key [secret] is wrong"},
		"silence":  {"exec sleep 100", "did not end within 500ms"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var limit time.Duration
			if name == "silence" {
				limit = 500 * time.Millisecond
			}
			l, err := command.Trigger(command.TriggerOptions{Command: []string{"sh", "-c", tt.script}, Secret: "hush-hush-hush", Timeout: limit})
			if err != nil {
				t.Fatal(err)
			}
			i, err := l.Launch(t.Context(), "shared", nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := i.RegisterEndpoint(t.Context(), sender.Endpoint{Name: "e", URL: "http://r/hook"}); err != nil {
				t.Fatal(err)
			}
			_, err = i.Emit(t.Context(), event)
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("want %q, got %v", tt.want, err)
			}
			if (name == "refused") != errors.Is(err, sender.ErrRefused) {
				t.Errorf("%v is taken for a refusal, or not", err)
			}
		})
	}
}
