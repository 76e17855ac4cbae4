package mockreceiver_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/alarm"
	"github.com/hookassay/hookassay/mockreceiver/business"
)

func TestHealthTellsStrangersOneWord(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	if status, text := r.fetch("/healthz", ""); status != 200 || text != "{\"status\":\"ok\"}\n" {
		t.Errorf("without a token: got %d %q", status, text)
	}
	if status, text := r.fetch("/healthz", "wrong"); status != 401 {
		t.Errorf("with a wrong token: got %d %q", status, text)
	}
	for _, path := range []string{"/metrics", "/v1/alarms", "/healthz/", "/healthz/x"} {
		if status, text := r.fetch(path, ""); status != 401 {
			t.Errorf("%s without a token: got %d %q", path, status, text)
		}
	}
	if status, answer := r.api("GET", "/healthz", "", "Authorization", "", "Origin", "http://evil.example"); status != 403 {
		t.Errorf("from a foreign page: got %d %v", status, answer)
	}
	if status, answer := r.api("POST", "/healthz", ""); status != 405 {
		t.Errorf("POST: got %d %v", status, answer)
	}
}

func TestHealthTellsTheOperatorAlarms(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	for _, path := range []string{"/healthz", "/v1/alarms"} {
		status, text := r.fetch(path, r.Token())
		var answer struct {
			Worst  alarm.State   `json:"worst"`
			Alarms []alarm.Alarm `json:"alarms"`
		}
		if err := json.Unmarshal([]byte(text), &answer); err != nil {
			t.Fatal(err)
		}
		if status != 200 || answer.Worst != alarm.OK || len(answer.Alarms) != 5 {
			t.Errorf("%s: got %d %s", path, status, text)
		}
		for _, a := range answer.Alarms {
			if a.Name == "" || a.Because == "" || a.Fires == "" {
				t.Errorf("%s: an alarm does not say everything: %+v", path, a)
			}
		}
	}
}

// state is what one alarm says.
func (r *rig) state(name string) alarm.Alarm {
	r.t.Helper()
	for _, a := range r.Alarms() {
		if a.Name == name {
			return a
		}
	}
	r.t.Fatalf("no alarm %s", name)
	return alarm.Alarm{}
}

func TestBacklogHoldsEventsUntilTheySucceed(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	url, c := r.endpoint("e", "502, 200"), client(t)
	for i := range 101 {
		post(t, c, url, fmt.Sprintf(`{"id":"evt_%d"}`, i))
	}
	r.outcomes(101)
	if a := r.state(alarm.RetryBacklog); a.State != alarm.Firing || a.Value != 101 {
		t.Errorf("101 events failed: %+v", a)
	}
	post(t, c, url, `{"id":"evt_0"}`)
	r.outcomes(102)
	if a := r.state(alarm.RetryBacklog); a.State != alarm.OK || a.Value != 100 {
		t.Errorf("one of them succeeded: %+v", a)
	}
	if a := r.state(alarm.DeadLetters); a.State != alarm.OK {
		t.Errorf("nobody knows the sender's window: %+v", a)
	}
	if err := r.ResetEndpoint(t.Context(), "e"); err != nil {
		t.Fatal(err)
	}
	if a := r.state(alarm.RetryBacklog); a.Value != 0 {
		t.Errorf("the endpoint was reset: %+v", a)
	}
}

func TestEventsBeyondTheWindowAreDeadLetters(t *testing.T) {
	r := start(t, mockreceiver.Config{RetryFor: time.Nanosecond})
	url, c := r.endpoint("e", "502, 200"), client(t)
	post(t, c, url, `{"id":"evt_1"}`)
	r.outcomes(1)
	if a := r.state(alarm.DeadLetters); a.State != alarm.Firing || a.Value != 1 {
		t.Errorf("got %+v", a)
	}
	if a := r.state(alarm.RetryBacklog); a.Value != 0 {
		t.Errorf("a dead letter is no backlog: %+v", a)
	}
	post(t, c, url, `{"id":"evt_1"}`) // a replay
	r.outcomes(2)
	if a := r.state(alarm.DeadLetters); a.State != alarm.OK {
		t.Errorf("it was delivered after all: %+v", a)
	}
}

// TestTheBacklogIsRecalled: what failed before a restart is still not delivered after it.
func TestTheBacklogIsRecalled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.db")
	first := start(t, mockreceiver.Config{Journal: path})
	url, c := first.endpoint("e", "502, 200"), client(t)
	for _, id := range []string{"1", "2", "1", "3"} { // 1 is delivered
		post(t, c, url, `{"id":"`+id+`"}`)
	}
	first.outcomes(4)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	for window, want := range map[time.Duration][2]float64{0: {2, 0}, time.Nanosecond: {0, 2}, time.Hour: {2, 0}} {
		r := start(t, mockreceiver.Config{Journal: path, RetryFor: window})
		r.endpoint("e", "502, 200")
		if b, d := r.state(alarm.RetryBacklog), r.state(alarm.DeadLetters); b.Value != want[0] || d.Value != want[1] {
			t.Errorf("window %s: backlog %+v, dead letters %+v; want %v", window, b, d, want)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	r := start(t, mockreceiver.Config{Journal: path})
	post(t, c, r.endpoint("e", "502, 200"), `{"id":"2"}`)
	r.outcomes(1)
	if b := r.state(alarm.RetryBacklog); b.Value != 1 {
		t.Errorf("after one was delivered: %+v", b)
	}
}

func TestSilenceIsCountedFromTheStart(t *testing.T) {
	r := start(t, mockreceiver.Config{Started: time.Now().Add(-31 * time.Minute)})
	if a := r.state(alarm.NoSuccess); a.State != alarm.Firing {
		t.Errorf("nothing came for half an hour: %+v", a)
	}
	post(t, client(t), r.endpoint("e", "200"), `{}`)
	r.outcomes(1)
	if a := r.state(alarm.NoSuccess); a.State != alarm.OK {
		t.Errorf("a success just now: %+v", a)
	}
}

func TestHealthFailsWhileTheJournalCannotBeWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.db")
	r := start(t, mockreceiver.Config{Journal: path})
	url, c := r.endpoint("e", "200"), client(t)
	db := open(t, path)
	exec := func(text string) {
		t.Helper()
		if _, err := db.ExecContext(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	// A full disk takes neither; requests and what is written on trial find out alike.
	exec("ALTER TABLE arrival RENAME TO hidden_arrival")
	exec("ALTER TABLE trouble RENAME TO hidden_trouble")
	if status, _ := post(t, c, url, `{"id":"1"}`); status != 500 {
		t.Fatalf("got %d, want 500", status)
	}
	r.until("the loss", func([]evidence.Record) bool { return r.Lost() > 0 })
	for range 3 { // asking does not make it well
		if status, text := r.fetch("/healthz", ""); status != 503 || text != "{\"status\":\"failing\"}\n" {
			t.Errorf("without a token: got %d %q", status, text)
		}
	}
	if status, text := r.fetch("/healthz", r.Token()); status != 503 || !strings.Contains(text, "the journal cannot be written: ") {
		t.Errorf("with the token: got %d %q", status, text)
	}
	if got := r.scrape(); got["hookassay_journal_writable"] != 0 || got["hookassay_journal_failures_total"] == 0 || got["hookassay_lost_records_total"] == 0 {
		t.Errorf("metrics: writable %v, failures %v, lost %v", got["hookassay_journal_writable"],
			got["hookassay_journal_failures_total"], got["hookassay_lost_records_total"])
	}
	exec("ALTER TABLE hidden_arrival RENAME TO arrival")
	exec("ALTER TABLE hidden_trouble RENAME TO trouble")
	for deadline := time.Now().Add(patience); ; {
		if status, _ := r.fetch("/healthz", ""); status == 200 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("it does not notice by itself that the journal can be written again")
		}
	}
}

func TestDeadLettersOfTheInboxAlarm(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	worker := business.Worker{Tries: 1, FailFirst: -1}
	for _, e := range []mockreceiver.Endpoint{
		{Name: "bad", Business: business.Inbox, Worker: worker}, {Name: "good", Business: business.Inbox},
	} {
		url, err := r.AddEndpoint(e)
		if err != nil {
			t.Fatal(err)
		}
		post(t, client(t), url, `{"id":"evt_1"}`)
	}
	want := map[string]float64{"pending": 0, "processing": 0, "completed": 1, "dead": 1}
	for deadline := time.Now().Add(patience); ; {
		_, answer := r.api("GET", "/v1/inbox", "")
		counts := answer["counts"].(map[string]any)
		if counts["dead"] == want["dead"] && counts["completed"] == want["completed"] {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("the inbox stays at %v", counts)
		}
	}
	if a := r.state(alarm.DeadLetters); a.State != alarm.Firing || a.Value != 1 {
		t.Errorf("alarm: %+v", a)
	}
	got := r.scrape()
	for state, n := range want {
		if v, ok := got[`hookassay_inbox_events{state="`+state+`"}`]; !ok || v != n {
			t.Errorf("%s: got %v (there: %t), want %v", state, v, ok, n)
		}
	}
	if got["hookassay_dead_letters"] != 1 || got["hookassay_retry_backlog"] != 0 {
		t.Errorf("dead letters %v, backlog %v: both events got their 2xx", got["hookassay_dead_letters"], got["hookassay_retry_backlog"])
	}
}
