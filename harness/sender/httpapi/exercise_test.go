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
	for _, tt := range []struct{ defect, want string }{
		{defectDeaf, "an_event_arrives"},
		{defectReplay, "a_replay_arrives"},
		{defectForgets, "kill_and_start_keep_endpoints_and_ids"},
		{defectSameID, "concurrent_events_all_arrive"},
		{defectLenient, "the_log_of_an_unknown_event_is_an_error"},
		{defectNoDead, "a_refused_event_is_a_dead_letter"},
		{defectRotateDead, "a_rotated_endpoint_goes_on_getting_events"},
		{defectLenient, "a_rotation_of_an_unknown_endpoint_is_an_error"},
		{defectRevokeDead, "a_revoked_endpoint_goes_on_getting_events"},
		{defectLenient, "a_revocation_at_an_unknown_endpoint_is_an_error"},
		{defectNoSecret, "secrets_are_issued"},
		{defectOneSecret, "secrets_are_issued"},
		{defectKeepsOld, "secrets_are_issued"},
		{defectPending, "a_disabled_endpoint_gets_nothing_until_it_is_enabled"},
		{defectDisable, "a_disabled_endpoint_gets_nothing_until_it_is_enabled"},
		{defectEnable, "a_disabled_endpoint_gets_nothing_until_it_is_enabled"},
		{defectLenient, "disabling_an_unknown_endpoint_is_an_error"},
		{defectLenient, "enabling_an_unknown_endpoint_is_an_error"},
		{defectPending, "a_deleted_endpoint_gets_nothing"},
		{defectDelete, "a_deleted_endpoint_gets_nothing"},
		{defectLenient, "deleting_an_unknown_endpoint_is_an_error"},
		{defectUnreadable, "an_endpoint_can_be_read"},
		{defectLenient, "reading_an_unknown_endpoint_is_an_error"},
		{defectRange, "a_replay_of_a_range_replays_its_dead_letters"},
		{defectAllRanges, "a_replay_of_a_range_replays_its_dead_letters"},
		{defectLenient, "a_replay_of_a_range_of_an_unknown_endpoint_is_an_error"},
		{defectPhantom, "a_rolled_back_event_does_not_arrive"},
		{defectOneEndpoint, "an_event_without_endpoint_reaches_all_that_match"},
		{defectNoFilter, "an_event_without_endpoint_reaches_all_that_match"},
		{defectNoTenant, "an_event_without_endpoint_reaches_all_that_match"},
		{defectNoHeaders, "headers_of_an_endpoint_are_sent"},
		{defectMixes, "test_and_live_are_told_apart"},
	} {
		t.Run(tt.defect+"/"+tt.want, func(t *testing.T) {
			t.Parallel()
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), self, "-test.run=^TestHelperBroken$/^"+tt.want+"$", "-test.v", tt.defect)
			out, err := cmd.CombinedOutput()
			if err == nil || !strings.Contains(string(out), "--- FAIL: TestHelperBroken/"+tt.want) {
				t.Errorf("want %s to fail, got error %v and:\n%s", tt.want, err, out)
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
