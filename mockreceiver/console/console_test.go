package console_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/mockreceiver/console"
)

func ask(method, path string, header ...string) *http.Response {
	req := httptest.NewRequest(method, path, nil)
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	console.Handler().ServeHTTP(w, req)
	return w.Result()
}

func TestEachFileHasItsTypeAndThePolicy(t *testing.T) {
	names, err := filepath.Glob("static/*")
	if err != nil || len(names) < 10 {
		t.Fatalf("%d files, %v", len(names), err)
	}
	types := map[string]string{
		".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
	}
	for _, name := range names {
		path := console.Assets + filepath.Base(name)
		if name == "static/index.html" {
			path = "/"
		}
		resp := ask(http.MethodGet, path)
		h := resp.Header
		if resp.StatusCode != 200 || h.Get("Content-Type") != types[filepath.Ext(name)] || types[filepath.Ext(name)] == "" {
			t.Errorf("%s: got %d as %q", path, resp.StatusCode, h.Get("Content-Type"))
		}
		if p := h.Get("Content-Security-Policy"); !strings.Contains(p, "default-src 'none'") || strings.Contains(p, "unsafe") {
			t.Errorf("%s: policy %q", path, p)
		}
		if h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Referrer-Policy") != "no-referrer" || h.Get("Cache-Control") != "no-cache" {
			t.Errorf("%s: headers %v", path, h)
		}
		if again := ask(http.MethodGet, path, "If-None-Match", h.Get("ETag")); again.StatusCode != 304 {
			t.Errorf("%s, known already: got %d, want 304", path, again.StatusCode)
		}
	}
}

func TestNothingElseIsServed(t *testing.T) {
	for _, path := range []string{
		"/console/", "/console/none.js", "/console/index.html", "/console/../console.go", "/console/%2e%2e/console.go", "/static/main.js", "//", "/console//main.js",
	} {
		if resp := ask(http.MethodGet, path); resp.StatusCode != 404 {
			t.Errorf("%s: got %d, want 404", path, resp.StatusCode)
		}
	}
}

// TestThePageHasNoInlineCodeAndNoOutsideAsset reads what a policy would stop only in a browser.
func TestThePageHasNoInlineCodeAndNoOutsideAsset(t *testing.T) {
	page, err := os.ReadFile("static/index.html")
	if err != nil {
		t.Fatal(err)
	}
	for what, pattern := range map[string]string{
		"an inline script": `<script[^>]*>[^<]`, "an inline style": `<style|\sstyle=`, "a handler in an attribute": `\son[a-z]+=`, "an outside address": `(?:https?:)?//`,
	} {
		if m := regexp.MustCompile(pattern).Find(page); m != nil {
			t.Errorf("the page has %s: %s", what, m)
		}
	}
	scripts, err := filepath.Glob("static/*.js")
	if err != nil {
		t.Fatal(err)
	}
	// Text of strangers must never get near these.
	markup := regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\b|new Function|setHTML|createContextualFragment`)
	for _, name := range scripts {
		code, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for n, line := range strings.Split(string(code), "\n") {
			if markup.MatchString(line) && !strings.HasPrefix(strings.TrimSpace(line), "//") {
				t.Errorf("%s:%d makes markup or code of text: %s", name, n+1, line)
			}
		}
	}
}
