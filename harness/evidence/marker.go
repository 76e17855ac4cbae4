package evidence

import "bytes"

// MarkerPrefix opens every marker. The harness puts one marker into each payload that it emits, so that a request can be
// told to belong to an event whatever the sender did to the event's id.
const MarkerPrefix = "hkm"

// markerLetters is how many lower-case letters or digits follow the prefix: characters that no JSON, URL or HTML escaping
// changes.
const markerLetters = 20

// MarkerIn returns the first marker in body, or "". It is asked about every request.
func MarkerIn(body []byte) string {
	const size = len(MarkerPrefix) + markerLetters
	for {
		i := bytes.Index(body, []byte(MarkerPrefix))
		if i < 0 || len(body)-i < size {
			return ""
		}
		if found := body[i : i+size]; isMarker(found) {
			return string(found)
		}
		body = body[i+1:]
	}
}

func isMarker(b []byte) bool {
	for _, c := range b {
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}
