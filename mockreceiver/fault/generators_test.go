package fault_test

import (
	"time"

	"pgregory.net/rapid"

	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// generators has one generator per kind of fault; TestEveryKindHasAGenerator keeps it complete.
func generators() map[string]*rapid.Generator[fault.Fault] {
	holds := rapid.Map(rapid.Int64Range(0, int64(24*time.Hour)), func(n int64) time.Duration { return time.Duration(n) })
	words := rapid.StringMatching(`[!-~]([ -~é世]{0,10}[!-~])?`)
	failures := rapid.OneOf(rapid.Just(0), rapid.IntRange(300, 599))
	retryAfter := rapid.OneOf(
		rapid.Just(fault.RetryAfter{}),
		rapid.Custom(func(t *rapid.T) fault.RetryAfter { return fault.RetryAfter{Text: words.Draw(t, "text")} }),
		rapid.Custom(func(t *rapid.T) fault.RetryAfter {
			return fault.RetryAfter{Date: true, In: holds.Draw(t, "in") - holds.Draw(t, "out")}
		}),
	)
	headers := func(t *rapid.T) (list [][2]string) {
		for range rapid.IntRange(0, 2).Draw(t, "headers") {
			list = append(list, [2]string{rapid.StringMatching(`X-[A-Za-z]{1,8}`).Draw(t, "name"), words.Draw(t, "value")})
		}
		return list
	}
	answer := func(t *rapid.T, codes *rapid.Generator[int]) fault.Answer {
		return fault.Answer{
			Code: codes.Draw(t, "code"), RetryAfter: retryAfter.Draw(t, "retry after"), Header: headers(t), Delay: holds.Draw(t, "delay"),
		}
	}
	statuses := rapid.OneOf(rapid.Just(0), rapid.IntRange(200, 599))
	bodied := rapid.OneOf(rapid.SampledFrom([]int{0, 200, 404}), rapid.IntRange(400, 599))
	size := rapid.Int64Range(1, 1<<30)
	end := rapid.SampledFrom([]fault.End{"", fault.Closed, fault.Aborted})
	kinds := map[string]*rapid.Generator[fault.Fault]{
		"stall": rapid.Custom(func(t *rapid.T) fault.Fault {
			return fault.Stall{Answer: answer(t, bodied), After: rapid.IntRange(0, 1<<20).Draw(t, "after"), For: holds.Draw(t, "for")}
		}),
		"cut-request": rapid.Custom(func(t *rapid.T) fault.Fault {
			return fault.CutRequest{After: rapid.IntRange(0, 1<<20).Draw(t, "after"), With: end.Draw(t, "with")}
		}),
		"slow-read": rapid.Custom(func(t *rapid.T) fault.Fault {
			return fault.SlowRead{Answer: answer(t, statuses), Bytes: rapid.IntRange(1, 1<<20).Draw(t, "bytes"), Every: holds.Draw(t, "every")}
		}),
		"interim": rapid.Custom(func(t *rapid.T) fault.Fault {
			return fault.Interim{Code: rapid.SampledFrom([]int{0, 100, 102, 103, 199}).Draw(t, "code"), With: end.Draw(t, "with")}
		}),
		"latency": rapid.Custom(func(t *rapid.T) fault.Fault {
			l := fault.Latency{Answer: answer(t, bodied), InBody: rapid.Bool().Draw(t, "in body")}
			if rapid.Bool().Draw(t, "log-normal") {
				l.Median = holds.Filter(func(d time.Duration) bool { return d > 0 }).Draw(t, "median")
				l.Sigma = rapid.Float64Range(1e-9, 3).Draw(t, "sigma")
				return l
			}
			l.To = holds.Filter(func(d time.Duration) bool { return d > 0 }).Draw(t, "to")
			l.From = time.Duration(rapid.Int64Range(0, int64(l.To)).Draw(t, "from"))
			return l
		}),
		"early": rapid.Custom(func(t *rapid.T) fault.Fault { return fault.Early{Answer: answer(t, failures)} }),
		"continue": rapid.Custom(func(t *rapid.T) fault.Fault {
			return fault.Continue{Answer: answer(t, statuses), After: holds.Draw(t, "after")}
		}),
		"early-hints": rapid.Custom(func(t *rapid.T) fault.Fault {
			return fault.EarlyHints{Answer: answer(t, statuses), Count: rapid.IntRange(0, 1000).Draw(t, "count")}
		}),
		"redirect": rapid.Custom(func(t *rapid.T) fault.Fault {
			to := rapid.StringMatching(`(https?://[a-z]{1,9}(:[0-9]{1,4})?|)/[a-z"\,()]{0,9}`).Draw(t, "to")
			return fault.Redirect{To: to, Answer: answer(t, rapid.SampledFrom([]int{0, 301, 302, 303, 307, 308}))}
		}),
		"rate-limit": rapid.Custom(func(t *rapid.T) fault.Fault {
			return fault.RateLimit{PerSecond: rapid.IntRange(1, 100_000).Draw(t, "n"), Code: failures.Draw(t, "code")}
		}),
		"outage": rapid.Custom(func(t *rapid.T) fault.Fault {
			o := fault.Outage{From: holds.Draw(t, "from"), With: end.Draw(t, "with")}
			if to := holds.Draw(t, "to"); to > o.From {
				o.To = to
			}
			if o.With == "" {
				o.Code = failures.Draw(t, "code")
			}
			return o
		}),
		"close-idle": rapid.Custom(func(t *rapid.T) fault.Fault {
			return fault.CloseIdle{Answer: answer(t, statuses), After: holds.Draw(t, "after"), With: end.Draw(t, "with")}
		}),
		"close-next": rapid.Custom(func(t *rapid.T) fault.Fault {
			return fault.CloseNext{Answer: answer(t, statuses), With: end.Draw(t, "with")}
		}),
		"close": rapid.Map(holds, func(d time.Duration) fault.Fault { return fault.Close{Delay: d} }),
		"cut": rapid.Custom(func(t *rapid.T) fault.Fault {
			return fault.Cut{Answer: answer(t, bodied), After: rapid.IntRange(0, 1<<20).Draw(t, "after"), With: end.Draw(t, "with")}
		}),
		"wrong-length": rapid.Custom(func(t *rapid.T) fault.Fault {
			by := rapid.IntRange(-25, 1000).Filter(func(n int) bool { return n != 0 })
			return fault.WrongLength{Answer: answer(t, bodied), By: by.Draw(t, "by")}
		}),
		"malformed": rapid.Custom(func(t *rapid.T) fault.Fault {
			part := rapid.SampledFrom([]fault.Part{fault.StatusLine, fault.FieldLine, fault.Chunk}).Draw(t, "part")
			if part == fault.StatusLine {
				return fault.Malformed{Answer: answer(t, rapid.Just(0)), Part: part}
			}
			return fault.Malformed{Answer: answer(t, bodied), Part: part}
		}),
		"large": rapid.Custom(func(t *rapid.T) fault.Fault {
			return fault.Large{Answer: answer(t, bodied), Size: size.Draw(t, "size")}
		}),
		"endless": rapid.Custom(func(t *rapid.T) fault.Fault { return fault.Endless{Answer: answer(t, bodied)} }),
		"drip": rapid.Custom(func(t *rapid.T) fault.Fault {
			return fault.Drip{
				Answer: answer(t, bodied), Bytes: rapid.IntRange(1, 64<<10).Draw(t, "bytes"), Every: holds.Draw(t, "every"),
				Size: rapid.OneOf(rapid.Just(int64(0)), size).Draw(t, "size"),
			}
		}),
		"status": rapid.Custom(func(t *rapid.T) fault.Fault {
			s := fault.Status{
				Code: rapid.IntRange(200, 999).Draw(t, "code"), RetryAfter: retryAfter.Draw(t, "retry after"),
				Delay: holds.Draw(t, "delay"), Header: headers(t),
			}
			if s.Code != 204 && s.Code != 304 {
				s.Body = rapid.String().Draw(t, "body")
			}
			if s.Code/100 == 2 {
				s.Work, s.Copies = holds.Draw(t, "work"), rapid.IntRange(0, 64).Draw(t, "copies")
			}
			return s
		}),
		"timeout": rapid.Map(holds, func(d time.Duration) fault.Fault { return fault.Timeout{For: d} }),
		"reset":   rapid.Map(holds, func(d time.Duration) fault.Fault { return fault.Reset{Delay: d} }),
		"business-failure": rapid.Custom(func(t *rapid.T) fault.Fault {
			return fault.BusinessFailure{Code: failures.Draw(t, "code"), Delay: holds.Draw(t, "delay")}
		}),
		"lost-ack": rapid.Map(holds, func(d time.Duration) fault.Fault { return fault.LostAck{Delay: d} }),
		"rst-stream": rapid.Custom(func(t *rapid.T) fault.Fault {
			return fault.RSTStream{Code: rapid.Uint32Range(0, 13).Draw(t, "code"), Delay: holds.Draw(t, "delay")}
		}),
		"goaway": rapid.Custom(func(t *rapid.T) fault.Fault {
			if rapid.Bool().Draw(t, "before") {
				return fault.Goaway{When: fault.Before, Answer: fault.Answer{Delay: holds.Draw(t, "delay")}}
			}
			return fault.Goaway{When: fault.After, Answer: answer(t, statuses)}
		}),
		"chance": rapid.Custom(func(t *rapid.T) fault.Fault {
			return fault.Chance{P: rapid.Float64Range(0, 1).Draw(t, "p"), Code: failures.Draw(t, "code")}
		}),
	}
	kinds["mix"] = mixes(kinds)
	return kinds
}

// mixes draws from the other kinds.
func mixes(kinds map[string]*rapid.Generator[fault.Fault]) *rapid.Generator[fault.Fault] {
	var list []*rapid.Generator[fault.Fault]
	for _, g := range kinds {
		list = append(list, g)
	}
	one := rapid.OneOf(list...)
	return rapid.Custom(func(t *rapid.T) fault.Fault {
		var m fault.Mix
		seen, left := map[string]bool{}, 1.0
		for range rapid.IntRange(1, 4).Draw(t, "shares") {
			s := fault.Step{Fault: one.Draw(t, "fault")}
			if seen[s.String()] {
				continue
			}
			seen[s.String()] = true
			p := rapid.Float64Range(0, left).Draw(t, "p")
			left -= p
			m.Shares = append(m.Shares, fault.Share{Step: s, P: p})
		}
		if rapid.Bool().Draw(t, "rest") {
			m.Rest.Fault = one.Draw(t, "rest")
		}
		return m
	})
}
