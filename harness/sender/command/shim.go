package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/harness/sender/process"
)

const (
	// maxLine holds the dead letters of a scenario with its largest payloads, and bounds a shim that never ends its line.
	maxLine = 16 << 20
	// shownLine is enough to recognise a line by.
	shownLine = 200
)

// shim is a running shim and the calls that wait for its answers. It is safe for concurrent use.
type shim struct {
	proc    *process.Process
	watcher sender.Watcher
	secrets *sender.Redactor
	timeout time.Duration // of one call; 0: none
	prober  *sender.Prober
	noted   sync.Once // what is wrong with the answers to ping

	writing sync.Mutex // lines must not mix

	mu     sync.Mutex
	last   int64
	open   map[int64]chan answerLine
	broken error         // why no answer can be understood any more
	gone   chan struct{} // closed when the process has ended
}

// Line implements process.Watcher: standard output is answers, standard error is output.
func (s *shim) Line(stream, line string) {
	if stream != "stdout" {
		s.watcher.Line(stream, line)
		return
	}
	if strings.TrimSpace(line) == "" {
		return
	}
	var a answerLine
	err := json.Unmarshal([]byte(line), &a)
	s.mu.Lock()
	defer s.mu.Unlock()
	wait := s.open[a.ID]
	if err != nil || wait == nil {
		if s.broken == nil {
			s.broken = fmt.Errorf("the shim wrote a line that answers no call: %q; standard output is for answers, everything else goes to standard error",
				clip(s.secrets.Clean(line)))
			close(s.gone)
		}
		return
	}
	delete(s.open, a.ID)
	wait <- a
}

// Exited implements process.Watcher.
func (s *shim) Exited(err error) {
	s.prober.Cancel()
	s.ended(fmt.Errorf("the shim has ended"))
	s.watcher.Exited(s.secrets.Wrap(err))
}

// ended lets go who waits for an answer.
func (s *shim) ended(why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken == nil {
		s.broken = why
		close(s.gone)
	}
}

// begun forgets what was open before a start.
func (s *shim) begun() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open, s.broken, s.gone = map[int64]chan answerLine{}, nil, make(chan struct{})
}

// call makes a call and waits for its answer. subject opens every message. The result is empty where the shim gave none.
func (s *shim) call(ctx context.Context, name, subject string, params any) (json.RawMessage, error) {
	result, err := s.ask(ctx, name, params)
	if err != nil {
		return nil, s.secrets.Wrap(fmt.Errorf("%s: %w", subject, err))
	}
	return result, nil
}

var errNoAnswer = errors.New("no answer in time")

func (s *shim) ask(ctx context.Context, name string, params any) (json.RawMessage, error) {
	ctx, cancel := s.inTime(ctx)
	defer cancel()
	a, err := s.exchange(ctx, name, params)
	if err != nil {
		return nil, err
	}
	return s.result(name, a)
}

// inTime bounds one call.
func (s *shim) inTime(ctx context.Context) (context.Context, context.CancelFunc) {
	if s.timeout == 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, s.timeout, errNoAnswer)
}

// exchange writes a line and waits for its answer until ctx ends, or the process.
func (s *shim) exchange(ctx context.Context, name string, params any) (answerLine, error) {
	id, answered, gone, err := s.enter()
	if err != nil {
		return answerLine{}, err
	}
	defer s.leave(id)
	if err := s.write(callLine{id, name, params}); err != nil {
		return answerLine{}, err
	}
	select {
	case a := <-answered:
		return a, nil
	case <-gone:
		s.mu.Lock()
		defer s.mu.Unlock()
		return answerLine{}, fmt.Errorf("%s: %w", name, s.broken)
	case <-ctx.Done():
		if errors.Is(context.Cause(ctx), errNoAnswer) {
			return answerLine{}, fmt.Errorf("%s: the shim gave no answer within %s", name, s.timeout)
		}
		return answerLine{}, context.Cause(ctx)
	}
}

func (s *shim) enter() (id int64, answered chan answerLine, gone chan struct{}, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken != nil {
		return 0, nil, nil, s.broken
	}
	s.last++
	answered = make(chan answerLine, 1) // whoever answers must not wait
	s.open[s.last] = answered
	return s.last, answered, s.gone, nil
}

func (s *shim) leave(id int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, waits := s.open[id]; waits {
		s.open[id] = make(chan answerLine, 1) // an answer that comes late is no broken line
	}
}

func (s *shim) write(l callLine) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b) // ends the line, and compacts raw messages onto one
	enc.SetEscapeHTML(false)
	if err := enc.Encode(l); err != nil {
		return fmt.Errorf("%s: %w", l.Call, err)
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	_, err := s.proc.Write(b.Bytes())
	return err
}

func (s *shim) result(name string, a answerLine) (json.RawMessage, error) {
	// What grants a key is not passed on.
	if name != "hello" && name != "register" && name != "rotate" && name != "revoke" && len(a.Result) > 0 {
		s.watcher.Answer(name, a.Result)
	}
	switch {
	case a.Error != nil:
		s.watcher.Answer(name, []byte(s.secrets.Clean(*a.Error)))
		return nil, fmt.Errorf("%s: the shim says: %s", name, clip(*a.Error))
	case a.Refused != nil:
		return nil, fmt.Errorf("%s: %w: %s", name, sender.ErrRefused, clip(*a.Refused))
	}
	return a.Result, nil
}

// decode reads a result strictly: what is misspelt would be missed elsewhere.
func decode(result json.RawMessage, dst any) error {
	if len(result) == 0 {
		result = json.RawMessage("{}")
	}
	dec := json.NewDecoder(bytes.NewReader(result))
	dec.DisallowUnknownFields()
	if err := dec.Decode(dst); err != nil {
		return fmt.Errorf("the shim's result has another form than is wanted (go doc ./harness/sender/command): %w", err)
	}
	return nil
}

// clip is the beginning of a text, on one line.
func clip(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) <= shownLine {
		return text
	}
	return strings.ToValidUTF8(text[:shownLine], "") + "…"
}
