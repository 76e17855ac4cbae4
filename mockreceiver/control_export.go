package mockreceiver

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/hookassay/hookassay/mockreceiver/journal"
)

const (
	// exportPage is how many requests one read of an export brings; memory does not grow with the export.
	exportPage = 100
	// exportPatience is how long the reader of an export may take for one page. One that takes nothing for so long is gone.
	exportPatience = 30 * time.Second
)

// exporter writes requests in one format.
type exporter interface {
	begin() error
	attempt(ctx context.Context, a *journal.Attempt, s summary) error
	end(ctx context.Context) error
}

// export streams the requests that a filter selects, the oldest first, as evidence records (ndjson), HAR 1.2 (har) or a script
// for bash (curl). An export that met an error has no end: no footer record, no closing bracket, no last comment.
func (c control) export(req *http.Request) (int, any, error) {
	q := queryOf(req)
	f, format := filterOf(q), q.text("format")
	s := span{oldest: true, after: q.number("after", 0, maxSeq), before: q.number("before", 0, maxSeq), limit: exportPage}
	if err := q.done(); err != nil {
		return 0, nil, err
	}
	if err := c.known(req.Context(), f.endpoint); err != nil {
		return 0, nil, err
	}
	x := &exportAnswer{r: c.r, filter: f, span: s}
	switch format {
	case "ndjson":
		x.contentType, x.name, x.open = "application/x-ndjson", "hookassay.ndjson", c.r.ndjsonExport
	case "har":
		x.contentType, x.name, x.open = "application/json", "hookassay.har", c.r.harExport
	case "curl":
		x.contentType, x.name, x.open = "text/plain; charset=utf-8", "hookassay.sh", c.r.curlExport
	default:
		return 0, nil, fmt.Errorf("format %q: want ndjson, har or curl", format)
	}
	return http.StatusOK, x, nil
}

// exportAnswer is an export on its way.
type exportAnswer struct {
	r                 *Receiver
	filter            filter
	span              span
	contentType, name string
	open              func(http.ResponseWriter) exporter
}

func (x *exportAnswer) write(w http.ResponseWriter, req *http.Request) {
	h := w.Header()
	h.Set("Content-Type", x.contentType)
	h.Set("Content-Disposition", `attachment; filename="`+x.name+`"`)
	out := http.NewResponseController(w)
	if err := x.run(req.Context(), x.open(w), out); err != nil && req.Context().Err() == nil {
		x.r.trouble("", "export: "+err.Error())
	}
}

// run writes all pages. What arrives meanwhile is not part of it.
func (x *exportAnswer) run(ctx context.Context, e exporter, out *http.ResponseController) error {
	if err := e.begin(); err != nil {
		return err
	}
	if last := x.r.LastSeq() + 1; x.span.before == 0 || x.span.before > last {
		x.span.before = last
	}
	for {
		if err := out.SetWriteDeadline(time.Now().Add(exportPatience)); err != nil {
			return err
		}
		next, err := x.r.page(ctx, x.filter, x.span, func(a *journal.Attempt, s summary) error {
			if err := out.SetWriteDeadline(time.Now().Add(exportPatience)); err != nil {
				return err
			}
			return e.attempt(ctx, a, s)
		})
		if err != nil {
			return err
		}
		if next == 0 {
			return e.end(ctx)
		}
		x.span.after = next
	}
}
