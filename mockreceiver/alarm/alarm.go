// Package alarm says when somebody should look at a receiver: five rules over counts by time.
//
// It has no clock. Evaluate is a function of what was counted and of the time that its caller hands in, so that an hour of
// trouble is a table in a test. What the counts mean for a receiver that knows only what arrived:
//
//   - An attempt is a complete request of a sender to an endpoint; copies that the receiver sends to itself are none. It is a
//     success if it got a whole answer of 2xx, and else a failure, planned ones included.
//   - The retry backlog are the events whose last attempt was a failure. An event leaves it by a success, and by becoming a
//     dead letter.
//   - Dead letters are the inbox's own, and events that got no 2xx within the sender's window, where that is known.
//   - A signature failure is a request whose signature is missing, wrong or stale, at an endpoint that verifies.
//
// What counts over time begins with the receiver. The backlog and the dead letters are recalled from a stored journal: an event
// that failed before a restart is still not delivered after it.
package alarm

import (
	"fmt"
	"time"
)

// State says what a rule found. It is readable in JSON.
type State string

// The states of an alarm.
const (
	OK      State = "ok"
	Warn    State = "warn"    // not healthy, and no alarm yet: only the success rate knows this state
	Firing  State = "firing"  // somebody should look
	Unknown State = "unknown" // too little data to tell
)

// The names of the five alarms.
const (
	SuccessRate       = "success-rate"
	RetryBacklog      = "retry-backlog"
	DeadLetters       = "dead-letters"
	NoSuccess         = "no-success"
	SignatureFailures = "signature-failures"
)

// Thresholds, as good receivers have them.
const (
	rateWindow   = time.Hour
	rateAlarm    = 0.99
	rateHealthy  = 0.999
	backlogAlarm = 100
	silence      = 30 * time.Minute

	burst       = 5 * time.Minute
	burstFactor = 10
	burstLeast  = 10             // in one burst: a handful is somebody's mistake and no attack
	baseline    = 24 * time.Hour // before the burst
	dataLeast   = time.Hour      // of counting, to have a mean worth the name
)

// Rule is one of the five alarms as people read it.
type Rule struct {
	Name  string `json:"name"`
	Fires string `json:"fires"` // the condition, with its thresholds
	Means string `json:"means"` // what the numbers are

	judge func(Status) Alarm
}

// Rules returns the five alarms in the order in which Evaluate reports them.
func Rules() []Rule {
	return []Rule{
		{
			SuccessRate, "below 99 % over 1 h (healthy from 99.9 %)",
			"of the attempts that ended within the last hour, the share that got a whole answer of 2xx",
			Status.rate,
		},
		{
			RetryBacklog, "over 100",
			"events whose last attempt failed, and that are no dead letters yet",
			Status.backlog,
		},
		{
			DeadLetters, "from the first",
			"dead letters of the inbox, and events without a 2xx within the sender's window where a contract says how long that is",
			Status.dead,
		},
		{
			NoSuccess, "after 30 min",
			"time since an attempt got a whole answer of 2xx, or since the start",
			Status.quiet,
		},
		{
			SignatureFailures, "10 times the mean of the previous 24 h, from 10 in 5 min, with 1 h of data",
			"requests within 5 min whose signature is missing, wrong or stale, where the endpoint verifies",
			Status.signatures,
		},
	}
}

// Alarm is what one rule says now.
type Alarm struct {
	Name  string `json:"name"`
	State State  `json:"state"`
	// Value is the rule's number: a share from 0 to 1, a count, or seconds. 0 where the state is unknown.
	Value   float64 `json:"value"`
	Because string  `json:"because"` // got and wanted, in one sentence
	Fires   string  `json:"fires"`   // the condition, as in Rule
}

// Status is what a receiver counted, at one moment.
type Status struct {
	// Now is the moment, Since the one at which counting began, LastSuccess that of the latest success: offsets from one
	// origin. A LastSuccess before Since stands for none.
	Now, Since, LastSuccess time.Duration
	Backlog                 int
	DeadLetters             int     // of the inboxes; below 0: they could not be counted
	GivenUp                 int     // events without a 2xx within the sender's window
	Counts                  *Series // nil: nothing was counted
}

// Evaluate applies the five rules. It returns one Alarm for each, in the order of Rules.
func Evaluate(s Status) []Alarm {
	if s.Counts == nil {
		s.Counts = &Series{}
	}
	var list []Alarm
	for _, r := range Rules() {
		a := r.judge(s)
		a.Name, a.Fires = r.Name, r.Fires
		list = append(list, a)
	}
	return list
}

// Worst returns the gravest state of a list: firing before warn before ok. Unknown alone is no reason to worry.
func Worst(list []Alarm) State {
	worst := OK
	for _, a := range list {
		if a.State == Firing {
			return Firing
		}
		if a.State == Warn {
			worst = Warn
		}
	}
	return worst
}

func (s Status) age() time.Duration { return max(s.Now-s.Since, 0) }

func (s Status) rate() Alarm {
	if s.age() < rateWindow {
		return Alarm{State: Unknown, Because: fmt.Sprintf("counting for %s, an hour is needed", shown(s.age()))}
	}
	c := s.Counts.Sum(s.Now-rateWindow, s.Now)
	all := c.Successes + c.Failures
	if all == 0 {
		return Alarm{State: Unknown, Because: "no attempt within the last hour"}
	}
	share := float64(c.Successes) / float64(all)
	a := Alarm{State: OK, Value: share, Because: fmt.Sprintf("%d of %d attempts succeeded within the last hour", c.Successes, all)}
	switch {
	case share < rateAlarm:
		a.State = Firing
	case share < rateHealthy:
		a.State = Warn
	}
	return a
}

func (s Status) backlog() Alarm {
	return Alarm{
		State: firing(s.Backlog > backlogAlarm), Value: float64(s.Backlog),
		Because: failed(s.Backlog),
	}
}

func failed(n int) string {
	if n == 1 {
		return "the last attempt of 1 event failed"
	}
	return fmt.Sprintf("the last attempt of %d events failed", n)
}

func (s Status) dead() Alarm {
	if s.DeadLetters < 0 {
		return Alarm{State: Unknown, Because: "the dead letters could not be counted"}
	}
	n := s.DeadLetters + s.GivenUp
	a := Alarm{State: firing(n > 0), Value: float64(n), Because: deadLetters(n)}
	if s.GivenUp > 0 {
		a.Because += fmt.Sprintf(": %d in the inbox, %d without a 2xx within the sender's window", s.DeadLetters, s.GivenUp)
	}
	return a
}

func deadLetters(n int) string {
	if n == 1 {
		return "there is 1 dead letter"
	}
	return fmt.Sprintf("there are %d dead letters", n)
}

func (s Status) quiet() Alarm {
	from, what := s.LastSuccess, "the last success"
	if from < s.Since {
		from, what = s.Since, "the start, without a success"
	}
	d := max(s.Now-from, 0)
	return Alarm{State: firing(d >= silence), Value: d.Seconds(), Because: fmt.Sprintf("%s since %s", shown(d), what)}
}

func (s Status) signatures() Alarm {
	if s.age() < dataLeast {
		return Alarm{State: Unknown, Because: fmt.Sprintf("counting for %s, an hour is needed", shown(s.age()))}
	}
	got := s.Counts.Sum(s.Now-burst, s.Now).BadSignatures
	before := min(s.age()-burst, baseline)
	total := s.Counts.Sum(s.Now-burst-before, s.Now-burst).BadSignatures
	mean := float64(total) * float64(burst) / float64(before)
	return Alarm{
		State:   firing(got >= burstLeast && float64(got) >= burstFactor*mean),
		Value:   float64(got),
		Because: fmt.Sprintf("%d within 5 min; %.1f is the mean of the time before", got, mean),
	}
}

func firing(yes bool) State {
	if yes {
		return Firing
	}
	return OK
}

func shown(d time.Duration) time.Duration { return d.Round(time.Second) }
