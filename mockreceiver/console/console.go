// Package console serves the receiver's web page: one document and its assets, embedded, without a build step.
//
// The page holds no data and needs no token. What it shows it asks of the control API, with the token that its reader has.
package console

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"
)

//go:embed static
var files embed.FS

// Assets is the path below which everything but the page itself is served.
const Assets = "/console/"

// policy allows what the page is made of and nothing else. Trusted types are forbidden altogether, so that text of a payload
// cannot become markup even by a slip in the page's code: innerHTML throws.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// contentType has a line for each suffix in use: the machine's own table may lack one, or hold another.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	default:
		return "application/octet-stream"
	}
}

type asset struct {
	body []byte
	kind string
	etag string
}

// Handler serves the page at / and its assets below Assets. Anything else is 404.
func Handler() http.Handler {
	assets, err := load()
	if err != nil {
		panic(fmt.Sprintf("read the embedded console: %v", err)) // they are part of this program
	}
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		a, ok := assets[req.URL.Path]
		setHeaders(w.Header())
		if !ok {
			http.Error(w, "the console has no such file", http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", a.kind)
		w.Header().Set("ETag", a.etag)
		// A browser may keep a copy and must ask whether it is still the one: another version of the receiver may listen
		// at the same address the next minute.
		w.Header().Set("Cache-Control", "no-cache")
		http.ServeContent(w, req, "", time.Time{}, bytes.NewReader(a.body))
	})
}

func setHeaders(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}

// load reads all files once, by the path of their URL.
func load() (map[string]asset, error) {
	assets := map[string]asset{}
	err := fs.WalkDir(files, "static", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(body)
		url := Assets + strings.TrimPrefix(name, "static/")
		if name == "static/index.html" {
			url = "/"
		}
		assets[url] = asset{body, contentType(name), `"` + hex.EncodeToString(sum[:8]) + `"`}
		return nil
	})
	return assets, err
}
