package mockreceiver

import (
	"context"
	"fmt"
	"slices"

	"github.com/hookassay/hookassay/mockreceiver/journal"
)

const (
	// scanRows bounds how many rows one page may look at for filters that no index answers: about 50 ms of reading.
	scanRows = 2000
	// scanBodies bounds the bodies that one page may read, each of which costs a digest: 64 MiB are some 100 ms.
	scanBodies = 64 << 20
	// chunkRows is how many rows are read at once, and listedBody the longest body among them; longer ones are read one by
	// one. Together they bound the memory of a page: 8 MiB and one body.
	chunkRows  = 128
	listedBody = 64 << 10
)

// span is the part of the history that a page comes from, and its direction.
type span struct {
	after, before int64 // exclusive; before 0: up to the newest
	oldest        bool  // the oldest first
	limit         int
}

// page calls take for requests that pass the filter, at most s.limit. next is the cursor that the following page starts at
// (its after or before), or 0 if there is none. A page of a filter that no index answers ends early, even empty, when it has
// looked at scanRows rows or scanBodies bytes; its cursor goes on from there.
func (r *Receiver) page(ctx context.Context, f filter, s span, take func(*journal.Attempt, summary) error) (next int64, err error) {
	q := f.query()
	q.After, q.Before, q.Newest, q.MaxBody = s.after, s.before, !s.oldest, listedBody
	for seen, taken, bytes := 0, 0, int64(0); ; {
		q.Limit = chunkRows
		if f.unfiltered {
			q.Limit = min(chunkRows, s.limit-taken+1) // one more tells whether there is a next page
		}
		rows, err := r.journal.Attempts(ctx, q)
		if err != nil {
			return 0, err
		}
		for i := range rows {
			one := rows[i]
			rows[i] = journal.Attempt{} // a large body that is read for it lives no longer than it
			a := &one
			if taken == s.limit || seen >= scanRows || bytes >= scanBodies {
				return next, nil
			}
			if !s.oldest && f.past(a) {
				return 0, nil
			}
			seen, bytes, next = seen+1, bytes+a.BodySize, a.Seq
			sum, ok, err := r.pass(ctx, f, a)
			if err != nil {
				return 0, err
			}
			if !ok {
				continue
			}
			taken++
			if err := take(a, sum); err != nil {
				return 0, err
			}
		}
		if len(rows) < q.Limit {
			return 0, nil
		}
		if s.oldest {
			q.After = next
		} else {
			q.Before = next
		}
	}
}

// pass summarises a request that passes the filter.
func (r *Receiver) pass(ctx context.Context, f filter, a *journal.Attempt) (summary, bool, error) {
	if !f.cheap(a) {
		return summary{}, false, nil
	}
	s, err := r.summarise(ctx, a)
	if err != nil {
		return summary{}, false, err
	}
	return s, among(f.class, s.Class) && among(f.signature, s.Signature.State), nil
}

// among tells whether a filter's list, if it has one, holds v.
func among[T ~string](list []string, v T) bool {
	return list == nil || slices.Contains(list, string(v))
}

type unknownAttemptError int64

func (e unknownAttemptError) Error() string {
	return fmt.Sprintf("attempt %d: the journal has none of that number", int64(e))
}
