package refsender

import (
	"fmt"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
)

// count keeps the failures of an endpoint, and stops it once they meet the contract's rule. It belongs to the transaction that records
// what is counted. Replays by hand do not count.
func (s *Sender) count(t *tx, d *delivery, r result, dec decision) error {
	rule := s.c.AutoDisable
	if rule == nil || d.trigger != triggerSchedule {
		return nil
	}
	if dec.verdict == delivered {
		if rule.OnSuccess != contract.OnSuccessReset || !s.defect.forgives() {
			return nil
		}
		return t.exec("UPDATE endpoints SET failures = 0, failing_since = 0 WHERE id = ?", d.endpoint)
	}
	if rule.Of == contract.OfEvents && dec.verdict != dead || rule.Of != contract.OfEvents && !r.made {
		return nil
	}
	now := time.Now()
	err := t.exec(`UPDATE endpoints SET failures = failures + 1,
		failing_since = CASE failing_since WHEN 0 THEN ? ELSE failing_since END WHERE id = ?`, now.UnixNano(), d.endpoint)
	if err != nil {
		return err
	}
	var failures int
	var since int64
	if err := t.get("SELECT failures, failing_since FROM endpoints WHERE id = ?", []any{d.endpoint}, &failures, &since); err != nil {
		return err
	}
	if !s.defect.enough(rule, failures, now.Sub(time.Unix(0, since))) {
		return nil
	}
	why := fmt.Sprintf("%d failed %s in a row, the last with %s", failures, rule.Of, r.failure())
	if !rule.Counts() {
		why = fmt.Sprintf("nothing but failures for %v, the last with %s", rule.FailingFor, r.failure())
	}
	return closeEndpoint(t, d.endpoint, why)
}
