package journal

import "time"

// Moved is a copy of a with all its offsets moved by so much. A journal may hold several runs, whose offsets do not compare:
// moved to one start, they do. Offsets that are not known stay zero.
func (a *Attempt) Moved(by time.Duration) Attempt {
	out := *a
	out.FirstByte += by
	move(by, &out.BodyEnd, &out.Conn.Opened)
	if a.Outcome != nil {
		o := *a.Outcome
		move(by, &o.ReplyStart, &o.ReplyEnd, &o.Closed)
		out.Outcome = &o
	}
	if a.Effect != nil {
		e := *a.Effect
		move(by, &e.At)
		out.Effect = &e
	}
	return out
}

func move(by time.Duration, offsets ...*time.Duration) {
	for _, o := range offsets {
		if *o != 0 {
			*o += by
		}
	}
}
