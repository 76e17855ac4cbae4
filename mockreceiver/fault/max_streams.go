package fault

// maxStreamLimit is far above what a sender opens at once.
const maxStreamLimit = 1000

// MaxStreams tells an HTTP/2 peer how many streams it may have open at once. With one, a delivery that hangs holds up all
// others on the connection, unless the sender opens a second one. A stream beyond is refused with REFUSED_STREAM.
type MaxStreams struct{ N int } // 1 to 1000

// Open implements ConnFault.
func (m MaxStreams) Open(float64) Opening { return Opening{Streams: m.N} }

// Kind implements ConnFault.
func (MaxStreams) Kind() string { return "max-streams" }

// String implements ConnFault.
func (m MaxStreams) String() string { return text("max-streams", signed(m.N)[1:]) }

func maxStreamsKind() Kind {
	return Kind{
		Name: "max-streams", Form: "max-streams(1)",
		Params: []Param{{Value: "1", Meaning: "how many streams the HTTP/2 peer may have open at once; 1 if left out"}},
		Reason: "HTTP/2: few streams at once, or one, so that a delivery that hangs holds up the others",
		open: func(a *args) ConnFault {
			m := MaxStreams{N: a.number("", 1, maxStreamLimit)}
			m.N = max(m.N, 1)
			return m
		},
	}
}
