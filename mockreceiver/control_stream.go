package mockreceiver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/hookassay/hookassay/mockreceiver/journal"
)

const (
	// streamBeat is how often a stream that has nothing to say shows that it lives: below the shortest idle timeout of usual
	// proxies, a minute.
	streamBeat = 15 * time.Second
	// streamBreath is the least time between two looks at the journal. It bounds what a reader costs under load, far below the
	// second within which a person wants to see a request.
	streamBreath = 50 * time.Millisecond
	// streamShare is how much longer all readers together rest than they work: under load they take a fifth of one processor,
	// however many they are, and a sender that waits for each answer notices little of them.
	streamShare = 4
	// streamRest is the longest rest. At the 4000 requests a second that one journal takes, half of a mailbox is full by then.
	streamRest = 500 * time.Millisecond
	// streamBatch is how many requests one look reads.
	streamBatch = 128
	// streamBehind is how many requests a reader that has once caught up may be behind. Beyond, it is told of a gap and goes
	// on with the newest: nobody reads thousands of lines a second, and /v1/attempts has them all.
	streamBehind = 1000
	// streamPatience is how long one write may take. A reader that takes nothing for so long is gone.
	streamPatience = 10 * time.Second
	// streamOpen bounds how far before the newest a reader resumes for the sake of requests that were still open.
	streamOpen = 1000
)

// stream answers with server-sent events: attempt (a summary: when it arrived, and again when its end or effect is known),
// trouble, endpoint (its name, when it was changed), and gap ({"after", "before"}: what a slow reader was not shown). The id
// of each is what to resume from: with Last-Event-ID the stream goes on after that request, without it with the next one. A
// resumed stream may show a request again that was open.
func (c control) stream(req *http.Request) (int, any, error) {
	q := queryOf(req)
	if err := q.done(); err != nil {
		return 0, nil, err
	}
	s := &sse{r: c.r, at: c.r.LastSeq(), open: map[int64]bool{}}
	if id := req.Header.Get("Last-Event-ID"); id != "" {
		at, err := strconv.ParseInt(id, 10, 64)
		if err != nil || at < 0 || at > maxSeq {
			return 0, nil, fmt.Errorf("Last-Event-ID %q: want the id of an event of this stream", id)
		}
		s.at, s.resumed = at, true
	}
	return http.StatusOK, s, nil
}

// sse is one reader of the stream.
type sse struct {
	r       *Receiver
	w       http.ResponseWriter
	out     *http.ResponseController
	at      int64          // the last request that was shown
	open    map[int64]bool // those shown that were open, at most streamOpen
	resumed bool           // has not caught up yet
	skipped int64          // up to this request some were not shown
}

func (s *sse) write(w http.ResponseWriter, req *http.Request) {
	mail := s.r.streams.join()
	if mail == nil {
		writeError(w, apiError{http.StatusServiceUnavailable, fmt.Sprintf("stream: has %d readers already, close one", maxReaders)})
		return
	}
	defer s.r.streams.leave(mail)
	s.w, s.out = w, http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream")
	if err := s.follow(req.Context(), mail); err != nil && req.Context().Err() == nil {
		// The reader is there, perhaps, and may hear why this ends.
		_ = s.comment("ended: " + oneLine(err.Error()) + "; resume with Last-Event-ID")
	}
}

// follow shows what comes until the reader or the receiver ends, or the reader is too slow.
func (s *sse) follow(ctx context.Context, mail *reader) error {
	if err := s.comment("stream of hookassay"); err != nil {
		return err
	}
	beat := time.NewTicker(streamBeat)
	defer beat.Stop()
	for {
		began := time.Now()
		written := s.r.commits.watch.wait()
		// What the mailbox holds by now is written, and is there in what is read after it.
		n, upTo := mail.take(), s.at
		more, err := s.catchUp(ctx)
		if err != nil {
			return err
		}
		if err := s.tell(ctx, n, upTo); err != nil {
			return err
		}
		if more {
			written = nil
		}
		if err := s.rest(ctx, written, mail, beat.C, more, time.Since(began)); err != nil {
			return err
		}
	}
}

// rest waits for news, at least for a breath and for what work of that length asks for.
func (s *sse) rest(ctx context.Context, written <-chan struct{}, mail *reader, beat <-chan time.Time, more bool, work time.Duration) error {
	breath := time.NewTimer(breathAfter(work, s.r.streams.count()))
	defer breath.Stop()
	select {
	case <-breath.C:
	case <-ctx.Done():
		return ctx.Err()
	}
	if more {
		return nil
	}
	select {
	case <-written:
	case <-mail.wake:
	case <-beat:
		return s.comment("beat")
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// breathAfter is how long one of so many readers rests after work that took so long.
func breathAfter(work time.Duration, readers int) time.Duration {
	return min(max(streamBreath, time.Duration(streamShare*readers)*work), streamRest)
}

// catchUp shows requests beyond the last one that was shown. more tells that there are further ones.
func (s *sse) catchUp(ctx context.Context) (more bool, err error) {
	last := s.r.LastSeq()
	if behind := last - s.at; !s.resumed && behind > streamBehind {
		from := s.at
		s.at = last - streamBatch
		s.skipped = s.at
		if err := s.event("gap", map[string]int64{"after": from, "before": s.at + 1}); err != nil {
			return false, err
		}
	}
	rows, err := s.r.journal.Attempts(ctx, journal.Query{After: s.at, Limit: streamBatch, MaxBody: listedBody})
	if err != nil {
		return false, err
	}
	for i := range rows {
		if err := s.show(ctx, &rows[i]); err != nil {
			return false, err
		}
	}
	more = len(rows) == streamBatch
	s.resumed = s.resumed && more
	return more, nil
}

// show sends one request.
func (s *sse) show(ctx context.Context, a *journal.Attempt) error {
	sum, err := s.r.summariseAsRead(ctx, a)
	if err != nil {
		return err
	}
	s.at = max(s.at, a.Seq)
	delete(s.open, a.Seq)
	if sum.Open && len(s.open) < streamOpen {
		s.open[a.Seq] = true
	}
	return s.event("attempt", sum)
}

// tell sends what the mailbox held: outcomes of requests up to upTo, which may have been shown without, troubles, and changed
// endpoints.
func (s *sse) tell(ctx context.Context, n news, upTo int64) error {
	if n.lagged {
		return errors.New("the reader was too slow")
	}
	for _, seq := range n.outcomes {
		if seq > upTo || seq <= s.skipped && !s.open[seq] {
			continue // it was or will be shown with its outcome, or was in the gap
		}
		a, err := s.r.attempt(ctx, seq, listedBody)
		if errors.As(err, new(unknownAttemptError)) {
			continue // forgotten by a reset
		}
		if err == nil {
			err = s.show(ctx, a)
		}
		if err != nil {
			return err
		}
	}
	for _, t := range n.troubles {
		if err := s.event("trouble", t); err != nil {
			return err
		}
	}
	for _, name := range n.endpoints {
		if err := s.event("endpoint", map[string]string{"name": name}); err != nil {
			return err
		}
	}
	return nil
}

// id is where a reader resumes that has seen what was sent so far: before the oldest request that it saw open.
func (s *sse) id() int64 {
	id := s.at
	for seq := range s.open {
		id = min(id, seq-1)
	}
	return max(id, s.at-streamOpen, 0)
}

func (s *sse) event(name string, data any) error {
	text, err := json.Marshal(data)
	if err != nil {
		return err
	}
	return s.send(fmt.Sprintf("event: %s\nid: %d\ndata: %s\n\n", name, s.id(), text))
}

// oneLine keeps a text from being more than one line of the stream.
func oneLine(text string) string { return strings.NewReplacer("\r", " ", "\n", " ").Replace(text) }

func (s *sse) comment(text string) error { return s.send(": " + text + "\n\n") }

func (s *sse) send(text string) error {
	if err := s.out.SetWriteDeadline(time.Now().Add(streamPatience)); err != nil {
		return err
	}
	if _, err := s.w.Write([]byte(text)); err != nil {
		return err
	}
	return s.out.Flush()
}
