package match_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/match"
)

func input(body string) *match.Input {
	head, err := evidence.ParseHead(evidence.Raw("POST /hooks/a%20b?x=1&y HTTP/1.1\r\nHost: h\r\nX-Tenant: a\r\nx-tenant: b\r\n\r\n"))
	if err != nil {
		panic(err)
	}
	in := &match.Input{Head: head, Key: "evt_1", Attempt: 2, Connection: 7, RequestOnConnection: 3}
	if body != "unread" {
		in.Body = []byte(body)
	}
	return in
}

func TestMatches(t *testing.T) {
	const body = `{"type":"payment.failed","amount":10000000000000000001,"rate":1.50,"list":[1,2]}`
	for _, tc := range []struct {
		expr, body string
		want       bool
	}{
		{`.body.type == "payment.failed"`, body, true},
		{`.body.type | startswith("invoice.")`, body, false},
		{`.method == "POST" and .path == "/hooks/a b" and .query == "x=1&y" and .proto == "HTTP/1.1"`, body, true},
		{`.header["x-tenant"] == ["a","b"] and .header.host[0] == "h" and .header.absent == null`, body, true},
		{`.key == "evt_1" and .attempt == 2 and .connection == 7 and .request_on_connection == 3`, body, true},
		{`.body.amount == 10000000000000000001`, body, true}, // beyond what a float tells apart
		{`.body.amount == 10000000000000000000`, body, false},
		{`.body.amount * 2 == 20000000000000000002`, body, true},
		{`(.body.rate | tostring) == "1.50"`, body, true},
		{`.text | test("payment\\.\\w+")`, body, true},
		{`.body == null and .text == "no JSON"`, "no JSON", true},
		{`.body == null and .text == ""`, "", true},
		{`.body == null`, `{} {}`, true},
		{`.body == null and .text == null`, "unread", true},
		{`.body == null and .text == null`, `"` + strings.Repeat("x", match.MaxBody) + `"`, true},
		{`any(.body.list[]; . == 2)`, body, true},
	} {
		m, err := match.Compile(tc.expr)
		if err != nil {
			t.Errorf("%s: %v", tc.expr, err)
			continue
		}
		got, err := m.Matches(t.Context(), input(tc.body))
		if err != nil || got != tc.want {
			t.Errorf("%s of %.60s: got %v and %v, want %v", tc.expr, tc.body, got, err, tc.want)
		}
	}
}

func TestCompileRefuses(t *testing.T) {
	for expr, want := range map[string]string{
		"":                         "missing query",
		".body.(":                  `position 7: unexpected "("`,
		".body.x ==":               "ends too early",
		"oops":                     "oops: a match has no oops/0, only abs, add, all, any,",
		"true and range(3) == 1":   "range: a match has no range/1",
		".body.n | test(.body.re)": "test: a match tests for an expression that is written there",
		`reduce .body.list[] as $x (""; . + .) | true`: `reduce: a match has no loops, write any, all or select instead (position 1)`,
		`"reduce" == .x or (foreach .[] as $x (1; 2))`: "foreach: a match has no loops, write any, all or select instead (position 20)",
		"label $l | break $l":                          "break: a match has no loops",
		`.reduce or ("\(.)\(.)" == .)`:                 `\(: a match puts no values into texts, write + instead (position 14)`,
		"def f: f; f":                                  "def: a match defines no functions (position 1)",
		`.a and .text[0:3] == "abc"`:                   "a match takes no slices",
		`.text | gsub("a"; "b")`:                       "gsub: a match has no gsub/2",
		`.text | @html == ""`:                          "@html: a match writes no formats (position 9)",
		`add(.body[]; 1)`:                              "add: a match has no add/2",
		"$oops":                                        "variable not defined",
		"env.HOME == 1":                                "env: a match knows the request only",
		"$ENV.HOME == 1":                               "a match knows the request only",
		"[inputs] == []":                               "inputs: a match knows the request only",
		"now > 1":                                      "now: a match knows the request only",
		"any(.[]; debug)":                              "debug: a match knows the request only",
		`import "a" as a; true`:                        "a module cannot be read here",
		`.body.n as $n | .[$n] = 1`:                    "a match tells and does not change",
		`[setpath([9];1)]`:                             "setpath: a match knows the request only",
		strings.Repeat("(", 5000):                      "at most 4096 are allowed",
		"\"\x1b[2J\n\" | oops | true":                  `match "\"\x1b[2J \" | oops | true"`,
	} {
		_, err := match.Compile(expr)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: got %v, want %q in it", expr, err, want)
		}
	}
}

// doubled is an expression that doubles its input sixty times by step, and then looks at it.
func doubled(step, then string) string {
	return `"xx" | ` + strings.Repeat(step+" | ", 60) + "." + then
}

func TestErrorsAreNoMatch(t *testing.T) {
	long := "any([1,1,1,1,1,1,1,1,1,1] | " + strings.Repeat("[.[],.[],.[],.[]] | ", 20) + "..; . == 2)"
	for expr, want := range map[string]string{
		".":                              `match "." gave object, want true or false`,
		".key":                           "gave string",
		"null":                           "gave null",
		"empty":                          "gave nothing",
		"true, true":                     "more than one value",
		"true, error":                    "an error of its own",
		".key.x":                         "expected an object but got: string",
		`error("boom")`:                  "an error of its own",
		long:                             "took too long",
		doubled("[.,.]", " == [.]"):      "put together or looked through too much",
		doubled("[.,.]", " | tostring"):  "put together or looked through too much",
		doubled(".+.", " | length == 1"): "put together or looked through too much",
		"[1] | " + doubled(".+.", " | length == 1"):                         "put together or looked through too much",
		"12345678901234567890 | " + strings.Repeat(".*. | ", 60) + ". == 1": "a number of more than 1000 digits",
		`{a: .key} | ` + doubled("{a: ., b: .}", " | . * . | length == 2"):  "put together or looked through too much",
		`.text * 100000000 | length > 9`:                                    "a text cannot be multiplied here",
		`3e8 * .text | length > 9`:                                          "a text cannot be multiplied here",
	} {
		m, err := match.Compile(expr)
		if err != nil {
			t.Errorf("%s: %v", expr, err)
			continue
		}
		begun := time.Now()
		got, err := m.Matches(t.Context(), input(`{}`))
		if got || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v and %v, want %q in it", expr, got, err, want)
		}
		// Ten times what a million steps take on a busy machine.
		if took := time.Since(begun); took > 10*time.Second {
			t.Errorf("%s: took %s", expr, took)
		}
	}
}

// FuzzMatches lets any expression look at any request. What it wants is an end without a panic.
func FuzzMatches(f *testing.F) {
	f.Add(".body.type == \"x\"", []byte(`{"type":"x"}`), []byte("POST / HTTP/1.1\r\nA: b\r\n\r\n"))
	f.Add(`any(.. ; . == 1)`, []byte(`[[1,2.50,1e400]]`), []byte("GET /?q HTTP/1.0\n\n"))
	f.Add(`.text | test("a+") and (.attempt * 2 > 1)`, []byte("\xff\x00"), []byte("x"))
	f.Fuzz(func(t *testing.T, expr string, body, head []byte) {
		m, err := match.Compile(expr)
		if err != nil {
			return
		}
		parsed, _ := evidence.ParseHead(head) // an error comes with what could be read
		if ok, err := m.Matches(t.Context(), &match.Input{Head: parsed, Body: body}); ok && err != nil {
			t.Fatal("a match and an error")
		}
	})
}
