package console_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/hookassay/hookassay/mockreceiver"
)

// TestConsole drives the page of a real receiver in a real browser. Each subtest has a receiver and a tab of its own; what a page
// must never do fails each of them (see tab).
func TestConsole(t *testing.T) {
	b := browser(t)
	for _, tc := range []struct {
		name string
		test func(*testing.T, chromium)
	}{
		{"an attempt appears within a second", appears},
		{"the token leaves the address, and a wrong one is asked for again", tokens},
		{"a plan set on the page changes the next answer", planEdit},
		{"the place of an error in a plan is shown", planError},
		{"steps are put together, moved and removed", planBuilder},
		{"filters narrow the list and stand in the address", filtering},
		{"everything can be done by keys", keyboard},
		{"an attempt shows what was sent, to the byte", bytesShown},
		{"an attempt is copied as curl, compared and sent again", acts},
		{"text can be read in both themes, and nothing is cut off", readable},
		{"a signature is shown with its reason and its bytes", signatures},
		{"the empty page offers the certificate", overTLS},
		{"the inbox is shown", inboxShown},
		{"the empty page says how to send an event", emptyPage},
		{"a reset endpoint leaves the list", resets},
		{"events beyond the limit are not drawn", bounded},
		{"the stream comes back by itself", reconnects},
	} {
		t.Run(tc.name, func(t *testing.T) { tc.test(t, b) })
	}
}

// appears measures from before a request is sent to when its row was painted.
func appears(t *testing.T, b chromium) {
	r := start(t, b, mockreceiver.Config{})
	url := r.endpoint("hook", "200")
	r.console("")
	// The page notes when it painted a row; both clocks are this machine's.
	js[any](r.tab, `window.painted = {}; new MutationObserver(() => requestAnimationFrame(() => {
		for (const row of document.querySelectorAll('.event .key')) painted[row.textContent] ??= Date.now();
	})).observe(document.querySelector('#events'), {childList: true, subtree: true}), null`)
	var took []time.Duration
	for i := range 7 {
		id := fmt.Sprintf("evt_%d", i)
		sent := time.Now()
		send(t, url, id, `{}`)
		r.until("painted." + id)
		took = append(took, time.UnixMilli(js[int64](r.tab, "painted."+id)).Sub(sent))
	}
	slices.Sort(took)
	t.Logf("from sent to painted: %s to %s, median %s", took[0], took[len(took)-1], took[len(took)/2])
	// The median: a machine that does other work may stall once, and a page that is slow is slow each time.
	if median := took[len(took)/2]; median > time.Second {
		t.Errorf("an attempt takes %s to appear, want at most 1s", median)
	}
}

func tokens(t *testing.T, b chromium) {
	r := start(t, b, mockreceiver.Config{Token: "a token+with&signs"})
	r.endpoint("hook", "200")
	r.excuse("/v1/") // refused with the wrong token
	r.console("status=5xx")
	if hash := js[string](r.tab, "location.hash"); strings.Contains(hash, "token") || !strings.Contains(hash, "status=5xx") {
		t.Errorf("address: %q, want the filter and no token", hash)
	}
	if kept := js[string](r.tab, "JSON.stringify(localStorage) + document.cookie"); strings.Contains(kept, "signs") {
		t.Errorf("the token is kept beyond the tab: %s", kept)
	}
	r.open("token=wrong")
	r.until("document.querySelector('.token input') === document.activeElement")
	if text := r.text(".token"); !strings.Contains(text, "refused") {
		t.Errorf("the form says %q", text)
	}
	r.press("a token+with&signs" + kb.Enter)
	r.live()
}

func planEdit(t *testing.T, b chromium) {
	r := start(t, b, mockreceiver.Config{})
	url := r.endpoint("hook", "200")
	r.console("")
	if got := send(t, url, "evt_1", `{}`); got != 200 {
		t.Fatalf("before: %d", got)
	}
	r.press("p")
	r.edit("503, 200")
	r.click(".plan .primary")
	r.until("!document.querySelector('dialog')")
	if got := send(t, url, "evt_2", `{}`); got != 503 {
		t.Errorf("a new event: got %d, want 503", got)
	}
	if got := send(t, url, "evt_2", `{}`); got != 200 {
		t.Errorf("its second attempt: got %d, want 200", got)
	}
	// One event of its own.
	r.rows("evt_2", "evt_1")
	r.click(".event")
	r.click("#event-plan")
	r.until("document.querySelector('[name=key]').value === 'evt_2'")
	r.edit("418")
	r.press(kb.Tab)
	r.click(".plan .primary")
	r.until("!document.querySelector('dialog')")
	if got := send(t, url, "evt_2", `{}`); got != 418 {
		t.Errorf("the event with a plan of its own: got %d, want 418", got)
	}
	if got := send(t, url, "evt_3", `{}`); got != 503 {
		t.Errorf("another event: got %d, want 503", got)
	}
}

// edit types a plan in place of the one that stands there, and waits until it was checked.
func (r *rig) edit(plan string) {
	r.t.Helper()
	r.until("document.activeElement.id === 'plan-text'")
	js[any](r.tab, "document.activeElement.select(), null")
	r.press(plan)
	r.until("document.querySelector('.said').matches('.is-ok, .is-bad') && document.querySelector('.plan .primary').disabled === document.querySelector('.said').matches('.is-bad')")
}

func planError(t *testing.T, b chromium) {
	r := start(t, b, mockreceiver.Config{})
	r.endpoint("hook", "200")
	r.excuse("/v1/plans/check") // answers 400
	r.console("")
	r.press("p")
	r.edit("502, oops, 200")
	r.until("document.querySelector('.mirror mark')?.textContent === 'oops'")
	if said := r.text(".said"); !strings.HasPrefix(said, "position 6:") || !strings.Contains(said, "oops") {
		t.Errorf("it says %q", said)
	}
	// The mark lies exactly below the word.
	if off := js[float64](r.tab, `(() => {
		const mark = document.querySelector('.mirror mark').getBoundingClientRect();
		const text = document.querySelector('#plan-text');
		const style = getComputedStyle(text);
		const pen = document.createElement('canvas').getContext('2d');
		pen.font = style.fontSize + ' ' + style.fontFamily;
		const left = text.getBoundingClientRect().left + parseFloat(style.paddingLeft) + parseFloat(style.borderLeftWidth);
		return Math.abs(left + pen.measureText('502, ').width - mark.left);
	})()`); off > 1 {
		t.Errorf("the mark is %g pixels beside the word", off)
	}
	if !js[bool](r.tab, "document.querySelector('.plan .primary').disabled") {
		t.Error("a plan with an error can be applied")
	}
	r.press(kb.Escape)
	r.until("!document.querySelector('dialog')")
}

func planBuilder(t *testing.T, b chromium) {
	r := start(t, b, mockreceiver.Config{})
	r.endpoint("hook", "502, timeout, 200")
	r.console("")
	r.press("p")
	r.until("document.querySelectorAll('.step').length === 3 && document.querySelector('#kind').options.length > 10")
	plan := func() string { return js[string](r.tab, "document.querySelector('#plan-text').value") }
	step := func(what, want string) {
		t.Helper()
		r.until(fmt.Sprintf("document.querySelector('#plan-text').value === %s && document.querySelector('.said.is-ok')", quoted(want)))
		if got := plan(); got != want {
			t.Errorf("%s: got %q, want %q", what, got, want)
		}
	}
	js[any](r.tab, "document.querySelector('.step').focus(), null")
	js[any](r.tab, "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowDown', altKey: true, bubbles: true})), null")
	step("moved down by keys", "timeout, 502, 200")
	r.press(kb.Delete)
	step("removed by a key", "timeout, 200")
	js[any](r.tab, "document.querySelector('#kind').value = 'status', document.querySelector('#kind').dispatchEvent(new Event('change')), null")
	js[any](r.tab, "document.querySelector('[data-param=word]').value = '429', document.querySelector('[data-param=\"arg:retry-after\"]').value = 'a \"text\"', null")
	r.click(".kind-form [type=submit]")
	step("added after the one with the focus", `timeout, 200, 429(retry-after="a \"text\"")`)
	r.drag(".step:nth-child(3) .handle", ".step:nth-child(1)")
	step("dragged up", `429(retry-after="a \"text\""), timeout, 200`)
	js[any](r.tab, "document.querySelector('[data-param=often]').value = '30s', document.querySelector('.step').focus(), null")
	r.click(".kind-form [type=submit]")
	step("for a time", `429(retry-after="a \"text\""), 429(retry-after="a \"text\"") for 30s, timeout, 200`)
	js[any](r.tab, "document.querySelector('#plan-text').value = '502*3, 200; ttl=10m', document.querySelector('#plan-text').dispatchEvent(new Event('input')), null")
	r.until("document.querySelectorAll('.step').length === 2 && document.querySelector('.said.is-ok')")
	r.click(".step:nth-child(1) [aria-label^='Move down']")
	step("what a plan says behind its steps stays", "200, 502*3; ttl=10m0s")
	// Each kind can be added as the form offers it, and the receiver understands it.
	for _, kind := range js[[]string](r.tab, "[...document.querySelector('#kind').options].map((o) => o.value)") {
		js[any](r.tab, fmt.Sprintf("document.querySelector('#kind').value = %q, document.querySelector('#kind').dispatchEvent(new Event('change')), null", kind))
		if strings.TrimSpace(r.text(".kind-form .hint")) == "" {
			t.Errorf("%s: no reason is shown", kind)
		}
		js[any](r.tab, "document.querySelector('.kind-form').requestSubmit(), null")
		word := kind
		if kind == "status" {
			word = "502"
		}
		r.until(fmt.Sprintf("document.querySelector('#plan-text').value.includes(%q) && document.querySelector('.said').matches('.is-ok, .is-bad')", word))
		r.until("document.querySelector('.said.is-ok')")
	}
}

func filtering(t *testing.T, b chromium) {
	r := start(t, b, mockreceiver.Config{})
	good, bad := r.endpoint("good", "200"), r.endpoint("bad", "500")
	send(t, good, "evt_a", `{}`)
	send(t, good, "evt_a", `{}`)
	send(t, bad, "evt_b", `{}`)
	r.console("")
	r.rows("evt_b", "evt_a")
	for _, tc := range []struct {
		filter, value string
		want          []string
	}{
		{"endpoint", "good", []string{"evt_a"}},
		{"status", "5xx", []string{"evt_b"}},
		{"class", "duplicate-after-success", []string{"evt_a"}},
		{"signature", "verified", nil},
		{"event", "evt_b", []string{"evt_b"}},
	} {
		js[any](r.tab, fmt.Sprintf("(() => { const f = document.querySelector('.filters [name=%s]'); f.value = %q; f.dispatchEvent(new Event('change')); })(), null", tc.filter, tc.value))
		r.rows(tc.want...)
		if hash := js[string](r.tab, "location.hash"); hash != "#"+tc.filter+"="+tc.value {
			t.Errorf("%s: the address says %q", tc.filter, hash)
		}
		// The same address shows the same; what arrives is filtered as well.
		r.do(chromedp.Reload())
		r.live()
		r.rows(tc.want...)
		r.click(".filters button")
		r.rows("evt_b", "evt_a")
	}
	js[any](r.tab, "(() => { const f = document.querySelector('.filters [name=endpoint]'); f.value = 'bad'; f.dispatchEvent(new Event('change')); })(), null")
	send(t, good, "evt_c", `{}`)
	send(t, bad, "evt_d", `{}`)
	r.rows("evt_d", "evt_b")
}

// rows waits until the list shows exactly these events, in this order.
func (r *rig) rows(want ...string) {
	r.t.Helper()
	r.until("[...document.querySelectorAll('.event .key')].map((k) => k.textContent).join() === " + quoted(strings.Join(want, ",")))
}

func keyboard(t *testing.T, b chromium) {
	r := start(t, b, mockreceiver.Config{})
	url := r.endpoint("hook", "502, 200")
	for _, id := range []string{"evt_1", "evt_2", "evt_2"} {
		send(t, url, id, `{"a":1}`)
	}
	r.console("")
	r.rows("evt_2", "evt_1")
	r.press(kb.Tab) // the skip link comes first
	r.press(kb.Enter)
	r.until("document.activeElement.id === 'events'")
	r.press(kb.ArrowDown)
	r.until("document.querySelector('.event-head h2')?.textContent === 'evt_2'")
	r.press(kb.ArrowDown)
	r.until("document.querySelector('.event-head h2')?.textContent === 'evt_1'")
	r.press(kb.ArrowUp)
	r.until("document.querySelector('.event-head h2')?.textContent === 'evt_2' && document.querySelectorAll('.attempt[role=option]').length === 2")
	r.press(kb.Enter)
	r.until("document.activeElement.id === 'attempts' && document.querySelector('.attempt-head h3').textContent.startsWith('Attempt 2')")
	r.press(kb.ArrowUp)
	r.until("document.querySelector('.attempt-head h3').textContent.startsWith('Attempt 1')")
	r.press("?")
	r.until("document.querySelector('dialog[open] .help')")
	r.press(kb.Escape)
	r.until("!document.querySelector('dialog')")
	r.press(kb.Escape)
	r.until("document.activeElement.id === 'events' && document.querySelector('.home').checkVisibility()")
	r.press("/")
	r.until("document.activeElement.name === 'event'")
	r.press("evt_1" + kb.Enter)
	r.rows("evt_1")
	r.press(kb.Escape)
	r.until("document.activeElement.id === 'events'")
	r.press("s")
	r.until("document.querySelector('#live').dataset.state === 'stopped'")
	r.press("s")
	r.live()
}

func emptyPage(t *testing.T, b chromium) {
	r := start(t, b, mockreceiver.Config{})
	r.console("")
	r.until("document.querySelector('.home form')")
	r.click(".home form [type=submit]")
	r.until("document.querySelector('#first-curl')")
	command := r.text("#first-curl")
	if url := r.DataURL() + "/hooks/orders"; !strings.Contains(command, url) {
		t.Errorf("the command does not name %s: %s", url, command)
	}
	runShell(t, command)
	r.until("document.querySelectorAll('.event').length === 1 && document.querySelector('.event .key').textContent.startsWith('evt_')")
}

func resets(t *testing.T, b chromium) {
	r := start(t, b, mockreceiver.Config{})
	send(t, r.endpoint("one", "200"), "evt_1", `{}`)
	send(t, r.endpoint("two", "200"), "evt_2", `{}`)
	r.console("")
	r.rows("evt_2", "evt_1")
	if err := r.ResetEndpoint(t.Context(), "two"); err != nil {
		t.Fatal(err)
	}
	r.rows("evt_1")
}

func bounded(t *testing.T, b chromium) {
	r := start(t, b, mockreceiver.Config{})
	url := r.endpoint("hook", "200")
	for i := range 350 {
		send(t, url, fmt.Sprintf("evt_%d", i), `{}`)
	}
	r.console("")
	r.until("document.querySelectorAll('.event').length === 200")
	r.click(".older")
	r.until("document.querySelectorAll('.event').length === 300 && !document.querySelector('.older').checkVisibility()")
	for i := range 20 {
		send(t, url, fmt.Sprintf("new_%d", i), `{}`)
	}
	r.until("document.querySelector('.event .key').textContent === 'new_19'")
	if n := js[int](r.tab, "document.querySelectorAll('.event').length"); n != 300 {
		t.Errorf("%d rows, want 300", n)
	}
}

// reconnects ends a receiver and starts another one at its address, as an operator does.
func reconnects(t *testing.T, b chromium) {
	cfg := mockreceiver.Config{Token: "t", IDHeader: "webhook-id", Journal: t.TempDir() + "/journal.db"}
	first, err := mockreceiver.Listen(t.Context(), cfg, "", "")
	if err != nil {
		t.Fatal(err)
	}
	address := strings.TrimPrefix(first.ControlURL(), "http://")
	p := newTab(t, b, first.ControlURL())
	p.excuse("/v1/") // nobody answers for a while
	r := &rig{first, p}
	send(t, r.endpoint("hook", "200"), "before", `{}`)
	r.console("")
	r.rows("before")
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	p.until("document.querySelector('#live').dataset.state === 'reconnecting'")
	second, err := mockreceiver.Listen(t.Context(), cfg, "", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = second.Close() })
	r = &rig{second, p}
	send(t, r.endpoint("hook", "200"), "after", `{}`)
	r.rows("after", "before")
	r.live()
}
