package refsender

import (
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"net/http"
	"time"
)

// key signs for one endpoint.
type key struct {
	Secret string `json:"secret"`
	Ends   int64  `json:"ends,omitempty"` // Unix nanoseconds from which it signs no more; 0: it is the current key
}

// keyring holds the keys of an endpoint, newest first. It is empty where the contract promises no signature.
type keyring []key

// valid returns the secrets that sign at that time, newest first.
func (r keyring) valid(at time.Time) []string {
	var all []string
	for _, k := range r {
		if k.Ends == 0 || at.UnixNano() < k.Ends {
			all = append(all, k.Secret)
		}
	}
	return all
}

// newest is the current secret; empty if there is none.
func (r keyring) newest() string {
	if len(r) == 0 {
		return ""
	}
	return r[0].Secret
}

// rotated returns the ring with a new key; the older ones sign on until ends at most. Those that have ended by now are
// dropped.
func (r keyring) rotated(secret string, now, ends time.Time) keyring {
	out := keyring{{Secret: secret}}
	for _, k := range r {
		if k.Ends != 0 && k.Ends <= now.UnixNano() {
			continue
		}
		if k.Ends == 0 || k.Ends > ends.UnixNano() {
			k.Ends = ends.UnixNano()
		}
		out = append(out, k)
	}
	return out
}

func (r keyring) text() (string, error) {
	b, err := json.Marshal(r)
	return string(b), err
}

func parseKeys(text string) (keyring, error) {
	var r keyring
	err := json.Unmarshal([]byte(text), &r)
	return r, err
}

// secretBytes is the randomness of an issued secret; 32 bytes suit every scheme of package signature.
const secretBytes = 32

// newSecret returns a secret in the scheme's own form.
func (s *Sender) newSecret() (string, error) {
	b := make([]byte, secretBytes)
	_, _ = rand.Read(b) // never errs, by its documentation
	return s.scheme.Secret(b)
}

// secret returns the secret that a caller wants an endpoint to have, and the same as issued if it asked for one. Where
// nothing is signed, a secret is kept without meaning and none is issued.
func (s *Sender) secret(wanted string) (secret, issued string, err error) {
	if wanted == "" && s.scheme != nil {
		issued, err = s.newSecret()
		return issued, issued, err
	}
	if err := s.usable(wanted); err != nil {
		return "", "", refuse(http.StatusBadRequest, "secret cannot sign by scheme %s: %v", s.scheme.ID(), err)
	}
	return wanted, "", nil
}

type keyRequest struct {
	Secret string `json:"secret"`
}

type rotateAnswer struct {
	Secret      string `json:"secret,omitempty"` // only if issued, and only in this answer
	OverlapEnds stamp  `json:"overlap_ends_at"`
}

// postRotate replaces an endpoint's key as planned: both sign for the contract's overlap.
func (s *Sender) postRotate(q *http.Request) (int, any, error) {
	now := time.Now()
	ends := now
	if s.c.Keys != nil {
		ends = now.Add(s.c.Keys.Overlap)
	}
	issued, err := s.replaceKey(q, func(r keyring, secret string) keyring {
		return s.defect.rotated(r, secret, now, ends)
	})
	return http.StatusOK, rotateAnswer{Secret: issued, OverlapEnds: s.variant.stamped(stamp(ends.UnixNano()))}, err
}

type revokeAnswer struct {
	ID     string `json:"id"`
	Secret string `json:"secret,omitempty"` // only if issued, and only in this answer
}

// postRevoke makes the new key the only one, at once.
func (s *Sender) postRevoke(q *http.Request) (int, any, error) {
	id, err := variable(q, "endpoint")
	if err != nil {
		return 0, nil, err
	}
	issued, err := s.replaceKey(q, s.defect.revoked)
	return http.StatusOK, revokeAnswer{ID: id, Secret: issued}, err
}

// replaceKey gives an endpoint new keys. Every request that starts after it has returned is signed by them.
func (s *Sender) replaceKey(q *http.Request, replace func(keyring, string) keyring) (issued string, err error) {
	id, err := variable(q, "endpoint")
	if err != nil {
		return "", err
	}
	var in keyRequest
	if err := decodeOptional(q, &in); err != nil {
		return "", err
	}
	if s.scheme == nil {
		return "", refuse(http.StatusConflict, "the contract promises no signature, so there is no key")
	}
	secret, issued, err := s.secret(in.Secret)
	if err != nil {
		return "", err
	}
	return issued, s.change(func(t *tx) error {
		var text string
		if err := findEndpoint(t, id, "keys", &text); err != nil {
			return err
		}
		r, err := parseKeys(text)
		if err != nil {
			return err
		}
		s.variant.outdates(&s.late, id, "", r)
		if text, err = replace(r, secret).text(); err != nil {
			return err
		}
		return t.exec("UPDATE endpoints SET keys = ? WHERE id = ?", text, id)
	})
}

// findEndpoint reads a column of an endpoint that is not deleted.
func findEndpoint(t *tx, id, column string, into any) error {
	err := t.get("SELECT "+column+" FROM endpoints WHERE id = ? AND state <> 'deleted'", []any{id}, into)
	if errors.Is(err, sql.ErrNoRows) {
		return errNoEndpoint
	}
	return err
}
