package console_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/journal"
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
		{"gaps stand against the contract, and acceptance is told", contractShown},
		{"a signature is shown with its reason and its bytes", signatures},
		{"the empty page offers the certificate", overTLS},
		{"a queued event shows where it stands, and is tried again", inboxShown},
		{"requests to no endpoint are counted", countsOfLost},
		{"timelines have room for their labels", drawsTimelines},
		{"plans by match are set on the page", rulesEdited},
		{"an endpoint is added, and its secret forgotten", endpointAdded},
		{"the endpoint that people mean is chosen", likelyEndpoint},
		{"the bar says what its buttons are", wordsOfTheBar},
		{"counts are not cut off by long tags", longTags},
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

func contractShown(t *testing.T, b chromium) {
	r := start(t, b, mockreceiver.Config{
		Window: func(int, *journal.Attempt) (mockreceiver.Window, bool) {
			return mockreceiver.Window{Min: time.Minute, Max: 2 * time.Minute}, true
		},
		Acceptance: func(_ context.Context, _ time.Time, events [][]journal.Attempt) (any, error) {
			return map[string]any{"events": len(events), "rate": 0.9996, "threshold": 0.999, "sample_sufficient": false, "missing_ids": []string{}}, nil
		},
	})
	url := r.endpoint("hook", "502, 200")
	send(t, url, "evt_1", `{}`)
	send(t, url, "evt_1", `{}`)
	r.console("")
	r.until("document.querySelector('.tiles').innerText.includes('99.9 %')") // rounded down: it is not 100
	r.click(".event")
	r.until("document.querySelectorAll('.timeline .window').length === 1 && document.querySelector('.cell-gap .verdict')?.textContent === 'too early'")
	// On the drawing the attempt stands before the band in which it should be.
	if !js[bool](r.tab, `(() => {
		const band = document.querySelector('.timeline .window').getBoundingClientRect();
		const mark = document.querySelector('.timeline .node:last-child circle').getBoundingClientRect();
		return mark.right < band.left;
	})()`) {
		t.Error("an attempt that came too early does not stand before its window")
	}
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
