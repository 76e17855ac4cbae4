package mockreceiver

import (
	"net/http"

	"github.com/hookassay/hookassay/mockreceiver/alarm"
)

// healthPath is the one path of the control API that anybody may ask.
const healthPath = "/healthz"

// health answers whoever asks with one word, and those who show the token with why.
func (c control) health(req *http.Request) (int, any, error) {
	err := c.r.working()
	status, word := http.StatusOK, "ok"
	if err != nil {
		status, word = http.StatusServiceUnavailable, "failing"
		c.r.commits.probe()
	}
	if !c.knowsToken(req) {
		return status, map[string]any{"status": word}, nil
	}
	alarms := c.r.Alarms()
	answer := map[string]any{"status": word, "alarms": alarms, "worst": alarm.Worst(alarms)}
	if err != nil {
		answer["error"] = err.Error()
	}
	return status, answer, nil
}

func (c control) alarms(*http.Request) (int, any, error) {
	alarms := c.r.Alarms()
	return http.StatusOK, map[string]any{"alarms": alarms, "worst": alarm.Worst(alarms)}, nil
}
