// Package simulate plays a contract's schedule with chance: jitter, outages, failures, and a sender that can start only so many requests at
// once. It says by numbers what contract.Reckon says by sums.
package simulate

import (
	"container/heap"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
)

// Config is what happens to the events. All of them are accepted at an even pace while the receiver is down.
type Config struct {
	Events int    // 1 to MaxEvents
	Seed   uint64 // of every draw
	// Outage is how long the receiver is down: each attempt fails, and takes Attempt. 0: it is up, and events are accepted for a minute.
	Outage  time.Duration
	Forever bool          // it is down for good; Outage is then the time in which events are accepted
	Attempt time.Duration // how long an attempt takes that fails in the outage
	Fail    float64       // the share of attempts that fails outside of it, at once; 0 to 1
	// Service is how many requests the sender can start per second, as a multiple of the pace at which events are accepted; 0: any number.
	Service float64
	Backlog int // requests that are queued before the first one
}

// MaxEvents bounds the work: 200 attempts of so many events take seconds.
const MaxEvents = 100_000

// buckets is how many stretches of time the load is counted in, from the start to the last attempt.
const buckets = 60

// Result is what became of the events.
type Result struct {
	Config
	Delivered int
	Cut       int // given up because the next attempt would have started after the deadline
	UsedUp    int // given up after their last attempt
	// LastDue is how many events had all attempts but the last fail, LastCut how many of them lost the last one to the deadline.
	LastDue, LastCut int
	Attempts         int
	Times            []time.Duration // from acceptance to delivery, ascending
	Lasts            []time.Duration // from acceptance to the start of the last attempt, of events that used up theirs, ascending
	Load             []int           // attempts by stretch of time
	Stretch          time.Duration   // the length of one
	Pace             float64         // events accepted per second
	storm            float64
	stormAt          time.Duration
}

// Run plays the schedule. The same configuration gives the same result.
func Run(c *contract.Contract, cfg Config) (Result, error) {
	s := c.Schedule
	switch {
	case s == nil || len(s.Waits) == 0:
		return Result{}, fmt.Errorf("contract %s promises no waits before attempts, so there is nothing to simulate", c.Name)
	case cfg.Events < 1 || cfg.Events > MaxEvents:
		return Result{}, fmt.Errorf("%d events: take 1 to %d", cfg.Events, MaxEvents)
	case !(cfg.Fail >= 0 && cfg.Fail <= 1):
		return Result{}, fmt.Errorf("a share of %v of the attempts cannot fail; take 0 to 1", cfg.Fail)
	case cfg.Outage < 0 || cfg.Attempt < 0 || cfg.Service < 0 || cfg.Backlog < 0:
		return Result{}, errors.New("outage, attempt, service and backlog must not be negative")
	}
	p := newPlay(s, cfg)
	for len(p.queue) > 0 {
		p.attempt(heap.Pop(&p.queue).(*event)) //nolint:errcheck,forcetypeassert // ours alone
	}
	return p.result(), nil
}

// least is the time in which events are accepted where there is no outage.
const least = time.Minute

type event struct {
	accepted, due time.Duration
	number        int // of the attempt that is due, from 1
	most          int // attempts
	order         int
	draw          *rand.Rand
}

type play struct {
	s      *contract.Schedule
	r      Result
	queue  events
	free   time.Duration // when the sender can start the next request
	each   time.Duration // how long it takes it to start one
	starts []time.Duration
}

func newPlay(s *contract.Schedule, cfg Config) *play {
	span := max(cfg.Outage, least)
	p := &play{s: s, r: Result{Config: cfg, Pace: float64(cfg.Events) / span.Seconds()}}
	if cfg.Service > 0 {
		p.each = time.Duration(float64(time.Second) / (cfg.Service * p.r.Pace))
		p.free = time.Duration(cfg.Backlog) * p.each
	}
	for i := range cfg.Events {
		e := &event{
			accepted: span / time.Duration(cfg.Events) * time.Duration(i), number: 1, order: i,
			draw: rand.New(rand.NewPCG(cfg.Seed, uint64(i))), //nolint:gosec // chance, not a secret
		}
		e.most = s.Fewest() + e.draw.IntN(s.Count()-s.Fewest()+1)
		e.due = e.accepted + p.wait(e, 1)
		p.queue = append(p.queue, e)
	}
	heap.Init(&p.queue)
	return p
}

// wait draws the wait before an attempt, uniformly from what the contract allows.
func (p *play) wait(e *event, k int) time.Duration {
	b := p.s.Wait(k)
	return b.Min + time.Duration(e.draw.Float64()*float64(b.Max-b.Min))
}

func (p *play) attempt(e *event) {
	start := e.due
	if p.each > 0 {
		start = max(start, p.free)
	}
	last := e.number == e.most
	if last {
		p.r.LastDue++
	}
	if p.s.Deadline > 0 && start-e.accepted > p.s.Deadline {
		p.r.Cut++
		if last {
			p.r.LastCut++
		}
		return
	}
	p.free = start + p.each
	p.starts = append(p.starts, start)
	down := p.r.Forever || start < p.r.Outage
	if !down && e.draw.Float64() >= p.r.Fail {
		p.r.Delivered++
		p.r.Times = append(p.r.Times, start-e.accepted)
		return
	}
	if last {
		p.r.UsedUp++
		p.r.Lasts = append(p.r.Lasts, start-e.accepted)
		return
	}
	end := start
	if down {
		end += p.r.Attempt
	}
	e.number++
	if w := p.wait(e, e.number); p.s.MeasuredFrom == contract.FromStart {
		e.due = max(start+w, end)
	} else {
		e.due = end + w
	}
	heap.Push(&p.queue, e)
}

func (p *play) result() Result {
	r := p.r
	slices.Sort(r.Times)
	slices.Sort(r.Lasts)
	r.Attempts = len(p.starts)
	r.Load = make([]int, buckets)
	var end time.Duration
	for _, at := range p.starts {
		end = max(end, at)
	}
	r.Stretch = end/buckets + 1
	for _, at := range p.starts {
		r.Load[at/r.Stretch]++
	}
	if r.Outage > 0 && !r.Forever {
		r.storm, r.stormAt = p.storm()
	}
	return r
}

// storm finds the highest load after the outage, over a hundredth of its length or a second.
func (p *play) storm() (times float64, at time.Duration) {
	window := max(p.r.Outage/100, time.Second)
	counts := map[int64]int{}
	for _, start := range p.starts {
		if start >= p.r.Outage {
			counts[int64((start-p.r.Outage)/window)]++
		}
	}
	for i, n := range counts {
		from := p.r.Outage + time.Duration(i*int64(window))
		if load := float64(n) / window.Seconds() / p.r.Pace; load > times || load == times && from < at {
			times, at = load, from
		}
	}
	return times, at
}

// Percentile returns the time within which the share p of the delivered events was delivered; 0 if none was.
func (r Result) Percentile(p float64) time.Duration {
	if len(r.Times) == 0 {
		return 0
	}
	return r.Times[min(int(p*float64(len(r.Times))), len(r.Times)-1)]
}

// Share returns the share of the events that was delivered.
func (r Result) Share() float64 { return float64(r.Delivered) / float64(r.Events) }

// LastCutShare returns the share of the events that still had their last attempt to come which lost it to the deadline: the chance
// that the deadline cuts the last attempt. 0 if none came so far.
func (r Result) LastCutShare() float64 {
	if r.LastDue == 0 {
		return 0
	}
	return float64(r.LastCut) / float64(r.LastDue)
}

// Storm returns the highest load by retries after the outage as a multiple of the pace at which events were accepted, and when it is;
// 0 without an outage or without attempts after it.
func (r Result) Storm() (times float64, at time.Duration) { return r.storm, r.stormAt }

// events is a heap by time, then by order of acceptance, so that a seed gives one result.
type events []*event

func (q events) Len() int { return len(q) }
func (q events) Less(i, j int) bool {
	return q[i].due < q[j].due || q[i].due == q[j].due && q[i].order < q[j].order
}
func (q events) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

// Push implements heap.Interface.
func (q *events) Push(x any) { *q = append(*q, x.(*event)) } //nolint:errcheck,forcetypeassert // ours alone

// Pop implements heap.Interface.
func (q *events) Pop() any {
	n := len(*q) - 1
	e := (*q)[n]
	*q = (*q)[:n]
	return e
}
