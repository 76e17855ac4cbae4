package contract

import "time"

// What providers leave open. A wait that nobody published can be any, so that nothing it bounds can fail.
const (
	// longestOpen is a wait that may last for as long as any that can be reckoned with.
	longestOpen = maxDuration
	// firstOpen is how long the first attempt may take to come where nothing is said of waits: senders with a queue in front were seen to
	// need 5 s.
	firstOpen = time.Minute
	// openTimeout stands for the request timeout of a sender that publishes none. The longest that any publishes is half of it.
	openTimeout = time.Minute
)

// maxCapFactor and maxShare bound multiples of a wait: more would say nothing.
const (
	maxCapFactor = 1000
	maxShare     = 1
)

// Slack is how far waits may lie from the published ones where the publication is about right only, or says nothing of jitter. It is no
// promise: no spread is looked for.
type Slack struct {
	Share float64       `yaml:"share,omitempty"` // of the wait, either way, 0 to 1
	Late  time.Duration `yaml:"late,omitempty"`  // on top, as for a queue in front of the sender; never compressed
}

// Throttle is what makes the wait after some failures longer than it would be: it may be this long then. A fixed number of the
// sender's, so it is never compressed.
type Throttle struct {
	Codes  Codes         `yaml:"codes,omitempty"`  // after these statuses
	Errors []string      `yaml:"errors,omitempty"` // after these failures without a status
	Wait   time.Duration `yaml:"wait"`
}

// Stepped tells whether it is published when attempts are made.
func (s *Schedule) Stepped() bool { return len(s.Waits) > 0 }

// Counted tells whether it is published how many attempts are made.
func (s *Schedule) Counted() bool { return s.Attempts > 0 || len(s.Waits) > 0 }

// RequestTime is how long one request may take: the timeout, or what stands for one that is not published.
func (s *Schedule) RequestTime() time.Duration {
	if s.Timeout > 0 {
		return s.Timeout
	}
	return openTimeout
}

// Throttled returns the band of a wait after that failure: a status, or a kind of failure without one.
func (s *Schedule) Throttled(b Band, status int, kind string) Band {
	t := s.Throttle
	if t == nil {
		return b
	}
	hit := t.Codes.Has(status)
	for _, e := range t.Errors {
		hit = hit || e == kind
	}
	if !hit {
		return b
	}
	most := t.Wait
	if s.Jitter != nil {
		most += share(most, s.Jitter.Plus)
	}
	if s.Slack != nil {
		most += share(most, s.Slack.Share) + s.Slack.Late
	}
	return Band{b.Min, max(b.Max, most)}
}

func (s *Schedule) openWait(k int) Band {
	if k == 1 {
		return Band{0, firstOpen}
	}
	return Band{0, longestOpen}
}

func (s *Schedule) checkSlack(k *checker) {
	if l := s.Slack; l != nil {
		k.duration("schedule.slack.late", l.Late)
		// Written so that NaN is refused as well.
		if !(l.Share >= 0 && l.Share <= maxShare) {
			k.add("schedule.slack.share", "is %v; write a share of the wait from 0 to %d, as 0.2", l.Share, maxShare)
		}
		if *l == (Slack{}) {
			k.add("schedule.slack", "is 0 both ways; leave it out if there is none")
		}
	}
	if t := s.Throttle; t != nil {
		k.positive("schedule.throttle.wait", t.Wait, "60s")
		k.codes("schedule.throttle.codes", t.Codes, map[int]string{})
		k.subset("schedule.throttle.errors", t.Errors, ErrorTimeout, ErrorConnection, ErrorTLS)
		if len(t.Codes)+len(t.Errors) == 0 {
			k.add("schedule.throttle", "says neither codes nor errors; write after which failures the wait is longer")
		}
	}
	if !s.Stepped() && s.Jitter != nil {
		k.add("schedule.jitter", "is a share of waits that are not given; write waits as well")
	}
}
