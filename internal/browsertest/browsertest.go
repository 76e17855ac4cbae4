// Package browsertest starts a Chromium for tests of pages.
package browsertest

import (
	"context"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// Patience is how long a test waits for what a browser must do. It only bounds a hang: far above anything seen on a busy machine.
const Patience = time.Minute

// Start runs a Chromium until the test and its subtests end, and returns the context that chromedp keeps it in, with its first
// page. Options are those of that page. Without a Chromium on the PATH the test is skipped, or fails where the
// environment's HOOKASSAY_REQUIRE_BROWSER=1 says that there must be one.
func Start(t *testing.T, options ...chromedp.ContextOption) context.Context {
	t.Helper()
	path := find()
	if path == "" && os.Getenv("HOOKASSAY_REQUIRE_BROWSER") == "1" {
		t.Fatal("no Chromium on the PATH, and HOOKASSAY_REQUIRE_BROWSER=1 wants one")
	}
	if path == "" {
		t.Skip("no Chromium on the PATH: the page is not looked at")
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:],
		// The pages are our own, and containers seldom let a browser have its sandbox.
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()),
		chromedp.WSURLReadTimeout(Patience),
		chromedp.Flag("disable-component-update", true))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), opts...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx, options...)
	t.Cleanup(func() {
		// The profile can be removed only once the browser has ended.
		end, stop := context.WithTimeout(ctx, Patience)
		defer stop()
		_ = chromedp.Cancel(end)
		cancel()
	})
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("start %s: %v", path, err)
	}
	return ctx
}

func find() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// TellRequests makes a page tell its listener of each request that it makes.
func TellRequests() chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, network.Enable, network.EnableParams{})
		return err
	})
}
