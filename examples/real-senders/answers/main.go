// Command answers reads the evidence of a run and says what each answer of the receiver led to: whether the same event came again, how
// soon, and whether by the same request.
//
//	answers hookassay-report/evidence.ndjson
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"log"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"
)

// record is what is needed of a line of evidence.
type record struct {
	Kind     string
	Origin   string // harness: a copy that the harness sent itself
	Seq      int    // of an arrival
	Of       int    // the arrival that an outcome is of
	Endpoint string
	Key      string
	BodySum  string `json:"body_sha256"`
	Head     string
	First    int64 `json:"first_byte_ns"`
	Fault    string
	Status   int
	End      string
	Header   [][2]string
	ReplyEnd int64 `json:"reply_end_ns"`
}

// request is an arrival with what was answered.
type request struct {
	record
	answer record
}

// row counts what followed one kind of answer.
type row struct {
	seen, again     int
	other           int // repeated with another body or method
	soonest, latest time.Duration
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: answers EVIDENCE")
	}
	deliveries, err := read(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	rows := map[string]*row{}
	for _, d := range deliveries {
		slices.SortStableFunc(d, func(a, b request) int { return cmp.Compare(a.First, b.First) })
		for i, r := range d {
			name := named(r.answer)
			if rows[name] == nil {
				rows[name] = &row{}
			}
			rows[name].count(d, i)
		}
	}
	fmt.Println("| answer | seen | came again | after | by another body or method |\n|---|---|---|---|---|")
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		r := rows[name]
		after := "–"
		if r.again > 0 {
			after = r.soonest.Round(10*time.Millisecond).String() + " to " + r.latest.Round(10*time.Millisecond).String()
		}
		fmt.Printf("| %s | %d | %d | %s | %d |\n", name, r.seen, r.again, after, r.other)
	}
}

// count takes note of what followed the i-th request of a delivery.
func (r *row) count(d []request, i int) {
	r.seen++
	if i+1 == len(d) {
		return
	}
	wait := time.Duration(d[i+1].First - max(d[i].answer.ReplyEnd, d[i].First))
	if r.again == 0 || wait < r.soonest {
		r.soonest = wait
	}
	r.latest = max(r.latest, wait)
	r.again++
	if d[i+1].BodySum != d[i].BodySum || method(d[i+1]) != method(d[i]) {
		r.other++
	}
}

func method(r request) string { m, _, _ := strings.Cut(r.Head, " "); return m }

// named is an answer in a few words.
func named(o record) string {
	text := o.Fault
	if o.Status != 0 {
		text = strings.TrimSpace(fmt.Sprintf("%d %s", o.Status, http.StatusText(o.Status)))
	}
	for _, h := range o.Header {
		if h[0] == "Location" || h[0] == "Retry-After" {
			text += " with " + h[0]
		}
	}
	if o.End != "complete" {
		text += ", " + o.End
	}
	return cmp.Or(text, "unknown")
}

// read returns the requests of each delivery, told apart by endpoint and by what the event is known by. A redirect that is followed
// without the body, by a sender without an id in its headers, stands alone.
func read(path string) (map[string][]request, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	arrivals, outcomes := map[int]record{}, map[int]record{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20) // a record holds a body of a few MiB
	for lines.Scan() {
		var kind struct{ Kind string }
		if err := json.Unmarshal(lines.Bytes(), &kind); err != nil {
			return nil, err
		}
		if kind.Kind != "arrival" && kind.Kind != "outcome" {
			continue
		}
		var r record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, err
		}
		switch {
		case r.Kind == "arrival" && r.Origin == "":
			arrivals[r.Seq] = r
		case r.Kind == "outcome":
			outcomes[r.Of] = r
		}
	}
	deliveries := map[string][]request{}
	for seq, a := range arrivals {
		at := a.Endpoint + " " + a.Key
		deliveries[at] = append(deliveries[at], request{a, outcomes[seq]})
	}
	return deliveries, lines.Err()
}
