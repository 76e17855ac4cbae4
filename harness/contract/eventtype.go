package contract

import "strings"

const (
	digitsAndUnderscore = "0123456789_"
	lowerCase           = "abcdefghijklmnopqrstuvwxyz"
)

// FitsForm tells whether an event type has the declared form. Where none is declared, every type fits.
func (e *Envelope) FitsForm(t string) bool {
	switch e.TypeForm {
	case TypeFormResourceAction:
		return isResourceAction(t)
	case TypeFormFullStop:
		return isFullStopDelimited(t)
	}
	return true
}

// isResourceAction tells whether an event type is two or more words with dots between, each of lower-case letters, digits
// and underscores: payment.succeeded, invoice.payment_failed.
func isResourceAction(t string) bool {
	return strings.Contains(t, ".") && dotted(t, lowerCase+digitsAndUnderscore)
}

// isFullStopDelimited tells whether an event type is one or more identifiers with dots between, each of letters of either
// case, digits and underscores: user.created, invoice.lineItem.added. It is what Standard Webhooks recommends.
func isFullStopDelimited(t string) bool {
	return dotted(t, lowerCase+strings.ToUpper(lowerCase)+digitsAndUnderscore)
}

// dotted tells whether t is words of these letters with dots between, none of them empty.
func dotted(t, letters string) bool {
	for w := range strings.SplitSeq(t, ".") {
		if w == "" || strings.Trim(w, letters) != "" {
			return false
		}
	}
	return true
}
