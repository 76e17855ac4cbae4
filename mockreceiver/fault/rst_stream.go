package fault

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// refusedStream is the error code that says that nothing was processed (RFC 9113, 8.7).
const refusedStream = 7

// streamCodes are the names of HTTP/2's error codes by their number (RFC 9113, 7).
func streamCodes() []string {
	return []string{
		"NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED", "FRAME_SIZE_ERROR",
		"REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
	}
}

// RSTStream reads the request to its end and then resets its HTTP/2 stream with a code; the connection lives on. With
// REFUSED_STREAM the receiver says that it has processed nothing, and libraries may send the request again by themselves.
// HTTP/1 has no streams: there the connection is reset, and the evidence says reset.
type RSTStream struct {
	Code  uint32 // 0 to 13, as RFC 9113 numbers them
	Delay time.Duration
}

// Kind implements Fault.
func (RSTStream) Kind() string { return "rst-stream" }

// Act implements Fault.
func (r RSTStream) Act(x Exchange) {
	if !x.Hold(r.Delay) || x.ResetStream(r.Code) {
		return
	}
	x.Instead(Reset{}.Kind())
	x.Reset()
}

// String implements Fault.
func (r RSTStream) String() string {
	code := strconv.FormatUint(uint64(r.Code), 10)
	if names := streamCodes(); int(r.Code) < len(names) {
		code = names[r.Code]
	}
	return text("rst-stream", code, durationText("delay", r.Delay))
}

func rstStreamKind() Kind {
	return Kind{
		Name: "rst-stream",
		Form: "rst-stream(REFUSED_STREAM)",
		Params: []Param{
			{Value: "REFUSED_STREAM", Meaning: "the code by its name in RFC 9113, such as CANCEL or INTERNAL_ERROR; REFUSED_STREAM if left out"},
			delayParam(),
		},
		Reason: "HTTP/2: the request's stream is reset with a code, and the connection lives on; HTTP/1: it is reset",
		parse: func(_ string, a *args) Fault {
			r := RSTStream{Code: refusedStream, Delay: a.duration("delay")}
			one, ok := a.take("")
			if !ok {
				return r
			}
			code := slices.Index(streamCodes(), strings.ToUpper(one.value))
			if code < 0 {
				a.fail(one.at, "%s: want a code of HTTP/2: %s", one, oneOf(streamCodes()))
			}
			r.Code = uint32(max(code, 0))
			return r
		},
	}
}
