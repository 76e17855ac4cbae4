package mockreceiver_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// rulesOf is how many rules there are for what a receiver must not do.
const rulesOf = 30

// TestEveryRuleHasItsTest keeps the tests of the rules together, which stand by subject:
//
//	rules_signature_test.go   1 to 8: what is verified, and how hostile headers are borne
//	rules_journal_test.go     9, 18 to 21: what is kept, and that it is all and true
//	rules_body_test.go        10, 13, 15, 16, 22, 23: the body, its ends and its limits
//	rules_time_test.go        11, 12, 17, 29: who waits for whom, and by which clock
//	rules_faults_test.go      14, 24, 25: faults do what they say and leave nothing behind
//	rules_safety_test.go      26 to 28, 30: who may look, and what looks back
func TestEveryRuleHasItsTest(t *testing.T) {
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`^TestRule(\d\d)[A-Z][a-zA-Z]+$`)
	found := map[string][]string{}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil {
				continue
			}
			if m := named.FindStringSubmatch(fn.Name.Name); m != nil {
				found[m[1]] = append(found[m[1]], file+": "+fn.Name.Name)
			}
		}
	}
	for n := 1; n <= rulesOf; n++ {
		number := fmt.Sprintf("%02d", n)
		if len(found[number]) != 1 {
			t.Errorf("rule %s has the tests %q, want one", number, slices.Sorted(slices.Values(found[number])))
		}
		delete(found, number)
	}
	for number, tests := range found {
		t.Errorf("there is no rule %s for %q", number, tests)
	}
}
