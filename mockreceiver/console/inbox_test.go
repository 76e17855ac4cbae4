package console_test

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/business"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// inboxShown follows a queued event until it is a dead letter, takes it up again on its own page, and sees it completed.
func inboxShown(t *testing.T, b chromium) {
	r := start(t, b, mockreceiver.Config{})
	url, err := r.AddEndpoint(mockreceiver.Endpoint{
		Name: "hook", Plan: fault.OK(), Business: business.Inbox, Worker: business.Worker{Tries: 2, Backoff: time.Millisecond, FailFirst: 3},
	})
	if err != nil {
		t.Fatal(err)
	}
	r.console("")
	send(t, url, "evt_1", `{"id":"evt_1"}`)
	// The row was drawn when the event was pending; what became of it comes by itself.
	r.until("document.querySelector('.event .badges').textContent.includes('dead letter') && document.querySelector('.event .state').matches('.is-bad')")
	r.until("[...document.querySelectorAll('.tile')].some((t) => t.innerText.replaceAll('\\n', ' ') === 'Inbox 1 dead letter' && t.querySelector('.is-bad'))")
	r.click(".event")
	r.until("document.querySelector('.stock.is-bad')?.innerText.includes('failed on purpose') && document.querySelector('.cell-effect.is-bad')?.innerText === 'dead letter'")
	if text := r.text(".stock"); !strings.Contains(text, "2 tries") {
		t.Errorf("the page of the event says %q, want its two tries", text)
	}
	r.click("#try-again")
	r.press("the printer has paper" + kb.Enter)
	r.until("document.querySelector('.stock.is-ok')?.innerText.includes('the printer has paper') && document.querySelector('.event .state').matches('.is-ok') && !document.querySelector('#try-again')")
	r.until("[...document.querySelectorAll('.tile')].some((t) => t.innerText.replaceAll('\\n', ' ') === 'Inbox 1 all done' && t.querySelector('.is-ok'))")
	r.click(".stock button")
	r.until("document.querySelector('dialog .items').innerText.includes('evt_1') && document.querySelector('dialog .items .badge.is-ok')")
	if text := r.text("dialog .items"); !strings.Contains(text, "2 tries") {
		t.Errorf("the inbox says %q, want the two tries since it was taken up again", text)
	}
}

// countsOfLost looks at requests to a path without an endpoint, which have no numbers.
func countsOfLost(t *testing.T, b chromium) {
	r := start(t, b, mockreceiver.Config{})
	for range 3 {
		send(t, r.DataURL()+"/nowhere", "evt_1", `{}`)
	}
	r.console("")
	r.until("document.querySelector('.event .count')?.textContent === '3 attempts' && document.querySelector('.event .facts').textContent === 'no endpoint'")
	send(t, r.DataURL()+"/nowhere", "evt_1", `{}`)
	r.until("document.querySelector('.event .count').textContent === '4 attempts'")
	r.click(".event")
	r.until("document.querySelector('.event-head .facts').innerText.includes('4 attempts') && document.querySelectorAll('.timeline .node').length === 4")
}

// rulesEdited sets a plan by match on the page.
func rulesEdited(t *testing.T, b chromium) {
	r := start(t, b, mockreceiver.Config{})
	url := r.endpoint("hook", "200")
	r.excuse("/v1/endpoints/hook/rules") // one is refused
	r.console("")
	r.press("p")
	r.until("document.activeElement.id === 'plan-text'")
	r.click(".rules summary")
	r.click("#add-rule")
	r.press(`.body.n ==` + kb.Tab + "410")
	r.click("#set-rules")
	r.until("document.querySelector('.rules .said.is-bad')?.checkVisibility()")
	js[any](r.tab, "document.querySelector('[name=match]').focus(), null")
	r.press(kb.End + " 7")
	r.click("#set-rules")
	r.until("document.querySelector('.rules .said.is-ok')?.checkVisibility() && document.querySelector('.rules summary').textContent.startsWith('1 plan')")
	for body, want := range map[string]int{`{"n":7}`: 410, `{"n":8}`: 200} {
		if got := send(t, url, "", body); got != want {
			t.Errorf("%s: got %d, want %d", body, got, want)
		}
	}
	r.click(".rule button")
	r.click("#set-rules")
	r.until("document.querySelectorAll('.rule').length === 0 && document.querySelector('.rules .said.is-ok')?.checkVisibility()")
	if got := send(t, url, "", `{"n":7}`); got != 200 {
		t.Errorf("without the match: got %d, want 200", got)
	}
}

// endpointAdded makes an endpoint that checks signatures. Its secret is nowhere in the page afterwards.
func endpointAdded(t *testing.T, b chromium) {
	r := start(t, b, mockreceiver.Config{})
	r.endpoint("zero", "200")
	r.excuse("/v1/endpoints") // one is refused
	r.console("")
	r.click("#add-endpoint")
	r.press("shop" + kb.Tab + "no-slash" + kb.Tab + kb.End + "*2, 503")
	js[any](r.tab, "document.querySelector('[name=business]').value = 'inbox', document.querySelector('.more').open = true, null")
	js[any](r.tab, "document.querySelector('[name=scheme]').focus(), null")
	r.press("timestamp-v1" + kb.Tab + "a very secret text" + kb.Tab + " ")
	r.click("dialog [type=submit]")
	r.until("document.querySelector('dialog .error')?.innerText.includes('path')")
	js[any](r.tab, "document.querySelector('[name=path]').value = '/in/shop', null")
	r.click("dialog [type=submit]")
	r.until("!document.querySelector('dialog') && document.querySelector('.endpoints').innerText.includes('/in/shop')")
	if got := r.api("/v1/endpoints/shop"); !strings.Contains(got, `"plan":"200*2, 503"`) || !strings.Contains(got, `"business":"inbox"`) || !strings.Contains(got, `"reject":true`) {
		t.Errorf("it has %s", got)
	}
	if got := send(t, r.DataURL()+"/in/shop", "evt_1", `{}`); got != 401 {
		t.Errorf("unsigned: got %d, want 401", got)
	}
	kept := js[string](r.tab, "document.documentElement.outerHTML + [...document.querySelectorAll('input')].map((i) => i.value) + JSON.stringify({...sessionStorage, ...localStorage}) + location")
	if strings.Contains(kept, "very secret") {
		t.Error("the secret is still in the page")
	}
}

// likelyEndpoint looks which endpoint is taken for meant: where something came last, and not the first of the alphabet.
func likelyEndpoint(t *testing.T, b chromium) {
	r := start(t, b, mockreceiver.Config{})
	r.endpoint("alpha", "200")
	send(t, r.endpoint("orders", "200"), "evt_1", `{}`)
	r.console("")
	r.until("document.querySelector('#first-curl').textContent.includes('/hooks/orders')")
	r.press("p")
	r.until("document.querySelector('[name=target]').value === 'eorders'")
}

// wordsOfTheBar reads what the bar says, with a token and without.
func wordsOfTheBar(t *testing.T, b chromium) {
	r := start(t, b, mockreceiver.Config{})
	r.open("")
	r.until("document.querySelector('#live').textContent === 'No token' && document.querySelector('.token input') === document.activeElement")
	r.console("")
	if text := r.text(".bar"); !strings.Contains(text, "Theme: system") || !strings.Contains(text, "Shortcuts") || !strings.Contains(text, "Live") {
		t.Errorf("the bar says %q", text)
	}
}

// longTags looks whether counts are cut off where tags are long.
func longTags(t *testing.T, b chromium) {
	r := start(t, b, mockreceiver.Config{})
	url := r.endpoint(strings.Repeat("endpoint-", 4), "502, 429, 200")
	for range 7 {
		send(t, url, "evt_1", `{"type":"a.type.with.a.long.name.indeed"}`)
	}
	for _, width := range []int64{360, 390, 1440} {
		r.do(chromedp.EmulateViewport(width, 900))
		r.console("")
		if cut := js[[]string](r.tab, "[...document.querySelectorAll('.event .count, .event .answers, .event .time, .tile > span')].filter((n) => n.scrollWidth > n.clientWidth + 1).map((n) => n.className + ' ' + n.textContent)"); len(cut) > 0 {
			t.Errorf("%d pixels: cut off: %q", width, cut)
		}
		over := js[[]float64](r.tab, "[...document.querySelectorAll('.event')].map((e) => [e, e.querySelector('.event-sub').lastElementChild]).map(([e, last]) => last.getBoundingClientRect().right - e.getBoundingClientRect().right)")
		for _, o := range over {
			if o > 0 {
				t.Errorf("%d pixels: the tags end %g beside their row", width, o)
			}
		}
	}
}
