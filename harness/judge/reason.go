package judge

import (
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hookassay/hookassay/harness/evidence"
)

// names tells whether words of the sender's can mean how an attempt failed.
func (v *view) names(r *request, text string) bool {
	o := r.outcome()
	switch {
	case o == nil || o.Status != 0 && (o.End != evidence.EndComplete || v.readLate(r) != (reads{})):
		return true
	case o.Status != 0:
		phrase := http.StatusText(o.Status)
		return slices.Contains(numbersIn(text), strconv.Itoa(o.Status)) ||
			phrase != "" && strings.Contains(strings.ToLower(text), strings.ToLower(phrase))
	}
	return len(statusIn(text)) == 0 || namesError(text)
}

// numbersIn lists all numbers in a text, whatever stands beside them: a code of the sender's own may be http_503 or HTTP503.
func numbersIn(text string) []string {
	return strings.FieldsFunc(text, func(c rune) bool { return c < '0' || c > '9' })
}

// statusIn lists the numbers in a text that can be statuses and nothing else: three digits that stand alone, which 500ms does not.
func statusIn(text string) []string {
	return regexp.MustCompile(`\b[1-9][0-9]{2}\b`).FindAllString(text, -1)
}

// namesError tells whether a text names a failure without a status.
func namesError(text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(errorWords(), func(w string) bool { return strings.Contains(text, w) })
}

// errorWords are what libraries and people call a failure without a status, in lower case: that nothing came in time, that the
// connection ended or never was, and that what came was no answer. Among them are words of curl (empty reply), Node.js (ETIMEDOUT,
// EPIPE, Parse Error, fetch failed), Python (BadStatusLine, illegal status line), Ruby (end of file, wrong status line) and Java
// (premature end).
func errorWords() []string {
	return []string{
		"timeout", "timed out", "time out", "timedout", "deadline", "abort", "cancel", "interrupted",
		"no answer", "no response", "no complete answer", "no reply", "no data", "empty reply", "empty response", "without an answer", "without a response", "unanswered", "not answer",
		"connect", "reset", "refused", "closed", "broken", "pipe", "hung up", "hang up", "hangup", "lost", "dropped", "gone away",
		"eof", "end of file", "end of stream", "premature", "unexpected end", "incomplete", "truncated",
		"network", "unreach", "i/o", "socket", "transport", "recv", "fetch", "dns", "resolve", "no such host",
		"tls", "ssl", "handshake", "certificate",
		"malformed", "invalid", "illegal", "parse", "unparsable", "protocol", "status line", "statusline", "bad answer", "bad response", "http/0.9", "no http",
		"超时", "连接", "重置", "断开", "关闭", "拒绝", "中断", "网络", "握手", "证书", "无响应", "未响应", "没有响应", "无应答", "无效", "解析", "格式",
	}
}
