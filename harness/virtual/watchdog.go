package virtual

import (
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"time"
)

// watchdog sees, from outside of the bubble, whether its time goes on.
type watchdog struct {
	signs atomic.Int64
	done  chan struct{}
}

// watch begins to watch. It must be called outside of the bubble.
func watch(patience time.Duration) *watchdog {
	w := &watchdog{done: make(chan struct{})}
	go func() {
		t := time.NewTicker(patience)
		defer t.Stop()
		for last := int64(-1); ; {
			select {
			case <-w.done:
				return
			case <-t.C:
			}
			now := w.signs.Load()
			if now == last {
				panic(standstill(patience))
			}
			last = now
		}
	}()
	return w
}

// seen is a sign that time goes on. It waits for nothing, so that it may be called from inside.
func (w *watchdog) seen() { w.signs.Add(1) }

func (w *watchdog) stop() { close(w.done) }

// standstill says that time does not go on, and shows the goroutines that keep it from doing so.
func standstill(patience time.Duration) string {
	const enough = 4 << 20 // bytes of stacks: some thousand goroutines
	all := make([]byte, enough)
	all = all[:runtime.Stack(all, true)]
	var b strings.Builder
	fmt.Fprintf(&b, "virtual time has stood still for %v: these goroutines wait for something outside of the bubble, or work:\n", patience)
	for g := range strings.SplitSeq(string(all), "\n\n") {
		head, _, _ := strings.Cut(g, "\n")
		if strings.Contains(head, "synctest bubble") && !strings.Contains(head, "(durable)") {
			b.WriteString("\n" + g + "\n")
		}
	}
	return b.String()
}
