package mockreceiver

import (
	"net/http"
)

// textAnswer is text for a terminal or a file, which no browser renders.
type textAnswer string

func (t textAnswer) write(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte(t)) // the caller hung up: there is nobody to tell
}

// showCurl answers with a curl command that sends a request again.
func (c control) showCurl(req *http.Request) (int, any, error) {
	if err := queryOf(req).done(); err != nil {
		return 0, nil, err
	}
	a, err := c.attempt(req)
	if err != nil {
		return 0, nil, err
	}
	text, err := curlCommand(a, c.r.urlOf(a), "-sS", "-i")
	if err != nil {
		return 0, nil, apiError{http.StatusConflict, err.Error()}
	}
	return http.StatusOK, textAnswer(text), nil
}
