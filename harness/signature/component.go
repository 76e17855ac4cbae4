package signature

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// parseComponent reads a component as a record has it: @method, content-digest, or with parameters "\"@query-param\";name=\"a\"".
func parseComponent(text string) (item, error) {
	if !strings.HasPrefix(text, `"`) {
		text = quotedText(text)
	}
	r := fieldReader{text}
	name, err := r.str()
	if err != nil {
		return item{}, fmt.Errorf("%q is no component", text)
	}
	params, err := r.params()
	if err != nil || r.rest != "" || name != strings.ToLower(name) {
		return item{}, fmt.Errorf("%q is no component", text)
	}
	return item{name, params}, nil
}

// componentValue is what a component of a signature stands for (RFC 9421, section 2).
func componentValue(r *Request, c item) (string, Finding) {
	missing := func(what string) (string, Finding) {
		return "", Finding{Reason: MissingHeader, Detail: what + " is covered and absent"}
	}
	if derived, ok := strings.CutPrefix(c.text, "@"); ok {
		return derivedValue(r, derived, c)
	}
	bytewise := false
	for _, p := range c.params {
		if p.key != "bs" || p.kind != '?' {
			return "", unsupported(c)
		}
		bytewise = true
	}
	lines := r.headers().all(c.text)
	if len(lines) == 0 {
		return missing(c.text)
	}
	for i, line := range lines {
		lines[i] = strings.Trim(line, " \t")
		if bytewise {
			lines[i] = ":" + base64.StdEncoding.EncodeToString([]byte(lines[i])) + ":"
		}
	}
	return strings.Join(lines, ", "), Finding{}
}

func unsupported(c item) Finding {
	return Finding{Reason: Unsupported, Detail: "the component " + c.String() + " is not understood here"}
}

// derivedValue is what a component of the request line stands for.
func derivedValue(r *Request, name string, c item) (string, Finding) {
	if len(c.params) > 0 && name != "query-param" {
		return "", unsupported(c)
	}
	switch name {
	case "method":
		if r.Method == "" {
			return "", Finding{Reason: NoTarget, Detail: "the method is covered, and was not handed in"}
		}
		return r.Method, Finding{}
	case "status":
		if r.Status == 0 {
			return "", Finding{Reason: NoTarget, Detail: "the status of a response is covered, and this is none"}
		}
		return strconv.Itoa(r.Status), Finding{}
	}
	u, err := url.Parse(r.URL)
	if err != nil || r.URL == "" {
		return "", Finding{Reason: NoTarget, Detail: "the request's URL is covered, and was not handed in"}
	}
	switch name {
	case "target-uri":
		return r.URL, Finding{}
	case "scheme":
		return strings.ToLower(u.Scheme), Finding{}
	case "authority":
		return authority(u), Finding{}
	case "path":
		return path(u), Finding{}
	case "query":
		return "?" + u.RawQuery, Finding{}
	case "request-target":
		if u.RawQuery == "" && !u.ForceQuery {
			return path(u), Finding{}
		}
		return path(u) + "?" + u.RawQuery, Finding{}
	case "query-param":
		return queryParam(u, c)
	}
	return "", unsupported(c)
}

func authority(u *url.URL) string {
	host := strings.ToLower(u.Host)
	switch strings.ToLower(u.Scheme) {
	case "http":
		return strings.TrimSuffix(host, ":80")
	case "https":
		return strings.TrimSuffix(host, ":443")
	}
	return host
}

func path(u *url.URL) string {
	if p := u.EscapedPath(); p != "" {
		return p
	}
	return "/"
}

// queryParam is a parameter of the query, which must be there once.
func queryParam(u *url.URL, c item) (string, Finding) {
	if len(c.params) != 1 || c.params[0].key != "name" || c.params[0].kind != 's' {
		return "", unsupported(c)
	}
	escape := func(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }
	name, err := url.QueryUnescape(c.params[0].text)
	query, qerr := url.ParseQuery(u.RawQuery)
	if err != nil || qerr != nil || len(query[name]) != 1 {
		return "", Finding{Reason: MissingHeader, Detail: "the query has no single parameter of a name that is covered"}
	}
	return escape(query[name][0]), Finding{}
}
