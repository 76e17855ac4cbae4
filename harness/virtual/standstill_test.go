package virtual_test

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/harness/virtual"
)

// standsStill makes the test binary run a sender that waits for something outside of the bubble: what it meets ends its process.
const standsStill = "HOOKASSAY_TEST_STANDSTILL"

// stuck is a sender that waits for what nobody in the bubble can give it.
type stuck struct{ outside chan struct{} }

func (s stuck) RegisterEndpoint(context.Context, sender.Endpoint) (sender.Registered, error) {
	return sender.Registered{ID: "ep"}, nil
}

func (s stuck) Emit(context.Context, sender.Event) (sender.Emitted, error) {
	<-s.outside
	return sender.Emitted{}, nil
}

func TestStandstillNamesWhoWaits(t *testing.T) {
	t.Parallel()
	if _, ok := os.LookupEnv(standsStill); ok {
		s := stuck{make(chan struct{})}
		virtual.Run(t, virtual.Config{
			NewSender: func(context.Context, virtual.Env) (sender.Sender, error) { return s, nil },
			Select:    []string{"delivery/first-try"},
			Patience:  5 * time.Second, // a busy machine has begun the emit by then
		})
		return
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestStandstillNamesWhoWaits$")
	cmd.Env = append(os.Environ(), standsStill+"=1")
	out, err := cmd.CombinedOutput()
	if got := string(out); err == nil || !strings.Contains(got, "virtual time has stood still for 5s") || !strings.Contains(got, "virtual_test.stuck.Emit") {
		t.Errorf("%v\n%s", err, got)
	}
}
