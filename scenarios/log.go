package scenarios

import (
	"context"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// logLag is how late a record of the delivery log may be.
func (k kit) logLag() time.Duration {
	if l := k.c.Log; l != nil {
		return l.Lag
	}
	return 0
}

// logReadBetween reads the log after each attempt that is followed by a wait long enough for the record to be there: at least
// a second and twice the lag.
func (k kit) logReadBetween() drive.Scenario {
	sc := drive.Scenario{
		Name:   "log/read-between-attempts",
		Title:  "The delivery log is read while an event waits for its next attempt, and at its end",
		Checks: retried(success(), "log.next-attempt"),
		Paths:  []drive.Path{drive.First, drive.Retry},
		Needs:  []sender.Ability{sender.CanReadLog},
		Watch:  k.window(),
	}
	var after []int // attempts whose next wait is long enough
	if s := k.c.Schedule; s != nil {
		for n := 1; n < s.Count(); n++ {
			if s.Wait(n+1).Min >= max(time.Second+2*k.logLag(), k.logLag()+margin) {
				after = append(after, n)
			}
		}
	}
	if len(after) == 0 {
		sc.NotRun = "no wait of the effective schedule is long enough to read the log in"
		return sc
	}
	sc.Play = func(ctx context.Context, st *drive.Stage) error {
		last := after[len(after)-1]
		// No two failures in a row are alike, so that a log that is one attempt behind shows.
		plans := []fault.Plan{plan("%s", k.varied(last, "503", "502")), plan("%s", k.varied(last, "timeout", "500"))}
		if s, why := k.honoured(); why == "" {
			// A longer wait than the ordinary one, which the log must tell; it is read once the others have got as far, one of them by
			// timeouts.
			sch := k.c.Schedule
			ask := seconds(sch.Wait(after[0]+1).Max + sch.Timeout + k.logLag() + 2*margin)
			plans = append(plans, k.plan(strings.Repeat("503, ", after[0]-1)+"%d(retry-after=%d), 200", s, ask))
		}
		evs, err := k.emit(ctx, st, plans...)
		if err != nil {
			return err
		}
		end := st.Now() + k.window() // a sender that stops early is not waited for once for each attempt
		for _, n := range after {
			if err := k.readAfter(ctx, st, n, end, evs); err != nil {
				return err
			}
		}
		return nil
	}
	return sc
}

// varied is a plan of n failures of two kinds in turn, and then success.
func (k kit) varied(n int, kinds ...string) string {
	var steps strings.Builder
	for i := range n {
		steps.WriteString(kinds[i%len(kinds)] + ", ")
	}
	return k.fit(steps.String() + "200")
}

// readAfter reads the log of each event once its n-th attempt has ended, or it was delivered, and the record of that is due; end is
// when it waits no longer.
func (k kit) readAfter(ctx context.Context, st *drive.Stage, n int, end time.Duration, evs []*drive.Event) error {
	enough := func(s drive.Seen) bool { return outcomes(n)(s) || delivered(s) }
	for _, ev := range evs {
		if _, err := st.Await(ctx, ev, max(end-st.Now(), 0), enough); err != nil {
			return err
		}
	}
	// Past the lag and the allowance: what is read before could still be right either way.
	if err := st.Until(ctx, st.Now()+k.logLag()+margin/2); err != nil {
		return err
	}
	for _, ev := range evs {
		if err := st.ReadLog(ctx, ev); err != nil {
			return err
		}
	}
	return nil
}

// hostileAnswer is what must not reach a log or a terminal as it is: markup, sequences that set a title and colours, by one byte and by
// two, a carriage return that writes over the line, and lines that look like the sender's own.
const hostileAnswer = "<script>alert(1)</script><img src=x onerror=alert(2)>\x1b]0;hookassay title\a\x1b[31mhookassay red\u009b32mhookassay green\x7fhookassay" +
	"\rhookassay over\nhookassay forged: level=ERROR msg=\"gave up\"\r\nhookassay forged again: {\"level\":\"error\"}\x00hookassay end"

func (k kit) logHostile() drive.Scenario {
	return drive.Scenario{
		Name:   "log/hostile-answers",
		Title:  "Answers with markup, terminal sequences and line ends: they may reach neither log nor output as they are",
		Checks: settled("log.safe"),
		Paths:  []drive.Path{drive.First, drive.Retry},
		Play: func(ctx context.Context, st *drive.Stage) error {
			// Failures are what senders tell of; a success, for those that tell of it.
			plans := []fault.Plan{k.plan("200(body=%q)", hostileAnswer)}
			for _, s := range append(k.transient(503), k.permanent(404, 302)...) {
				plans = append(plans, k.plan("%d(body=%q), 200(body=%q)", s, hostileAnswer, hostileAnswer))
			}
			_, err := k.emit(ctx, st, plans...)
			return err
		},
		Watch: k.window(),
	}
}
