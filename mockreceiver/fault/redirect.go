package fault

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Redirect sends the sender elsewhere: to another path, port, host or scheme. A webhook is sent where its subscriber said and
// nowhere else; a sender that follows can be led into the network it runs in, and carries its signature there.
type Redirect struct {
	To     string // a URL, or a path on the same host
	Answer        // Code 301, 302, 303, 307 or 308; 0: 302
}

// Kind implements Fault.
func (Redirect) Kind() string { return "redirect" }

// Act implements Fault.
func (d Redirect) Act(x Exchange) {
	if r, ok := d.or(http.StatusFound).begin(x, 0); ok {
		r.Header = append([][2]string{{"Location", d.To}}, r.Header...)
		x.Reply(r)
	}
}

// String implements Fault.
func (d Redirect) String() string {
	return text("redirect", append([]string{"to=" + strconv.Quote(d.To)}, d.texts()...)...)
}

func redirectKind() Kind {
	return Kind{
		Name: "redirect",
		Form: `redirect(to="/elsewhere")`,
		Params: append([]Param{
			{Name: "to", Value: `"/elsewhere"`, Meaning: "the Location: a URL, or a path on the same host, in double quotes"},
			{Name: "status", Value: "302", Meaning: "301, 302, 303, 307 or 308; 302 if left out"},
		}, fieldParams()...),
		Reason: "the sender is sent elsewhere: one that follows takes its signed payload to a place nobody agreed on",
		parse:  parseRedirect,
	}
}

func parseRedirect(_ string, a *args) Fault {
	d := Redirect{Answer: a.fields()}
	d.Code = a.number("status", http.StatusMovedPermanently, http.StatusPermanentRedirect)
	if codes := []int{0, 301, 302, 303, 307, 308}; !slices.Contains(codes, d.Code) {
		a.fail(a.at, "redirect: status %d: want 301, 302, 303, 307 or 308", d.Code)
	}
	one, _ := a.take("to")
	u, err := url.Parse(one.value)
	odd := strings.ContainsFunc(one.value, func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) })
	if err != nil || odd || u.Host == "" && !strings.HasPrefix(u.Path, "/") {
		a.fail(a.at, `redirect: want where to, a URL or a path, such as redirect(to="/elsewhere")`)
	}
	d.To = one.value
	return d
}
