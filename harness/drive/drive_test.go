package drive_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// brokenDisk fails after some bytes, as a full disk does.
type brokenDisk struct{ left int }

var errFull = errors.New("no space left on device")

func (d *brokenDisk) Write(p []byte) (int, error) {
	if d.left -= len(p); d.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

var _ = Describe("a run", func() {
	var (
		l    *launcher
		file bytes.Buffer
	)
	BeforeEach(func() {
		file.Reset()
		l = &launcher{make: func() *fakeSender {
			return &fakeSender{abilities: []sender.Ability{sender.CanLaunch, sender.CanReadLog, sender.CanReadDead}}
		}}
	})
	one := func(name string, plan string, more func(*drive.Scenario)) drive.Scenario {
		sc := drive.Scenario{Name: name, Checks: []string{"retry.transient"}, Watch: time.Millisecond}
		sc.Play = func(ctx context.Context, st *drive.Stage) error {
			e, err := st.Endpoint(ctx, drive.EndpointSpec{})
			if err != nil {
				return err
			}
			p, err := fault.Parse(plan)
			if err != nil {
				return err
			}
			ev, err := st.Emit(ctx, drive.Emission{Endpoint: e, Type: "a.b", Data: json.RawMessage(`{"n":1.50}`), Plan: p})
			if err != nil {
				return err
			}
			_, err = st.Await(ctx, ev, time.Minute, func(s drive.Seen) bool { return s.Delivered })
			return err
		}
		if more != nil {
			more(&sc)
		}
		return sc
	}
	run := func(ctx context.Context, scs ...drive.Scenario) (*evidence.Run, error) {
		return drive.Drive(ctx, drive.Setup{Header: evidence.Header{Seed: 1}, Scenarios: scs, Launcher: l, Evidence: &file})
	}

	It("records what was done and what came, and the file says the same", func(ctx SpecContext) {
		r, err := run(ctx, one("retry/a", "502, 200", nil), one("retry/b", "200", nil))
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Complete()).To(BeTrue())
		Expect(r.Scenarios).To(HaveLen(2))
		Expect(r.Attempts).To(HaveLen(3))
		Expect(r.Logs).To(HaveLen(2))
		Expect(l.launched).To(Equal([]string{"shared"}))
		for _, a := range r.Attempts {
			Expect(a.Outcome).NotTo(BeNil())
			Expect(a.KeyFrom).To(Equal("marker"))
		}
		for _, sc := range r.Scenarios {
			Expect(sc.WatchUntil).To(BeNumerically(">", sc.From))
		}
		stored, err := evidence.Read(&file)
		Expect(err).NotTo(HaveOccurred())
		Expect(stored.Attempts).To(HaveLen(3))
		Expect(stored.Footer.SHA256).To(Equal(r.Footer.SHA256))
	})

	It("gives each scenario that asks for one a sender of its own", func(ctx SpecContext) {
		own := func(sc *drive.Scenario) { sc.Instance = "own" }
		_, err := run(ctx, one("retry/a", "200", nil), one("retry/b", "200", own))
		Expect(err).NotTo(HaveOccurred())
		Expect(l.launched).To(ConsistOf("shared", "own"))
	})

	It("plays such a scenario alone where no other sender can be launched", func(ctx SpecContext) {
		l.make = func() *fakeSender { return &fakeSender{} }
		own := func(sc *drive.Scenario) { sc.Instance = "own" }
		r, err := run(ctx, one("retry/b", "200", own), one("retry/a", "200", nil))
		Expect(err).NotTo(HaveOccurred())
		Expect(l.launched).To(Equal([]string{"shared"}))
		Expect(r.Scenarios[0].Name).To(Equal("retry/a"))
		Expect(r.Scenarios[1].From).To(BeNumerically(">", r.Scenarios[0].WatchUntil))
	})

	It("says why a scenario was not played", func(ctx SpecContext) {
		needs := func(sc *drive.Scenario) { sc.Needs = []sender.Ability{sender.CanReplay} }
		r, err := run(ctx, one("replay/a", "200", needs))
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Scenarios[0].NotRun).To(ContainSubstring(`"replay"`))
		Expect(r.Attempts).To(BeEmpty())
	})

	It("records a refused emit as an act, and goes on", func(ctx SpecContext) {
		l.make = func() *fakeSender { return &fakeSender{refuse: fmt.Errorf("503: %w: queue full", sender.ErrRefused)} }
		sc := one("retry/a", "200", nil)
		played := sc.Play
		sc.Play = func(ctx context.Context, st *drive.Stage) error {
			if err := played(ctx, st); err != nil {
				return err
			}
			e, err := st.Endpoint(ctx, drive.EndpointSpec{})
			if err != nil {
				return err
			}
			ev, err := st.Emit(ctx, drive.Emission{Endpoint: e, Type: "order.created", Data: []byte("{}"), Plan: fault.OK()})
			Expect(err).NotTo(HaveOccurred())
			Expect(ev.Refused).To(BeTrue())
			seen, err := st.Await(ctx, ev, time.Hour, func(drive.Seen) bool { return false })
			Expect(seen).To(BeFalse())
			return err
		}
		r, err := run(ctx, sc)
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Troubles).To(BeEmpty())
		Expect(r.Attempts).To(BeEmpty())
		Expect(r.Logs).To(BeEmpty())
		Expect(r.Acts).To(ContainElement(And(
			HaveField("Act", evidence.ActEmit), HaveField("Err", ContainSubstring("queue full")),
		)))
	})

	It("records an emit that failed as trouble of the scenario, and the sender's end as its reason", func(ctx SpecContext) {
		l.make = func() *fakeSender { return &fakeSender{refuse: errRefused} }
		dies := one("retry/b", "200", nil)
		played := dies.Play
		dies.Play = func(ctx context.Context, st *drive.Stage) error {
			l.last.w.Exited(errors.New("signal: killed"))
			return played(ctx, st)
		}
		dies.Alone = true
		r, err := run(ctx, one("retry/a", "200", nil), dies)
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Troubles).To(HaveLen(2))
		Expect(r.Troubles[0].What).To(Equal("queue full"))
		Expect(r.Troubles[1].What).To(Equal("sender shared: the sender ended by itself: signal: killed; after that: queue full"))
	})

	It("does not take a failed emit for a refused one", func(ctx SpecContext) {
		l.make = func() *fakeSender { return &fakeSender{refuse: errRefused} }
		r, err := run(ctx, one("retry/a", "200", nil))
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Troubles).To(HaveLen(1))
		Expect(r.Troubles[0].Scenario).To(Equal("retry/a"))
		Expect(r.Acts).To(ContainElement(And(
			HaveField("Act", evidence.ActEmit), HaveField("Err", ContainSubstring("queue full")),
		)))
	})

	It("ends with the launch error when a sender does not start", func(ctx SpecContext) {
		l.err = errors.New("no such program")
		r, err := run(ctx, one("retry/a", "200", nil))
		Expect(err).To(MatchError(ContainSubstring("no such program")))
		Expect(r.Complete()).To(BeFalse())
	})

	It("leaves a truthful file when it is interrupted", func(ctx SpecContext) {
		ctx2, cancel := context.WithCancelCause(ctx)
		stop := one("retry/a", "200", func(sc *drive.Scenario) { sc.Watch = time.Hour })
		played := stop.Play
		stop.Play = func(ctx context.Context, st *drive.Stage) error {
			defer cancel(errors.New("interrupted by signal: test"))
			return played(ctx, st)
		}
		r, err := run(ctx2, stop)
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Footer.Interrupted).To(ContainSubstring("interrupted by signal: test"))
		Expect(r.Attempts).To(HaveLen(1))
		Expect(r.Scenarios).To(HaveLen(1))
	})

	It("ends when the evidence cannot be kept", func(ctx SpecContext) {
		setup := drive.Setup{
			Scenarios: []drive.Scenario{one("retry/a", "502*3, 200", nil)}, Launcher: l, Evidence: &brokenDisk{left: 1500},
		}
		_, err := drive.Drive(ctx, setup)
		Expect(err).To(MatchError(errFull))
	})

	It("keeps keys that the sender issued out of the evidence, and says where they leaked", func(ctx SpecContext) {
		const issued = "an-issued-secret-0123456789"
		l.make = func() *fakeSender { return &fakeSender{issues: issued} }
		sc := drive.Scenario{Name: "secret/issued"}
		sc.Play = func(ctx context.Context, st *drive.Stage) error {
			_, err := st.Endpoint(ctx, drive.EndpointSpec{Issued: true})
			return err
		}
		leak := drive.Scenario{Name: "secret/leak", Alone: true}
		leak.Play = func(context.Context, *drive.Stage) error {
			l.last.w.Line("stderr", "key is "+issued)
			return nil
		}
		r, err := run(ctx, sc, leak)
		Expect(err).NotTo(HaveOccurred())
		Expect(file.String()).NotTo(ContainSubstring(issued))
		Expect(r.Endpoints[0].Secrets).To(HaveLen(1))
		Expect(r.Output).To(HaveLen(1))
		Expect(r.Output[0].Leaks).To(Equal([]string{r.Endpoints[0].Secrets[0].Name}))
	})

	It("records what a driver noticed", func(ctx SpecContext) {
		sc := drive.Scenario{Name: "retry/a"}
		sc.Play = func(context.Context, *drive.Stage) error {
			l.last.w.(sender.Noter).Noticed("ping: it says nothing")
			return nil
		}
		r, err := run(ctx, sc)
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Troubles).To(BeEmpty())
		Expect(r.Output).To(ConsistOf(And(HaveField("Stream", evidence.StreamDriver), HaveField("Line", "ping: it says nothing"))))
	})

	It("records the end of a sender that nobody asked for", func(ctx SpecContext) {
		dies := one("retry/a", "200", nil)
		played := dies.Play
		dies.Play = func(ctx context.Context, st *drive.Stage) error {
			l.last.w.Exited(errors.New("exit status 3"))
			return played(ctx, st)
		}
		r, err := run(ctx, dies)
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Acts).To(ContainElement(And(
			HaveField("Act", evidence.ActExit), HaveField("Note", ContainSubstring("exit status 3")),
		)))
	})
})
