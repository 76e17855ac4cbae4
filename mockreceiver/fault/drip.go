package fault

import (
	"strconv"
	"time"
)

const (
	// dripEvery is the interval if none is given.
	dripEvery = time.Second
	// maxDrip bounds the bytes of one interval: more is no drip, and would hold memory for it.
	maxDrip = 64 << 10
)

// Drip answers with a body that comes slowly. Each byte resets a time limit between two reads; only one on the whole
// exchange ends the attempt.
type Drip struct {
	Answer               // Code 0: 200
	Bytes  int           // in each interval
	Every  time.Duration // 0: 1 s
	Size   int64         // of the body; 0: it never ends
}

// Kind implements Fault.
func (Drip) Kind() string { return "drip" }

// Act implements Fault.
func (d Drip) Act(x Exchange) {
	r, ok := d.or(okCode).begin(x, 0)
	if !ok {
		return
	}
	r.Fill, r.Pace = Forever, Pace{Bytes: d.Bytes, Every: dripEvery}
	if d.Size > 0 {
		r.Fill = d.Size
	}
	if d.Every > 0 {
		r.Pace.Every = d.Every
	}
	x.Reply(r)
}

// String implements Fault.
func (d Drip) String() string {
	list := []string{strconv.Itoa(d.Bytes), durationText("every", d.Every), numberText("size", int(d.Size))}
	return text("drip", append(list, d.texts()...)...)
}

func dripKind() Kind {
	return Kind{
		Name: "drip",
		Form: "drip(1)",
		Params: append([]Param{
			{Value: "1", Meaning: "so many bytes of the body in each interval"},
			{Name: "every", Value: "1s", Meaning: "the interval; 1s if left out; real time"},
			{Name: "size", Value: "100", Meaning: "the body's size in bytes; without it the body never ends"},
		}, answerParams("200")...),
		Reason: "a body that comes slowly: a time limit between two reads never fires",
		parse: func(_ string, a *args) Fault {
			d := Drip{
				Answer: a.answer(), Bytes: a.number("", 1, maxDrip), Every: a.duration("every"),
				Size: int64(a.number("size", 1, maxSize)),
			}
			if d.Bytes == 0 {
				a.fail(a.at, "drip: give the bytes of each interval, such as drip(1, every=1s)")
			}
			return d
		},
	}
}
