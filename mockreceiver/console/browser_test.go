package console_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/hookassay/hookassay/internal/browsertest"
)

// browser is one Chromium for a whole test and its subtests.
func browser(t *testing.T) chromium {
	t.Helper()
	return chromium{browsertest.Start(t)}
}

// chromium is a browser that runs.
type chromium struct {
	ctx context.Context //nolint:containedctx // chromedp keeps a browser in its context
}

// tab is a page of its own in the browser, with nothing shared but the process. It fails the test if the page does what it
// must never do: an error on its console, a dialog, a request to elsewhere, a breach of its own policy.
type tab struct {
	t   *testing.T
	ctx context.Context //nolint:containedctx // chromedp keeps a page in its context

	mu   sync.Mutex
	own  string // the only address that it may ask
	sins []string
	// excused are addresses whose refusals the browser notes on its console and the test wants.
	excused []string
}

func newTab(t *testing.T, b chromium, own string) *tab {
	t.Helper()
	p := &tab{t: t, own: own}
	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext(), chromedp.WithListener(p.heard))
	t.Cleanup(cancel)
	p.ctx = ctx
	p.do(browsertest.TellRequests())
	t.Cleanup(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, s := range p.sins {
			t.Errorf("the page: %s", s)
		}
	})
	return p
}

// heard is called in the loop that reads from the browser, and must not wait for it.
func (p *tab) heard(ev any) {
	switch ev := ev.(type) {
	case *runtime.EventExceptionThrown:
		p.sin("exception: " + ev.ExceptionDetails.Text + " " + description(ev.ExceptionDetails.Exception))
	case *runtime.EventConsoleAPICalled:
		if ev.Type == "error" || ev.Type == "warning" {
			for _, arg := range ev.Args {
				p.sin(fmt.Sprintf("console: %s %s", arg.Value, arg.Description))
			}
		}
	case *log.EventEntryAdded:
		if ev.Entry.Level == log.EntryLevelError && !p.isExcused(ev.Entry.URL) {
			p.sin("browser's log: " + ev.Entry.Text + " " + ev.Entry.URL)
		}
	case *page.EventJavascriptDialogOpening:
		p.sin("dialog: " + ev.Message)
		go func() { // the page stands still until somebody answers
			_, _ = chromedp.Call(p.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{})
		}()
	case *network.EventRequestWillBeSent:
		if url := ev.Request.URL; !strings.HasPrefix(url, p.own+"/") && !strings.HasPrefix(url, "blob:"+p.own+"/") && url != "about:blank" {
			p.sin("request to " + url)
		}
	}
}

func description(o *runtime.RemoteObject) string {
	if o == nil {
		return ""
	}
	return o.Description
}

func (p *tab) sin(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sins = append(p.sins, what)
}

// excuse lets refusals of a path be.
func (p *tab) excuse(path string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.excused = append(p.excused, p.own+path)
}

func (p *tab) isExcused(url string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range p.excused {
		if strings.HasPrefix(url, e) {
			return true
		}
	}
	return false
}

func (p *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := p.within()
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		p.t.Fatal(err)
	}
}

// within bounds one act. The first one starts the tab, which lives as long as its context.
func (p *tab) within() (context.Context, context.CancelFunc) {
	if chromedp.FromContext(p.ctx).Target == nil {
		return p.ctx, func() {}
	}
	return context.WithTimeout(p.ctx, browsertest.Patience)
}

// open loads the page anew at a fragment.
func (p *tab) open(fragment string) {
	p.t.Helper()
	p.do(chromedp.Navigate("about:blank"), chromedp.Navigate(p.own+"/#"+fragment), chromedp.Evaluate[chromedp.Void](`
		window.breaches = [];
		addEventListener('securitypolicyviolation', (e) => breaches.push(e.violatedDirective + ' ' + e.blockedURI));`))
}

// js evaluates an expression; a promise is waited for.
func js[T any](p *tab, expression string) T {
	p.t.Helper()
	ctx, cancel := p.within()
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// until waits in the page until an expression is true.
func (p *tab) until(expression string) {
	p.t.Helper()
	ctx, cancel := p.within()
	defer cancel()
	_, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`new Promise((done) => {
		const look = () => { let v = false; try { v = (`+expression+`) } catch { v = false } v ? done(true) : setTimeout(look, 10) };
		look();
	})`, chromedp.EvalAwaitPromise))
	if errors.Is(err, context.DeadlineExceeded) {
		p.t.Fatalf("waited in vain for %s; the page shows:\n%s", expression, js[string](p, "document.body.innerText"))
	} else if err != nil {
		p.t.Fatalf("%s: %v", expression, err)
	}
}

// click waits for an element of that CSS selector that is shown, and clicks it.
func (p *tab) click(css string) {
	p.t.Helper()
	// Below what is sticky there is room to scroll, which the browser's own way of scrolling to a node may not use.
	p.until(fmt.Sprintf("document.querySelector(%q)?.checkVisibility() && (document.querySelector(%q).scrollIntoView({block: 'nearest'}), true)", css, css))
	p.do(chromedp.Click(chromedp.CSS(css)))
}

// press sends keys to whatever has the focus. Unlike chromedp.KeyEvent it makes no character of a key that the page took for
// itself, as people's keyboards do not either.
func (p *tab) press(keys string) {
	p.t.Helper()
	for _, key := range keys {
		p.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
			down, up := *kb.Encode(key)[0], *kb.Encode(key)[len(kb.Encode(key))-1]
			if len(kb.Encode(key)) == 3 {
				down.Type, down.Text = input.DispatchKeyEventTypeKeyDown, kb.Encode(key)[1].Text
			}
			for _, e := range []input.DispatchKeyEventParams{down, up} {
				if _, err := cdp.Call(ctx, target, input.DispatchKeyEvent, e); err != nil {
					return err
				}
			}
			return nil
		}))
	}
}

// text is what an element shows.
func (p *tab) text(css string) string {
	p.t.Helper()
	return js[string](p, fmt.Sprintf("document.querySelector(%q).innerText", css))
}

// live waits until the stream is open and the list was loaded.
func (p *tab) live() {
	p.t.Helper()
	p.until(`document.querySelector('#live').dataset.state === 'live' && document.querySelector('.tile') && (document.querySelector('.event') || document.querySelector('.none')?.checkVisibility())`)
}

// drag moves the mouse from the middle of one element to that of another.
func (p *tab) drag(from, to string) {
	p.t.Helper()
	at := func(css string) []float64 {
		return js[[]float64](p, fmt.Sprintf("(() => { const b = document.querySelector(%q).getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2] })()", css))
	}
	js[any](p, fmt.Sprintf("document.querySelector(%q).scrollIntoView({block: 'center'}), null", from))
	a, b := at(from), at(to)
	p.do(chromedp.DragAndDropXY(a[0], a[1], b[0], b[1]))
}
