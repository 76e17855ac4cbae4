package reports

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/hookassay/hookassay/internal/words"
)

// plain makes text of a stranger safe to show: characters that are invisible, move the cursor, end a line or turn the
// reading direction are written out (\x1b, \u2028), and white space is one blank.
func plain(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\n', r == '\t', r == '\r' && strings.HasPrefix(s[i+1:], "\n"):
			b.WriteByte(' ')
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r == 0xfffe, r == 0xffff, unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp):
			b.WriteString(strings.Trim(strconv.QuoteToASCII(string(r)), `"`))
		default:
			b.WriteRune(r)
		}
		i += n
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// short cuts s to at most n characters, an ellipsis included. Cut only what is redacted: half a key is still a secret.
func short(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}

// percent prints part ÷ whole in per cent. What four decimals cannot say ends in an ellipsis, never rounded: 98.999 % is not
// 99 %, and an equals sign before the figure stays true.
func percent(part, whole int) string {
	if whole <= 0 {
		return "n/a"
	}
	// As whole numbers: no floating point comes near the figure that people sign.
	n, rest := new(big.Int).QuoRem(new(big.Int).Mul(big.NewInt(int64(part)), big.NewInt(1_000_000)), big.NewInt(int64(whole)), new(big.Int))
	digits := fmt.Sprintf("%d.%04d", n.Int64()/10_000, n.Int64()%10_000)
	if rest.Sign() != 0 {
		return digits + "… %"
	}
	return trimDecimals(digits) + " %"
}

// share prints a fraction of a contract (0.99) in per cent, with all its decimals.
func share(f float64) string {
	r, ok := new(big.Rat).SetString(strconv.FormatFloat(f, 'f', -1, 64))
	if !ok {
		return "n/a"
	}
	r.Mul(r, big.NewRat(100, 1))
	return trimDecimals(r.FloatString(6)) + " %"
}

// reaches tells whether part ÷ whole ≥ share, exactly.
func reaches(part, whole int, share float64) bool {
	want, ok := new(big.Rat).SetString(strconv.FormatFloat(share, 'f', -1, 64))
	if !ok || whole <= 0 {
		return false
	}
	return big.NewRat(int64(part), int64(whole)).Cmp(want) >= 0
}

func trimDecimals(s string) string {
	if !strings.Contains(s, ".") {
		return s
	}
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

// span prints a duration for people: 5 ms, 3.02 s, 12 min 30 s, 1 h 12 min.
func span(d time.Duration) string {
	switch a := d.Abs(); {
	case a < time.Millisecond:
		return trimDecimals(strconv.FormatFloat(d.Seconds()*1000, 'f', 2, 64)) + " ms"
	case a < time.Second:
		return trimDecimals(strconv.FormatFloat(d.Seconds()*1000, 'f', 0, 64)) + " ms"
	case a < time.Minute:
		return trimDecimals(strconv.FormatFloat(d.Seconds(), 'f', 2, 64)) + " s"
	case a < time.Hour:
		return joinNonZero(int(d/time.Minute), "min", int(a%time.Minute/time.Second), "s")
	}
	return joinNonZero(int(d/time.Hour), "h", int(d.Abs()%time.Hour/time.Minute), "min")
}

func joinNonZero(a int, unitA string, b int, unitB string) string {
	if b == 0 {
		return fmt.Sprintf("%d %s", a, unitA)
	}
	return fmt.Sprintf("%d %s %02d %s", a, unitA, b, unitB)
}

// goSpan is span for a Go duration in text form; what cannot be read stays as it is.
func goSpan(s string) string {
	d, err := time.ParseDuration(s)
	if err != nil {
		return s
	}
	return span(d)
}

// clock prints a wall time: RFC 3339 in UTC with milliseconds.
func clock(t time.Time) string {
	if t.IsZero() {
		return "not recorded"
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

// clockIn is clock in a language.
func clockIn(w words.Texts, t time.Time) string {
	if t.IsZero() {
		return w.Text("clock.none")
	}
	return clock(t)
}

// plural prints n and the noun, with an s where it belongs.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// lines prints line numbers of the evidence: "line 17", "lines 3, 5 to 9 and 12 more". At most maxLines ranges are named.
func lines(w words.Texts, records []int) string {
	if len(records) == 0 {
		return ""
	}
	var parts []string
	named := 0
	for i := 0; i < len(records) && len(parts) < maxLines; {
		j := i
		for j+1 < len(records) && records[j+1] == records[j]+1 {
			j++
		}
		switch j {
		case i:
			parts = append(parts, strconv.Itoa(records[i]))
		case i + 1:
			parts = append(parts, strconv.Itoa(records[i]), strconv.Itoa(records[j]))
		default:
			parts = append(parts, fmt.Sprintf("%d–%d", records[i], records[j]))
		}
		named += j - i + 1
		i = j + 1
	}
	key := "lines.many"
	if len(records) == 1 {
		key = "lines.one"
	}
	out := w.Text(key, strings.Join(parts, w.Text("list.comma")))
	if rest := len(records) - named; rest > 0 {
		out += w.Text("lines.more", rest)
	}
	return out
}

// maxLines keeps a verdict that rests on a thousand records readable; results.json has them all.
const maxLines = 8
