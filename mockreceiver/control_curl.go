package mockreceiver

import "net/http"

// showCurl answers with a curl command that sends a request again.
func (c control) showCurl(req *http.Request) (int, any, error) {
	if err := queryOf(req).done(); err != nil {
		return 0, nil, err
	}
	a, err := c.attempt(req)
	if err != nil {
		return 0, nil, err
	}
	text, err := curlCommand(a, c.r.placeOf(a, c.r.caInline()), "-sS", "-i")
	if err != nil {
		return 0, nil, apiError{http.StatusConflict, err.Error()}
	}
	return http.StatusOK, textAnswer(text), nil
}
