// Package page writes the public page of a delivery contract, for those who receive: what they get, what they must answer, when it comes
// again. All of it follows from the contract; what that leaves out is said to be not promised.
package page

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/internal/words"
)

// Language is that of the page.
type Language = words.Language

// The languages.
const (
	English = words.English
	Chinese = words.Chinese
)

// block is a heading, a paragraph, a list or a table.
type block struct {
	heading string
	level   int
	text    string
	items   []string
	table   [][]string // the first row names the columns
}

type writer struct {
	c      *contract.Contract
	zh     bool
	blocks []block
	open   []string // what is not promised
}

// say picks the text of the language.
func (w *writer) say(en, zh string) string {
	if w.zh {
		return zh
	}
	return en
}

// gap is the blank between a unit of time and the word after it, which Chinese has not.
var gap = regexp.MustCompile(`(秒|分钟|小时) (\p{Han})`)

func (w *writer) sayf(en, zh string, args ...any) string {
	text := fmt.Sprintf(w.say(en, zh), args...)
	if w.zh {
		text = gap.ReplaceAllString(text, "$1$2")
	}
	return text
}

// words lists words of a contract, which Chinese has words for.
func (w *writer) words(list []string) string {
	if !w.zh {
		return strings.Join(list, ", ")
	}
	known := map[string]string{
		"body": "正文", "timestamp": "时间戳", "target": "请求目标", "timeout": "超时", "connection": "连接失败", "tls": "TLS 失败",
		"seconds": "秒数", "date": "日期", "customer": "客户", "environment": "环境", "endpoint": "端点",
	}
	out := make([]string, len(list))
	for i, word := range list {
		out[i] = cmp.Or(known[word], word)
	}
	return strings.Join(out, "、")
}

func (w *writer) head(en, zh string) {
	w.blocks = append(w.blocks, block{heading: w.say(en, zh), level: 2})
}

func (w *writer) list(items ...string) {
	var kept []string
	for _, i := range items {
		if i != "" {
			kept = append(kept, i)
		}
	}
	if len(kept) > 0 {
		w.blocks = append(w.blocks, block{items: kept})
	}
}

func (w *writer) not(en, zh string) { w.open = append(w.open, w.say(en, zh)) }

func of(c *contract.Contract, lang Language) []block {
	w := &writer{c: c, zh: lang == Chinese}
	w.blocks = []block{{heading: w.sayf("Webhook delivery contract: %s", "Webhook 投递契约：%s", c.Name), level: 1}, {text: c.Title}}
	w.request()
	w.answers()
	w.schedule()
	w.retryAfter()
	w.keys()
	w.receiving()
	w.afterwards()
	w.rest()
	return w.blocks
}

// Markdown returns the page in Markdown.
func Markdown(c *contract.Contract, lang Language) string {
	var b strings.Builder
	for i, x := range of(c, lang) {
		if i > 0 {
			b.WriteByte('\n')
		}
		switch {
		case x.level > 0:
			b.WriteString(strings.Repeat("#", x.level) + " " + markdown(x.heading) + "\n")
		case x.items != nil:
			for _, item := range x.items {
				b.WriteString("- " + markdown(item) + "\n")
			}
		case x.table != nil:
			for n, row := range x.table {
				var cells []string
				for _, cell := range row {
					cells = append(cells, strings.ReplaceAll(markdown(cell), "|", `\|`))
				}
				b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
				if n == 0 {
					b.WriteString(strings.Repeat("|---", len(row)) + "|\n")
				}
			}
		default:
			b.WriteString(markdown(x.text) + "\n")
		}
	}
	return b.String()
}

// HTML returns the page as one file without any other.
func HTML(c *contract.Contract, lang Language) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<!doctype html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>%s</title>\n<style>%s</style>\n</head>\n<body>\n<main>\n",
		lang, html(c.Name), style)
	for _, x := range of(c, lang) {
		switch {
		case x.level > 0:
			fmt.Fprintf(&b, "<h%d>%s</h%d>\n", x.level, html(x.heading), x.level)
		case x.items != nil:
			b.WriteString("<ul>\n")
			for _, item := range x.items {
				fmt.Fprintf(&b, "<li>%s</li>\n", html(item))
			}
			b.WriteString("</ul>\n")
		case x.table != nil:
			b.WriteString("<table>\n")
			for n, row := range x.table {
				cell := map[bool]string{true: `th scope="col"`, false: "td"}[n == 0]
				end, _, _ := strings.Cut(cell, " ")
				b.WriteString("<tr>")
				for _, text := range row {
					fmt.Fprintf(&b, "<%s>%s</%s>", cell, html(text), end)
				}
				b.WriteString("</tr>\n")
			}
			b.WriteString("</table>\n")
		default:
			fmt.Fprintf(&b, "<p>%s</p>\n", html(x.text))
		}
	}
	b.WriteString("</main>\n</body>\n</html>\n")
	return b.String()
}

const style = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:0}main{max-width:46rem;margin:auto;padding:1rem}` +
	`table{border-collapse:collapse}th,td{border:1px solid #8888;padding:.3rem .6rem;text-align:left}@media print{main{max-width:none}}`

func html(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(oneLine(s))
}

// markdown keeps text from a contract from being read as markup.
func markdown(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", `*`, `\*`, "`", "\\`", "[", `\[`).Replace(oneLine(s))
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// span shows a duration as people write it: 1 h 12 min 36 s.
func (w *writer) span(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	var parts []string
	for _, u := range []struct {
		of     time.Duration
		en, zh string
	}{{time.Hour, "h", "小时"}, {time.Minute, "min", "分钟"}, {time.Second, "s", "秒"}} {
		n := d / u.of
		if u.of == time.Second && d%time.Second != 0 {
			parts = append(parts, strconv.FormatFloat(d.Round(10*time.Millisecond).Seconds(), 'f', -1, 64)+" "+w.say(u.en, u.zh))
			break
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, w.say(u.en, u.zh)))
		}
		d %= u.of
	}
	return strings.Join(parts, " ")
}

func (w *writer) band(b contract.Band) string {
	switch {
	case b.Max == 0:
		return w.say("at once", "立即")
	case b.Min == b.Max:
		return w.span(b.Min)
	}
	return w.span(b.Min) + w.say(" to ", " 至 ") + w.span(b.Max)
}
