package receivertest

import (
	"context"
	"fmt"

	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// feed is what arrives at an endpoint, or of one event there.
type feed struct {
	r     *Receiver
	query journal.Query
	what  string
}

func (e *Endpoint) feed() feed {
	return feed{r: e.r, query: journal.Query{Endpoint: e.Name}, what: e.Name}
}

func (v *Event) feed() feed {
	f := v.endpoint.feed()
	f.query.ByKey, f.query.Key = true, v.Key
	f.what = fmt.Sprintf("event %q at %s", v.Key, v.endpoint.Name)
	return f
}

// page is how many requests are read at once.
const page = 200

func (f feed) read(ctx context.Context) (History, error) {
	q := f.query
	q.Limit = page
	var all []journal.Attempt
	for {
		list, err := f.r.Mock.Attempts(ctx, q)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
		if len(list) < page {
			return Of(f.r.Mock, all), nil
		}
		q.After = list[len(list)-1].Seq
	}
}

func (f feed) mustRead() History {
	f.r.t.Helper()
	h, err := f.read(context.Background())
	if err != nil {
		f.r.t.Fatalf("%v", err)
	}
	return h
}

func (f feed) must(n int) History {
	f.r.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), f.r.Patience)
	defer cancel()
	h, err := f.wait(ctx, n)
	if err != nil {
		f.r.t.Fatalf("within %s: %v", f.r.Patience, err)
	}
	return h
}

// wait reads nothing before so many requests are there: a count of them is cheap, and reading them again and again is not.
func (f feed) wait(ctx context.Context, n int) (History, error) {
	q := f.query
	if q.Limit = n; n > 0 {
		if _, err := f.r.Mock.WaitFor(ctx, q); err != nil {
			return nil, err
		}
	}
	for {
		news := f.r.Mock.News()
		h, err := f.read(context.WithoutCancel(ctx))
		if err != nil {
			return nil, err
		}
		over := h.over()
		if over >= n {
			return h, nil
		}
		select {
		case <-news:
		case <-ctx.Done():
			return h, fmt.Errorf("waited for %d attempts, %s: %d came and are over%s", n, f.what, over, h.listed())
		}
	}
}
