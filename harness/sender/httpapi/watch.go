package httpapi

import (
	"net/http"
	"time"

	"github.com/hookassay/hookassay/harness/sender"
)

// toldAnswer bounds what of an answer the watcher is told. An answer about one endpoint or event has a few KiB; the long ones
// are lists of payloads that we sent ourselves.
const toldAnswer = 64 << 10

// watch passes on what the process does, and ends the probing of one that ended by itself.
type watch struct {
	to    sender.Watcher
	probe *sender.Prober
	clean *sender.Redactor
}

// Line implements process.Watcher.
func (w watch) Line(stream, line string) { w.to.Line(stream, line) }

// Exited implements process.Watcher.
func (w watch) Exited(err error) {
	w.probe.Cancel()
	w.to.Exited(w.clean.Wrap(err))
}

// nobody is the watcher where there is none.
type nobody struct{}

func (nobody) Line(string, string)           {}
func (nobody) Exited(error)                  {}
func (nobody) Answer(string, []byte)         {}
func (nobody) Late(time.Time, time.Duration) {}

// tell passes an answer to s on to the watcher. What grants a key of an endpoint, or the access that setup is for, is left
// out; so is what the adapter keeps secret, which is nobody's to look for.
func (c *client) tell(s *call, status int, body []byte) {
	grants := s.op == opSetup || s.op.grantsKey()
	if s.op == "" || len(body) == 0 || grants && status < http.StatusBadRequest {
		return
	}
	body = []byte(c.own.Clean(string(body)))
	c.watcher.Answer(string(s.op), body[:min(len(body), toldAnswer)])
}
