package page_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/contract/page"
)

func profile(t testing.TB, name string) *contract.Contract {
	t.Helper()
	c, err := contract.Profile(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestPageSaysTheFigures(t *testing.T) {
	for lang, wants := range map[page.Language][]string{
		page.English: {
			"# Webhook delivery contract: bounded-6", "| 6 | 1 h to 1 h 1 min 12 s | 1 h 12 min 36 s to 1 h 14 min 3.12 s |",
			"more than 1 h 15 min after acceptance", "takes 28.8 s or less", "Retry-After is heeded on 429 (seconds, date), up to 1 h.",
			"both keys sign for 1 h 30 min", "| 429, 5xx | sent again", "is at least 99 %",
		},
		page.Chinese: {
			"# Webhook 投递契约：bounded-6", "| 6 | 1 小时 至 1 小时 1 分钟 12 秒 |", "受理 1 小时 15 分钟之后不再开始新的尝试", "≥ 99 %", "覆盖正文、时间戳、id。",
			"请求头 X-Webhook-Id 和正文 /id", "| 超时、连接失败、TLS 失败 |", "（秒数、日期）", "每个客户、环境、端点各有",
		},
	} {
		got := page.Markdown(profile(t, "bounded-6"), lang)
		for _, want := range wants {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in\n%s", lang, want, got)
			}
		}
	}
}

// TestBothLanguagesSayTheSame compares their numbers and their shape: a promise that one leaves out is a wrong page.
func TestBothLanguagesSayTheSame(t *testing.T) {
	for _, name := range contract.Profiles() {
		c := profile(t, name)
		en, zh := page.Markdown(c, page.English), page.Markdown(c, page.Chinese)
		a, b := strings.Split(en, "\n"), strings.Split(zh, "\n")
		if len(a) != len(b) {
			t.Errorf("%s: %d lines in English, %d in Chinese", name, len(a), len(b))
			continue
		}
		for i := range a {
			if digits(a[i]) != digits(b[i]) {
				t.Errorf("%s line %d: %q and %q have different figures", name, i+1, a[i], b[i])
			}
		}
	}
}

func digits(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}

func TestPagesBearWhatAContractLeavesOut(t *testing.T) {
	c := &contract.Contract{Name: "x<script>", Title: "a | b\n# c", Answers: contract.Answers{Success: contract.Codes{"2xx"}}}
	md, doc := page.Markdown(c, page.English), page.HTML(c, page.English)
	if strings.Contains(md, "\n# c") || strings.Contains(doc, "<script>") {
		t.Errorf("text of a contract was taken for markup:\n%s\n%s", md, doc)
	}
	if !strings.Contains(md, "## Not promised") || !strings.Contains(md, "- a manual replay\n") {
		t.Errorf("it is not said what is not promised:\n%s", md)
	}
}
