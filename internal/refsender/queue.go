package refsender

import (
	"container/heap"
	"time"
)

// queue holds the open deliveries and starts each when it is due. One goroutine owns all of its state; every attempt has a
// goroutine of its own.
//
// No endpoint has more than its share of the workers, and endpoints with something due take turns, so that one endpoint's stall
// does not delay another.
type queue struct {
	workers, perEndpoint int
	run                  func(*delivery) bool // an attempt; true if the delivery is to wait until its new due time
	variant              variant
	room                 int // due deliveries that a lane keeps; 0: all. More are lost, for a defect

	in    chan *delivery
	ended chan ending
	woken chan waking
	halt  chan struct{}
	done  chan struct{}

	waiting  dueHeap
	chains   map[string][]*delivery // open deliveries in order; only the first of a chain is due
	lanes    map[string]*lane
	turns    []*lane // lanes with ready deliveries, next turn first
	inFlight int
	wakings  int // how many have come, so that a delivery whose attempt was held meanwhile is not overlooked
}

// waking says that the deliveries that are held for an endpoint go on.
type waking struct {
	endpoint string
	at       time.Time
}

// lane is what is due at one endpoint.
type lane struct {
	name     string
	limit    int // of requests in flight
	ready    []*delivery
	inFlight int
}

type ending struct {
	d     *delivery
	again bool
}

func newQueue(workers, perEndpoint, room int, v variant, run func(*delivery) bool) *queue {
	q := &queue{
		workers: workers, perEndpoint: perEndpoint, room: room, variant: v, run: run,
		in: make(chan *delivery), ended: make(chan ending), woken: make(chan waking), halt: make(chan struct{}), done: make(chan struct{}),
		lanes: map[string]*lane{}, chains: map[string][]*delivery{},
	}
	go q.loop()
	return q
}

// add hands over a delivery. It never waits for an attempt. After stop it does nothing: the delivery is in the database.
func (q *queue) add(d *delivery) {
	select {
	case q.in <- d:
	case <-q.done:
	}
}

// wake lets the deliveries that are held for an endpoint go on: at the time for which they were planned, or now if that has
// passed.
func (q *queue) wake(endpoint string, now time.Time) {
	select {
	case q.woken <- waking{endpoint: endpoint, at: now}:
	case <-q.done:
	}
}

// stop starts nothing more and returns when no attempt is in flight. Call it once.
func (q *queue) stop() {
	close(q.halt)
	<-q.done
}

func (q *queue) loop() {
	defer close(q.done)
	timer := time.NewTimer(0)
	defer timer.Stop()
	halt, halted := q.halt, false
	for !halted || q.inFlight > 0 {
		select {
		case d := <-q.in:
			q.admit(d)
		case e := <-q.ended:
			q.release(e)
		case w := <-q.woken:
			q.resume(w)
		case <-timer.C:
		case <-halt:
			halt, halted = nil, true
		}
		if halted {
			continue
		}
		q.ripen(time.Now())
		q.start()
		if len(q.waiting) > 0 {
			timer.Reset(time.Until(q.waiting[0].due))
		}
	}
}

// admit takes a delivery. One with others before it in its chain waits for their end.
func (q *queue) admit(d *delivery) {
	if d.chain != "" {
		q.chains[d.chain] = append(q.chains[d.chain], d)
		if q.chains[d.chain][0] != d {
			return
		}
	}
	heap.Push(&q.waiting, d)
}

// follow lets the next of a chain go on, since the first has ended.
func (q *queue) follow(chain string) {
	if chain == "" {
		return
	}
	rest := q.chains[chain][1:]
	if len(rest) == 0 {
		delete(q.chains, chain)
		return
	}
	q.chains[chain] = rest
	heap.Push(&q.waiting, rest[0])
}

// ripen moves what is due to the lane of its endpoint.
func (q *queue) ripen(now time.Time) {
	for len(q.waiting) > 0 && !q.waiting[0].due.After(now) {
		d, _ := heap.Pop(&q.waiting).(*delivery)
		l := q.lanes[d.lane()]
		if l != nil && q.room > 0 && len(l.ready) >= q.room {
			q.follow(d.chain)
			continue
		}
		if l == nil {
			l = &lane{name: d.lane(), limit: q.perEndpoint}
			if d.shared != "" {
				l.limit = 1
			}
			q.lanes[l.name] = l
		}
		if len(l.ready) == 0 {
			q.turns = append(q.turns, l)
		}
		l.ready = append(l.ready, d)
	}
}

// start gives each lane its turn until the workers or the lanes are used up.
func (q *queue) start() {
	blocked := 0
	for q.inFlight < q.workers && blocked < len(q.turns) {
		l := q.turns[0]
		q.turns = q.turns[1:]
		if l.inFlight >= l.limit {
			q.turns = append(q.turns, l)
			blocked++
			continue
		}
		blocked = 0
		var d *delivery
		d, l.ready = q.variant.next(l.ready)
		if len(l.ready) > 0 {
			q.turns = append(q.turns, l)
		}
		l.inFlight++
		q.inFlight++
		d.wakings = q.wakings
		go func() { q.ended <- ending{d: d, again: q.run(d)} }()
	}
}

func (q *queue) release(e ending) {
	q.inFlight--
	l := q.lanes[e.d.lane()]
	l.inFlight--
	if e.again {
		if e.d.held && e.d.wakings != q.wakings {
			e.d.release(time.Now())
		}
		heap.Push(&q.waiting, e.d)
	} else {
		q.follow(e.d.chain)
	}
	if l.inFlight == 0 && len(l.ready) == 0 {
		delete(q.lanes, l.name)
	}
}

func (q *queue) resume(w waking) {
	q.wakings++
	for _, d := range q.waiting {
		if d.held && d.endpoint == w.endpoint {
			d.release(w.at)
		}
	}
	heap.Init(&q.waiting)
}

// dueHeap is a heap (container/heap) with the earliest due time on top.
type dueHeap []*delivery

func (h dueHeap) Len() int           { return len(h) }
func (h dueHeap) Less(i, j int) bool { return h[i].due.Before(h[j].due) }
func (h dueHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }

// Push implements heap.Interface.
func (h *dueHeap) Push(x any) {
	d, _ := x.(*delivery)
	*h = append(*h, d)
}

// Pop implements heap.Interface.
func (h *dueHeap) Pop() any {
	old := *h
	d := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	return d
}
