package mockreceiver

import (
	"encoding/json"
	"net/http"
	"strconv"
)

// writer is an answer that is no JSON value. It writes status, header and body itself.
type writer interface {
	write(w http.ResponseWriter, req *http.Request)
}

func writeJSON(w http.ResponseWriter, status int, answer any) {
	if answer == nil {
		w.WriteHeader(status)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	_ = e.Encode(answer) // the caller hung up: there is nobody to tell
}

// fileAnswer is bytes to be kept as a file.
type fileAnswer struct {
	contentType string // what no browser shows
	name        string
	body        []byte
}

func (f fileAnswer) write(w http.ResponseWriter, _ *http.Request) {
	h := w.Header()
	h.Set("Content-Type", f.contentType)
	h.Set("Content-Disposition", `attachment; filename="`+f.name+`"`)
	h.Set("Content-Length", strconv.Itoa(len(f.body)))
	_, _ = w.Write(f.body) // the caller hung up: there is nobody to tell
}

// textAnswer is text for a terminal or a file, which no browser renders.
type textAnswer string

func (t textAnswer) write(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte(t)) // the caller hung up: there is nobody to tell
}

// jsonAnswer is JSON that is written already.
type jsonAnswer []byte

func (a jsonAnswer) write(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(a) // the caller hung up: there is nobody to tell
}

// cursor is the next of a list: null where there is no further page.
func cursor(next int64) *int64 {
	if next == 0 {
		return nil
	}
	return &next
}
