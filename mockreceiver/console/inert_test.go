package console_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net"
	"os/exec"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/mockreceiver"
)

func runShell(t *testing.T, command string) {
	t.Helper()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("no curl on the PATH: the command that the page shows is not run")
	}
	if out, err := exec.CommandContext(t.Context(), "sh", "-c", command).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", command, err, out)
	}
}

// TestPayloadsAreInert puts what strangers may send before a real browser.
func TestPayloadsAreInert(t *testing.T) {
	r := start(t, browser(t), mockreceiver.Config{})
	url := r.endpoint("hook", "502, 200")
	const attack = `<script>alert(1)</script><img src=x onerror=alert(2)>"'><svg onload=alert(3)>`
	send(t, url, attack, `{"type":"`+`<img src=x onerror=alert(4)>`+`","__proto__":{"a":1},"html":"</pre>`+`<iframe src=javascript:alert(5)>"}`,
		"X-Note", attack, "Content-Type", `text/html"><script>alert(6)</script>`)
	send(t, url, "evt_bytes", "\x1b[31mred\x00\xff\xfe \u202egnp.exe \u2066x\u2069 \u200bzero "+attack)
	r.excuse("/v1/events/hook/raw_") // JSON cannot hold the byte ff, so the page cannot ask for that key
	r.raw("POST /hooks/hook?" + attack + " HTTP/1.1\r\nHost: <b>\r\nwebhook-id: raw_\u202e\x01\xff\r\n<script>: alert(7)\r\nContent-Length: 0\r\n\r\n")
	r.console("")
	r.until("document.querySelectorAll('.event').length >= 3")
	elements := js[int](r.tab, "document.querySelectorAll('script, img, iframe, object, embed, svg [onload], [onerror], link, style, base, form[action]').length")
	for i := range js[int](r.tab, "document.querySelectorAll('.event').length") {
		r.click(fmt.Sprintf(".event:nth-child(%d)", i+1))
		r.until("document.querySelector('.attempt-view')?.checkVisibility() && document.querySelector('.raw.head')")
		for _, mode := range []string{"text", "hex", "pretty"} {
			js[any](r.tab, fmt.Sprintf("document.querySelector('[data-view=request]').click(), document.querySelector('[data-mode=%s]').click(), null", mode))
		}
		for _, view := range []string{"signature", "answer", "connection", "diff", "request"} {
			js[any](r.tab, fmt.Sprintf("document.querySelector('[data-view=%s]').click(), null", view))
		}
		r.until("document.querySelector('.raw.head')")
		// Nothing that hides or turns text is shown as it is.
		if seen := js[string](r.tab, "document.body.textContent"); strings.ContainsAny(seen, "\x00\x01\x1b\u202e\u2066\u200b") {
			t.Errorf("event %d: a character that acts is shown", i)
		}
	}
	if n := js[int](r.tab, "document.querySelectorAll('script, img, iframe, object, embed, svg [onload], [onerror], link, style, base, form[action]').length"); n != elements {
		t.Errorf("%d elements that load or act, %d before", n, elements)
	}
	if breaches := js[[]string](r.tab, "breaches"); len(breaches) > 0 {
		t.Errorf("the policy was breached: %v", breaches)
	}
	if !js[bool](r.tab, "({}).a === undefined") {
		t.Error("a payload reached the prototype of all objects")
	}
}

// raw sends bytes that no client would.
func (r *rig) raw(text string) {
	r.t.Helper()
	var d net.Dialer
	c, err := d.DialContext(r.t.Context(), "tcp", strings.TrimPrefix(r.DataURL(), "http://"))
	if err != nil {
		r.t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Write([]byte(text)); err != nil {
		r.t.Fatal(err)
	}
	_, _ = c.Read(make([]byte, 1)) // the answer, whatever it is
}

func bytesShown(t *testing.T, b chromium) {
	r := start(t, b, mockreceiver.Config{})
	url := r.endpoint("hook", "200")
	send(t, url, "evt_json", "{\"n\":1.10,\"big\":12345678901234567890,\"e\":1e400,\"n\":2,\"u\":\"\\u00e9\",\"list\":[ ],\"o\":{}}")
	r.console("")
	r.click(".event")
	r.until("document.querySelector('[aria-label=Body] pre')?.textContent")
	want := "{\n  \"n\": 1.10,\n  \"big\": 12345678901234567890,\n  \"e\": 1e400,\n  \"n\": 2,\n  \"u\": \"\\u00e9\",\n  \"list\": [],\n  \"o\": {}\n}"
	if got := js[string](r.tab, "document.querySelector('pre[aria-label=Body]').textContent"); got != want {
		t.Errorf("laid out:\n%s\nwant:\n%s", got, want)
	}
	// A large body is shown in part; the download has all of it.
	body := bytes.Repeat([]byte("0123456789abcde\n"), 1<<17) // 2 MiB
	send(t, url, "evt_large", string(body))
	r.until("document.querySelector('.event .key').textContent === 'evt_large'")
	r.click(".event")
	r.until("document.querySelector('[aria-label=Body] .note').textContent.includes('64.0 KiB of 2.0 MiB')")
	if n := js[int](r.tab, "document.querySelector('pre[aria-label=Body]').textContent.length"); n > 1<<16 {
		t.Errorf("%d characters of a large body are shown at once", n)
	}
	js[any](r.tab, `(() => { window.saved = new Promise((done) => {
		const make = URL.createObjectURL;
		URL.createObjectURL = (blob) => { done(blob); return make.call(URL, blob); };
	}); })(), null`)
	r.click("[aria-label=Body] .block-head > .quiet")
	sum := sha256.Sum256(body)
	if got, want := js[string](r.tab, `saved.then(async (blob) => blob.type + ' ' + Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer())), (b) => b.toString(16).padStart(2, '0')).join(''))`),
		"application/octet-stream "+hex.EncodeToString(sum[:]); got != want {
		t.Errorf("downloaded %s, want %s", got, want)
	}
}
