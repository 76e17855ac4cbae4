package mockreceiver

import (
	"encoding/json"
	"net/http"
	"strconv"
)

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
