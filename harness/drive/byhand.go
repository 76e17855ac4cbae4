package drive

import "errors"

// errByHand ends a scenario that cannot be played on one URL that a person has configured.
var errByHand = errors.New("the sender has one endpoint, configured by hand, and the scenario needs others or another kind")

// byHand gives the path of the endpoint that a person has configured, if there is one, and takes it from the scenario before: scenarios
// are played one after another. It is an error where spec asks for what a person was not told.
func (st *Stage) byHand(spec EndpointSpec) (path string, err error) {
	p := st.p
	if p.setup.ByHand == "" {
		return "", nil
	}
	st.mu.Lock()
	first, name := len(st.endpoints) == 1, st.endpoints[0].Name // the one that is being made
	st.mu.Unlock()
	if !first || len(spec.Types) > 0 || len(spec.Headers) > 0 || spec.Issued ||
		spec.Tenant+spec.Environment+spec.Query+spec.Listener != "" {
		return "", errByHand
	}
	p.mu.Lock()
	before := p.atHand
	p.atHand = name
	p.mu.Unlock()
	if before != "" {
		err = p.receiver.RemoveEndpoint(before)
	}
	return p.setup.ByHand, err
}

// handKey is the name of the one key that a person has configured.
const handKey = "by-hand.key"

// newKeyName tells whether a key of that name was not there before.
func (p *player) newKeyName(name string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	known := p.keyNames[name]
	if p.keyNames == nil {
		p.keyNames = map[string]bool{}
	}
	p.keyNames[name] = true
	return !known
}
