package httpapi_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/harness/sender/httpapi"
)

// TestRefusedEmits: what is a refusal is the adapter's to say; 429 and 503 are where it says nothing. Everything else is an error that
// somebody must look at.
func TestRefusedEmits(t *testing.T) {
	t.Parallel()
	const ops = `
ops:
  register: {method: POST, path: /endpoints, expect: 201, extract: {id: .id}}
  emit: {method: POST, path: /events, expect: 202%s}
`
	for _, tc := range []struct {
		more, answer string
		refused      bool
	}{
		{"", "503 busy", true},
		{"", "429 busy", true},
		{"", "400 bad", false},
		{"", "409 full", false},
		{", refuse: 409", "409 full", true},
		{", refuse: [409, 507]", "507 full", true},
		{", refuse: 409", "503 broken", false},
	} {
		a := newAPI(t, map[string]string{"POST /events": tc.answer})
		i := attach(t, a.URL, fmt.Sprintf(ops, tc.more), httpapi.Options{})
		_, err := i.Emit(t.Context(), sender.Event{Type: "a.b", Data: []byte("{}")})
		if err == nil || errors.Is(err, sender.ErrRefused) != tc.refused {
			t.Errorf("answer %s, adapter %q: got %v, refused: want %v", tc.answer, tc.more, err, tc.refused)
		}
	}
	if _, err := newLauncher("http://127.0.0.1:1", `
ops:
  register: {method: POST, path: /endpoints, expect: 201, refuse: 503, extract: {id: .id}}
  emit: {method: POST, path: /events, expect: 202}
`, httpapi.Options{}); err == nil {
		t.Error("refuse is taken in an op other than emit")
	}
}
