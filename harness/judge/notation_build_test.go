package judge_test

import (
	"cmp"
	"crypto/sha256"
	"strconv"
	"strings"

	"github.com/hookassay/hookassay/harness/evidence"
)

func (n *notation) addScenario(name string, o opts) {
	family, _, _ := strings.Cut(name, "/")
	n.scenario = &evidence.Scenario{
		Name: name, Family: family, Checks: strings.Split(o["checks"], ","), Instance: o["instance"], NotRun: o["not-run"],
		WatchUntil: n.dur(o, "watch", 0),
	}
	n.add(n.scenario)
	n.hooks++
	n.hook = firstHook
	if n.hooks > 1 {
		n.hook += strconv.Itoa(n.hooks)
	}
	n.addEndpoint(n.hook, opts{})
}

// addEndpoint adds an endpoint, or replaces the keys of one.
func (n *notation) addEndpoint(name string, o opts) {
	secret := o["secret"]
	if secret == "" {
		secret = "canary-" + name
	}
	n.secrets[name], n.targets[name] = secret, "/"+name
	if o["query"] != "" {
		n.targets[name] += "?" + o["query"]
	}
	e := &evidence.Endpoint{
		Name: name, Scenario: n.scenario.Name, URL: "http://127.0.0.1" + n.targets[name], Tenant: o["tenant"], Environment: o["environment"],
	}
	if o["tls"] != "" {
		e.URL = strings.Replace(e.URL, "http:", "https:", 1)
	}
	if name, value, ok := strings.Cut(o["header"], ": "); ok {
		e.Headers = map[string]string{name: value}
	}
	if o["types"] != "" {
		e.Types = strings.Split(o["types"], ",")
	}
	first := evidence.Secret{Value: n.secret(secret), Until: n.dur(o, "until", 0)}
	if o["issued"] != "" {
		first.Value, first.Name = "", o["issued"]
	}
	e.Secrets = append(e.Secrets, first)
	if o["secret2"] != "" || o["issued2"] != "" {
		second := evidence.Secret{Name: o["issued2"], From: n.dur(o, "from", 0), Until: n.dur(o, "until2", 0)}
		if second.Name == "" {
			second.Value = n.secret(o["secret2"])
		}
		e.Secrets = append(e.Secrets, second)
	}
	for i, r := range n.records {
		if old, ok := r.(*evidence.Endpoint); ok && old.Name == name && old.Scenario == n.scenario.Name {
			n.records[i] = e
			return
		}
	}
	n.add(e)
}

// secret is the key that a name stands for: itself, where the scheme takes any text.
func (n *notation) secret(name string) string {
	if n.scheme == nil || n.scheme.ID() == "timestamp-v1" {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	text, err := n.scheme.Secret(sum[:])
	if err != nil {
		n.t.Fatal(err)
	}
	return text
}

func markerOf(name string) string {
	return evidence.MarkerPrefix + strings.ToLower(name) + strings.Repeat("0", 20-len(name))
}

func idOf(name string) string { return "evt-" + name }

func (n *notation) emit(name string, o opts) {
	data := o["data"]
	if data == "" {
		data = `{"marker":"` + markerOf(name) + `","amount":12.50}`
	}
	typ := o["type"]
	if typ == "" {
		typ = "payment.succeeded"
	}
	endpoint := o["endpoint"]
	if endpoint == "" {
		endpoint = n.hook
	}
	if o["for"] == "all" {
		endpoint = ""
	}
	at := n.dur(o, "at", 0)
	n.created[name] = started.Add(n.dur(o, "created", at))
	a := &evidence.Act{
		Tenant: o["tenant"], Environment: o["environment"], Object: o["object"],
		Act: evidence.ActEmit, Scenario: n.scenario.Name, Instance: n.scenario.Instance, Endpoint: endpoint, Marker: markerOf(name),
		Event: idOf(name), Type: typ, Data: evidence.Raw(data), Called: at, Returned: n.dur(o, "returned", at), Err: o["refused"],
	}
	n.events[name] = a
	n.add(a)
}

func (n *notation) act(kind evidence.ActKind, name string, o opts) {
	at := n.dur(o, "at", 0)
	a := &evidence.Act{
		Act: kind, Scenario: n.scenario.Name, Instance: n.scenario.Instance, Called: at, Returned: n.dur(o, "returned", at),
		Err: o["refused"], Endpoint: o["endpoint"], Advance: n.dur(o, "advance", 0), Unsaid: o["unsaid"] != "",
	}
	if o["all"] != "" {
		a.Scenario, a.Instance = "", ""
	}
	if name != "" {
		a.Marker, a.Event, a.Endpoint = markerOf(name), idOf(name), n.hook
	}
	if kind == evidence.ActCount {
		a.Endpoint = cmp.Or(a.Endpoint, n.hook)
	}
	for id := range strings.SplitSeq(o["open"], ",") {
		if id != "" {
			a.Open = append(a.Open, evidence.OpenConn{ID: int64(n.num(opts{"id": id}, "id", 0)), Opened: 1, Requests: 1})
		}
	}
	n.add(a)
}
