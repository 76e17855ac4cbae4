package console_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/hookassay/hookassay/mockreceiver"
)

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
	r.until("document.querySelector('.said[aria-busy=false]').matches('.is-ok, .is-bad') && document.querySelector('.plan .primary').disabled === document.querySelector('.said').matches('.is-bad')")
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
		r.until(fmt.Sprintf("document.querySelector('#plan-text').value === %s && document.querySelector('.said.is-ok[aria-busy=false]')", quoted(want)))
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
	r.until("document.querySelectorAll('.step').length === 2 && document.querySelector('.said.is-ok[aria-busy=false]')")
	r.click(".step:nth-child(1) [aria-label^='Move down']")
	step("what a plan says behind its steps stays", "200, 502*3; ttl=10m0s")
	// Each kind can be added as the form offers it, and the receiver understands it.
	r.everyKind()
	js[any](r.tab, "(() => { const s = document.querySelector('[name=target]'); s.value = 'lfirst'; s.dispatchEvent(new Event('change')); })(), null")
	r.until("document.querySelector('#plan-text').value === 'ok' && document.querySelector('.said.is-ok[aria-busy=false]') && !document.querySelector('[name=key]').checkVisibility()")
	r.everyKind()
}

// everyKind adds a step of each kind that is offered.
func (r *rig) everyKind() {
	r.t.Helper()
	for _, kind := range js[[]string](r.tab, "[...document.querySelector('#kind').options].map((o) => o.value)") {
		js[any](r.tab, fmt.Sprintf("document.querySelector('#kind').value = %q, document.querySelector('#kind').dispatchEvent(new Event('change')), null", kind))
		if strings.TrimSpace(r.text(".kind-form .hint")) == "" {
			r.t.Errorf("%s: no reason is shown", kind)
		}
		js[any](r.tab, "document.querySelector('.kind-form').requestSubmit(), null")
		word := kind
		if kind == "status" {
			word = "502"
		}
		r.until(fmt.Sprintf("document.querySelector('#plan-text').value.includes(%q) && document.querySelector('.said[aria-busy=false]').matches('.is-ok, .is-bad')", word))
		if said := r.text(".said"); !strings.HasPrefix(said, "Understood") {
			r.t.Errorf("%s as the form offers it: %s", kind, said)
		}
	}
}
