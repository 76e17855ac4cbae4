package mockreceiver

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/hookassay/hookassay/mockreceiver/fault"
	"github.com/hookassay/hookassay/mockreceiver/match"
)

// maxRules bounds the rules of an endpoint: each is tried on each request until one matches.
const maxRules = 100

// course is a plan and how far the events under it have come.
type course struct {
	fault.Plan
	since   time.Duration            // when it was set
	lasts   bool                     // a step lasts for a time
	cursors map[string]*fault.Cursor // by key; only where a step lasts
}

func newCourse(p fault.Plan, now time.Duration) *course {
	return &course{Plan: p, since: now, lasts: p.Lasts(), cursors: map[string]*fault.Cursor{}}
}

// over tells whether the plan's time to live has passed.
func (c *course) over(now time.Duration) bool { return c.TTL > 0 && now-c.since >= c.TTL }

// step is the step for the n-th request with a key.
func (c *course) step(key string, n int, now time.Duration) fault.Step {
	switch {
	case c.over(now):
		return fault.Step{} // 200
	case !c.lasts:
		return c.Step(n)
	}
	if key = brief(key); c.cursors[key] == nil {
		key = strings.Clone(key) // as in counts
		c.cursors[key] = new(fault.Cursor)
	}
	return c.Next(n, c.cursors[key], now)
}

// rule is a fault.Rule at work. Unlike the plans of events it counts its own requests only.
type rule struct {
	number  int // from 1
	text    string
	matcher *match.Matcher
	said    sync.Once // that the expression failed

	mu     sync.Mutex
	course *course
	counts counts
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
	return &rule{number: number, text: text, matcher: m, course: c, counts: counts{}}
}

func (r *rule) over(now time.Duration) bool { return r.course.over(now) }

// next counts one more request with a key and picks its step.
func (r *rule) next(key string, now time.Duration) fault.Step {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.course.step(key, r.counts.add(key), now)
}

// pick is the step of a request and why it was picked.
type pick struct {
	step    fault.Step
	attempt int
	rule    int // number of the rule; 0: the plan of the event or of the endpoint
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
		p.step = c.step(key, p.attempt, now)
	}
	e.mu.Unlock()
	if c != nil {
		return p
	}
	// The lock is not held: an expression may take its time, and requests of other events go on.
	for _, r := range rules {
		if !r.over(now) && matches(r, p.attempt) {
			p.step, p.rule = r.next(key, now), r.number
			return p
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	p.step = e.plan.step(key, p.attempt, now)
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
		p.step, p.rule = by.next(key, now), by.number
	} else {
		p.step = c.step(key, p.attempt, now)
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
