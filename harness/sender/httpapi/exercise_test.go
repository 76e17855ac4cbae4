package httpapi_test

import (
	"flag"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/harness/sender/httpapi"
	"github.com/hookassay/hookassay/harness/sender/sendertest"
)

// refsenderAdapter is the published example with the fake sender's command line.
func refsenderAdapter(t *testing.T) *httpapi.Adapter {
	t.Helper()
	text, err := os.ReadFile("../../../examples/refsender/adapter.yaml")
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), "  command:\n")
	_, after, ok2 := strings.Cut(rest, "  # The line of output that says ready.")
	if !ok || !ok2 {
		t.Fatal("the example has another shape than this test expects")
	}
	a, err := httpapi.Parse("adapter.yaml", []byte(before+"  command: ['${self}', fake, '${dir}/state', '${defect}']\n  #"+after))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func launcher(t *testing.T, a *httpapi.Adapter, o httpapi.Options) sender.Launcher {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o.Builtin = map[string]string{"self": self}
	if o.TempDir == "" {
		o.TempDir = t.TempDir()
	}
	l, err := httpapi.New(a, o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func launch(t *testing.T, l sender.Launcher, w sender.Watcher) sender.Instance {
	t.Helper()
	i, err := l.Launch(t.Context(), t.Name(), w)
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

func TestExercise(t *testing.T) {
	l := launcher(t, refsenderAdapter(t), httpapi.Options{})
	sendertest.Exercise(t, func(t *testing.T) sender.Instance { return launch(t, l, nil) })
}

// Exercise must see what is wrong with a sender, or passing it says nothing.
func TestExerciseFindsDefects(t *testing.T) {
	t.Parallel()
	for defect, want := range map[string]string{
		defectDeaf:    "an_event_arrives",
		defectReplay:  "a_replay_arrives",
		defectForgets: "kill_and_start_keep_endpoints_and_ids",
		defectSameID:  "concurrent_events_all_arrive",
		defectLenient: "the_log_of_an_unknown_event_is_an_error",
		defectNoDead:  "a_refused_event_is_a_dead_letter",
	} {
		t.Run(defect, func(t *testing.T) {
			t.Parallel()
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), self, "-test.run=^TestHelperBroken$/^"+want+"$", "-test.v", defect)
			out, err := cmd.CombinedOutput()
			if err == nil || !strings.Contains(string(out), "--- FAIL: TestHelperBroken/"+want) {
				t.Errorf("want %s to fail, got error %v and:\n%s", want, err, out)
			}
		})
	}
}

// TestHelperBroken runs Exercise for TestExerciseFindsDefects.
func TestHelperBroken(t *testing.T) {
	defect := flag.Arg(0)
	if defect == "" {
		t.Skip("only for TestExerciseFindsDefects")
	}
	l := launcher(t, refsenderAdapter(t), httpapi.Options{Vars: map[string]string{"defect": defect}})
	sendertest.ExerciseWithin(t, time.Second, func(t *testing.T) sender.Instance { return launch(t, l, nil) })
}
