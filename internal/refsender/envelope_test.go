package refsender

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/contract"
)

func TestEnvelopeFollowsTheContract(t *testing.T) {
	f := fields{id: "evt_1", kind: "a.b", created: "2026-11-30T12:00:00.000+00:00", data: json.RawMessage(`{"n":1.0}`)}
	for name, tc := range map[string]struct {
		id    string
		shape *contract.Envelope
		want  string
	}{
		"flat": {
			"/id", &contract.Envelope{Type: "/type", Created: "/created", APIVersion: "/api_version", Data: "/data"},
			`{"id":"evt_1","type":"a.b","created":"2026-11-30T12:00:00.000+00:00","api_version":"2026-11-01","data":{"n":1.0}}`,
		},
		"nested": {
			"/meta/id", &contract.Envelope{Type: "/meta/type", Data: "/data/object"},
			`{"meta":{"id":"evt_1","type":"a.b"},"data":{"object":{"n":1.0}}}`,
		},
		"escaped name": {"", &contract.Envelope{Type: "/a~1b", Data: "/d"}, `{"a/b":"a.b","d":{"n":1.0}}`},
		"no promise":   {"", nil, `{"type":"a.b","data":{"n":1.0}}`},
	} {
		t.Run(name, func(t *testing.T) {
			e, err := newEnvelope(&contract.Contract{Envelope: tc.shape, Identity: &contract.Identity{Body: tc.id}}, noDefect)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, string(e.write(f))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestEnvelopeThatCannotBeWritten(t *testing.T) {
	for shape, want := range map[struct{ Type, Data string }]string{
		{Type: "/type", Data: ""}:     "want a JSON pointer",
		{Type: "/a", Data: "/a"}:      "inside or upon",
		{Type: "/a/b", Data: "/a"}:    "inside or upon",
		{Type: "type", Data: "/data"}: "want a JSON pointer",
	} {
		_, err := newEnvelope(&contract.Contract{Envelope: &contract.Envelope{Type: shape.Type, Data: shape.Data}}, noDefect)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, want %q in it", shape, err, want)
		}
	}
}
