package scenarios_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"

	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/scenarios"
)

// runAs makes the test binary call Run on a sender with the defect that it names, since Ginkgo runs once per process.
const runAs = "HOOKASSAY_TEST_RUN"

func TestMain(m *testing.M) {
	if defect, ok := os.LookupEnv(runAs); ok {
		os.Exit(runOnce(defect))
	}
	os.Exit(m.Run())
}

func runOnce(defect string) int {
	dir, err := os.MkdirTemp("", "hookassay-test-")
	if err != nil {
		fmt.Println(err)
		return 2
	}
	defer os.RemoveAll(dir)
	c, err := brief()
	if err != nil {
		fmt.Println(err)
		return 2
	}
	l, stop, err := attached(c, defect, dir)
	if err != nil {
		fmt.Println(err)
		return 2
	}
	defer stop()
	cfg := scenarios.Config{Contract: c, Launcher: l, Seed: 1, Select: []string{"delivery/first-try", "retry/timeout"}}
	observed := false
	r, err := scenarios.Run(background(), cfg, func(*scenarios.Result) error {
		observed = true
		return nil
	})
	if err != nil {
		fmt.Println(err)
		return 2
	}
	fmt.Printf("observed=%t %s: %s\n", observed, r.Verdict, r.Why)
	return 0
}

func TestRunLetsGinkgoReadTheVerdicts(t *testing.T) {
	for defect, want := range map[string]judge.RunVerdict{"": judge.Conformant, "no-retry-timeout": judge.NonConformant} {
		t.Run("defect="+defect, func(t *testing.T) {
			t.Parallel()
			cmd := exec.CommandContext(t.Context(), os.Args[0])
			cmd.Env = append(os.Environ(), runAs+"="+defect)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			// Nothing but our own line: Ginkgo's output is silenced. What a busy machine leaves open is no finding.
			got, observed := strings.CutPrefix(string(out), "observed=true ")
			found, _, _ := strings.Cut(got, ": ")
			if open := string(judge.Incomplete); !observed || found != string(want) && found != open || strings.Count(got, "\n") != 1 {
				t.Errorf("got %s", out)
			}
		})
	}
}

// TestRegister is the suite of a user who embeds the scenarios in Ginkgo, with labels as Ginkgo's users know them.
func TestRegister(t *testing.T) {
	c, err := brief()
	if err != nil {
		t.Fatal(err)
	}
	l, stop, err := attached(c, "", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	scenarios.Register(scenarios.Config{
		Contract: c, Launcher: l, Seed: 1,
		Select: []string{"delivery/*", "retry/transient-status", "replay/delivered"}, Labels: "MUST && !log",
	})
	gomega.RegisterFailHandler(ginkgo.Fail)
	ginkgo.ReportAfterSuite("specs", func(r ginkgo.Report) {
		for _, s := range r.SpecReports {
			if s.LeafNodeText == "sig.verifies" && !strings.Contains(s.State.String(), "passed") {
				t.Errorf("%s: %s", s.FullText(), s.State)
			}
			for _, l := range s.Labels() {
				if l == "log" {
					t.Errorf("%s is there although the label filter leaves it out", s.FullText())
				}
			}
		}
	})
	ginkgo.RunSpecs(t, "my sender")
}
