package mockreceiver

import (
	"context"
	"encoding/json"
	"io"
	"net/http"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// har writes an HTTP Archive 1.2. What the format has no field for has a name that begins with an underscore, as it allows.
type har struct {
	r   *Receiver
	w   io.Writer
	sep string
}

func (r *Receiver) harExport(w http.ResponseWriter) exporter { return &har{r: r, w: w} }

type harEntry struct {
	evidence.HAREntry
	Seq      int64  `json:"_seq"`
	Endpoint string `json:"_endpoint"`
	Key      string `json:"_key"`
	Attempt  int    `json:"_attempt"`
	Class    string `json:"_class"`
	Signed   string `json:"_signature"`
	Fault    string `json:"_fault"`
	End      string `json:"_end"`
}

func (x *har) begin() error {
	version, err := json.Marshal(x.r.cfg.Version)
	if err != nil {
		return err
	}
	_, err = io.WriteString(x.w, `{"log":{"version":"1.2","creator":{"name":"hookassay","version":`+string(version)+`},"entries":[`)
	return err
}

func (x *har) attempt(_ context.Context, a *journal.Attempt, s summary) error {
	text, err := json.Marshal(harOf(a, s, x.r.placeOf(a, "").base))
	if err != nil {
		return err
	}
	_, err = x.w.Write(append([]byte(x.sep+"\n"), text...))
	x.sep = ","
	return err
}

func (x *har) end(context.Context) error {
	_, err := io.WriteString(x.w, "\n]}}\n")
	return err
}

func harOf(a *journal.Attempt, s summary, base string) harEntry {
	return harEntry{
		HAREntry: evidence.NewHAREntry(&a.Arrival, a.Outcome, base), Seq: a.Seq, Endpoint: a.Endpoint, Key: a.Key, Attempt: a.Attempt,
		Class: string(s.Class), Signed: string(s.Signature.State), Fault: s.Fault, End: s.End,
	}
}
