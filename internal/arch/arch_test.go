// Package arch_test holds the table of which package of the project may import which. A package without a row fails.
package arch_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/hookassay/hookassay/"

// anything stands for every package of the project: for the command that wires them together.
const anything = "*"

// arrows says what each package imports of the project, and may: a row that allows more than is used fails as well.
// ARCHITECTURE.md says why.
var arrows = map[string][]string{
	"harness/evidence":      {},
	"harness/signature":     {"internal/near"},
	"harness/contract":      {"harness/signature", "internal/near"},
	"harness/sender":        {"harness/evidence"},
	"harness/drive":         {"harness/evidence", "harness/sender", "mockreceiver", "mockreceiver/fault"},
	"harness/judge":         {"harness/contract", "harness/evidence", "harness/signature"},
	"harness/accept":        {"harness/contract", "harness/evidence", "harness/judge"},
	"harness/simulate":      {"harness/contract"},
	"harness/contract/page": {"harness/contract", "internal/words"},
	"mockreceiver/fault":    {"internal/near"},

	"harness/sender/process":    {},
	"harness/sender/httpapi":    {"harness/sender", "harness/sender/process", "harness/evidence", "internal/near"},
	"harness/sender/command":    {"harness/sender", "harness/sender/process", "harness/evidence"},
	"harness/sender/container":  {"harness/sender", "harness/sender/process"},
	"harness/sender/sendertest": {"harness/sender", "harness/evidence"},

	"mockreceiver/match":    {"harness/evidence"},
	"mockreceiver/journal":  {"harness/evidence"},
	"mockreceiver/business": {"harness/evidence"},
	"mockreceiver/console":  {},
	"mockreceiver/h2":       {},
	"mockreceiver/alarm":    {},

	"mockreceiver/handshake": {"mockreceiver/fault", "internal/near"},
	"mockreceiver": {
		"harness/evidence",
		"harness/signature",
		"mockreceiver/alarm",
		"mockreceiver/business",
		"mockreceiver/console",
		"mockreceiver/fault",
		"mockreceiver/h2",
		"mockreceiver/handshake",
		"mockreceiver/journal",
		"mockreceiver/match",
	},

	"mockreceiver/receivertest": {
		"harness/evidence", "harness/signature", "mockreceiver", "mockreceiver/fault", "mockreceiver/journal",
	},
	"mockreceiver/matchers": {"harness/evidence", "harness/signature", "mockreceiver/receivertest"},

	"scenarios": {
		"harness/contract", "harness/drive", "harness/evidence", "harness/judge", "harness/sender", "internal/near", "mockreceiver/fault",
	},
	"harness/virtual": {
		"harness/contract", "harness/drive", "harness/evidence", "harness/judge", "harness/sender", "scenarios",
	},
	"reports":            {"harness/contract", "harness/evidence", "harness/judge", "internal/words"},
	"internal/near":      {},
	"internal/words":     {},
	"internal/refsender": {"harness/contract", "harness/signature", "internal/near"},
	"internal/inprocess": {
		"examples", "harness/sender", "harness/sender/httpapi", "harness/virtual", "internal/refsender",
	},
	"internal/selftest":    {"harness/contract", "harness/judge", "internal/near", "internal/refsender"},
	"internal/browsertest": {},                                               // for tests alone
	"internal/conformtest": {"harness/evidence", "harness/judge", "reports"}, // likewise

	"presets":          {"examples", "harness/contract", "internal/near"},
	"examples":         {},
	"examples/gotest":  {},
	"examples/minimal": {}, // a stranger's sender: it knows nothing of us
	"examples/answers": {
		"harness/evidence", "harness/sender", "harness/sender/httpapi", "mockreceiver", "mockreceiver/fault", "mockreceiver/journal",
	},
	"bench":         {"harness/signature", "mockreceiver", "mockreceiver/business", "mockreceiver/fault"},
	"cmd/hookassay": {anything},
}

// thirdParties says which packages alone may import a module, because its cost or its reach must stay in one place. What only
// tests use has no package.
var thirdParties = map[string][]string{
	"github.com/onsi/":           {"scenarios", "mockreceiver/matchers"},
	"github.com/gorilla/mux":     {"mockreceiver", "internal/refsender"},
	"modernc.org/sqlite":         {"mockreceiver/journal", "internal/refsender"},
	"github.com/prometheus/":     {"mockreceiver"},
	"github.com/spf13/cobra":     {"cmd/hookassay"},
	"github.com/goccy/go-yaml":   {"harness/contract", "harness/sender/httpapi", "mockreceiver/fault", "cmd/hookassay"},
	"github.com/itchyny/gojq":    {"harness/sender/httpapi", "mockreceiver/match"},
	"github.com/rogpeppe/":       {},
	"github.com/testcontainers/": {"harness/sender/container"},
	"github.com/moby/":           {"harness/sender/container"},
	"github.com/santhosh-tekuri": {},
	"pgregory.net/rapid":         {},
	"github.com/google/go-cmp":   {},
	"github.com/chromedp/":       {"internal/browsertest"},
	"golang.org/x/term":          {"cmd/hookassay"},
	"golang.org/x/net":           {"mockreceiver", "mockreceiver/h2"}, // HTTP/2's frames
}

type pkg struct {
	ImportPath string
	Imports    []string
}

func packages(t *testing.T) []pkg {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports", module+"...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var ps []pkg
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return ps
		} else if err != nil {
			t.Fatal(err)
		}
		ps = append(ps, p)
	}
}

func TestPackagesImportWhatTheirRowAllows(t *testing.T) {
	imports := map[string][]string{}
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		imports[name] = append([]string{}, p.Imports...)
		may, ok := arrows[name]
		if name == "internal/arch" {
			continue
		}
		if !ok {
			t.Errorf("package %s has no row in the table of arrows", name)
			continue
		}
		for _, dep := range may {
			if dep != anything && !slices.Contains(p.Imports, module+dep) {
				t.Errorf("the row of %s allows %s, which it does not import", name, dep)
			}
		}
		for _, imp := range p.Imports {
			if dep, ours := strings.CutPrefix(imp, module); ours && !slices.Contains(may, dep) && !slices.Contains(may, anything) {
				t.Errorf("%s imports %s, which its row does not allow", name, dep)
			}
			for prefix, who := range thirdParties {
				if strings.HasPrefix(imp, prefix) && !slices.Contains(who, name) {
					t.Errorf("%s imports %s, which only %v may", name, imp, who)
				}
			}
		}
	}
	for prefix, who := range thirdParties {
		for _, name := range who {
			if !slices.ContainsFunc(imports[name], func(imp string) bool { return strings.HasPrefix(imp, prefix) }) {
				t.Errorf("%s may import %s and does not", name, prefix)
			}
		}
	}
	for name := range arrows {
		if imports[name] == nil {
			t.Errorf("the table of arrows has a row for %s, which does not exist", name)
		}
	}
}
