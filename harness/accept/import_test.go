package accept_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/hookassay/hookassay/harness/accept"
	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/judge"
)

func promise(t testing.TB, sample int) *contract.Contract {
	t.Helper()
	c, err := contract.Profile("bounded-6")
	if err != nil {
		t.Fatal(err)
	}
	c.Acceptance = &contract.Acceptance{Sample: sample, Rate: 0.99}
	return c
}

func mapOf(t testing.TB, text string) accept.Map {
	t.Helper()
	m, err := accept.ParseMap(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// counted imports a log and counts it, with ids for places.
func counted(t testing.TB, text string, s accept.Source) (*accept.Log, *judge.Acceptance) {
	t.Helper()
	log, err := accept.Import(strings.NewReader(text), s)
	if err != nil {
		t.Fatal(err)
	}
	a := accept.Count(promise(t, s.Latest), log.Events)
	name := func(id string) string {
		n, ok := accept.Place(id, log.Events)
		if !ok {
			t.Fatalf("%q is no place", id)
		}
		return log.Events[n].ID
	}
	for i := range a.MissingIDs {
		a.MissingIDs[i] = name(a.MissingIDs[i])
	}
	for i := range a.DeadLetters {
		a.DeadLetters[i].ID = name(a.DeadLetters[i].ID)
	}
	return log, a
}

const log = `event,at,status,state,reason,replay
first,2026-11-30T12:00:00Z,200,,,
retried,2026-11-30T12:00:01Z,,,,
retried,2026-11-30T12:00:31Z,204,,,
again,2026-11-30T12:00:02Z,200,,,
again,2026-11-30T12:00:03Z,200,,,
dead,2026-11-30T12:00:04Z,404,dead,not found,
replayed,2026-11-30T12:00:05Z,503,dead,used up,
replayed,2026-11-30T13:00:05Z,200,dead,,yes
silent,2026-11-30T12:00:06Z,500,dead,,
open,2026-11-30T12:00:07Z,500,,,
`

func want() *judge.Acceptance {
	return &judge.Acceptance{
		Events: 7, DeliveredFirstTry: 2, DeliveredAfterRetry: 1, DeadLettered: 3, DeliveredByReplay: 1, Pending: 1,
		MissingIDs: []string{"open"}, Rate: 3. / 7, Threshold: 0.99, SampleSufficient: true, DuplicateEvents: 1, DuplicateRate: 1. / 3,
		DeadLetters: []judge.AcceptanceDeadLetter{
			{ID: "dead", Reason: "not found", Attempts: 1, LastStatus: 404},
			{ID: "replayed", Reason: "used up", Attempts: 1, LastStatus: 503, Replay: "delivered"},
			{ID: "silent", Attempts: 1, LastStatus: 500},
		},
	}
}

func TestImport(t *testing.T) {
	var lines []string
	var at int
	for line := range strings.Lines(log) {
		if at++; at == 1 {
			continue
		}
		f := strings.Split(strings.TrimSuffix(line, "\n"), ",")
		text, err := json.Marshal(map[string]any{
			"id": f[0], "time": f[1], "response": map[string]any{"status": f[2], "x": []int{1, 2}}, "state": f[3], "reason": f[4], "replay": f[5] == "yes",
			"payload": map[string]any{"event": "not this one", "deep": []any{map[string]any{"a": "}"}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(text))
	}
	inJSON := accept.Source{Format: accept.NDJSON, Columns: mapOf(t, "event=id, at=time, status=response.status"), Latest: 7}
	inCSV := accept.Source{Format: accept.CSV, Columns: mapOf(t, ""), Latest: 7}
	reversed := slices.Clone(lines)
	slices.Reverse(reversed)
	for name, tt := range map[string]struct {
		text string
		s    accept.Source
	}{
		"csv":                     {log, inCSV},
		"csv of a spreadsheet":    {"\ufeff" + strings.ReplaceAll(log, "\n", "\r\n"), inCSV},
		"ndjson":                  {strings.Join(lines, "\n"), inJSON},
		"ndjson, newest first":    {strings.Join(reversed, "\n\n") + "\n", inJSON},
		"other names of columns":  {strings.Replace(log, "event,", "Event ID,", 1), accept.Source{Format: accept.CSV, Columns: mapOf(t, "event=Event ID"), Latest: 7}},
		"times in ms":             {strings.NewReplacer("2026-11-30T12:00:0", "1796500000", "2026-11-30T13:00:05Z", "1796600000000", "2026-11-30T12:00:31Z", "1796500000500", "Z", "00").Replace(log), inCSV},
		"times without their own": {strings.Replace(log, "at,", "when,", 1), inCSV},
	} {
		t.Run(name, func(t *testing.T) {
			got, a := counted(t, tt.text, tt.s)
			if diff := cmp.Diff(want(), a, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
				t.Error(diff)
			}
			if got.Rows != 10 || got.All != 7 || !got.States || !got.Reasons || !got.Replays {
				t.Errorf("got %d rows, %d events, states %v, reasons %v, replays %v", got.Rows, got.All, got.States, got.Reasons, got.Replays)
			}
		})
	}
}

func TestTheLatestEventsCountWhateverTheOrderOfRows(t *testing.T) {
	var rows []string
	for i := range 500 {
		rows = append(rows, fmt.Sprintf("e%d,%d,%d", i, 1_700_000_000+i, map[bool]int{true: 200, false: 500}[i >= 400]))
	}
	slices.Reverse(rows)
	_, a := counted(t, "event,at,status\n"+strings.Join(rows, "\n"), accept.Source{Format: accept.CSV, Columns: mapOf(t, ""), Latest: 100})
	if a.Events != 100 || a.DeliveredFirstTry != 100 {
		t.Errorf("%d of %d delivered, want the 100 latest, which all are", a.DeliveredFirstTry, a.Events)
	}
}

func TestExpectedEventsAreMissedByName(t *testing.T) {
	s := accept.Source{
		Format: accept.CSV, Columns: mapOf(t, ""), Latest: 3,
		Expected: []accept.Name{{ID: "too old"}, {ID: "a"}, {ID: "lost"}, {ID: "a"}, {ID: "b"}},
	}
	got, a := counted(t, "event,endpoint,status\nx,hook,200\na,hook,200\nb,hook,500\nb,hook,200\n", s)
	if a.Events != 3 || a.DeliveredFirstTry != 1 || a.DeliveredAfterRetry != 1 || !slices.Equal(a.MissingIDs, []string{"lost"}) {
		t.Errorf("%+v", a)
	}
	if got.All != 3 {
		t.Errorf("the log has %d events, want 3", got.All)
	}
}

func TestWhatALogLeavesOut(t *testing.T) {
	for name, tt := range map[string]struct {
		text         string
		first, retry int
	}{
		"one row for each event, with the number of attempts": {"event,attempt,status\na,1,200\nb,3,200\n", 1, 1},
		"states alone":                 {"event,state\na,delivered\nb,pending\n", 1, 0},
		"states and attempts":          {"event,state,attempt\na,delivered,1\nb,succeeded,2\nc,pending,1\n", 1, 1},
		"a status beats a word for it": {"event,state,attempt,status\na,delivered,1,500\n", 0, 0},
	} {
		_, a := counted(t, tt.text, accept.Source{Format: accept.CSV, Columns: mapOf(t, ""), Latest: 3})
		if a.DeliveredFirstTry != tt.first || a.DeliveredAfterRetry != tt.retry {
			t.Errorf("%s: %d at first try, %d after retry; want %d and %d", name, a.DeliveredFirstTry, a.DeliveredAfterRetry, tt.first, tt.retry)
		}
	}
}

func TestBadLogsNameTheLine(t *testing.T) {
	for text, want := range map[string]string{
		"":                                     "is empty; the first line must hold the names of the columns",
		"id,status\na,200\n":                   `there is no column "event", for event; the file has "id", "status"; say another name with --columns event=NAME`,
		"event,status\na,200\n,200\n":          "line 3: has no event id; say with --columns event=NAME where it is",
		"event,status\na,2000\n":               `line 2: status "2000" is none; write 100 to 599, or nothing where no answer came`,
		"event,at\na,yesterday\n":              `line 2: time "yesterday" cannot be read; write RFC 3339, as 2026-11-30T12:00:00Z, or a Unix time`,
		"event,attempt\na,0\n":                 `line 2: attempt "0" is no number from 1 to 200`,
		"event,state\na,gone\n":                `line 2: state "gone" is unknown; write pending, delivered or dead`,
		"event,replay\na,perhaps\n":            `line 2: replay "perhaps" is neither true nor false`,
		"event,status\na,200,1\n":              "line 2: has another number of fields (3) than the line of names (2)",
		"event\n" + strings.Repeat("x", 9<<20): "a line is over 8 MiB long",
	} {
		_, err := accept.Import(strings.NewReader(text), accept.Source{Format: accept.CSV, Columns: mapOf(t, ""), Latest: 1})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: got %v, want %s", text, err, want)
		}
	}
	for text, want := range map[string]string{
		"[1]":                  "line 1: is no JSON object; write one in each line",
		`{"event":"a"} {}`:     "line 1: something follows the object; write one JSON object in each line",
		`{"event":"a","x":01}`: `line 1: "01" is no JSON value`,
		`{"status":200}`:       "line 1: has no event id",
		`{"event":"a"`:         "line 1: is no JSON object",
	} {
		_, err := accept.Import(strings.NewReader(text), accept.Source{Format: accept.NDJSON, Columns: mapOf(t, ""), Latest: 1})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

func TestParseMap(t *testing.T) {
	for text, want := range map[string]string{
		"event":   `"event" is no pair; write column=name, as event=event_id`,
		"event=":  `"event=" is no pair; write column=name, as event=event_id`,
		"code=id": `"code" is no column; those are event, endpoint, at, status, attempt, state, reason, replay`,
	} {
		if _, err := accept.ParseMap(text); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

// FuzzImport holds the reader of JSON lines to encoding/json: it takes the same lines and finds the same values.
func FuzzImport(f *testing.F) {
	for _, line := range []string{`{"event":"a","status":200}`, `{"event":"\u0061\n","x":{"event":"b"},"status":"200"}`, `{"x":[{"y":"]"}],"event":1}`, `{"event":"a",}`} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		log, err := accept.Import(strings.NewReader(line), accept.Source{Format: accept.NDJSON, Columns: mapOf(t, "at=no time,status=x.status"), Latest: 1})
		if err != nil || log.Rows != 1 {
			return
		}
		var want struct{ Event any }
		if err := json.Unmarshal([]byte(line), &want); err != nil {
			t.Fatalf("was taken: %v", err)
		}
		if id, text := want.Event.(string); text && !strings.ContainsRune(id, '\ufffd') && strings.Count(strings.ToLower(line), "event") == 1 && log.Events[0].ID != id {
			t.Errorf("event %q, want %q", log.Events[0].ID, id)
		}
	})
}

// A log of events says no more than what became of them; nothing else may be made of it.
func TestALogOfStatesAlone(t *testing.T) {
	t.Parallel()
	for form, text := range map[accept.Format]string{
		accept.CSV:    "event,state\na,delivered\nb,dead\nc,pending\nd,pending\nd,delivered\ne,delivered\ne,delivered\n",
		accept.NDJSON: `{"event":"a","state":"delivered"}` + "\n" + `{"event":"b","state":"dead"}` + "\n" + `{"event":"c","state":"pending"}` + "\n" + `{"event":"d","state":"delivered"}` + "\n" + `{"event":"e","state":"delivered"}`,
	} {
		_, a := counted(t, text, accept.Source{Format: form, Columns: mapOf(t, ""), Latest: 5})
		if a.Events != 5 || a.DeliveredFirstTry != 3 || a.DeliveredAfterRetry != 0 || a.DeadLettered != 1 || a.Pending != 1 || a.DuplicateEvents != 0 {
			t.Errorf("%s: %+v, want 3 of 5 delivered, 1 dead, 1 pending", form, a)
		}
	}
	// A status is believed before a word.
	_, a := counted(t, "event,status,state\na,500,delivered\nb,200,delivered\n", accept.Source{Format: accept.CSV, Columns: mapOf(t, ""), Latest: 2})
	if a.DeliveredFirstTry != 1 || len(a.MissingIDs) != 1 || a.MissingIDs[0] != "a" {
		t.Errorf("a status of 500 that is called delivered: %+v", a)
	}
}

// What spreadsheets and databases write is read as it is meant.
func TestLogsAsProgramsWriteThem(t *testing.T) {
	t.Parallel()
	const bom = "\ufeff"
	for what, c := range map[string]struct {
		form accept.Format
		text string
	}{
		"a mark and ends of lines of Windows": {accept.CSV, bom + "event,at,status\r\na,2026-11-30T12:00:00Z,200\r\nb,2026-11-30T12:00:01Z,200\r\n"},
		"a mark before quotes":                {accept.CSV, bom + "\"event\",\"status\"\n\"a\",\"200\"\n\"b\",\"200\"\n"},
		"a mark before JSON":                  {accept.NDJSON, bom + `{"event":"a","status":200}` + "\r\n" + `{"event":"b","status":"200"}` + "\r\n"},
		"semicolons":                          {accept.CSV, "event;status\na;200\nb;200\n"},
		"tabs":                                {accept.CSV, "event\tstatus\na\t200\nb\t200\n"},
		"blanks":                              {accept.CSV, "event, status\n a , 200\nb,200 \n"},
		"commas and lines in quotes":          {accept.CSV, "event,note,status\na,\"x, \"\"y\"\"\nz\",200\nb,,200"},
		"empty lines":                         {accept.CSV, "event,status\na,200\n\n\nb,200\n"},
		"fractions of seconds":                {accept.CSV, "event,at,status\na,1796500000.125,200\nb,1.7965000005e9,200\n"},
		"times of databases":                  {accept.CSV, "event,at,status\na,2026-11-30 12:00:00.5,200\nb,2026-11-30 12:00:01+02:00,200\n"},
		"numbers of milliseconds":             {accept.NDJSON, `{"event":1,"at":1796500000125,"status":200}` + "\n" + `{"event":2,"at":"1796500000126","status":200}`},
	} {
		log, a := counted(t, c.text, accept.Source{Format: c.form, Columns: mapOf(t, ""), Latest: 2})
		if log.Rows != 2 || a.DeliveredFirstTry != 2 {
			t.Errorf("%s: %d rows, %+v; want 2 delivered", what, log.Rows, a)
		}
	}
}

func TestOddLogsAreRefusedInASentence(t *testing.T) {
	t.Parallel()
	for says, text := range map[string]string{
		"is empty; the first line":        "",
		"is packed by gzip":               "\x1f\x8b\x08\x00",
		"is text in UTF-16":               "\xff\xfee\x00v\x00",
		"there are two columns \"event\"": "event,status,event\na,200,b\n",
		"line 3: has another number of fields (1) than the line of names (2)": "event,status\na,200\nb\n",
		"no row has a status or a state":                                      "event\na\n",
		"line 3: time \"30.11.2026 12:00\" cannot be read":                    "event,at,status\na,,200\nb,30.11.2026 12:00,200\n",
		"line 2: time \"NaN\" cannot be read":                                 "event,at,status\na,NaN,200\n",
		"line 2: time \"1e300\" cannot be read":                               "event,at,status\na,1e300,200\n",
	} {
		_, err := accept.Import(strings.NewReader(text), accept.Source{Format: accept.CSV, Columns: mapOf(t, ""), Latest: 2})
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: error %v, want one that says %q", text, err, says)
		}
	}
}
