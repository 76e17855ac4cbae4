package judge_test

import (
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/hookassay/hookassay/harness/contract"
)

// readContract reads the contract file of an archive: a profile, the n of its compression, and fields that replace those of
// the profile. A null field is removed. More replaces further fields.
func readContract(t testing.TB, text []byte, more ...[]byte) *contract.Contract {
	t.Helper()
	var given struct {
		Profile  string         `yaml:"profile"`
		Compress int            `yaml:"compress"`
		With     map[string]any `yaml:"with"`
	}
	if err := yaml.UnmarshalWithOptions(text, &given, yaml.Strict()); err != nil {
		t.Fatalf("contract: %v", err)
	}
	base, err := contract.Profile(given.Profile)
	if err != nil {
		t.Fatal(err)
	}
	full, err := base.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := yaml.Unmarshal(full, &fields); err != nil {
		t.Fatal(err)
	}
	merge(fields, given.With)
	for _, text := range more {
		var with map[string]any
		if err := yaml.Unmarshal(text, &with); err != nil {
			t.Fatalf("contract: %v", err)
		}
		merge(fields, with)
	}
	text, err = yaml.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	c, err := contract.Parse("contract", text)
	if err != nil {
		t.Fatal(err)
	}
	if given.Compress > 1 {
		if c, err = c.Compress(given.Compress); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func merge(into, from map[string]any) {
	for k, v := range from {
		inner, ok := v.(map[string]any)
		old, had := into[k].(map[string]any)
		switch {
		case v == nil:
			delete(into, k)
		case ok && had:
			merge(old, inner)
		default:
			into[k] = v
		}
	}
}
