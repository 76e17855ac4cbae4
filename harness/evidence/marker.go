package evidence

import "regexp"

// MarkerPrefix opens every marker. The harness puts one marker into each payload that it emits, so that a request can be
// told to belong to an event whatever the sender did to the event's id.
const MarkerPrefix = "hkm"

// A marker is the prefix and 20 lower-case letters or digits: characters that no JSON, URL or HTML escaping changes.
var marker = regexp.MustCompile(MarkerPrefix + `[0-9a-z]{20}`)

// MarkerIn returns the first marker in body, or "".
func MarkerIn(body []byte) string { return string(marker.Find(body)) }
