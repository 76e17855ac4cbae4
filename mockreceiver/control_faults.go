package mockreceiver

import (
	"net/http"

	"github.com/hookassay/hookassay/mockreceiver/fault"
)

type kindJSON struct {
	Name   string      `json:"name"`
	Form   string      `json:"form"`
	Level  string      `json:"level"` // request or connection
	Random bool        `json:"random"`
	Params []paramJSON `json:"params"`
	Reason string      `json:"reason"`
}

type paramJSON struct {
	Name    string `json:"name"`
	Value   string `json:"value"`
	Meaning string `json:"meaning"`
}

// listFaults answers with all kinds of fault, as hookassay list faults prints them.
func (c control) listFaults(req *http.Request) (int, any, error) {
	if err := queryOf(req).done(); err != nil {
		return 0, nil, err
	}
	list := []kindJSON{}
	for _, k := range append(fault.Kinds(), fault.ConnKinds()...) {
		kind := kindJSON{Name: k.Name, Form: k.Form, Level: string(k.Level()), Random: k.Random, Reason: k.Reason, Params: []paramJSON{}}
		for _, p := range k.Params {
			kind.Params = append(kind.Params, paramJSON(p))
		}
		list = append(list, kind)
	}
	return http.StatusOK, map[string]any{"kinds": list}, nil
}
