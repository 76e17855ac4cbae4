package page

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hookassay/hookassay/harness/contract"
)

func (w *writer) request() {
	c := w.c
	w.head("What you get", "你会收到什么")
	var items []string
	if r := c.Request; r != nil && r.Method != "" {
		items = append(items, w.sayf("Each event comes as an HTTP %s to the URL that you registered.", "每个事件以 HTTP %s 请求发送到你登记的 URL。", r.Method))
	}
	if b := c.Body; b != nil {
		if b.MediaType != "" {
			items = append(items, w.sayf("Content-Type: %s.", "Content-Type：%s。", b.MediaType))
		}
		if b.Stable == contract.StableBytes {
			items = append(items, w.say("Every retry carries the same bytes.", "每次重试发送的正文字节完全相同。"))
		}
	}
	if i := c.Identity; i != nil {
		where := strings.Join(nonEmpty(prefixed(w.say("header ", "请求头 "), i.Header), prefixed(w.say("body ", "正文 "), i.Body)), w.say(" and ", " 和"))
		items = append(items, w.sayf("The event's id stands in %s and is the same on every retry: keep it to tell duplicates.", "事件 id 位于%s，重试时不变：请保存它以识别重复。", where))
	}
	if e := c.Envelope; e != nil {
		items = append(items, w.sayf("The event's type is at %s, its business fields under %s.", "事件类型位于 %s，业务字段位于 %s 之下。", e.Type, e.Data))
		if len(e.Types) > 0 {
			items = append(items, w.sayf("Types: %s. Ignore those that you do not know.", "类型：%s。不认识的类型请忽略。", strings.Join(e.Types, ", ")))
		}
	}
	if s := c.Signature; s != nil {
		covered, _ := c.Coverage()
		items = append(items, w.sayf("Requests are signed by the scheme %s, which covers %s. Verify over the raw bytes of the body, in constant time.",
			"请求按 %s 方案签名，覆盖%s。请按正文的原始字节校验，并使用恒定时间比较。", s.Scheme, w.words(covered)))
		if s.Tolerance > 0 {
			items = append(items, w.sayf("Refuse a signed time that is more than %s off.", "签名时间偏差超过 %s 的请求应拒绝。", w.span(s.Tolerance)))
		}
	} else {
		w.not("that requests are signed", "请求带有签名")
	}
	w.list(items...)
}

func nonEmpty(texts ...string) []string {
	var out []string
	for _, t := range texts {
		if t != "" {
			out = append(out, t)
		}
	}
	return out
}

func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}

func (w *writer) answers() {
	a := w.c.Answers
	w.head("What to answer", "应如何应答")
	rows := [][]string{{w.say("Your answer", "你的应答"), w.say("What follows", "结果")}}
	add := func(codes contract.Codes, en, zh string) {
		if len(codes) > 0 {
			rows = append(rows, []string{strings.Join(codes, ", "), w.say(en, zh)})
		}
	}
	add(a.Success, "delivered: answer so once the event is safely kept", "已送达：请在事件可靠保存之后再这样应答")
	add(a.Retry, "sent again by the schedule below", "按下面的时间表重发")
	add(a.Permanent, "given up at once", "立即放弃")
	add(a.Disable, "given up, and your endpoint is disabled", "放弃，并停用你的端点")
	if len(a.Errors) > 0 {
		rows = append(rows, []string{w.words(a.Errors), w.say("sent again by the schedule below", "按下面的时间表重发")})
	}
	switch a.Otherwise {
	case contract.OtherwiseRetry:
		rows = append(rows, []string{w.say("anything else", "其他"), w.say("sent again", "重发")})
	case contract.OtherwisePermanent:
		rows = append(rows, []string{w.say("anything else", "其他"), w.say("given up at once", "立即放弃")})
	case contract.OtherwiseOpen:
		rows = append(rows, []string{w.say("anything else", "其他"), w.say("not said", "未说明")})
	}
	w.blocks = append(w.blocks, block{table: rows})
	if s := w.c.Schedule; s != nil && s.Timeout > 0 {
		w.list(w.sayf("Answer within %s; after that the request counts as failed.", "请在 %s 内应答，超时即视为失败。", w.span(s.Timeout)),
			w.redirects())
	}
}

func (w *writer) redirects() string {
	if w.c.Answers.Redirects == "fail" {
		return w.say("Redirects are not followed.", "不跟随重定向。")
	}
	return ""
}

func (w *writer) schedule() {
	s := w.c.Schedule
	w.head("When it comes again", "何时重发")
	if s == nil || len(s.Waits) == 0 {
		w.not("a schedule of retries", "重试时间表")
		items := []string{w.say("No schedule is promised.", "未承诺重试时间表。")}
		if s != nil && s.Counted() {
			items = append(items, w.sayf("At most %d attempts are made.", "最多 %d 次尝试。", s.Count()))
		}
		w.list(items...)
		return
	}
	rows := [][]string{{w.say("Attempt", "尝试"), w.say("Wait before it", "之前的等待"), w.say("Starts after acceptance, if attempts take no time", "受理后开始时间（不计请求耗时）")}}
	starts := w.c.Window(0).Starts
	for k := 1; k <= s.Count(); k++ {
		rows = append(rows, []string{strconv.Itoa(k), w.band(s.Wait(k)), w.band(starts[k-1].At)})
	}
	w.blocks = append(w.blocks, block{table: rows})
	items := []string{w.sayf("At most %d attempts are made.", "最多 %d 次尝试。", s.Count())}
	if f := s.Fewest(); f < s.Count() {
		items[0] = w.sayf("%d to %d attempts are made.", "共 %d 至 %d 次尝试。", f, s.Count())
	}
	if s.Deadline > 0 {
		items = append(items, w.sayf("No attempt starts more than %s after acceptance; slow answers count towards that, so that the last attempt may be left out.",
			"受理 %s 之后不再开始新的尝试；应答慢也计入其中，因此最后一次尝试可能被省去。", w.span(s.Deadline)))
		if t := w.c.Window(s.Timeout); t.BreakEven > 0 {
			items = append(items, w.sayf("If each attempt takes %s or less, jitter apart, the last one is made.", "不计抖动时，每次尝试不超过 %s，最后一次尝试就会发生。", w.span(t.BreakEven)))
		}
	} else {
		w.not("a total deadline", "总期限")
	}
	w.list(items...)
}

func (w *writer) retryAfter() {
	r := w.c.RetryAfter
	if r == nil {
		w.not("that Retry-After is heeded", "遵守 Retry-After")
		return
	}
	limit := ""
	if r.Cap > 0 {
		limit = w.sayf(", up to %s", "，最长 %s", w.span(r.Cap))
	}
	w.list(w.sayf("Retry-After is heeded on %s (%s)%s.", "应答 %s 时遵守 Retry-After（%s）%s。", strings.Join(r.Codes, ", "), w.words(r.Forms), limit))
}

func (w *writer) keys() {
	k := w.c.Keys
	if k == nil {
		w.not("anything about the rotation of keys", "密钥轮换")
		return
	}
	w.head("Keys", "密钥")
	items := []string{w.sayf("After a planned rotation both keys sign for %s: accept either meanwhile.", "计划轮换后，新旧密钥在 %s 内同时签名：期间两者都应接受。", w.span(k.Overlap))}
	if k.Revoke {
		items = append(items, w.say("A revoked key signs no more, queued retries included.", "吊销的密钥立即停止签名，包括排队中的重试。"))
	}
	if len(k.PerScope) > 0 {
		items = append(items, w.sayf("There is one key for each %s.", "每个%s各有一把密钥。", w.words(k.PerScope)))
	}
	if k.ShownOnce {
		items = append(items, w.say("A key is shown once.", "密钥只显示一次。"))
	}
	w.list(items...)
}

func (w *writer) receiving() {
	w.head("What you must expect", "你必须预期的情况")
	items := []string{
		w.say("An event may come more than once: delivery is at least once. Handle each id once.", "同一事件可能多次到达：投递为至少一次。每个 id 只处理一次。"),
	}
	if w.c.Order == "per-key" {
		items = append(items, w.say("Events about one business object come in order.", "同一业务对象的事件按顺序到达。"))
	} else {
		items = append(items, w.say("Events may come in any order: compare the times in the payload.", "事件到达顺序不作保证：请比较正文中的时间。"))
	}
	if d := w.c.Durability; d != nil && d.Accepted {
		items = append(items, w.say("An accepted event survives a crash of the sender.", "已受理的事件不会因发送方崩溃而丢失。"))
	}
	if a := w.c.AutoDisable; a != nil {
		if a.Counts() {
			items = append(items, w.sayf("Your endpoint is disabled after %d failed %s.", "失败 %d 次（%s）后端点被停用。", a.Failures, a.Of))
		} else {
			items = append(items, w.sayf("Your endpoint is disabled after %s of failures.", "持续失败 %s 后端点被停用。", w.span(a.FailingFor)))
		}
	}
	w.list(items...)
}

func (w *writer) afterwards() {
	w.head("When it was given up", "放弃之后")
	var items []string
	if d := w.c.DeadLetter; d != nil && d.Kept {
		items = append(items, w.say("It is kept as a dead letter, never silently lost", "事件进入死信，绝不静默丢失")+list(w, d.Fields)+w.say(".", "。"))
	} else {
		w.not("that events which were given up are kept", "保存被放弃的事件")
	}
	if r := w.c.Replay; r != nil {
		how := w.say("A replay can be asked for", "可以请求重放")
		if r.Range {
			how += w.say(", one by one or for a range of time", "，可单个，也可按时间范围")
		}
		if r.ID == "same" {
			how += w.say("; it carries the same id", "；重放使用相同的 id")
		}
		items = append(items, how+w.say(".", "。"))
	} else {
		w.not("a manual replay", "人工重放")
	}
	if l := w.c.Log; l != nil {
		items = append(items, w.sayf("Every attempt is in the delivery log within %s", "每次尝试在 %s 内写入投递日志", w.span(l.Lag))+list(w, l.Fields)+w.say(".", "。"))
	} else {
		w.not("a delivery log", "投递日志")
	}
	if len(items) == 0 {
		items = []string{w.say("Nothing is promised.", "未作承诺。")}
	}
	w.list(items...)
}

func list(w *writer, fields []string) string {
	if len(fields) == 0 {
		return ""
	}
	return w.say(", with ", "，包含 ") + strings.Join(fields, ", ")
}

func (w *writer) rest() {
	if a := w.c.Acceptance; a != nil {
		w.head("How it is measured", "如何衡量")
		w.list(w.sayf("Of the latest %d events, (delivered at first try + delivered after retry) ÷ all is at least %s %%.",
			"最近 %d 个事件中，（首次投递成功 + 重试后成功）÷ 全部 ≥ %s %%。", a.Sample, strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.3f", a.Rate*100), "0"), ".")))
	}
	if len(w.open) > 0 {
		w.head("Not promised", "未承诺的内容")
		w.list(w.open...)
	}
	if w.c.Source != "" {
		w.list(w.sayf("Source: %s", "来源：%s", w.c.Source))
	}
}
