package mockreceiver

import (
	"context"
	"net/http"
	"runtime"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// ndjson writes evidence records, as hookassay run keeps them: header, endpoints without their secrets, and for each request
// its arrival, outcome and effect; the footer says that it is whole.
type ndjson struct {
	r       *Receiver
	w       *evidence.Writer
	started time.Time // offset 0
	ended   time.Duration
}

func (r *Receiver) ndjsonExport(w http.ResponseWriter) exporter {
	return &ndjson{r: r, w: evidence.NewWriter(w), started: r.cfg.Started.UTC().Round(0)}
}

func (x *ndjson) begin() error {
	h := &evidence.Header{
		Schema: evidence.Schema, Suite: x.r.cfg.Version, Started: x.started, Seed: x.r.cfg.Seed, Contract: x.r.cfg.Contract,
		Sender:  evidence.Sender{Name: "unknown", Driver: "receiver"},
		Machine: evidence.Machine{OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.NumCPU(), GoVer: runtime.Version()},
		Secrets: "none: keys are left out of an export",
	}
	if err := x.w.Write(h); err != nil {
		return err
	}
	for _, e := range x.r.endpoints.list() {
		if err := x.w.Write(&evidence.Endpoint{Name: e.Name, Scenario: e.Scenario, URL: e.url, Types: e.Types}); err != nil {
			return err
		}
	}
	return nil
}

func (x *ndjson) attempt(_ context.Context, a *journal.Attempt, _ summary) error {
	moved := a.Moved(x.shift(a))
	if err := x.w.Write(&moved.Arrival); err != nil {
		return err
	}
	x.ended = max(x.ended, moved.FirstByte)
	if o := moved.Outcome; o != nil {
		if err := x.w.Write(o); err != nil {
			return err
		}
		x.ended = max(x.ended, o.ReplyEnd, o.Closed)
	}
	if moved.Effect == nil {
		return nil
	}
	return x.w.Write(moved.Effect)
}

// shift is how far the offsets of a request must be moved to count from this run's start: a journal may hold earlier runs.
// Within one run the two clocks were read at one instant, and differ by what the wall clock was corrected by since the start:
// less than one part in a thousand, which is twice what clocks are slewed by.
func (x *ndjson) shift(a *journal.Attempt) time.Duration {
	s := a.Wall.Sub(x.started) - a.FirstByte
	if s.Abs() < time.Millisecond+a.FirstByte/1000 {
		return 0
	}
	return s
}

func (x *ndjson) end(ctx context.Context) error {
	for after := int64(0); ; {
		list, next, err := x.r.journal.Troubles(ctx, after, exportPage)
		if err != nil {
			return err
		}
		for i := range list {
			if err := x.w.Write(&list[i]); err != nil {
				return err
			}
		}
		if after = next; next == 0 {
			break
		}
	}
	_, err := x.w.Close(x.ended, "")
	return err
}
