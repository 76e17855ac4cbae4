package signature

import (
	"fmt"
	"iter"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// guesses are the contents that common mistakes would have signed, each with one mistake. They are made one after another, so that
// only one serialisation of a large body is in memory.
func (d *diagnosis) guesses() iter.Seq[guess] {
	return func(yield func(guess) bool) {
		for _, some := range []iter.Seq[guess]{d.parts(), d.times(), d.bodies(), d.urls(), d.forms()} {
			for g := range some {
				if !yield(g) {
					return
				}
			}
		}
	}
}

// parts are other compositions of the same values.
func (d *diagnosis) parts() iter.Seq[guess] {
	return func(yield func(guess) bool) {
		add := func(cause, detail string, parts []part) bool {
			return slices.Equal(parts, d.s.parts) || yield(guess{mistake{cause, detail}, parts, d.r.material})
		}
		if !add(causeBodyOnly, saysBodyOnly, []part{{word: partBody}}) {
			return
		}
		for _, p := range d.missingParts() {
			if !add(p.cause, p.detail, p.parts) {
				return
			}
		}
		for _, sep := range []string{".", ":", ",", "|", "\n", "-", "_", ";", "&", " ", ""} {
			says := fmt.Sprintf("the signed values are parted by %q", sep)
			if !add(causeSeparator, says, separated(d.s.parts, sep)) {
				return
			}
			if h, differs := headed(d.s.parts, sep); differs && !add(causeSeparator, says, separated(h, sep)) {
				return
			}
		}
		for _, order := range reordered(d.s.parts) {
			if !add(causeOrder, "the values are signed in the order "+orderText(order), order) {
				return
			}
		}
	}
}

// missingParts leave out one word, or the text that begins the content.
func (d *diagnosis) missingParts() (all []guess) {
	for i, p := range d.s.parts {
		g := guess{parts: without(d.s.parts, i)}
		switch {
		case p.word == partTimestamp:
			g.mistake = mistake{causeTimeMissing, "the time is not signed"}
		case p.word == partID:
			g.mistake = mistake{causeIDMissing, "the id is not signed"}
		case p.word == partBody || len(d.s.parts) == 1 || p.word == "" && i > 0:
			continue
		case p.word == "":
			g.mistake = mistake{causePartMissing, fmt.Sprintf("%q is missing before the signed values", p.arg)}
			g.parts = d.s.parts[1:]
		default:
			g.mistake = mistake{causePartMissing, "the signed bytes lack " + strings.TrimSuffix(p.word+p.arg, "}") + closing(p)}
		}
		all = append(all, g)
	}
	return all
}

func closing(p part) string {
	if p.word == "" {
		return ""
	}
	return "}"
}

// without leaves out a word and the text that follows it.
func without(parts []part, i int) []part {
	n := 1
	if i+1 < len(parts) && parts[i+1].word == "" {
		n++
	}
	return slices.Delete(slices.Clone(parts), i, i+n)
}

// separated puts one text between the words, and keeps what stands before the first.
func separated(parts []part, sep string) []part {
	var out []part
	for _, p := range parts {
		switch {
		case p.word == "" && len(out) > 0:
			continue
		case len(out) > 0 && out[len(out)-1].word != "" && sep != "":
			out = append(out, part{arg: sep})
		}
		out = append(out, p)
	}
	return out
}

// headed has the text before the first word end with sep, where it ends with what parts the others: v0: becomes v0.
func headed(parts []part, sep string) ([]part, bool) {
	if len(parts) < 3 || parts[0].word != "" || parts[2].word != "" {
		return nil, false
	}
	head, ends := strings.CutSuffix(parts[0].arg, parts[2].arg)
	if !ends || head == "" {
		return nil, false
	}
	out := slices.Clone(parts)
	out[0].arg = head + sep
	return out, true
}

// reordered are the other orders of two or three words, and the reverse of more. Texts between them keep their places.
func reordered(parts []part) (all [][]part) {
	var at []int
	for i, p := range parts {
		if p.word != "" {
			at = append(at, i)
		}
	}
	orders := map[int][][]int{2: {{1, 0}}, 3: {{0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}}[len(at)]
	if len(at) > 3 {
		back := make([]int, len(at))
		for i := range back {
			back[i] = len(at) - 1 - i
		}
		orders = [][]int{back}
	}
	for _, order := range orders {
		out := slices.Clone(parts)
		for i, from := range order {
			out[at[i]] = parts[at[from]]
		}
		all = append(all, out)
	}
	return all
}

func orderText(parts []part) string {
	var words []string
	for _, p := range parts {
		if p.word != "" {
			words = append(words, strings.Trim(p.word, "{}:"))
		}
	}
	return strings.Join(words, ", ")
}

// times are other texts of the time that was sent, or times near it.
func (d *diagnosis) times() iter.Seq[guess] {
	return func(yield func(guess) bool) {
		if !d.s.signs(partTimestamp) {
			return
		}
		add := func(cause, detail, text string) bool {
			g := guess{mistake{cause, detail}, d.s.parts, d.r.material}
			g.material.timestamp = text
			return text == d.r.timestamp || yield(g)
		}
		for _, text := range otherUnits(d.r.timestamp) {
			if !add(causeTimeUnit, "the signed time has another unit than the sent one", text) {
				return
			}
		}
		sent := d.s.parseTime(d.r.timestamp)
		if sent.IsZero() {
			return
		}
		for _, o := range offsets() {
			if !add(o.cause, o.detail, d.s.formatTime(sent.Add(o.by))) {
				return
			}
		}
	}
}

type offset struct {
	mistake

	by time.Duration
}

// offsets are by how much a time that was taken twice differs, and one that was taken in another zone.
func offsets() (all []offset) {
	const seconds, hours = 5, 14 // a request is built within seconds; zones reach 14 hours
	add := func(cause string, n int, unit time.Duration) {
		for _, by := range []time.Duration{-time.Duration(n) * unit, time.Duration(n) * unit} {
			all = append(all, offset{mistake{cause, fmt.Sprintf("the signed time is %s off the sent one", by)}, by})
		}
	}
	for n := 1; n <= seconds; n++ {
		add(causeTimeOther, n, time.Second)
	}
	for n := 1; n <= hours; n++ {
		add(causeTimeZone, n, time.Hour)
	}
	for _, n := range []int{150, 210, 270, 330, 345, 390, 525, 570, 630, 765} { // of the zones that are no whole hours off
		add(causeTimeZone, n, time.Minute)
	}
	return all
}

// otherUnits returns the time in milliseconds if it is in seconds, and in seconds if it is in milliseconds or RFC 3339. Milliseconds
// that are no whole second cannot be guessed.
func otherUnits(text string) []string {
	switch {
	case isDigits(text) && len(text) == millisDigits:
		return append([]string{text[:millisDigits-3]}, rfc3339Of(text[:millisDigits-3])...)
	case isDigits(text) && len(text) <= maxSecondDigits:
		return append([]string{text + "000"}, rfc3339Of(text)...)
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return nil
	}
	return []string{strconv.FormatInt(t.Unix(), 10), strconv.FormatInt(t.UnixMilli(), 10)}
}

func rfc3339Of(seconds string) []string {
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return nil
	}
	return []string{time.Unix(n, 0).UTC().Format(time.RFC3339)}
}

// urls are forms of the URL that a sender may have signed. The record's own are right, and the first is never tried again.
func (d *diagnosis) urls() iter.Seq[guess] {
	return func(yield func(guess) bool) {
		if !d.s.signs(partURL) {
			return
		}
		seen := []string{""}
		for _, u := range otherURLs(d.r.req.URL) {
			g := guess{mistake{causeURL, "the URL is signed " + u.form}, d.s.parts, d.r.material}
			g.material.url = u.text
			if slices.Contains(seen, u.text) || slices.Contains(d.s.urls(d.r.req.URL), u.text) {
				continue
			}
			if seen = append(seen, u.text); !yield(g) {
				return
			}
		}
	}
}

type formedURL struct{ form, text string }

func otherURLs(given string) []formedURL {
	u, err := url.Parse(given)
	if err != nil || u.Host == "" {
		return nil
	}
	bare, slash, other := *u, *u, "http"
	bare.RawQuery, bare.ForceQuery = "", false
	if slash.Path = u.Path + "/"; strings.HasSuffix(u.Path, "/") {
		slash.Path = strings.TrimSuffix(u.Path, "/")
	}
	slash.RawPath = ""
	if u.Scheme == other {
		other = "https"
	}
	unescaped, err := url.PathUnescape(given)
	if err != nil {
		unescaped = given
	}
	return []formedURL{
		{"without its port", urlVariant(given, stripPort)},
		{"with the port of its scheme", urlVariant(given, addDefaultPort)},
		{"as " + other, other + strings.TrimPrefix(given, u.Scheme)},
		{"without its query", bare.String()},
		{"with or without a slash at the end of its path", slash.String()},
		{"as path and query alone", u.RequestURI()},
		{"as path alone", u.EscapedPath()},
		{"with its host in lower case", strings.Replace(given, u.Host, strings.ToLower(u.Host), 1)},
		{"decoded", unescaped},
	}
}

// forms are the bytes on the wire where the field is declared, and the fields where the wire is.
func (d *diagnosis) forms() iter.Seq[guess] {
	const most = 8 // fields; senders of forms have one or two
	return func(yield func(guess) bool) {
		add := func(cause, detail string, body []byte) bool {
			g := guess{mistake{cause, detail}, d.s.parts, d.r.material}
			g.material.body = body
			return yield(g)
		}
		if d.s.rec.FormField != "" && d.r.form != nil {
			add(causeFormWire, "the bytes on the wire are signed instead of the field "+d.s.rec.FormField, d.r.req.Body)
			return
		}
		kind, _ := d.r.req.headers().value("Content-Type")
		if !isForm(kind) {
			return
		}
		form, err := url.ParseQuery(string(d.r.req.Body))
		if err != nil {
			return
		}
		names := sortedKeys(form)
		for _, name := range names[:min(len(names), most)] {
			if !add(causeFormField, "the decoded field of the form is signed instead of the bytes on the wire", []byte(form[name][0])) {
				return
			}
		}
	}
}

// staleCause tells a clock in another zone from plain age.
func staleCause(f *Finding, hints Hints) mistake {
	// Nearly all zones are whole halves of an hour, up to 14 hours. Within half a minute of one there is one age in thirty.
	const half, most, near = 30 * time.Minute, 14 * time.Hour, 30 * time.Second
	age := f.Age(hints.Received)
	side := "before"
	if age < 0 {
		side = "after"
	}
	off := age.Round(half)
	if off != 0 && off.Abs() <= most && (age-off).Abs() <= near {
		return mistake{causeStaleByZone, fmt.Sprintf("signed for a time %s %s it came, as where local time is taken for UTC", off.Abs(), side)}
	}
	if !f.Expires.IsZero() && hints.Received.After(f.Expires) {
		return mistake{causeStale, "the signature had expired by its own word"}
	}
	if f.SignedAt.IsZero() {
		return mistake{causeStale, "the time is not proven"}
	}
	return mistake{causeStale, fmt.Sprintf("signed %s %s it came; tolerated are %s", age.Abs().Round(time.Second), side, hints.Tolerance)}
}
