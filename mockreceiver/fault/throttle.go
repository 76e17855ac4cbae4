package fault

// maxReadRate bounds what is called slow: a gigabyte per second is no limit on any network in use.
const maxReadRate = 1 << 30

// Throttle reads all of a connection slowly once HTTP begins, heads too, and has the system keep little for it, so that the
// sender's writes come to a halt: a time limit that covers only the wait for an answer does not end this.
type Throttle struct{ PerSecond int } // bytes, 1 to 2^30

// Open implements ConnFault.
func (t Throttle) Open(float64) Opening { return Opening{ReadRate: t.PerSecond} }

// Kind implements ConnFault.
func (Throttle) Kind() string { return "throttle" }

// String implements ConnFault.
func (t Throttle) String() string { return text("throttle", signed(t.PerSecond)[1:]) }

func throttleKind() Kind {
	return Kind{
		Name: "throttle", Form: "throttle(1000)",
		Params: []Param{{Value: "1000", Meaning: "how many bytes are read per second"}},
		Reason: "all of the connection is read slowly: the sender hangs while it writes",
		open: func(a *args) ConnFault {
			t := Throttle{PerSecond: a.number("", 1, maxReadRate)}
			if t.PerSecond == 0 {
				a.fail(a.at, "throttle: give the bytes per second, such as throttle(1000)")
			}
			return t
		},
	}
}
