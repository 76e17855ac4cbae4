package drive

import (
	"context"
	"fmt"
	"strings"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// Trap makes a place at the receiver that the sender is not told of, and that answers 200. It returns its path, to which an answer
// may lead. What arrives there is evidence.
func (st *Stage) Trap() (path string, err error) {
	name := st.trapName()
	path = "/traps/" + name
	_, err = st.p.receiver.AddEndpoint(mockreceiver.Endpoint{
		Name: name, Scenario: st.sc.Name, Path: path, Plan: fault.OK(), Fields: &mockreceiver.Fields{},
	})
	return path, err
}

// Listener makes a listener of the scenario's own whose connections begin as planned, and returns its name.
func (st *Stage) Listener(ctx context.Context, plan fault.ConnPlan) (name string, err error) {
	name = st.trapName()
	_, err = st.p.receiver.AddListener(ctx, mockreceiver.Listener{Name: name, Plan: plan})
	return name, err
}

// SecureListener is Listener for one that speaks TLS, with a certificate of the receiver's own authority, and HTTP/2 beside
// HTTP/1.1 if http2 says so.
func (st *Stage) SecureListener(ctx context.Context, plan fault.ConnPlan, http2 bool) (name string, err error) {
	name = st.trapName()
	_, err = st.p.receiver.AddListener(ctx, mockreceiver.Listener{Name: name, Plan: plan, TLS: &mockreceiver.TLS{}, HTTP2: http2})
	return name, err
}

// mostOpen bounds how many open connections one record lists: far beyond any bound that is judged.
const mostOpen = 1000

// CountConnections records which connections are open to the endpoint's listener.
func (st *Stage) CountConnections(e *Endpoint) error {
	a := st.on(evidence.ActCount, e)
	return st.p.act(a, func() (err error) {
		a.Open, err = st.p.receiver.OpenConnections(e.Listener)
		if n := len(a.Open); n > mostOpen {
			a.Open, a.Note = a.Open[:mostOpen], fmt.Sprintf("%d were open", n)
		}
		return err
	})
}

func (st *Stage) trapName() string {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.traps++
	return fmt.Sprintf("%s.own%d", dotted(st.name), st.traps)
}

// dotted is a scenario's name as a part of a path.
func dotted(scenario string) string { return strings.ReplaceAll(scenario, "/", ".") }
