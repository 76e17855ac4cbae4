package handshake

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"

	"github.com/hookassay/hookassay/mockreceiver/fault"
)

func zoom() Kind {
	return Kind{
		Name: "zoom", Provider: "Zoom",
		Asked:    "POST with event endpoint.url_validation and a plainToken, signed",
		Answered: "200 with plainToken and encryptedToken, its HMAC-SHA256 in hex by the secret token",
		Reason:   "an endpoint is validated when it is saved and again every 72 hours; one that fails is switched off",
		Proof:    MustSign, Scheme: "zoom",
		told:   told{method: http.MethodPost, pointer: "/event", value: "endpoint.url_validation"},
		answer: encrypted,
	}
}

// encrypted shows that the receiver has the secret. JSON escapes what a browser could take for a page.
func encrypted(s *Settings, r *Request) (fault.Reply, bool) {
	token := r.Body("/payload/plainToken")
	if token == "" || len(token) > maxChallenge || len(s.Secrets) == 0 {
		return fault.Reply{}, false
	}
	mac := hmac.New(sha256.New, []byte(s.Secrets[0]))
	mac.Write([]byte(token))
	text, err := json.Marshal(map[string]string{"plainToken": token, "encryptedToken": hex.EncodeToString(mac.Sum(nil))})
	return fault.Reply{Status: http.StatusOK, Header: inert("application/json"), Body: string(text)}, err == nil
}
