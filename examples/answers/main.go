// Command answers shows what each answer of a receiver leads to: one event for each, of every sender whose adapter is named, side by
// side. It judges nothing, and needs no contract. Its table is what docs/senders shows.
//
//	go run ./examples/answers ADAPTER…
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/harness/sender/httpapi"
	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/fault"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// answer is what the first attempt of an event gets; all that follow get 200.
type answer struct{ name, plan string }

// answers are the rows. TARGET stands for a place of its own on the same receiver.
func answers() []answer {
	return []answer{
		{"200", "200"},
		{"204", "204"},
		{"200, body cut short", "cut(status=200)"},
		{"304", "304"},
		{"302 without Location", "302"},
		{"301 with Location", `redirect(to="TARGET", status=301)`},
		{"307 with Location", `redirect(to="TARGET", status=307)`},
		{"308 with Location", `redirect(to="TARGET", status=308)`},
		{"400", "400"},
		{"401", "401"},
		{"404", "404"},
		{"408", "408"},
		{"410", "410"},
		{"425", "425"},
		{"429", "429"},
		{"429, Retry-After: 4", "429(retry-after=4)"},
		{"503, Retry-After: 4", "503(retry-after=4)"},
		{"500", "500"},
		{"501", "501"},
		{"502", "502"},
		{"connection reset", "reset"},
		{"connection closed", "close"},
		{"not HTTP", "malformed(status-line)"},
		{"handled, then reset", "lost-ack"},
		{"never answers", "timeout"},
	}
}

func main() {
	// Long enough for Alertmanager to come again at its next flush, after 10 s, three times over.
	watch := flag.Duration("watch", 35*time.Second, "how long to wait for what follows")
	flag.Parse()
	if flag.NArg() == 0 {
		log.Fatal("usage: answers [-watch 35s] ADAPTER…")
	}
	if err := run(context.Background(), os.Stdout, flag.Args(), *watch); err != nil {
		log.Fatal(err)
	}
}

// run tries the senders side by side and writes the table.
func run(ctx context.Context, out io.Writer, adapters []string, watch time.Duration) error {
	columns, errs := make([]column, len(adapters)), make([]error, len(adapters))
	var wg sync.WaitGroup
	for i, path := range adapters {
		wg.Go(func() {
			if columns[i], errs[i] = try(ctx, path, watch); errs[i] != nil {
				errs[i] = fmt.Errorf("%s: %w", path, errs[i])
			}
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	head, line := "| answer |", "|---|"
	for _, c := range columns {
		head, line = head+" "+c.name+" |", line+"---|"
	}
	fmt.Fprintln(out, head+"\n"+line)
	for i, a := range answers() {
		cells := []string{a.name}
		for _, c := range columns {
			cells = append(cells, c.cells[i])
		}
		fmt.Fprintln(out, "| "+strings.Join(cells, " | ")+" |")
	}
	return nil
}

// column is what one sender does.
type column struct {
	name  string
	cells []string
}

func try(ctx context.Context, path string, watch time.Duration) (column, error) {
	a, err := httpapi.Load(path)
	if err != nil {
		return column{}, err
	}
	r, err := mockreceiver.New(mockreceiver.Config{Quick: true})
	if err != nil {
		return column{}, err
	}
	cells, err := play(ctx, a, r, watch)
	return column{strings.TrimSpace(a.Name + " " + a.Version), cells}, errors.Join(err, r.Close())
}

// play gives each answer an endpoint and an event, waits, and looks at what came.
func play(ctx context.Context, a *httpapi.Adapter, r *mockreceiver.Receiver, watch time.Duration) (cells []string, err error) {
	nl, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	if err := r.Serve(nl, nil); err != nil {
		return nil, err
	}
	l, err := httpapi.New(a, httpapi.Options{Env: os.Getenv})
	if err != nil {
		return nil, err
	}
	s, err := l.Launch(ctx, "answers", nil)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := setOff(ctx, s, r); err != nil {
		return nil, err
	}
	select {
	case <-time.After(watch):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	for i := range answers() {
		cell, err := followed(ctx, r, i, watch)
		if err != nil {
			return nil, err
		}
		cells = append(cells, cell)
	}
	return cells, nil
}

// setOff registers all endpoints side by side, since some senders learn of them together, and then emits an event for each.
func setOff(ctx context.Context, s sender.Sender, r *mockreceiver.Receiver) error {
	all := answers()
	ids, errs := make([]string, len(all)), make([]error, len(all))
	var wg sync.WaitGroup
	for i, a := range all {
		wg.Go(func() { ids[i], errs[i] = register(ctx, s, r, i, a) })
	}
	wg.Wait()
	for i := range all {
		marker := fmt.Sprintf("%s%020d", evidence.MarkerPrefix, i)
		wg.Go(func() {
			_, err := s.Emit(ctx, sender.Event{Type: "order.created", Endpoint: ids[i], Data: fmt.Appendf(nil, `{"hookassay_marker":%q}`, marker)})
			errs[i] = errors.Join(errs[i], err)
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

func register(ctx context.Context, s sender.Sender, r *mockreceiver.Receiver, i int, a answer) (string, error) {
	target := fmt.Sprintf("target%d", i)
	if _, err := r.AddEndpoint(mockreceiver.Endpoint{Name: target}); err != nil {
		return "", err
	}
	plan, err := fault.Parse(strings.ReplaceAll(a.plan, "TARGET", "/hooks/"+target) + ", 200")
	if err != nil {
		return "", err
	}
	name := fmt.Sprintf("answer%d", i)
	url, err := r.AddEndpoint(mockreceiver.Endpoint{Name: name, Plan: plan})
	if err != nil {
		return "", err
	}
	got, err := s.RegisterEndpoint(ctx, sender.Endpoint{Name: name, URL: url, Secret: "whsec_" + strings.Repeat("c2VjcmV0", 4)})
	return got.ID, err
}

// followed says in a few words what came after the i-th answer.
func followed(ctx context.Context, r *mockreceiver.Receiver, i int, watch time.Duration) (string, error) {
	came, err := r.Attempts(ctx, journal.Query{Endpoint: fmt.Sprintf("answer%d", i), Limit: 10})
	if err != nil || len(came) == 0 {
		return "nothing came", err
	}
	at, err := r.Attempts(ctx, journal.Query{Endpoint: fmt.Sprintf("target%d", i), Limit: 1})
	if err != nil {
		return "", err
	}
	first, rest := came[0], came[1:]
	held := ""
	switch {
	case first.Outcome == nil || first.Outcome.Closed == 0 && first.Outcome.End != evidence.EndComplete:
		return fmt.Sprintf("held for over %v", watch), nil
	case first.Outcome.Fault == "timeout":
		held = fmt.Sprintf("held for %v, ", round(first.Outcome.Closed-first.FirstByte))
	}
	switch {
	case len(at) > 0:
		return held + again("followed", first, at[0]), nil
	case len(rest) > 0:
		return held + again("again", first, rest[0]), nil
	}
	return held + "left alone", nil
}

// again describes the request that came next.
func again(what string, first, next journal.Attempt) string {
	wait := next.FirstByte - max(first.Outcome.ReplyEnd, first.Outcome.Closed, first.FirstByte)
	method, _, _ := strings.Cut(string(next.Head), " ")
	text := fmt.Sprintf("%s after %v", what, round(wait))
	switch {
	case method != "POST":
		text += " by " + method
	case next.BodySHA256 != first.BodySHA256:
		text += ", another body"
	}
	if next.BodySize == 0 {
		text += " without body"
	}
	return text
}

// round leaves what a run tells of another: waits of a sender, not those of a busy machine.
func round(d time.Duration) time.Duration { return max(0, d).Round(100 * time.Millisecond) }
