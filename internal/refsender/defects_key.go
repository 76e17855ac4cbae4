package refsender

import (
	"database/sql"
	"errors"
	"time"
)

// keys are the secrets that sign at that time, newest first.
func (d defect) keys(r keyring, at time.Time) []string {
	switch {
	case d == rotationCachedOld && len(r) > 0:
		return []string{r[len(r)-1].Secret}
	case d == rotationOldNeverDropped:
		var all []string
		for _, k := range r {
			all = append(all, k.Secret)
		}
		return all
	}
	return r.valid(at)
}

// rotated is the ring after a planned rotation.
func (d defect) rotated(r keyring, secret string, now, ends time.Time) keyring {
	if d == rotationCachedOld || d == rotationOldNeverDropped {
		return append(keyring{{Secret: secret}}, r...)
	}
	return r.rotated(secret, now, ends)
}

// revoked is the ring after a revocation.
func (d defect) revoked(r keyring, secret string) keyring {
	if d == rotationOldNeverDropped {
		return append(keyring{{Secret: secret}}, r...)
	}
	return keyring{{Secret: secret}}
}

// sharedKeys are those of the first endpoint of the same tenant and environment: keys that test and live share are another
// defect. Endpoints of no tenant have nobody to share with.
func sharedKeys(t *tx, endpoint string, own keyring) (keyring, error) {
	var text string
	err := t.get(`SELECT first.keys FROM endpoints first JOIN endpoints mine ON mine.tenant = first.tenant AND mine.environment = first.environment
		WHERE mine.id = ? AND first.tenant <> '' AND first.state <> 'deleted' ORDER BY first.rowid LIMIT 1`, []any{endpoint}, &text)
	if errors.Is(err, sql.ErrNoRows) {
		return own, nil
	}
	if err != nil {
		return nil, err
	}
	return parseKeys(text)
}

// issue is the secret that a new endpoint gets; fresh is one of its own.
func (d defect) issue(t *tx, e endpointRequest, fresh string) (string, error) {
	if d != secretEnvironmentsShared || e.Environment == "" {
		return fresh, nil
	}
	var text string
	err := t.get(`SELECT keys FROM endpoints WHERE tenant = ? AND environment NOT IN ('', ?) AND state <> 'deleted'
		ORDER BY rowid DESC LIMIT 1`, []any{e.Tenant, e.Environment}, &text)
	if errors.Is(err, sql.ErrNoRows) {
		return fresh, nil
	}
	if err != nil {
		return "", err
	}
	r, err := parseKeys(text)
	return r.newest(), err
}

// shownSecret is the secret that stands in the answer to whoever reads an endpoint: none.
func (d defect) shownSecret(keys string) (string, error) {
	if d != secretShownAgain {
		return "", nil
	}
	r, err := parseKeys(keys)
	return r.newest(), err
}

// logged adds to the log line of a failed attempt.
func (d defect) logged(dl *delivery, args []any) []any {
	if d != secretInLog {
		return args
	}
	return append(args, "key", dl.key)
}
