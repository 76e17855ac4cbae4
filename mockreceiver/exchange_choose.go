package mockreceiver

import (
	"fmt"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/fault"
	"github.com/hookassay/hookassay/mockreceiver/match"
)

// matcher tells rules whether they are for this request; nil where the endpoint has none. body is nil where it was not read.
func (x *exchange) matcher(head evidence.Head, key string, body []byte) func(*rule, int) bool {
	if !x.endpoint.ruled.Load() {
		return nil
	}
	in := &match.Input{
		Head: head, Key: key, Body: body, Connection: x.arrival.Conn.ID, RequestOnConnection: x.arrival.Conn.Request,
	}
	return func(r *rule, attempt int) bool {
		if len(body) > match.MaxBody {
			x.endpoint.large.Do(func() {
				x.r.trouble(x.arrival.Scenario, fmt.Sprintf("endpoint %s: rules see no body over %d bytes, as request %d on connection %d has",
					x.endpoint.Name, match.MaxBody, x.arrival.Conn.Request, x.arrival.Conn.ID))
			})
		}
		in.Attempt = attempt
		ok, err := r.matcher.Matches(x.r.ctx, in)
		if err != nil && x.r.ctx.Err() == nil {
			r.said.Do(func() {
				x.r.trouble(x.arrival.Scenario, fmt.Sprintf("endpoint %s, rule %d: %v; such requests are taken for no match, which is said once", x.endpoint.Name, r.number, err))
			})
		}
		return ok
	}
}

// take makes what was picked the request's step. One that stands for several is drawn here, before anything is acted out.
func (x *exchange) take(p pick) {
	a := x.arrival
	a.Attempt, a.Rule, a.Chosen = p.attempt, p.rule, p.step.String()
	x.step = p.step
	if p.forgot {
		x.r.trouble(a.Scenario, fmt.Sprintf("endpoint %s: events that had not come for %d others begin anew under its rules and steps that last",
			a.Endpoint, maxCourse))
	}
	if c, ok := p.step.Fault.(fault.Choice); ok {
		x.step, x.luck = c.Choose(x.Draw())
		x.drawn = true
	}
}

// Draw implements fault.Exchange. A number that chose the step already is not used again.
func (x *exchange) Draw() float64 {
	if x.drawn {
		return x.luck
	}
	return draw(x.r.cfg.Seed, x.arrival.Attempt, x.arrival.Endpoint, x.arrival.Key)
}
