package mockreceiver

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/hookassay/hookassay/mockreceiver/fault"
	"github.com/hookassay/hookassay/mockreceiver/match"
)

// maxRules bounds the rules of an endpoint: each is tried on each request until one matches.
const maxRules = 100

// maxCourse is how many events at least are remembered by a rule, and by a plan whose steps last for a time. It is what a sender
// of 5000 events a second sends within a minute, and up to 24 MiB.
const maxCourse = 256 << 10

// course is a plan and how far the events under it have come.
type course struct {
	fault.Plan
	since   time.Duration         // when it was set
	lasts   bool                  // a step lasts for a time
	cursors *recent[fault.Cursor] // by key; only where a step lasts
}

func newCourse(p fault.Plan, now time.Duration) *course {
	return &course{Plan: p, since: now, lasts: p.Lasts(), cursors: newRecent[fault.Cursor](maxCourse)}
}

// over tells whether the plan's time to live has passed.
func (c *course) over(now time.Duration) bool { return c.TTL > 0 && now-c.since >= c.TTL }

// choose picks the step for the n-th request with a key.
func (c *course) choose(p *pick, key string, n int, now time.Duration) {
	switch {
	case c.over(now):
		p.step = fault.Step{} // 200
	case !c.lasts:
		p.step = c.Step(n)
	default:
		h := c.cursors.hash(key)
		at, _ := c.cursors.get(h)
		p.step = c.Next(n, &at, now)
		p.forgot = c.cursors.set(h, at) != nil
	}
}

// rule is a fault.Rule at work. Unlike the plans of events it counts its own requests only.
type rule struct {
	number  int // from 1
	text    string
	matcher *match.Matcher
	said    sync.Once // that the expression failed

	mu     sync.Mutex
	course *course
	counts *recent[int]
}

func newRules(list []fault.Rule, now time.Duration) ([]*rule, error) {
	if len(list) > maxRules {
		return nil, fmt.Errorf("%d rules: at most %d are allowed", len(list), maxRules)
	}
	rules := make([]*rule, len(list))
	var errs []error
	for i, one := range list {
		m, err := match.Compile(one.Match)
		if err != nil {
			errs = append(errs, fmt.Errorf("rule %d: %w", i+1, err))
			continue
		}
		rules[i] = newRule(i+1, one.Match, m, newCourse(one.Plan, now))
	}
	return rules, errors.Join(errs...)
}

func newRule(number int, text string, m *match.Matcher, c *course) *rule {
	return &rule{number: number, text: text, matcher: m, course: c, counts: newRecent[int](maxCourse)}
}

func (r *rule) over(now time.Duration) bool { return r.course.over(now) }

// choose counts one more request with a key and picks its step.
func (r *rule) choose(p *pick, key string, now time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	h := r.counts.hash(key)
	n, _ := r.counts.get(h)
	n++
	forgot := r.counts.set(h, n) != nil
	r.course.choose(p, key, n, now)
	p.rule, p.forgot = r.number, p.forgot || forgot
}

// pick is the step of a request and why it was picked.
type pick struct {
	step    fault.Step
	attempt int
	rule    int  // number of the rule; 0: the plan of the event or of the endpoint
	forgot  bool // events that had not come for long were forgotten just now
}

// next counts one more request with this key and picks its step: by the plan of its event, else by the first rule that
// matches, else by the endpoint's plan. A plan set by the event's id counts for requests that are known by their marker.
func (e *endpoint) next(key, id string, now time.Duration, matches func(*rule, int) bool) pick {
	e.mu.Lock()
	p := pick{attempt: e.attempts.next(key)}
	c, rules := e.plans[key], e.rules
	if c == nil {
		c = e.plans[id]
	}
	if c == nil && (len(rules) == 0 || matches == nil) {
		c = e.plan
	}
	if c != nil {
		c.choose(&p, key, p.attempt, now)
	}
	e.mu.Unlock()
	if c != nil {
		return p
	}
	// The lock is not held: an expression may take its time, and requests of other events go on.
	for _, r := range rules {
		if !r.over(now) && matches(r, p.attempt) {
			r.choose(&p, key, now)
			return p
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.plan.choose(&p, key, p.attempt, now)
	return p
}

// nextByHead counts one more request and picks its step by what its head says, if the plan that it comes under has a step
// for which that is needed. Requests of one plan are then all counted in this way, so that the steps stay in order. Of the
// rules only such are tried as have such a step.
func (e *endpoint) nextByHead(id, from string, now time.Duration, matches func(*rule, int) bool) (p pick, key, keyFrom string, ok bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	key, keyFrom = id, from
	c := e.plans[id]
	if c == nil && len(e.plans) == 1 {
		for k, only := range e.plans {
			c, key, keyFrom = only, k, "only-event"
		}
	}
	if key == "" {
		keyFrom = "endpoint"
	}
	var by *rule
	if c == nil {
		by = e.eagerRule(e.attempts.of(key)+1, now, matches)
		c = e.plan
	}
	if by == nil && !c.Eager() {
		return pick{}, "", "", false
	}
	p.attempt = e.attempts.next(key)
	if by != nil {
		by.choose(&p, key, now)
	} else {
		c.choose(&p, key, p.attempt, now)
	}
	return p, key, keyFrom, true
}

// eagerRule is the first rule with a step that must be known before the body is, and that matches. The endpoint's lock is
// held, but not while an expression runs.
func (e *endpoint) eagerRule(attempt int, now time.Duration, matches func(*rule, int) bool) *rule {
	rules := e.rules
	e.mu.Unlock()
	defer e.mu.Lock()
	if matches == nil {
		rules = nil
	}
	for _, r := range rules {
		if r.course.Eager() && !r.over(now) && matches(r, attempt) {
			return r
		}
	}
	return nil
}

// restart makes the plans as new. The endpoint's lock is held.
func (e *endpoint) restart(now time.Duration) {
	clear(e.plans)
	e.attempts.restart()
	e.plan = newCourse(e.plan.Plan, now)
	rules := make([]*rule, len(e.rules)) // requests on their way go through the old ones
	for i, r := range e.rules {
		rules[i] = newRule(r.number, r.text, r.matcher, newCourse(r.course.Plan, now))
	}
	e.rules = rules
	e.noted()
}

// noted finds out whether there are rules, and whether any plan has a step that must be known before the body is. The endpoint's
// lock is held.
func (e *endpoint) noted() {
	eager := e.plan.Eager()
	for _, c := range e.plans {
		eager = eager || c.Eager()
	}
	for _, r := range e.rules {
		eager = eager || r.course.Eager()
	}
	e.eager.Store(eager)
	e.ruled.Store(len(e.rules) > 0)
}

// planned returns the key of the endpoint's only planned event, if there is just one.
func (e *endpoint) planned() (string, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.plans) != 1 {
		return "", false
	}
	for key := range e.plans {
		return key, true
	}
	return "", false
}
