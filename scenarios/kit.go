// Package scenarios holds the situations that a sender is put into, by family, as functions of the effective contract; and the
// two ways to run them: Assay for everything, Register and Run for Ginkgo.
package scenarios

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

const (
	// margin is added to each watch for what a busy machine delays. It is four times the least allowance of the judge, so
	// that "it never came" is said only when it is certain.
	margin = time.Second
	// freshGap is the least time between two requests whose signed times are compared: signed times have whole seconds, so
	// less could not tell a fresh one from a stale one.
	freshGap = 3 * time.Second
)

// kit makes scenarios for one effective contract.
type kit struct {
	c *contract.Contract
	// events is how many events the acceptance scenario emits.
	events int
}

// window is how long after its acceptance an event must be watched before its absence counts, in the sender's records too, noise
// apart, and a margin for that.
func (k kit) window() time.Duration { return judge.Settled(k.c) + k.logLag() + margin }

// lag is how late a record of the sender may come.
func (k kit) lag() time.Duration {
	var d time.Duration
	if s := k.c.Schedule; s != nil {
		d = s.TerminalWithin
	}
	if l := k.c.Log; l != nil {
		d = max(d, l.Lag)
	}
	return d
}

// settle is how long one replay, or one last request, takes to show in every record.
func (k kit) settle() time.Duration {
	var d time.Duration
	if s := k.c.Schedule; s != nil {
		d = s.Timeout
	}
	return d + k.lag() + margin
}

// eventType returns the first of the wanted types that the contract declares, else any that it declares.
func (k kit) eventType(wanted ...string) string {
	if e := k.c.Envelope; e != nil && len(e.Types) > 0 {
		for _, w := range wanted {
			if slices.Contains(e.Types, w) {
				return w
			}
		}
		return e.Types[0]
	}
	return wanted[0]
}

// freshAttempt returns the number of the first attempt that comes at least freshGap after the one before it; 0 if none does.
func (k kit) freshAttempt() int {
	s := k.c.Schedule
	if s == nil {
		return 0
	}
	for n := 2; n <= s.Count(); n++ {
		if s.Wait(n).Min >= freshGap {
			return n
		}
	}
	return 0
}

// plan is fault.Parse for plans written here: a slip in one is ours, and shows at the first start.
func plan(format string, args ...any) fault.Plan {
	p, err := fault.Parse(fmt.Sprintf(format, args...))
	if err != nil {
		panic("scenarios: " + err.Error())
	}
	return p
}

// order is a payload with what breaks careless code: white space, markup, letters of every width, numbers that a double cannot
// hold, an empty value.
func order(n int) json.RawMessage {
	return fmt.Appendf(nil, `{
  "order_id": "ord_%d", "amount": 1.50, "tax": 1e-7, "total": 9007199254740993,
  "currency": "EUR", "note": "Zoë & <Søn> 漢字 🎟 \u2028 \"quoted\" \\ /",
  "url": "https://example.com/a?b=%%2F&c=+", "tags": [], "coupon": null, "version": 1
}`, n)
}

// changed is what order becomes when the object behind it changes.
func changed(n int) json.RawMessage {
	return fmt.Appendf(nil, `{"order_id": "ord_%d", "amount": 99.99, "version": 2}`, n)
}

// each emits one event per plan to one new endpoint.
func (k kit) each(plans ...fault.Plan) func(context.Context, *drive.Stage) error {
	return func(ctx context.Context, st *drive.Stage) error {
		_, err := k.emit(ctx, st, plans...)
		return err
	}
}

// rush is how long a run is at its busiest: every scenario emits its first events at once, and the acceptance scenario needs so long
// for a thousand of its. A correct sender's first waits overshot by up to 450 ms within it on busy cores.
const rush = 4 * time.Second

// afterRush plays what is judged by short times once the rush at the start of the run is over.
func afterRush(play func(context.Context, *drive.Stage) error) func(context.Context, *drive.Stage) error {
	return func(ctx context.Context, st *drive.Stage) error {
		if err := st.Until(ctx, st.Began()+rush); err != nil {
			return err
		}
		return play(ctx, st)
	}
}

// pace is the time between two emits of a scenario. Unpaced emits made a correct sender's own waits overshoot by up to 107 ms
// on busy cores, paced ones by 16 ms.
const pace = 4 * time.Millisecond

func (k kit) emit(ctx context.Context, st *drive.Stage, plans ...fault.Plan) ([]*drive.Event, error) {
	e, err := st.Endpoint(ctx, drive.EndpointSpec{})
	if err != nil {
		return nil, err
	}
	es := make([]drive.Emission, len(plans))
	for i, p := range plans {
		es[i] = drive.Emission{Endpoint: e, Type: k.anyType(), Data: order(i), Plan: p}
	}
	return st.EmitPaced(ctx, pace, es)
}

// emitTo emits one event to an endpoint that is there already.
func (k kit) emitTo(ctx context.Context, st *drive.Stage, e *drive.Endpoint, p fault.Plan) (*drive.Event, error) {
	return st.Emit(ctx, drive.Emission{Endpoint: e, Type: k.anyType(), Data: order(0), Plan: p})
}

// anyType is the type of events whose type does not matter.
func (k kit) anyType() string { return k.eventType("payment.succeeded", "order.created") }

func outcomes(n int) func(drive.Seen) bool {
	return func(s drive.Seen) bool { return s.Outcomes >= n }
}

func delivered(s drive.Seen) bool { return s.Delivered }
