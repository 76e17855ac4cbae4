package httpapi_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/sender/httpapi"
)

func TestAboutAnAdapter(t *testing.T) {
	for _, tt := range []struct {
		name, header string
		uses         bool
	}{
		{"no value of the contract", "X-A: text", false},
		{"a value", "X-A: '${contract.schedule.timeout}'", true},
		{"the file, for another", "X-A: '${file.other.yaml}'", false},
		{"the file", "X-A: '${file.contract.yaml}'", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := strings.Replace(smallest, "ops:", "vars: {plan: free, key: k}\nsecrets: [key]\nheaders: {"+tt.header+"}\nops:", 1)
			a, err := httpapi.Parse("a.yaml", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			if a.UsesContract() != tt.uses {
				t.Errorf("UsesContract is %v", !tt.uses)
			}
			if got := a.VarNames(); !slices.Equal(got, []string{"plan", "key"}) {
				t.Errorf("vars %q", got)
			}
			if !a.Secret("key") || a.Secret("plan") || a.Secret("other") {
				t.Error("want key to be the only secret")
			}
		})
	}
}

func TestRunsTellsAProgramOfTheHarness(t *testing.T) {
	for command, want := range map[string]bool{
		"['${hookassay}', sender, --db, x]":  true,
		"['${hookassay}', sender]":           true,
		"['${hookassay}', receiver, sender]": false,
		"['${hookassay}']":                   false,
		"['${hookassay}x', sender]":          false,
		"[./hookassay, sender]":              false,
		"['${other}', sender]":               false,
	} {
		text := strings.Replace(smallest, "base_url: http://127.0.0.1:1", "launch: {command: "+command+", ready: '^(.*)$'}", 1)
		a, err := httpapi.Parse("a.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Runs("hookassay", "sender"); got != want {
			t.Errorf("%s: got %v", command, got)
		}
	}
	a, err := httpapi.Parse("a.yaml", []byte(smallest))
	if err != nil {
		t.Fatal(err)
	}
	if a.Runs("hookassay", "sender") {
		t.Error("a sender that runs already is none of ours")
	}
}
