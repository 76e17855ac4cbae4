package judge

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

const (
	// needleHead is how many bytes of a text are looked up before it is compared; no form of a secret is shorter.
	needleHead = 4
	// leastSignature: 32 bytes take 43 letters in base64 and 64 in hex; what is shorter is no full signature.
	leastSignature = 43
)

// headBits is the size of the table by which places are passed over that no needle begins at: a megabit for some thousand needles.
const headBits = 20

// needles are texts that must not be found, by their first bytes.
type needles struct {
	by    map[[needleHead]byte][]needle
	heads []uint64 // a bit for the hash of each first bytes: nearly all places of a text are done with by it
}

type needle struct{ text, what string }

func newNeedles() *needles {
	return &needles{by: map[[needleHead]byte][]needle{}, heads: make([]uint64, 1<<headBits/64)}
}

func (n *needles) add(text, what string) {
	if len(text) < needleHead {
		return
	}
	head := [needleHead]byte([]byte(text[:needleHead]))
	n.by[head] = append(n.by[head], needle{text, what})
	bit := headHash(binary.BigEndian.Uint32(head[:]))
	n.heads[bit/64] |= 1 << (bit % 64)
}

// addKeys adds an endpoint's keys in all their forms.
func (n *needles) addKeys(ep *evidence.Endpoint) {
	for _, s := range ep.Secrets {
		for _, f := range evidence.Forms(s.Value) {
			n.add(f, "a key of endpoint "+ep.Name)
		}
	}
}

// headHash is by the golden ratio, whose high bits depend on all of the first bytes.
func headHash(head uint32) uint32 { return head * 0x9e3779b1 >> (32 - headBits) }

// in says what of the needles stands in a text; "" if nothing does.
func (n *needles) in(text string) string {
	var head uint32 // the last four bytes
	for i := range len(text) {
		head = head<<8 | uint32(text[i])
		bit := headHash(head)
		if i+1 < needleHead || n.heads[bit/64]&(1<<(bit%64)) == 0 {
			continue
		}
		from := text[i+1-needleHead:]
		for _, c := range n.by[[needleHead]byte([]byte(from[:needleHead]))] {
			if strings.HasPrefix(from, c.text) {
				return c.what
			}
		}
	}
	return ""
}

// secrets returns all forms of all keys in the evidence, and with signatures those of all requests of the scenario's instance. They are
// the same for all scenarios of an instance, and are gathered once.
func (v *view) secrets(signatures bool) *needles {
	of := searched{signatures: signatures}
	if signatures {
		of.instance = v.sc.Instance
	}
	if v.t.needles[of] == nil {
		if v.t.needles == nil {
			v.t.needles = map[searched]*needles{}
		}
		v.t.needles[of] = v.gather(signatures)
	}
	return v.t.needles[of]
}

// searched says what needles are looked for in: what a process says, where signatures are among them.
type searched struct {
	signatures bool
	instance   string
}

func (v *view) gather(signatures bool) *needles {
	out := newNeedles()
	seen := map[string]bool{}
	for i := range v.t.run.Former {
		out.addKeys(&v.t.run.Former[i])
	}
	for _, o := range v.t.views {
		for _, ep := range o.endpoints {
			out.addKeys(ep)
		}
		if !signatures || v.t.scheme == nil || o.sc.Instance != v.sc.Instance {
			continue
		}
		for _, r := range o.requests {
			for _, text := range v.t.scheme.Signatures(r.header) {
				if len(text) >= leastSignature && !seen[text] {
					seen[text] = true
					out.add(text, fmt.Sprintf("the signature of request %d", r.a.Seq))
				}
			}
		}
	}
	return out
}

// streamReadEndpoint is the answer whose keys secret.shown-once judges.
const streamReadEndpoint = evidence.StreamAPI + "read_endpoint"

// hears tells whether a line of output may be that of the scenario's sender process.
func (v *view) hears(o *evidence.Output) bool {
	return o.Instance == v.sc.Instance || o.Instance == "" || v.sc.Instance == ""
}

// "Keys and full signatures appear in no log or error": neither in output, answers and records, nor in parts of requests that
// are not meant for them. The payload of a dead letter is the event's, and what reads an endpoint back is secret.shown-once's.
func secretNoLeak(v *view) Verdict {
	t := &tally{v: v}
	secret := v.secrets(true)
	var looked []int
	look := func(n int, where, text string) {
		looked = append(looked, n)
		if what := secret.in(text); what != "" {
			t.breaks([]int{n}, "%s holds %s", where, what)
		}
	}
	for i := range v.t.run.Output {
		o := &v.t.run.Output[i]
		if !v.hears(o) || o.Stream == streamReadEndpoint {
			continue
		}
		where := "a line of " + o.Stream + " at " + dur(o.At)
		if len(o.Leaks) > 0 {
			t.breaks([]int{o.N}, "%s held a key that the sender issued, as recorded: %s", where, clip(strings.Join(o.Leaks, ", ")))
			continue
		}
		look(o.N, where, o.Line)
	}
	for _, l := range v.logs {
		look(l.N, "the delivery log, read at "+dur(l.Read)+",", logText(l))
	}
	for _, d := range v.dead {
		look(d.N, "a dead letter, read at "+dur(d.Read)+",", deadText(d))
	}
	requests := 0
	for _, r := range v.requests {
		if r.a.Origin == evidence.OriginHarness {
			continue
		}
		requests++
		look(r.a.N, "a part of request "+num(int(r.a.Seq))+" other than its signature", v.openParts(r))
	}
	if requests > 0 && len(t.fails) == 0 {
		t.hold(looked...)
	}
	return t.sum("no key and no full signature in "+num(len(looked)-requests)+" lines, answers and records and "+num(requests)+" requests", "no request arrived")
}

// openParts is a request, its trailer included, without the fields that carry signatures.
func (v *view) openParts(r *request) string {
	var b strings.Builder
	b.WriteString(r.head.Target)
	for _, f := range slices.Concat(r.head.Fields, r.a.TrailerFields()) {
		if v.t.scheme != nil && v.t.scheme.CarriesIn(f[0]) {
			continue
		}
		b.WriteString("\n" + f[0] + ": " + f[1])
	}
	b.WriteString("\n")
	b.Write(r.a.Body)
	if len(r.head.Get("Content-Encoding")) > 0 && r.readable {
		b.WriteString("\n")
		b.Write(r.payload)
	}
	return b.String()
}

func logText(l *evidence.LogEntry) string {
	parts := []string{l.Event, l.State, l.LastFailure, l.Err}
	for _, a := range l.Attempts {
		parts = append(parts, a.Outcome, a.Error, a.Digest, a.Trigger)
	}
	return strings.Join(parts, "\n")
}

func deadText(d *evidence.DeadLetter) string {
	parts := []string{d.Event, d.Reason, d.Hint, d.LastError}
	for _, r := range d.Replays {
		parts = append(parts, r.Outcome, r.Error, r.Reason)
	}
	return strings.Join(parts, "\n")
}

// "A key is shown once": what reads an endpoint back holds none.
func secretShownOnce(v *view) Verdict {
	t := &tally{v: v}
	secret := v.secrets(false)
	var last time.Duration
	read := 0
	for _, a := range v.acts {
		if a.Act == evidence.ActReadEndpoint && a.OK() {
			read, last = a.N, max(last, a.Returned)
		}
	}
	if read == 0 {
		return t.sum("", "no endpoint was read back")
	}
	answers := 0
	for i := range v.t.run.Output {
		o := &v.t.run.Output[i]
		if o.Stream != streamReadEndpoint || !v.hears(o) {
			continue
		}
		answers++
		switch what := secret.in(o.Line); {
		case len(o.Leaks) > 0:
			t.breaks([]int{read, o.N}, "the answer at %s to a question for an endpoint held its key, as recorded", dur(o.At))
		case what != "":
			t.breaks([]int{read, o.N}, "the answer at %s to a question for an endpoint holds %s", dur(o.At), what)
		default:
			t.hold(read, o.N)
		}
	}
	if len(v.requests) == 0 {
		// A sender that sends nothing must pass nothing, however well it keeps its secrets.
		t.holds = nil
	}
	if answers == 0 {
		t.doubt([]int{read}, "an endpoint was read back, until %s, and the answer is not in the evidence", dur(last))
	}
	return t.sum("an endpoint that is read back shows no key (answers: %d)", "no request arrived")
}
