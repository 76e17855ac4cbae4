package mockreceiver_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// benchRows is the size at which a list must still be quick.
const benchRows = 200_000

// benchGroup is how many rows one transaction of the benchmark's journal has.
const benchGroup = 500

// fillJournal writes benchRows requests of events with two attempts each, in groups.
func fillJournal(b *testing.B, path string) {
	b.Helper()
	ctx := context.Background()
	j, err := journal.Open(ctx, path, journal.Normal)
	if err != nil {
		b.Fatal(err)
	}
	conn, err := j.Conn(ctx)
	if err != nil {
		b.Fatal(err)
	}
	w, err := j.Writer(ctx, conn)
	if err != nil {
		b.Fatal(err)
	}
	started := time.Now().Add(-time.Hour).UTC()
	for seq := int64(1); seq <= benchRows; {
		var rows []journal.Row
		for range benchGroup {
			rows = append(rows, benchRecords(b, seq, started)...)
			seq++
		}
		if err := w.Begin(ctx); err != nil {
			b.Fatal(err)
		}
		if err := w.Write(ctx, rows); err != nil {
			b.Fatal(err)
		}
		if err := w.Commit(ctx); err != nil {
			b.Fatal(err)
		}
	}
	for _, err := range []error{w.Close(), conn.Close(), j.Close()} {
		if err != nil {
			b.Fatal(err)
		}
	}
}

func benchRecords(b *testing.B, seq int64, started time.Time) (rows []journal.Row) {
	at := time.Duration(seq) * time.Millisecond
	event := (seq + 1) / 2
	body := fmt.Sprintf(`{"id":"evt_%d","type":"order.paid","created":%d,"data":{"id":"o_%d","pad":"%01000d"}}`, event, event, event, 0)
	status, attempt := 502, int(2-seq%2)
	if attempt == 2 {
		status = 200
	}
	for _, r := range []evidence.Record{
		&evidence.Arrival{
			Seq: seq, Endpoint: "e", Key: fmt.Sprintf("evt_%d", event), KeyFrom: "body:/id", Attempt: attempt, Chosen: "502",
			Conn: evidence.Conn{ID: seq, Request: 1, Proto: "HTTP/1.1", Local: "127.0.0.1:1", Remote: "127.0.0.1:2"},
			Head: evidence.Raw("POST /hooks/e HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 1100\r\n\r\n"),
			Body: evidence.Raw(body), BodySize: int64(len(body)), BodySHA256: fmt.Sprintf("%064d", event),
			Wall: started.Add(at), FirstByte: at, BodyEnd: at,
		},
		&evidence.Outcome{Of: seq, Fault: "status", Status: status, End: evidence.EndComplete, ReplyStart: at + 1, ReplyEnd: at + 2},
	} {
		text, err := journal.Encode(r)
		if err != nil {
			b.Fatal(err)
		}
		rows = append(rows, journal.Row{Record: r, Text: text})
	}
	return rows
}

// BenchmarkHistory reads pages of a journal of 200 000 requests over the control API. The newest 50 are to take 5 ms at most.
func BenchmarkHistory(b *testing.B) {
	path := filepath.Join(b.TempDir(), "j.db")
	fillJournal(b, path)
	r := start(b, mockreceiver.Config{Journal: path})
	_, err := r.AddEndpoint(mockreceiver.Endpoint{Name: "e", Verify: &mockreceiver.Verify{Scheme: "timestamp-v1", Secrets: []string{"some secret of ours"}}})
	if err != nil {
		b.Fatal(err)
	}
	tr := &http.Transport{}
	defer tr.CloseIdleConnections()
	for name, path := range map[string]string{
		"newest":         "/v1/attempts",
		"newest-of-one":  "/v1/attempts?endpoint=e",
		"of-an-event":    "/v1/attempts?endpoint=e&event=evt_50000",
		"deep":           "/v1/attempts?before=1000",
		"by-status":      "/v1/attempts?status=502",
		"in-vain":        "/v1/attempts?status=410",
		"by-class":       "/v1/attempts?class=reordered",
		"events":         "/v1/events",
		"event":          "/v1/events/e/evt_99999",
		"count":          "/v1/wait?endpoint=e&count=100000&timeout=0s",
		"count-an-event": "/v1/wait?endpoint=e&event=evt_7&count=2&timeout=0s",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				req, err := http.NewRequestWithContext(context.Background(), http.MethodGet, r.ControlURL()+path, nil)
				if err != nil {
					b.Fatal(err)
				}
				req.Header.Set("Authorization", "Bearer "+r.Token())
				resp, err := (&http.Client{Transport: tr}).Do(req)
				if err != nil {
					b.Fatal(err)
				}
				_, err = io.Copy(io.Discard, resp.Body)
				if resp.Body.Close(); err != nil || resp.StatusCode != 200 {
					b.Fatalf("%d %v", resp.StatusCode, err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/1000, "ms/op")
		})
	}
}
