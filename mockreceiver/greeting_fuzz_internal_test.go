package mockreceiver

import (
	"slices"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/handshake"
)

// FuzzHandshake asks each handshake with anything. Whatever comes back must be small, and no page to a browser; who does not know the
// token gets no challenge.
func FuzzHandshake(f *testing.F) {
	f.Add("GET", "/h?hub.mode=subscribe&hub.challenge=%3Cb%3E&hub.verify_token=x&hub.topic=t", "", "", []byte(""))
	f.Add("POST", "/h", "webhook_callback_verification", "", []byte(`{"type":"url_verification","challenge":"c"}`))
	f.Add("POST", "/h", "ping", "", []byte(`{"event":"endpoint.url_validation","payload":{"plainToken":"\u003cb"}}`))
	f.Add("OPTIONS", "/h", "events.example.com", "10", []byte(nil))
	f.Add("HEAD", "/%", "", "", []byte(`{"type":0`))
	kinds := handshake.Kinds()
	f.Fuzz(func(t *testing.T, method, target, header, rate string, body []byte) {
		head := evidence.Head{Method: method, Target: target, Fields: [][2]string{
			{"Twitch-Eventsub-Message-Type", header}, {"X-GitHub-Event", header}, {"WebHook-Request-Origin", header}, {"WebHook-Request-Rate", rate},
		}}
		ask := &handshake.Request{Method: method, Target: target, Header: head.Get, Body: func(pointer string) string {
			text, _ := lookup(body, pointer)
			return text
		}}
		for i := range kinds {
			k := &kinds[i]
			if !k.Asks(ask) {
				continue
			}
			reply, ok := k.Answer(&handshake.Settings{Name: k.Name, Secrets: []string{"canary-known-to-nobody"}}, ask)
			inert := slices.Contains(reply.Header, [2]string{"X-Content-Type-Options", "nosniff"}) &&
				!slices.ContainsFunc(reply.Header, func(h [2]string) bool { return strings.Contains(h[1], "html") })
			if len(reply.Body) > 64<<10 || reply.Body != "" && !inert || strings.Contains(reply.Body, "canary") {
				t.Errorf("%s: %v %q", k.Name, reply.Header, reply.Body)
			}
			for _, field := range reply.Header {
				if strings.ContainsAny(field[0]+field[1], "\r\n") {
					t.Errorf("%s: a field with a line end: %q", k.Name, field)
				}
			}
			if k.Name == "meta" && ok && !strings.Contains(target, "canary") {
				t.Errorf("a stranger got %d %q", reply.Status, reply.Body)
			}
		}
	})
}
