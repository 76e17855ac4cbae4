package reports_test

import (
	"context"
	_ "embed"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/hookassay/hookassay/internal/browsertest"
)

// audit looks for what keeps a reader from the page, and returns one sentence for each: landmarks, headings, names, tables, links,
// ids, contrast, and what scrolls but cannot be focused.
//
//go:embed testdata/audit.js
var audit string

// reader is a page in Chromium, opened from a file as whoever gets a report does.
type reader struct {
	t   *testing.T
	ctx context.Context //nolint:containedctx // chromedp keeps a page in its context

	mu   sync.Mutex
	sins []string
}

// openPage starts a browser with a page.
func openPage(t *testing.T, file string) *reader {
	t.Helper()
	r := &reader{t: t}
	r.ctx = browsertest.Start(t, chromedp.WithListener(r.heard))
	r.do(browsertest.TellRequests(), chromedp.Navigate("file://"+file))
	return r
}

// heard is called in the loop that reads from the browser, and must not wait for it.
func (r *reader) heard(ev any) {
	what := ""
	switch ev := ev.(type) {
	case *runtime.EventExceptionThrown:
		what = "exception: " + ev.ExceptionDetails.Text
	case *runtime.EventConsoleAPICalled:
		what = "console: " + string(ev.Type)
	case *log.EventEntryAdded:
		what = "browser's log: " + ev.Entry.Text
	case *cdppage.EventJavascriptDialogOpening:
		what = "dialog: " + ev.Message
	case *network.EventRequestWillBeSent:
		if url := ev.Request.URL; !strings.HasPrefix(url, "file://") && url != "about:blank" {
			what = "request to " + url
		}
	}
	if what != "" {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.sins = append(r.sins, what)
	}
}

func (r *reader) do(actions ...chromedp.Action[chromedp.Void]) {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.ctx, browsertest.Patience)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		r.t.Fatal(err)
	}
}

func look[T any](r *reader, expression string) T {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.ctx, browsertest.Patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		r.t.Fatal(err)
	}
	return v
}

// press sends a key to whatever has the focus.
func (r *reader) press(key rune) {
	r.t.Helper()
	r.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		for _, e := range kb.Encode(key) {
			if _, err := cdp.Call(ctx, target, input.DispatchKeyEvent, *e); err != nil {
				return err
			}
		}
		return nil
	}))
}

// media shows the page as a medium would; the theme is light again.
func (r *reader) media(name string) {
	r.t.Helper()
	r.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: name})
		return err
	}))
}

func (r *reader) theme(name string) {
	r.t.Helper()
	r.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}},
		})
		return err
	}))
}

// TestPageIsForEverybody opens the page from a file, in both themes and at the widths of a telephone, a tablet and a desk.
func TestPageIsForEverybody(t *testing.T) {
	files := map[string]string{}
	for name, in := range inputs() {
		file := filepath.Join(t.TempDir(), "report.html")
		put(t, file, string(render(t, format(t, "html"), in)))
		files["input"+name] = file
	}
	for _, name := range []string{"", "-empty"} {
		file := filepath.Join(t.TempDir(), "report.html")
		put(t, file, string(render(t, format(t, "html"), chinese(inputs()[name]))))
		files["chinese"+name] = file
	}
	// For whoever changes the page: a report of a whole run.
	if file := os.Getenv("HOOKASSAY_REPORT_HTML"); file != "" {
		files = map[string]string{file: file}
	}
	for name, file := range files {
		t.Run(name, func(t *testing.T) {
			r := openPage(t, file)
			for _, theme := range []string{"light", "dark"} {
				r.theme(theme)
				for _, width := range []int64{390, 1024, 1440} {
					r.do(chromedp.EmulateViewport(width, 900))
					for _, what := range look[[]string](r, audit) {
						t.Errorf("%s, %d px: %s", theme, width, what)
					}
				}
			}
			r.keyboard()
			r.printed()
			r.mu.Lock()
			defer r.mu.Unlock()
			for _, s := range r.sins {
				t.Errorf("the page: %s", s)
			}
		})
	}
}

// keyboard opens and closes a scenario without a mouse, after the link that skips to the findings.
func (r *reader) keyboard() {
	r.t.Helper()
	r.press('\t')
	if got := look[string](r, "document.activeElement.className"); got != "skip" {
		r.t.Errorf("the first stop of the keyboard is %q, want the link that skips to the findings", got)
	}
	if !look[bool](r, "(() => { const d = document.querySelector('details'); if (d) d.firstElementChild.focus(); return !!d })()") {
		return // a page without a scenario
	}
	before := look[bool](r, "document.activeElement.parentElement.open")
	r.press('\r')
	if look[bool](r, "document.activeElement.parentElement.open") == before {
		r.t.Error("a scenario neither opens nor closes by the Enter key")
	}
}

// onPaper is what must be seen of a printed page, and what must not: a scenario is one line there, or a run fills hundreds of sheets.
const onPaper = `(() => {
	const seen = (e) => e.checkVisibility();
	const wrong = [];
	for (const s of ['.inside', '.toc', '.chart[aria-labelledby]', 'details.plain', '.cites tbody tr:nth-child(7)', '.dead tbody tr:nth-child(21)']) {
		if ([...document.querySelectorAll(s)].some(seen)) wrong.push(s + ' is printed');
	}
	for (const s of ['.on-paper', '.banner', '.checks tr', '.scenario > summary', '#findings .finding', '#findings .basis[open] tr:nth-child(-n+6)', '#not-tested']) {
		if (![...document.querySelectorAll(s)].every(seen)) wrong.push(s + ' is not printed');
	}
	return wrong;
})()`

// printed wants the page as a document of its own, which says what it leaves out.
func (r *reader) printed() {
	r.t.Helper()
	if look[bool](r, "document.querySelector('.on-paper').checkVisibility()") {
		r.t.Error("what is said of paper is shown on a screen")
	}
	r.media("print")
	for _, what := range look[[]string](r, onPaper) {
		r.t.Errorf("on paper %s", what)
	}
	ctx, cancel := context.WithTimeout(r.ctx, browsertest.Patience)
	defer cancel()
	res, err := chromedp.Call(ctx, cdppage.PrintToPDF, cdppage.PrintToPDFParams{PrintBackground: new(true)})
	if err != nil {
		r.t.Fatal(err)
	}
	text := string(res.Data)
	if raw, err := base64.StdEncoding.DecodeString(text); err == nil {
		text = string(raw)
	}
	if !strings.HasPrefix(text, "%PDF-") {
		r.t.Errorf("printed it begins with %.8q", text)
	}
}
