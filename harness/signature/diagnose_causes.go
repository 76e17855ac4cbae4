package signature

// Causes of a failed verification, as Finding.Causes names them.
const (
	causeBodyOnly     = "body-only"
	causeTimeMissing  = "time-missing"
	causeIDMissing    = "id-missing"
	causePartMissing  = "part-missing"
	causeTimeUnit     = "time-unit"
	causeTimeOther    = "time-differs"
	causeTimeZone     = "time-zone"
	causeSeparator    = "separator"
	causeOrder        = "order"
	causeURL          = "url-variant"
	causeFormField    = "form-field"
	causeFormWire     = "form-wire-body"
	causeBodyEmpty    = "body-empty"
	causeLineEnd      = "body-final-line-end"
	causeCRLF         = "body-crlf"
	causeCompact      = "body-compact"
	causeSpaced       = "body-spaced"
	causeIndented     = "body-indented"
	causeEscaped      = "body-escaped"
	causeRaw          = "body-raw-unicode"
	causeSorted       = "body-sorted-keys"
	causeHTML         = "body-html-escaped"
	causeNumbers      = "body-numbers"
	causeSlashes      = "body-escaped-slashes"
	causeLatin1       = "body-latin-1"
	causeQuoted       = "body-encoded-twice"
	causeBodyDigest   = "body-digest"
	causeKeyEmpty     = "key-empty"
	causeKeyText      = "key-not-decoded"
	causeKeyPrefix    = "key-prefix-kept"
	causeKeyNoPrefix  = "key-prefix-removed"
	causeKeyBase64    = "key-base64-decoded"
	causeKeyHex       = "key-hex-decoded"
	causeKeyAsBase64  = "key-base64-encoded"
	causeKeyAsHex     = "key-hex-encoded"
	causeKeyLineEnd   = "key-line-end"
	causeKeyOld       = "key-old"
	causeKeyForeign   = "key-of-another-endpoint"
	causeSwapped      = "key-swapped"
	causeNoHMAC       = "no-hmac"
	causeDigest       = "digest"
	causeEncoding     = "value-encoding"
	causeCase         = "value-case"
	causeTruncated    = "value-truncated"
	causePrefix       = "value-prefix-missing"
	causeValueForm    = "value-form"
	causeHeaderName   = "header-name"
	causeComponent    = "component-missing"
	causeCreated      = "created-differs"
	causeKeyID        = "keyid-differs"
	causeAlg          = "alg-differs"
	causeParam        = "parameter-missing"
	causeParamsLine   = "signature-params-missing"
	causeBaseEnds     = "signature-base-line-ends"
	causeMethodCase   = "method-case"
	causeLabel        = "label-differs"
	causeDigestBody   = "digest-of-another-body"
	causeStale        = "stale"
	causeStaleByZone  = "stale-by-time-zone"
	saysBodyOnly      = "only the body is signed"
	saysKeyUsedPrefix = "the key was used as "
)

// Cause is a mistake that a diagnosis can name.
type Cause struct {
	Name string // as in Finding.Causes
	Says string // a sentence without its capital and point, the same for each request
}

// Causes returns all mistakes that a diagnosis knows, in the order in which people make them: content, body, key, value, age.
func Causes() []Cause {
	return []Cause{
		{causeBodyOnly, saysBodyOnly},
		{causeTimeMissing, "the time is not signed"},
		{causeIDMissing, "the id is not signed"},
		{causePartMissing, "a text, the URL, the method or a header that belongs to the signed bytes is left out"},
		{causeTimeUnit, "the signed time has another unit or form than the sent one"},
		{causeTimeOther, "the signed time is a few seconds off the sent one"},
		{causeTimeZone, "the signed time is off the sent one by a time zone"},
		{causeSeparator, "other characters part the signed values"},
		{causeOrder, "the values are signed in another order"},
		{causeURL, "another form of the URL is signed"},
		{causeFormField, "the decoded field of the form is signed instead of the bytes on the wire"},
		{causeFormWire, "the bytes on the wire are signed instead of the field of the form"},
		{causeBodyEmpty, "an empty body is signed"},
		{causeLineEnd, "the body is signed with or without its final line end"},
		{causeCRLF, "the body is signed with other line ends"},
		{causeCompact, "the body is signed without spaces"},
		{causeSpaced, "the body is signed with a space after each colon and comma"},
		{causeIndented, "the body is signed indented"},
		{causeEscaped, "the body is signed with non-ASCII characters escaped"},
		{causeRaw, "the body is signed with escaped characters written out"},
		{causeSorted, "the body is signed with its keys sorted"},
		{causeHTML, "the body is signed with <, > and & escaped, or not"},
		{causeSlashes, "the body is signed with slashes escaped, or not"},
		{causeNumbers, "the body is signed with its numbers written in another way"},
		{causeLatin1, "the body is signed in Latin-1"},
		{causeQuoted, "the body is signed as a JSON text, encoded twice"},
		{causeBodyDigest, "a digest of the body is signed instead of the body"},
		{causeKeyEmpty, "the key was empty"},
		{causeKeyText, "the key's text was used without decoding"},
		{causeKeyPrefix, "the key was used with its prefix"},
		{causeKeyNoPrefix, "the key was used without its prefix"},
		{causeKeyBase64, "the key was decoded from base64"},
		{causeKeyHex, "the key was decoded from hex"},
		{causeKeyAsBase64, "the key was used in base64"},
		{causeKeyAsHex, "the key was used in hex"},
		{causeKeyLineEnd, "the key was used with a line end, or without its own"},
		{causeKeyOld, "a key of old was used"},
		{causeKeyForeign, "the key of another endpoint was used"},
		{causeSwapped, "the key and the signed bytes have changed places"},
		{causeNoHMAC, "a plain digest is taken and no HMAC"},
		{causeDigest, "another digest was used"},
		{causeEncoding, "the signature is in another encoding"},
		{causeCase, "the signature is hex in upper case"},
		{causeTruncated, "the signature is cut short"},
		{causePrefix, "what stands before the signature is missing"},
		{causeValueForm, "the signature's header is put together in another way"},
		{causeHeaderName, "the signature, its time or its id stands in a header of another name"},
		{causeComponent, "a component that is listed is not signed"},
		{causeCreated, "the signed time of creation is another than the sent one, or none"},
		{causeKeyID, "the keyid is sent and not signed"},
		{causeAlg, "the signed algorithm, or the one of the key, is another than the sent one"},
		{causeParam, "a parameter of the signature is sent and not signed"},
		{causeParamsLine, "the last line of the signature base is left out"},
		{causeBaseEnds, "the lines of the signature base have other ends"},
		{causeMethodCase, "the method is signed in lower case"},
		{causeLabel, "the signature and its input have different labels"},
		{causeDigestBody, "the signature verifies, and its Content-Digest is that of another body"},
		{causeStale, "the signature verifies and is too old, or from the future"},
		{causeStaleByZone, "the signature verifies, and its time is off by whole halves of an hour: local time taken for UTC"},
	}
}

// reasonOf is the reason of a mismatch that has this one cause. Checks go by it; what none goes by stays a mismatch.
func reasonOf(cause string) Reason {
	switch cause {
	case causeBodyOnly:
		return SignedBodyOnly
	case causeTimeMissing:
		return SignedWithoutTime
	case causeIDMissing:
		return SignedWithoutID
	case causeTimeUnit:
		return SignedOtherTime
	case causeKeyEmpty:
		return EmptyKey
	case causeKeyText, causeKeyPrefix, causeKeyNoPrefix, causeKeyBase64, causeKeyHex, causeKeyAsBase64, causeKeyAsHex, causeKeyLineEnd:
		return OtherKeyForm
	case causeBodyEmpty, causeLineEnd, causeCRLF, causeCompact, causeSpaced, causeIndented, causeEscaped, causeRaw, causeSorted, causeHTML,
		causeSlashes, causeNumbers, causeLatin1, causeQuoted:
		return SignedOtherBody
	}
	return Mismatch
}
