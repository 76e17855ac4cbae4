package selftest_test

import (
	"strings"
	"testing"

	"github.com/hookassay/hookassay/internal/refsender"
	"github.com/hookassay/hookassay/internal/selftest"
)

func TestContractsAreValidAndApart(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, n := range selftest.Contracts() {
		c, err := selftest.Contract(n.Name)
		if err != nil {
			t.Fatal(err)
		}
		quick, err := selftest.Quick(c)
		if err != nil {
			t.Fatal(err)
		}
		if c.Name != n.Name || quick.Name != n.Name {
			t.Errorf("%s is called %s, and %s in five seconds", n.Name, c.Name, quick.Name)
		}
		c.Name = "same"
		text, err := c.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		if other, ok := seen[string(text)]; ok {
			t.Errorf("%s says what %s says", n.Name, other)
		}
		seen[string(text)] = n.Name
	}
}

func TestEveryDefectsContractIsInTheSet(t *testing.T) {
	t.Parallel()
	for _, d := range refsender.Defects() {
		for _, name := range append(d.Also, d.Contract) {
			if _, err := selftest.Contract(name); err != nil {
				t.Errorf("%s: %v", d.Name, err)
			}
		}
	}
	for _, v := range refsender.Variants() {
		if _, err := selftest.Contract(v.Contract); err != nil {
			t.Errorf("%s: %v", v.Name, err)
		}
	}
	if _, err := selftest.Contract("no-such"); err == nil || !strings.Contains(err.Error(), "limit-5") {
		t.Errorf("an unknown name: %v", err)
	}
}
