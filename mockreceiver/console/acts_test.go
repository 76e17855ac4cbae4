package console_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/hookassay/hookassay/mockreceiver"
)

func acts(t *testing.T, b chromium) {
	r := start(t, b, mockreceiver.Config{})
	url := r.endpoint("hook", "502, 200")
	send(t, url, "evt_1", `{"n":1}`, "X-Try", "it's the first")
	send(t, url, "evt_1", `{"n":2}`, "X-Try", "it's the second")
	r.console("")
	r.click(".event")
	r.until("document.querySelector('.attempt-head h3').textContent.startsWith('Attempt 2')")

	js[any](r.tab, "navigator.clipboard.writeText = async (text) => { window.copied = text }, null")
	r.press("c")
	r.until("window.copied")
	if got, want := js[string](r.tab, "copied"), r.api("/v1/attempts/2/curl"); got != want {
		t.Errorf("copied:\n%s\nwant:\n%s", got, want)
	}
	runShell(t, js[string](r.tab, "copied"))
	r.until("document.querySelectorAll('.attempt[role=option]').length === 3")

	r.press("d")
	r.until("document.querySelectorAll('.diff .removed').length === 2")
	diff := js[string](r.tab, "[...document.querySelectorAll('.diff .added, .diff .removed')].map((l) => l.textContent).join('|')")
	for _, want := range []string{"−removed X-Try: it's the first", "+added X-Try: it's the second", `"n": 1`, `"n": 2`} {
		if !strings.Contains(diff, want) {
			t.Errorf("the diff lacks %q: %s", want, diff)
		}
	}

	r.press("r")
	r.until("document.activeElement.name === 'reason'")
	r.press(kb.Enter)
	r.until("document.querySelector('dialog :invalid')") // without a reason nothing is sent
	r.press("the worker was down" + kb.Enter)
	r.until("!document.querySelector('dialog') && document.querySelectorAll('.attempt[role=option]').length === 4")
	r.click(".attempt[role=option]:last-child")
	r.click("[data-view=connection]")
	r.until("document.querySelector('.panel').textContent.includes('the worker was down')")
}

// contrast returns texts whose contrast with what lies behind them is below that of WCAG AA: 4.5 to 1. It takes the first opaque
// background among the ancestors; the page lays no text over pictures.
const contrast = `(() => {
	const pen = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
	const rgb = (colour) => { pen.clearRect(0, 0, 1, 1); pen.fillStyle = colour; pen.fillRect(0, 0, 1, 1); return [...pen.getImageData(0, 0, 1, 1).data]; };
	const light = (c) => c.slice(0, 3).map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
	const behind = (node) => { for (; node; node = node.parentElement) { const c = rgb(getComputedStyle(node).backgroundColor); if (c[3] === 255) return c; } return [255, 255, 255]; };
	const bad = new Set();
	const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (texts.nextNode()) {
		const node = texts.currentNode.parentElement;
		if (!texts.currentNode.data.trim() || !node.checkVisibility() || node.closest('.hidden, .mirror, :disabled, title')) continue;
		const style = getComputedStyle(node);
		const [a, b] = [light(rgb(node.closest('svg') ? style.fill : style.color)), light(behind(node))].sort((x, y) => y - x);
		const ratio = (a + 0.05) / (b + 0.05);
		if (ratio < 4.5) bad.add(node.className + ' "' + texts.currentNode.data.trim().slice(0, 30) + '" ' + ratio.toFixed(2));
	}
	return [...bad];
})()`

func readable(t *testing.T, b chromium) {
	r := start(t, b, mockreceiver.Config{})
	url := r.endpoint("an-endpoint-with-a-long-name", "502, 429(retry-after=2), 200")
	for range 4 {
		send(t, url, "evt_"+strings.Repeat("long-", 40), `{"type":"order.paid","text":"`+strings.Repeat("x", 500)+`","n":1,"ok":true}`, "X-Long", strings.Repeat("y", 300))
	}
	send(t, url, "evt_\u202e", "no JSON \u202e")
	for _, theme := range []string{"light", "dark"} {
		for _, width := range []int64{360, 390, 768, 1440} {
			r.do(chromedp.EmulateViewport(width, 900), prefers(theme))
			r.console("")
			check := func(what string) {
				t.Helper()
				if over := js[int](r.tab, "document.documentElement.scrollWidth - document.documentElement.clientWidth"); over > 0 {
					t.Errorf("%s, %d pixels, %s: scrolls sideways by %d", theme, width, what, over)
				}
				if bad := js[[]string](r.tab, contrast); len(bad) > 0 {
					t.Errorf("%s, %d pixels, %s: too little contrast: %q", theme, width, what, bad)
				}
			}
			check("list")
			r.click(".event:last-child")
			r.until("document.querySelectorAll('.attempt[role=option]').length === 4 && document.querySelector('.raw.head') && document.querySelector('pre[aria-label=Body]').textContent")
			check("event")
			for _, view := range []string{"signature", "answer", "connection", "diff"} {
				r.click(fmt.Sprintf("[data-view=%s]", view))
				r.until(fmt.Sprintf("document.querySelector('.panel').getAttribute('aria-labelledby') === 'tab-%s' && document.querySelector('.panel').childElementCount", view))
				check(view)
			}
			r.press("p")
			r.until("document.querySelectorAll('.step').length === 3")
			check("plan")
			r.press(kb.Escape)
			r.until("!document.querySelector('dialog')")
		}
	}
	// The measure is one that can fail.
	js[any](r.tab, "document.documentElement.style.setProperty('--dim', '#777'), null")
	if bad := js[[]string](r.tab, contrast); len(bad) == 0 {
		t.Error("grey on black passes for readable")
	}
	// The page's own choice goes before the system's.
	dark := js[string](r.tab, "getComputedStyle(document.body).backgroundColor")
	r.click("#theme")
	r.until("document.documentElement.dataset.theme === 'light' && getComputedStyle(document.body).backgroundColor !== " + quoted(dark))
}

// prefers emulates the system's theme.
func prefers(theme string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}, {Name: "prefers-reduced-motion", Value: "reduce"}},
		})
		return err
	})
}
