package fault

import (
	"strconv"
	"time"
)

// SlowRead takes in the body of the request slowly, and then answers. What the operating system keeps for the connection, up
// to some megabytes, is sent at once all the same; with a larger body the sender's write waits, and a time limit between two
// writes never fires.
type SlowRead struct {
	Answer               // Code 0: 200
	Bytes  int           // in each interval
	Every  time.Duration // 0: 1 s
}

// Kind implements Fault.
func (SlowRead) Kind() string { return "slow-read" }

// Intake implements Eager.
func (s SlowRead) Intake() Intake {
	p := Pace{Bytes: s.Bytes, Every: s.Every}
	if p.Every == 0 {
		p.Every = dripEvery
	}
	return Intake{Pace: p}
}

// Late implements Eager.
func (SlowRead) Late() Fault { return Status{} }

// Act implements Fault.
func (s SlowRead) Act(x Exchange) {
	if r, ok := s.or(okCode).begin(x, 0); ok {
		x.Reply(r)
	}
}

// String implements Fault.
func (s SlowRead) String() string {
	return text("slow-read", append([]string{strconv.Itoa(s.Bytes), durationText("every", s.Every)}, s.texts()...)...)
}

func slowReadKind() Kind {
	return Kind{
		Name: "slow-read",
		Form: "slow-read(1000)",
		Params: append([]Param{
			{Value: "1000", Meaning: "so many bytes of the request's body are read in each interval"},
			{Name: "every", Value: "1s", Meaning: "the interval; 1s if left out; real time"},
		}, answerParams("200")...),
		Reason: "the request's body is read slowly: a large one cannot be written within the sender's time limit",
		parse: func(_ string, a *args) Fault {
			s := SlowRead{Answer: a.fields(), Bytes: a.number("", 1, maxCut), Every: a.duration("every")}
			s.Code = a.number("status", minStatus, maxStatus)
			if s.Bytes == 0 {
				a.fail(a.at, "slow-read: give the bytes of each interval, such as slow-read(1000, every=1s)")
			}
			return s
		},
	}
}
