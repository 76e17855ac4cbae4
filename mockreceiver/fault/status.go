package fault

import (
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

const (
	okCode = http.StatusOK
	// Final statuses: 1xx is none, see Interim. Above 599 there are no classes any more, and a client has to take what it gets
	// for a failure (RFC 9110, 15); only a plain answer goes there. Three digits are what the grammar has.
	minStatus, maxStatus, oddStatus = 200, 599, 999
	// maxCopies is enough for several groups of the receiver's committer and below usual limits on open files.
	maxCopies = 64
)

// Status answers with a status. A 2xx is answered only after the business write was committed; any other status writes
// nothing. It is the plain answer of every plan, and with Retry-After the polite form of overload.
type Status struct {
	Code       int // 200 to 999
	RetryAfter RetryAfter
	Header     [][2]string
	Body       string
	// Delay is held before the answer; on a 2xx after the commit.
	Delay time.Duration
	// Work, on a 2xx, is slow business work before the transaction: copies of the event wait for its outcome.
	Work time.Duration
	// Copies, on a 2xx, is how many concurrent copies of the request the receiver sends to itself.
	Copies int
}

// Kind implements Fault.
func (Status) Kind() string { return "status" }

// Act implements Fault.
func (s Status) Act(x Exchange) {
	if s.Copies > 0 {
		as := s
		as.Copies = 0
		if !x.Inject(s.Copies, Step{Fault: as}) {
			return
		}
	}
	r, ok := s.answer().begin(x, s.Work)
	if !ok {
		return
	}
	r.Body = s.Body
	x.Reply(r)
}

func (s Status) answer() Answer {
	return Answer{Code: s.Code, RetryAfter: s.RetryAfter, Header: s.Header, Delay: s.Delay}
}

// String implements Fault.
func (s Status) String() string {
	if s.plain() {
		return strconv.Itoa(s.Code) // the step of most requests, and noted with each
	}
	list := s.answer().fieldTexts()
	if s.Body != "" {
		list = append(list, "body="+strconv.Quote(s.Body))
	}
	list = append(list, durationText("work", s.Work), numberText("copies", s.Copies))
	return text(strconv.Itoa(s.Code), list...)
}

// plain tells whether there is nothing to it but the status.
func (s Status) plain() bool {
	return s.RetryAfter == RetryAfter{} && s.Header == nil && s.Body == "" && s.Delay == 0 && s.Work == 0 && s.Copies == 0
}

func statusKind() Kind {
	return Kind{
		Name: "status",
		Form: "502",
		Params: append(
			fieldParams(),
			Param{Name: "body", Value: `"text"`, Meaning: "the answer's body; empty if left out"},
			Param{Name: "work", Value: "300ms", Meaning: "2xx only: slow business work, for which copies of the event wait"},
			Param{Name: "copies", Value: "16", Meaning: "2xx only: so many concurrent copies of the request are sent to the receiver"},
		),
		Reason: "any final status, 200 to 999; a 2xx follows the commit of the business write",
		parse:  parseStatus,
	}
}

func parseStatus(word string, a *args) Fault {
	code, err := strconv.Atoi(word)
	if err != nil || code < minStatus || code > oddStatus {
		a.fail(a.at, "status %s: want %d to %d", word, minStatus, oddStatus)
	}
	f := a.fields()
	s := Status{Code: code, RetryAfter: f.RetryAfter, Header: f.Header, Delay: f.Delay, Work: a.duration("work")}
	s.Copies = a.number("copies", 1, maxCopies)
	if b, ok := a.take("body"); ok {
		s.Body = b.value
	}
	if code/100 != 2 && (s.Work > 0 || s.Copies > 0) {
		a.fail(a.at, "status %s: work and copies belong to a 2xx, since nothing else writes to the business tables", word)
	}
	if s.Body != "" && bodiless(code) {
		a.fail(a.at, "status %s: has no body by definition, leave it out", word)
	}
	return s
}

// header takes "Name: value" apart. Bytes that would break the head are refused: a broken head is a fault of its own.
func (a *args) header(one arg) [2]string {
	name, value, ok := strings.Cut(one.value, ":")
	value = strings.Trim(value, " \t")
	if !ok || !token(name) || strings.ContainsFunc(value, unicode.IsControl) || !utf8.ValidString(value) {
		a.fail(one.at, `%s: want header="Name: value" in printable characters`, one)
	}
	if strings.EqualFold(name, "Content-Length") || strings.EqualFold(name, "Transfer-Encoding") {
		a.fail(one.at, "%s: the answer's framing is the receiver's own", one)
	}
	return [2]string{name, value}
}

// token tells whether s is an HTTP token (RFC 9110, 5.6.2).
func token(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		return !letter && !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
	})
}
