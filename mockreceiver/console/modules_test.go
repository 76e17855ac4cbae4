package console_test

import (
	"fmt"
	"testing"

	"github.com/hookassay/hookassay/mockreceiver"
)

// TestModules runs the page's pure parts where they will run: in a browser, under the page's own policy.
func TestModules(t *testing.T) {
	r := start(t, browser(t), mockreceiver.Config{})
	r.console("")
	for name, tc := range map[string]struct {
		module, call, want string
	}{
		"numbers stay as they were sent": {"json", `layOut('[1.10,1e400,12345678901234567890,-0]').tokens.map((t) => t.text).join('')`, "[\n  1.10,\n  1e400,\n  12345678901234567890,\n  -0\n]"},
		"keys that come twice stay":      {"json", `layOut('{"a":1,"a":{}}').tokens.map((t) => t.text).join('')`, "{\n  \"a\": 1,\n  \"a\": {}\n}"},
		"escapes stay":                   {"json", `layOut('"\\u00e9\\/"').tokens.map((t) => t.text).join('')`, `"\u00e9\/"`},
		"no JSON: a comma too many":      {"json", `JSON.stringify(layOut('[1,]'))`, `{"error":"want a value","at":3}`},
		"no JSON: something behind it":   {"json", `JSON.stringify(layOut('{} x'))`, `{"error":"want nothing more","at":3}`},
		"no JSON: a number with a zero":  {"json", `JSON.stringify(layOut('[01]'))`, `{"error":"want , or ]","at":2}`},
		"no JSON: the wrong bracket":     {"json", `JSON.stringify(layOut('[1}'))`, `{"error":"want , or ]","at":2}`},
		"no JSON: nothing":               {"json", `JSON.stringify(layOut(''))`, `{"error":"want a value","at":0}`},
		"no JSON: an open text":          {"json", `JSON.stringify(layOut('{"a":"b'))`, `{"error":"want a value","at":5}`},
		"a million brackets":             {"json", `String(layOut('['.repeat(1e6)).at)`, "1000000"},

		"bytes that are no UTF-8":    {"bytes", `[...text(new Uint8Array([0x61, 0xff, 0xc3, 0xa9, 0xed, 0xa0, 0x80, 0xf0, 0x9f]))].map((c) => c.codePointAt(0).toString(16)).join(' ')`, "61 dcff e9 dced dca0 dc80 dcf0 dc9f"},
		"a byte order mark":          {"bytes", `text(new Uint8Array([0xef, 0xbb, 0xbf, 0x61])).length + ''`, "2"},
		"hex":                        {"bytes", `hex(new Uint8Array([0, 65, 255]), 8)`, "000000  00 41 ff                  ·A·"},
		"base64":                     {"bytes", `fromBase64('AP8=').join()`, "0,255"},
		"what acts is shown":         {"format", `visible('a\u202eb\u0000c\u001b\u200b\ufeff\u{e0041}\ud800 \udcff\n')`, `a\u202eb\u0000c\u001b\u200b\ufeff\u{e0041}\ud800 \xff\u000a`},
		"what does not act stays":    {"format", `visible('Zoë 日本 🎉 <b>')`, "Zoë 日本 🎉 <b>"},
		"lines and tabs lay out":     {"format", `lines('a\n\tb\u202e').textContent`, "a\n\tb\\u202e"},
		"many escapes are no load":   {"format", `String(lines('\u202e'.repeat(1e5)).querySelectorAll('span').length)`, "2000"},
		"durations":                  {"format", `[0, 999, 1500, 2.5e6, 999.6e6, 1e9, 59.99e9, 61e9, 3600e9, 5.5e12, -2e9].map(duration).join(', ')`, "0, 999 ns, 1.5 µs, 2.5 ms, 1000 ms, 1 s, 60 s, 1 m 1 s, 1 h, 1 h 32 m, −2 s"},
		"sizes":                      {"format", `[0, 1023, 1536, 3 << 20].map(bytes).join(', ')`, "0 B, 1023 B, 1.5 KiB, 3.0 MiB"},
		"an id is cut in the middle": {"format", `short('a'.repeat(50) + 'b'.repeat(50), 20)`, "aaaaaaaaaaaa…bbbbbb"},

		"states of an event": {"store", `[
			[{status: 502, end: 'complete'}], [{status: 502, end: 'complete'}, {status: 200, end: 'complete'}], [{status: 502, end: 'complete'}, {end: '', open: true}],
			[{end: '', open: false}], [{end: 'reset', effect: {result: 'queued', rows: 0}}], [{end: 'reset', effect: {result: 'committed', rows: 1}}],
		].map((list) => stateOf({attempts: new Map(list.map((a, seq) => [seq, {seq, origin: '', ...a}]))})).join()`, "failing,delivered,open,unknown,received,received"},

		"a stream in pieces":   {"stream", streamed(`'event: at', 'tempt\r', '\nid: 7\r\ndata: {"a"', ':1}\n\n: beat\n\n'`), `attempt 7 {"a":1}`},
		"data of two lines":    {"stream", streamed(`'data: a\ndata:b\n\n'`), "message undefined a\nb"},
		"an event cut short":   {"stream", streamed(`'event: attempt\ndata: {}\n'`), ""},
		"fields nobody knows":  {"stream", streamed(`'retry: 5\nfoo\nid: 3\ndata: x\n\n'`), "message 3 x"},
		"an id alone is noted": {"stream", streamed(`'id: 9\n\n'`), "message 9 "},
	} {
		got := js[string](r.tab, fmt.Sprintf("import('/console/%s.js').then((m) => { const {%s} = m; return %s; })", tc.module, names(tc.module), tc.call))
		if got != tc.want {
			t.Errorf("%s: got %q, want %q", name, got, tc.want)
		}
	}
}

// streamed parses chunks of a stream.
func streamed(chunks string) string {
	return `(() => { const out = []; const p = new Parser((e) => out.push(e.name + ' ' + e.id + ' ' + e.data)); for (const c of [` + chunks + `]) p.push(c); return out.join('|'); })()`
}

// names are what the tests use of a module.
func names(module string) string {
	return map[string]string{
		"json": "layOut", "bytes": "text, hex, fromBase64", "format": "visible, lines, duration, bytes, short", "store": "stateOf", "stream": "Parser",
	}[module]
}
