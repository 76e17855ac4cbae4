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
	To string // a URL, or a path on the same host
	// Listener is another listener of the receiver, where To is a path then. One on which nothing is to arrive shows by its
	// records whether something did.
	Listener string
	Answer   // Code 301, 302, 303, 307 or 308; 0: 302
}

// Kind implements Fault.
func (Redirect) Kind() string { return "redirect" }

// Act implements Fault.
func (d Redirect) Act(x Exchange) {
	to := d.To
	if d.Listener != "" {
		base, ok := x.ListenerURL(d.Listener)
		if !ok {
			base = "http://" + d.Listener + ".invalid" // a name that is in nobody's reach (RFC 2606)
		}
		to = base + d.To
	}
	if r, ok := d.or(http.StatusFound).begin(x, 0); ok {
		r.Header = append([][2]string{{"Location", to}}, r.Header...)
		x.Reply(r)
	}
}

// String implements Fault.
func (d Redirect) String() string {
	return text("redirect", append([]string{"to=" + strconv.Quote(d.To), listenerText(d.Listener)}, d.texts()...)...)
}

func listenerText(name string) string {
	if name == "" {
		return ""
	}
	return "listener=" + strconv.Quote(name)
}

func redirectKind() Kind {
	return Kind{
		Name: "redirect",
		Form: `redirect(to="/elsewhere")`,
		Params: append([]Param{
			{Name: "to", Value: `"/elsewhere"`, Meaning: "the Location: a URL, or a path on the same host, in double quotes"},
			{Name: "listener", Value: `"silent"`, Meaning: "the receiver's listener of that name, on which to is the path then"},
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
	if l, ok := a.take("listener"); ok {
		d.Listener = l.value
		if l.value == "" || err == nil && u.Host != "" {
			a.fail(l.at, "%s: want a listener's name, and a path in to", l)
		}
	}
	return d
}
