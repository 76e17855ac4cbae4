package mockreceiver

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// plainBody bounds a body that is written as text on the command line: Linux takes 128 KiB in one argument, and nobody reads
// more than a few.
const plainBody = 8 << 10

// curlCommand is a command for bash or zsh that sends a request again, to a place, with the header fields and body that were
// received. All of it is a stranger's: each part is quoted, so that nothing in it is more than data. It ends with a line end.
// extra are further options, which are ours.
func curlCommand(a *journal.Attempt, to curlPlace, extra ...string) (string, error) {
	head, err := evidence.ParseHead(a.Head)
	switch {
	case err != nil:
		return "", fmt.Errorf("attempt %d: cannot be sent again by curl: %w", a.Seq, err)
	case !isToken(head.Method):
		return "", fmt.Errorf("attempt %d: cannot be sent again by curl: its method %q is none", a.Seq, head.Method)
	case a.BodySize > int64(len(a.Body)):
		return "", fmt.Errorf("attempt %d: cannot be sent again: of its body of %d bytes %d were kept", a.Seq, a.BodySize, len(a.Body))
	}
	args := []string{strings.Join(append([]string{"curl -g --path-as-is"}, extra...), " ")}
	args = append(args, to.options(head)...)
	args = append(args, curlMethod(head)...)
	fields, framed := curlFields(head, hostOf(to.base))
	args = append(args, fields...)
	pipe := ""
	switch text := string(a.Body); {
	case !framed && text == "":
	case len(text) <= plainBody && utf8.ValidString(text) && !strings.ContainsRune(text, 0):
		args = append(args, "--data-raw "+shellWord(text))
	default:
		pipe = "printf %s " + base64Lines(a.Body) + " | base64 -d | "
		args = append(args, "--data-binary @-")
	}
	args = append(args, curlTarget(head.Target, to.base)...)
	return pipe + strings.Join(args, " \\\n  ") + "\n", nil
}

func curlMethod(h evidence.Head) []string {
	if h.Method == "HEAD" { // with -X curl would wait for a body
		return []string{"--head"}
	}
	return []string{"-X " + shellWord(h.Method)}
}

// curlFields are the header fields but those that curl must make itself. Fields that curl would add of its own are switched
// off. framed tells that the request announced a body, be it an empty one.
func curlFields(h evidence.Head, host string) (args []string, framed bool) {
	for _, f := range h.Fields {
		switch strings.ToLower(f[0]) {
		case "content-length", "transfer-encoding":
			framed = true
			continue
		case ":authority": // what HTTP/2 has for Host
			if f[1] != host {
				args = append(args, "-H "+shellWord("Host: "+f[1]))
			}
			continue
		case "host":
			if f[1] == host {
				continue
			}
		}
		if !isToken(f[0]) {
			continue // curl would take it for something else
		}
		text := f[0] + ": " + f[1]
		if f[1] == "" {
			text = f[0] + ";" // which is how curl sends an empty one
		}
		args = append(args, "-H "+shellWord(text))
	}
	for _, name := range []string{"Accept", "User-Agent", "Content-Type", "Expect"} {
		if !hasField(h, name) {
			args = append(args, "-H "+shellWord(name+":"))
		}
	}
	return args, framed
}

func hasField(h evidence.Head, name string) bool {
	for _, f := range h.Fields {
		if strings.EqualFold(f[0], name) {
			return true
		}
	}
	return false
}

// curlTarget is the URL. A target that a URL cannot carry as it is goes apart.
func curlTarget(target, base string) []string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-_.~!$&'()*+,;=:@%?"
	if strings.HasPrefix(target, "/") && strings.Trim(target, plain) == "" {
		return []string{shellWord(base + target)}
	}
	return []string{"--request-target " + shellWord(target), shellWord(base + "/")}
}

func hostOf(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return ""
	}
	return u.Host
}

// isToken tells whether s is an HTTP token (RFC 9110, 5.6.2).
func isToken(s string) bool {
	const signs = "!#$%&'*+-.^_`|~"
	for i := range len(s) {
		c := s[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && !strings.Contains(signs, string(rune(c))) {
			return false
		}
	}
	return s != ""
}

// shellWord quotes s for bash and zsh. Printable ASCII stands in single quotes, within which nothing has a meaning but the
// quote itself; everything else, which might act on a terminal, in the form $'…' with escapes.
func shellWord(s string) string {
	plain := true
	for i := range len(s) {
		plain = plain && (s[i] >= ' ' && s[i] <= '~' || s[i] == '\n')
	}
	if plain {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	var b strings.Builder
	b.WriteString("$'")
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\'' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c >= ' ' && c <= '~':
			b.WriteByte(c)
		default:
			// Three octal digits end by themselves; hex digits would take a digit that follows.
			b.WriteString(`\` + fmt.Sprintf("%03o", c))
		}
	}
	b.WriteString("'")
	return b.String()
}

// base64Lines is bytes in base64 as one quoted word of several lines, which base64 -d reads over.
func base64Lines(body []byte) string {
	const width = 76 // as in MIME
	text := base64.StdEncoding.EncodeToString(body)
	var b strings.Builder
	b.WriteString("'")
	for len(text) > width {
		b.WriteString(text[:width] + "\n")
		text = text[width:]
	}
	return b.String() + text + "'"
}
