package mockreceiver_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/signature"
	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/handshake"
)

// asking is a request that asks for a handshake.
type asking struct {
	method, query, body string
	header              map[string]string
	signed              bool // by the handshake's scheme, now
}

func (a asking) request(t testing.TB, at, scheme, secret string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), a.method, at+a.query, strings.NewReader(a.body))
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range a.header {
		req.Header.Set(k, v)
	}
	if !a.signed {
		return req
	}
	s, err := signature.Lookup(scheme)
	if err != nil {
		t.Fatal(err)
	}
	fields, err := s.Sign(signature.Content{ID: "id-1", At: time.Now(), Body: []byte(a.body)}, secret)
	if err != nil {
		t.Fatal(err)
	}
	maps.Copy(req.Header, fields)
	return req
}

const (
	hubToken   = "hub-verify-token"
	discordPub = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a" // RFC 8032, 7.1, test 1
	discordKey = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60" + discordPub
	zoomBody   = `{"event":"endpoint.url_validation","payload":{"plainToken":"qgg8vlvZRS6UYooatFL8Aw"},"event_ts":1654503849680}`
)

func TestHandshakes(t *testing.T) {
	t.Parallel()
	hub := func(token, challenge string) string {
		return "?" + url.Values{"hub.mode": {"subscribe"}, "hub.verify_token": {token}, "hub.challenge": {challenge}, "hub.topic": {"https://t.example/a"}}.Encode()
	}
	for _, tc := range []struct {
		kind   string
		set    mockreceiver.Handshake
		secret string // that requests are signed with, where it is not the one of set
		ask    asking
		status int // 401 and the like: refused
		body   string
	}{
		{kind: "slack", ask: asking{method: "POST", body: `{"type":"url_verification","challenge":"3eZbrw1a"}`}, status: 200, body: "3eZbrw1a"},
		{kind: "slack", set: mockreceiver.Handshake{Secrets: []string{"sl"}}, ask: asking{method: "POST", body: `{"type":"url_verification","challenge":"c"}`, signed: true}, status: 200, body: "c"},
		{kind: "slack", set: mockreceiver.Handshake{Secrets: []string{"sl"}}, ask: asking{method: "POST", body: `{"type":"url_verification","challenge":"c"}`}, status: 401},
		{kind: "slack", ask: asking{method: "POST", body: `{"type":"url_verification"}`}, status: 400},
		{kind: "slack", ask: asking{method: "POST", body: `{"type":"url_verification","challenge":"` + strings.Repeat("c", 4097) + `"}`}, status: 400},
		{kind: "slack", ask: asking{method: "POST", body: `{"type":"url_verification","challenge":"<script>alert(1)</script>"}`}, status: 200, body: "<script>alert(1)</script>"},
		{kind: "twitch", set: mockreceiver.Handshake{Secrets: []string{"s3cRe7"}}, ask: asking{method: "POST", header: map[string]string{"Twitch-Eventsub-Message-Type": "webhook_callback_verification"}, body: `{"challenge":"pogchamp"}`, signed: true}, status: 200, body: "pogchamp"},
		{kind: "twitch", set: mockreceiver.Handshake{Secrets: []string{"other"}}, secret: "s3cRe7", ask: asking{method: "POST", header: map[string]string{"Twitch-Eventsub-Message-Type": "webhook_callback_verification"}, body: `{"challenge":"pogchamp"}`, signed: true}, status: 401},
		{kind: "zoom", set: mockreceiver.Handshake{Secrets: []string{"zs"}}, ask: asking{method: "POST", body: zoomBody, signed: true}, status: 200, body: `{"encryptedToken":"` + macOf("zs", "qgg8vlvZRS6UYooatFL8Aw") + `","plainToken":"qgg8vlvZRS6UYooatFL8Aw"}`},
		{kind: "zoom", set: mockreceiver.Handshake{Secrets: []string{"zs"}}, ask: asking{method: "POST", body: zoomBody}, status: 401},
		{kind: "zoom", set: mockreceiver.Handshake{Secrets: []string{"zs"}}, ask: asking{method: "POST", body: `{"event":"endpoint.url_validation"}`, signed: true}, status: 400},
		{kind: "discord", set: mockreceiver.Handshake{Secrets: []string{discordPub}}, secret: discordKey, ask: asking{method: "POST", body: `{"version":1,"type":0}`, signed: true}, status: 204},
		{kind: "discord", set: mockreceiver.Handshake{Secrets: []string{discordPub}}, ask: asking{method: "POST", body: `{"version":1,"type":0}`, header: map[string]string{"X-Signature-Ed25519": strings.Repeat("0", 128), "X-Signature-Timestamp": "1"}}, status: 401},
		{kind: "discord-interactions", set: mockreceiver.Handshake{Secrets: []string{discordPub}}, secret: discordKey, ask: asking{method: "POST", body: `{"id":"7","type":1}`, signed: true}, status: 200, body: `{"type":1}`},
		{kind: "github", ask: asking{method: "POST", header: map[string]string{"X-GitHub-Event": "ping"}, body: `{"zen":"x"}`}, status: 200, body: "pong\n"},
		{kind: "github", set: mockreceiver.Handshake{Secrets: []string{"gh"}}, ask: asking{method: "POST", header: map[string]string{"X-GitHub-Event": "ping"}, body: `{"zen":"x"}`, signed: true}, status: 200, body: "pong\n"},
		{kind: "github", set: mockreceiver.Handshake{Secrets: []string{"gh"}}, secret: "hg", ask: asking{method: "POST", header: map[string]string{"X-GitHub-Event": "ping"}, body: `{"zen":"x"}`, signed: true}, status: 401},
		{kind: "intercom", ask: asking{method: "HEAD"}, status: 200},
		{kind: "meta", set: mockreceiver.Handshake{Secrets: []string{hubToken}}, ask: asking{method: "GET", query: hub(hubToken, "1158201444")}, status: 200, body: "1158201444"},
		{kind: "meta", set: mockreceiver.Handshake{Secrets: []string{"old", hubToken}}, ask: asking{method: "GET", query: hub(hubToken, "<b>")}, status: 200, body: "<b>"},
		{kind: "meta", set: mockreceiver.Handshake{Secrets: []string{hubToken}}, ask: asking{method: "GET", query: hub("guess", "1158201444")}, status: 403},
		{kind: "meta", set: mockreceiver.Handshake{Secrets: []string{hubToken}}, ask: asking{method: "GET", query: hub(hubToken, "")}, status: 403},
		{kind: "websub", ask: asking{method: "GET", query: hub("", "ch")}, status: 200, body: "ch"},
		{kind: "websub", set: mockreceiver.Handshake{Only: "https://t.example/b"}, ask: asking{method: "GET", query: hub("", "ch")}, status: 404},
		{kind: "websub", ask: asking{method: "GET", query: "?hub.mode=denied&hub.topic=t"}, status: 200},
		{kind: "websub", ask: asking{method: "GET", query: "?hub.mode=unknown&hub.topic=t&hub.challenge=c"}, status: 404},
	} {
		t.Run(fmt.Sprintf("%s %d", tc.kind, tc.status), func(t *testing.T) {
			t.Parallel()
			k, err := handshake.Lookup(tc.kind)
			if err != nil {
				t.Fatal(err)
			}
			r := start(t, mockreceiver.Config{Memory: true})
			set := tc.set
			set.Name = tc.kind
			at := r.add(mockreceiver.Endpoint{Name: "e", Business: "none", Plan: mustPlan(t, "503, 201"), Handshake: &set})
			secret := tc.secret
			if secret == "" && len(set.Secrets) > 0 {
				secret = set.Secrets[0]
			}
			status, h, body := send(t, tc.ask.request(t, at, k.Scheme, secret))
			refused := tc.body == "" && status != 204 && tc.ask.method != "HEAD" && body != ""
			if status != tc.status || !refused && body != tc.body {
				t.Errorf("got %d %q, want %d %q", status, body, tc.status, tc.body)
			}
			if refused && body != `{"error":"handshake refused"}`+"\n" {
				t.Errorf("a refusal says %q", body)
			}
			if typ := h.Get("Content-Type"); body != "" && (h.Get("X-Content-Type-Options") != "nosniff" || !strings.HasPrefix(typ, "text/plain") && typ != "application/json") {
				t.Errorf("a browser might take it for a page: %v", h)
			}
			r.noAttempt(t, at, tc.kind, refused)
		})
	}
}

// noAttempt wants the one request so far to be recorded as a handshake, and the next to be the first attempt of its plan.
func (r *rig) noAttempt(t *testing.T, at, kind string, refused bool) {
	t.Helper()
	a, o := r.arrivals(1)[0], r.outcomes(1)[0]
	want := mockreceiver.FaultHandshake
	if refused {
		want = mockreceiver.FaultHandshakeRefused
	}
	if a.Handshake != kind || a.Handled() || o.Fault != want || o.Status == 0 || o.End != evidence.EndComplete {
		t.Errorf("recorded: %q, attempt %d, %s %d %s", a.Handshake, a.Attempt, o.Fault, o.Status, o.End)
	}
	if status, _ := post(t, client(t), at, `{"id":"evt_1"}`); status != 503 {
		t.Errorf("the event's first attempt got %d, want the plan's first step", status)
	}
}

func TestCloudEventsConsentIsInHeaders(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		set            mockreceiver.Handshake
		origin, rate   string
		allowed, every string
	}{
		{mockreceiver.Handshake{}, "events.example.com", "", "events.example.com", "*"},
		{mockreceiver.Handshake{Rate: 120}, "events.example.com", "600", "events.example.com", "120"},
		{mockreceiver.Handshake{Only: "Events.Example.com"}, "events.example.com", "", "events.example.com", "*"},
		{mockreceiver.Handshake{Only: "other.example.com"}, "events.example.com", "", "", ""},
		{mockreceiver.Handshake{}, "<script>", "", "", ""},
		{mockreceiver.Handshake{}, "events.example.com", "-1", "", ""},
		{mockreceiver.Handshake{}, strings.Repeat("a", 300), "", "", ""},
	} {
		r := start(t, mockreceiver.Config{Memory: true})
		set := tc.set
		set.Name = "cloudevents"
		at := r.add(mockreceiver.Endpoint{Name: "e", Business: "none", Plan: mustPlan(t, "503, 201"), Handshake: &set})
		ask := asking{method: "OPTIONS", header: map[string]string{
			"WebHook-Request-Origin": tc.origin, "WebHook-Request-Callback": "http://169.254.169.254/", "WebHook-Request-Rate": tc.rate,
		}}
		status, h, _ := send(t, ask.request(t, at, "", ""))
		if status != 200 || h.Get("WebHook-Allowed-Origin") != tc.allowed || h.Get("WebHook-Allowed-Rate") != tc.every {
			t.Errorf("%q %q: got %d %v", tc.origin, tc.rate, status, h)
		}
		r.noAttempt(t, at, "cloudevents", tc.allowed == "")
	}
}

// TestPublishedTwitchChallenge is the vector that the provider's client libraries test with, as old as it is.
func TestPublishedTwitchChallenge(t *testing.T) {
	t.Parallel()
	r := start(t, mockreceiver.Config{Memory: true})
	const age = 100 * 365 * 24 * time.Hour
	at := r.add(mockreceiver.Endpoint{
		Name: "e", Business: "none", Plan: mustPlan(t, "503, 201"), Handshake: &mockreceiver.Handshake{Name: "twitch"},
		Verify: &mockreceiver.Verify{Scheme: "twitch-eventsub", Secrets: []string{"s3cRe7"}, Tolerance: age},
	})
	v := vector(t, "twitch-1")
	ask := asking{method: "POST", header: v.Headers, body: v.Body}
	if status, _, body := send(t, ask.request(t, at, "", "")); status != 200 || body != "pogchamp-kappa-360noscope-vohiyo" {
		t.Errorf("got %d %q", status, body)
	}
	r.noAttempt(t, at, "twitch", false)
}

func TestPublishedDiscordPing(t *testing.T) {
	t.Parallel()
	r := start(t, mockreceiver.Config{Memory: true})
	v := vector(t, "discord-syn-1")
	at := r.add(mockreceiver.Endpoint{
		Name: "e", Business: "none", Plan: mustPlan(t, "503, 201"), Handshake: &mockreceiver.Handshake{Name: "discord"},
		Verify: &mockreceiver.Verify{Scheme: "discord-ed25519", Secrets: []string{v.Secret}, Tolerance: 100 * 365 * 24 * time.Hour},
	})
	if status, _, _ := send(t, asking{method: "POST", header: v.Headers, body: v.Body}.request(t, at, "", "")); status != 204 {
		t.Errorf("got %d", status)
	}
	r.noAttempt(t, at, "discord", false)
}

// macOf is what Zoom wants of a token.
func macOf(secret, token string) string {
	m := hmac.New(sha256.New, []byte(secret))
	m.Write([]byte(token))
	return hex.EncodeToString(m.Sum(nil))
}

type published struct {
	ID, Secret, Body string
	Headers          map[string]string
}

func vector(t *testing.T, id string) published {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash("../harness/signature/testdata/published.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all []json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	for _, raw := range all {
		var v published
		if json.Unmarshal(raw, &v) == nil && v.ID == id {
			return v
		}
	}
	t.Fatalf("no vector %s", id)
	return published{}
}

func TestHandshakeByHeadGoesBeforeEagerSteps(t *testing.T) {
	t.Parallel()
	r := start(t, mockreceiver.Config{Memory: true})
	at := r.add(mockreceiver.Endpoint{Name: "e", Business: "none", Plan: mustPlan(t, "early, 201"), Handshake: &mockreceiver.Handshake{Name: "intercom"}})
	if status, _, _ := send(t, asking{method: "HEAD"}.request(t, at, "", "")); status != 200 {
		t.Errorf("got %d", status)
	}
	if a := r.arrivals(1)[0]; a.Handled() || a.Handshake == "" {
		t.Errorf("attempt %d of %q", a.Attempt, a.Key)
	}
}

func TestHandshakeSettings(t *testing.T) {
	t.Parallel()
	r := start(t, mockreceiver.Config{Memory: true})
	for want, h := range map[string]mockreceiver.Handshake{
		"list handshakes names":  {Name: "nobody"},
		"give it a secret":       {Name: "zoom"},
		"give the token":         {Name: "meta"},
		"takes no secret":        {Name: "intercom", Secrets: []string{"x"}},
		"a secret is empty":      {Name: "slack", Secrets: []string{""}},
		"neither origin nor":     {Name: "slack", Only: "x"},
		"only cloudevents has":   {Name: "slack", Rate: 5},
		"want":                   {Name: "discord", Secrets: []string{"no hex"}},
		"rate -1: only cloudeve": {Name: "cloudevents", Rate: -1},
	} {
		_, err := r.AddEndpoint(mockreceiver.Endpoint{Name: "e", Business: "none", Handshake: &h})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", h, err)
		}
	}
	h := mockreceiver.Handshake{Name: "meta", Secrets: []string{"canary"}}
	if shown := fmt.Sprintf("%v %#v %+v", h, h, h); strings.Contains(shown, "canary") {
		t.Errorf("shows its secret: %s", shown)
	}
	if names := handshake.Kinds(); !slices.IsSortedFunc(names, func(a, b handshake.Kind) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("the list is not sorted by name")
	}
}

// TestHandshakeOverTheControlAPI sets one, sees that no secret comes back, filters by its class, and finds it after a restart, without
// its secret and so refusing.
func TestHandshakeOverTheControlAPI(t *testing.T) {
	t.Parallel()
	journal := filepath.Join(t.TempDir(), "journal.db")
	r := start(t, mockreceiver.Config{Journal: journal})
	r.did("POST", "/v1/endpoints", `{"name":"m","handshake":{"name":"meta","secrets":["canary-token"]}}`)
	r.did("POST", "/v1/endpoints", `{"name":"i","handshake":{"name":"intercom"}}`)
	if status, a := r.api("POST", "/v1/endpoints", `{"name":"z","handshake":{"name":"zoom"}}`); status != 400 {
		t.Errorf("zoom without a secret: %d %v", status, a)
	}
	if got := fmt.Sprint(r.get(t, "/v1/endpoints/m")["handshake"]); got != "map[name:meta secrets:1]" {
		t.Errorf("shown as %s", got)
	}
	ask := asking{method: "GET", query: "?hub.mode=subscribe&hub.verify_token=canary-token&hub.challenge=7"}
	if status, _, body := send(t, ask.request(t, r.DataURL()+"/hooks/m", "", "")); status != 200 || body != "7" {
		t.Errorf("got %d %q", status, body)
	}
	r.outcomes(1)
	list, _ := r.get(t, "/v1/attempts?class=handshake&fault=handshake")["attempts"].([]any)
	if len(list) != 1 || list[0].(map[string]any)["handshake"] != "meta" {
		t.Errorf("listed: %v", list)
	}
	if e := r.get(t, "/v1/events/m/handshake:meta")["event"].(map[string]any); e["attempts"] != 0.0 || e["state"] != "handshake" {
		t.Errorf("as an event: %v", e)
	}
	if events, _ := r.get(t, "/v1/events")["events"].([]any); len(events) != 0 {
		t.Errorf("events: %v", events)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if n := scan(t, open(t, journal), "SELECT count(*) FROM setting WHERE record LIKE '%canary%'"); n != 0 {
		t.Error("the journal keeps the token")
	}
	again := start(t, mockreceiver.Config{Journal: journal})
	restore(t, again)
	if status, _, _ := send(t, ask.request(t, again.DataURL()+"/hooks/m", "", "")); status != 401 {
		t.Errorf("without its token: got %d", status)
	}
	if status, _, _ := send(t, asking{method: "HEAD"}.request(t, again.DataURL()+"/hooks/i", "", "")); status != 200 {
		t.Errorf("one that needs no secret: got %d", status)
	}
}
