package fault

import (
	"fmt"

	"github.com/goccy/go-yaml/ast"
)

// File is what a plan file says of one endpoint.
type File struct {
	Plan Plan // for events without a plan of their own
	// Events are plans by what the event's requests are known by: its id, or the marker in its payload.
	Events map[string]Plan
	Rules  []Rule
}

// The words of a plan file.
const (
	planWord   = "plan"
	eventsWord = "events"
	rulesWord  = "rules"
	matchWord  = "match"
)

// maxEntries bounds the events, and the rules, of a plan file: far beyond what a person writes.
const maxEntries = 1000

// ParseFile reads a plan file in YAML: the endpoint's plan, plans by event, and rules by match. A plan is its text form, or
// what ParseYAML reads.
//
//	plan: 502, 502, 200
//	events:
//	  evt_1: timeout, 200
//	rules:
//	  - match: .body.type == "payment.failed"
//	    plan:
//	      steps: [502*3]
//	      then: 200
//
// steps, then and ttl may stand there themselves instead of plan. check is called with each match, and its error is placed;
// nil takes any. It refuses what ParseYAML does. An error is one sentence and names line and column.
func ParseFile(text []byte, check func(match string) error) (File, error) {
	root, err := parseYAML(text)
	if err != nil {
		return File{}, fmt.Errorf("plan file: %w", err)
	}
	f, err := fileOf(root, check)
	if err != nil {
		return File{}, fmt.Errorf("plan file: %w", err)
	}
	return f, nil
}

func fileOf(root ast.Node, check func(string) error) (f File, err error) {
	fields, err := fieldsOf(root, planWord, stepsWord, thenWord, ttlWord, eventsWord, rulesWord)
	if err != nil {
		return File{}, err
	}
	if f.Plan, err = ownPlan(root, fields); err != nil {
		return File{}, err
	}
	if n := fields[eventsWord]; n != nil {
		if f.Events, err = eventsOf(n); err != nil {
			return File{}, err
		}
	}
	if n := fields[rulesWord]; n != nil {
		f.Rules, err = rulesOf(n, check)
	}
	return f, err
}

// ownPlan is the endpoint's plan, in one of its two places; answering 200 if it is in neither.
func ownPlan(root ast.Node, fields map[string]ast.Node) (Plan, error) {
	n := fields[planWord]
	direct := fields[stepsWord] != nil || fields[thenWord] != nil || fields[ttlWord] != nil
	switch {
	case n != nil && direct:
		return Plan{}, placed(n, "plan: give it here or as steps, then and ttl, not both")
	case n != nil:
		return planAt(n)
	case direct:
		return planOfFields(root, fields)
	case fields[eventsWord] == nil && fields[rulesWord] == nil:
		return Plan{}, placed(root, "want a plan, events or rules")
	}
	return OK(), nil
}

// planAt reads a plan in either form.
func planAt(n ast.Node) (Plan, error) {
	word, _, ok := scalar(n)
	if !ok {
		return planOf(n)
	}
	p, err := Parse(word)
	if err != nil {
		return Plan{}, placed(n, "%v", err)
	}
	return p, nil
}

func eventsOf(n ast.Node) (map[string]Plan, error) {
	pairs, err := pairsOf(n)
	if err != nil {
		return nil, placed(n, "events: want plans by event, such as evt_1: 502, 200")
	}
	if len(pairs) > maxEntries {
		return nil, placed(n, "events: %d are more than the %d allowed", len(pairs), maxEntries)
	}
	events := map[string]Plan{}
	for _, p := range pairs {
		key, _, ok := scalar(p.Key)
		if !ok || key == "" {
			return nil, placed(p.Key, "events: want an event's id or marker")
		}
		if _, twice := events[key]; twice {
			return nil, placed(p.Key, "%s: is there twice", key)
		}
		if events[key], err = planAt(p.Value); err != nil {
			return nil, err
		}
	}
	return events, nil
}

func rulesOf(n ast.Node, check func(string) error) (rules []Rule, err error) {
	list, ok := n.(*ast.SequenceNode)
	if !ok || len(list.Values) == 0 || len(list.Values) > maxEntries {
		return nil, placed(n, "rules: want a list of rules, %d at most, such as [{match: .attempt > 3, plan: 410}]", maxEntries)
	}
	for _, item := range list.Values {
		fields, err := fieldsOf(item, matchWord, planWord)
		if err != nil {
			return nil, err
		}
		match, plan := fields[matchWord], fields[planWord]
		if match == nil || plan == nil {
			return nil, placed(item, "want match and plan")
		}
		var r Rule
		if r.Match, _, ok = scalar(match); !ok {
			return nil, placed(match, "match: want a jq expression")
		}
		if check != nil {
			if err := check(r.Match); err != nil {
				return nil, placed(match, "%v", err)
			}
		}
		if r.Plan, err = planAt(plan); err != nil {
			return nil, err
		}
		rules = append(rules, r)
	}
	return rules, nil
}
