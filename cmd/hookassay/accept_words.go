package main

import "fmt"

// acceptWords are the texts of a count; the places of %s and %d are filled by text.
type acceptWords struct {
	read, readRows                                   string
	rows, events                                     func(int) string // a count with its noun
	interval                                         string
	wanted                                           map[string]string // by verdict
	low, lost, cutShort                              string
	first, retry, dead, pending, again               string
	noReason, noReplay, missing, none, notSaid, more string
	definitions                                      []string
}

func acceptWordsIn(lang string) (acceptWords, error) {
	return inLang(lang, englishAccept(), chineseAccept())
}

func englishAccept() acceptWords {
	return acceptWords{
		read:     "%s: %s, of which the latest %d count (contract %s)\n",
		readRows: "%s: %s, %s, of which the latest %d count (contract %s)\n",
		rows:     func(n int) string { return number(n, "row") },
		events:   func(n int) string { return number(n, "event") },
		interval: "(%d + %d) / %d = %s, 95 %% interval %s to %s\n",
		wanted: map[string]string{
			acceptReached: "REACHED: at least %s was wanted\n",
			acceptMissed:  "MISSED: at least %s was wanted, and every dead letter with its reason and its replay\n",
			acceptUnknown: "CANNOT BE SAID: at least %s is wanted over %d events\n",
		},
		low:      "  the interval reaches below that: other events of the same sender may well miss it\n",
		cutShort: "  the run did not come to its end: what would have followed is not counted\n",
		lost:     "  records that the receiver could not keep: %d; what is missing or pending may have been received\n",
		first:    "delivered at first try", retry: "delivered after retry", dead: "dead-lettered, of these delivered by replay",
		pending: "neither delivered nor dead-lettered", again: "received again after receipt",
		noReason: "dead letters without a reason", noReplay: "dead letters without a replay", missing: "missing",
		none: "none", notSaid: "the source does not say", more: "and %d more",
		definitions: []string{
			"definitions",
			"  rate: (delivered at first try + delivered after retry) / events",
			"  latest events: those whose first attempt is the latest, or the last ones that --expect lists",
			"  first try: attempt 1 got a complete success; after retry: a later one did, before any replay",
			"  a delivery by replay alone counts as dead-lettered; what is pending counts as not delivered",
			"  received again: events sent again by the sender itself after they had been received / delivered events",
			"  interval: Wilson score, 95 %",
		},
	}
}

func chineseAccept() acceptWords {
	return acceptWords{
		read:     "%s：%s，统计最近 %d 个（契约 %s）\n",
		readRows: "%s：%s，%s，统计最近 %d 个（契约 %s）\n",
		rows:     func(n int) string { return fmt.Sprintf("%d 行", n) },
		events:   func(n int) string { return fmt.Sprintf("%d 个事件", n) },
		interval: "(%d + %d) / %d = %s，95 %% 置信区间 %s 至 %s\n",
		wanted: map[string]string{
			acceptReached: "达标：要求不低于 %s\n",
			acceptMissed:  "未达标：要求不低于 %s，且每个死信都有原因和重放记录\n",
			acceptUnknown: "无法判定：要求不低于 %s，样本需 %d 个事件\n",
		},
		low:      "  置信区间下限低于要求：同一发送方的其他事件可能不达标\n",
		cutShort: "  运行未完成，其后的内容未计入\n",
		lost:     "  接收方有 %d 条记录未能保存：缺失或未送达的事件可能实际已收到\n",
		first:    "首次投递成功", retry: "重试后投递成功", dead: "死信，其中重放后送达",
		pending: "既未送达也未进入死信", again: "确认接收后再次收到",
		noReason: "没有原因的死信", noReplay: "没有重放记录的死信", missing: "缺失",
		none: "无", notSaid: "来源未说明", more: "另有 %d 个",
		definitions: []string{
			"定义",
			"  投递率：（首次投递成功 + 重试后投递成功）÷ 全部事件",
			"  最近的事件：首次尝试时间最晚的那些，或 --expect 所列的最后若干个",
			"  首次：第 1 次尝试得到完整的成功应答；重试后：在任何重放之前，后来的尝试得到成功应答",
			"  仅靠重放送达的计为死信；仍在等待的计为未送达",
			"  再次收到：已可靠接收后仍被发送方自己再次发送的事件 ÷ 已送达事件",
			"  区间：Wilson 分数区间，95 %",
		},
	}
}
