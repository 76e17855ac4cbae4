package command

import (
	_ "embed" // for the schema
	"encoding/json"
	"time"
)

// Protocol names the form of the lines. The number changes when an old shim would be misunderstood.
const Protocol = "hookassay.shim/1"

// schema is never changed.
//
//go:embed schema.json
var schema []byte

// Schema returns the JSON Schema of the protocol's lines.
func Schema() []byte { return append([]byte(nil), schema...) }

// callLine is a line to the shim. The order of its members, and of those of the params below, is part of the protocol.
type callLine struct {
	ID     int64  `json:"id"`
	Call   string `json:"call"`
	Params any    `json:"params"`
}

// answerLine is a line of the shim.
type answerLine struct {
	ID      int64           `json:"id"`
	Result  json.RawMessage `json:"result"`
	Error   *string         `json:"error"`
	Refused *string         `json:"refused"`
}

type (
	helloParams struct {
		Protocol string            `json:"protocol"`
		Dir      string            `json:"dir,omitempty"`
		Vars     map[string]string `json:"vars"`
		Contract map[string]string `json:"contract"`
		Files    map[string]string `json:"files"`
	}
	helloResult struct {
		Name      string   `json:"name"`
		Version   string   `json:"version"`
		Abilities []string `json:"abilities"`
	}
	registerParams struct {
		Name        string            `json:"name"`
		URL         string            `json:"url"`
		Secret      string            `json:"secret,omitempty"`
		Types       []string          `json:"types,omitempty"`
		Tenant      string            `json:"tenant,omitempty"`
		Environment string            `json:"environment,omitempty"`
		Headers     map[string]string `json:"headers,omitempty"`
	}
	grantResult struct {
		ID     string `json:"id"`
		Secret string `json:"secret"`
	}
	emitParams struct {
		Endpoint    string          `json:"endpoint,omitempty"`
		Type        string          `json:"type"`
		Tenant      string          `json:"tenant,omitempty"`
		Environment string          `json:"environment,omitempty"`
		Object      string          `json:"object,omitempty"`
		Marker      string          `json:"marker,omitempty"`
		Data        json.RawMessage `json:"data"`
	}
	deliveryParams struct {
		Event    string `json:"event"`
		Endpoint string `json:"endpoint"`
		Reason   string `json:"reason,omitempty"`
	}
	endpointParams struct {
		Endpoint string `json:"endpoint"`
		Secret   string `json:"secret,omitempty"`
	}
	objectParams struct {
		Object string          `json:"object"`
		Data   json.RawMessage `json:"data"`
	}
	rangeParams struct {
		Endpoint string    `json:"endpoint"`
		From     time.Time `json:"from"`
		To       time.Time `json:"to"`
		Reason   string    `json:"reason,omitempty"`
	}
)
