package contract_test

import (
	"testing"

	"github.com/hookassay/hookassay/harness/contract"
)

func TestClassOfBounded6(t *testing.T) {
	c := bounded6(t)
	for status := 0; status <= 1000; status++ {
		want := contract.Permanent
		switch {
		case status >= 200 && status <= 299:
			want = contract.Success
		case status == 429, status >= 500 && status <= 599:
			want = contract.Transient
		}
		if got := c.Class(status); got != want {
			t.Errorf("status %d: got %s, want %s", status, got, want)
		}
	}
}

func TestClassOtherwiseAndDisable(t *testing.T) {
	c := &contract.Contract{Answers: contract.Answers{
		Success: contract.Codes{"2xx"}, Disable: contract.Codes{"410"}, Otherwise: contract.OtherwiseRetry,
	}}
	for status, want := range map[int]contract.Class{
		204: contract.Success, 410: contract.Disable, 400: contract.Transient, 302: contract.Transient, 777: contract.Transient,
	} {
		if got := c.Class(status); got != want {
			t.Errorf("status %d: got %s, want %s", status, got, want)
		}
	}
}

func TestCodesHas(t *testing.T) {
	for _, tt := range []struct {
		entry   string
		in, out []int
	}{
		{"429", []int{429}, []int{428, 430, 42, 0}},
		{"5xx", []int{500, 599}, []int{499, 600, 5}},
		{"400-428", []int{400, 410, 428}, []int{399, 429}},
		{"204-204", []int{204}, []int{203, 205}},
		{"428-400", nil, []int{400, 410, 428}},
		{"0xx", nil, []int{0, 50}},
		{"4XX", nil, []int{400}},
		{"99", nil, []int{99}},
		{"+99", nil, []int{99}},
		{"", nil, []int{0}},
		{"-", nil, []int{0}},
	} {
		for _, s := range tt.in {
			if !(contract.Codes{"1xx", tt.entry}).Has(s) {
				t.Errorf("%q does not name %d", tt.entry, s)
			}
		}
		for _, s := range tt.out {
			if (contract.Codes{tt.entry}).Has(s) {
				t.Errorf("%q names %d", tt.entry, s)
			}
		}
	}
}

func TestQuestionsToBounded6(t *testing.T) {
	c := bounded6(t)
	c.Advice = []string{"backoff", "log.next-attempt"}
	for _, q := range []struct {
		what      string
		got, want bool
	}{
		{"timeout is transient", c.TransientError(contract.ErrorTimeout), true},
		{"connection error is transient", c.TransientError(contract.ErrorConnection), true},
		{"an unknown error is transient", c.TransientError("moon"), false},
		{"Retry-After on 429", c.HonoursRetryAfter(429), true},
		{"Retry-After on 503", c.HonoursRetryAfter(503), false},
		{"advice by family", c.Advises("backoff.jitter"), true},
		{"advice by id", c.Advises("log.next-attempt"), true},
		{"no advice on a sister", c.Advises("log.complete"), false},
		{"no advice on a family by its prefix", c.Advises("backoffs.jitter"), false},
		{"Retry-After without a promise", (&contract.Contract{}).HonoursRetryAfter(429), false},
	} {
		if q.got != q.want {
			t.Errorf("%s: got %t, want %t", q.what, q.got, q.want)
		}
	}
}
