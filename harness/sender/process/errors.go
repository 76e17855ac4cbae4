package process

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// ExitedError tells a watcher that a process ended without being asked to.
type ExitedError struct {
	Name string // Spec.Name
	Exit Exit
	Tail string // the last lines of output, one a line
}

// Error says how the process ended and shows its last lines.
func (e *ExitedError) Error() string {
	return fmt.Sprintf("%s ended without being asked to: %s; %s", e.Name, e.Exit, tailText(e.Tail))
}

// notReadyError says why a start did not succeed.
type notReadyError struct {
	command string
	pattern *regexp.Regexp
	why     string
	tail    string
	cause   error // a context's error, or what kept the process from being ended
}

func (e *notReadyError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "command %s %s", e.command, e.why)
	if e.pattern != nil {
		fmt.Fprintf(&b, "; ready pattern %q", e.pattern)
	}
	if e.cause != nil {
		fmt.Fprintf(&b, "; %s", e.cause)
	}
	fmt.Fprintf(&b, "; %s", tailText(e.tail))
	return b.String()
}

func (e *notReadyError) Unwrap() error { return e.cause }

func tailText(tail string) string {
	if tail == "" {
		return "it printed nothing"
	}
	return "last lines of output:\n" + tail
}

// commandText writes a command so that it can be read and, mostly, pasted.
func commandText(command []string) string {
	words := make([]string, len(command))
	for i, w := range command {
		if w == "" || strings.ContainsAny(w, " \t\n\"'\\$`") {
			w = strconv.Quote(w)
		}
		words[i] = w
	}
	return strings.Join(words, " ")
}
