package judge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// parseJSON reads exactly one JSON value; numbers keep their tokens.
func parseJSON(b []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more follows after the JSON value")
	}
	return v, nil
}

// lookup follows a JSON pointer (RFC 6901).
func lookup(doc any, pointer string) (any, bool) {
	if pointer == "" {
		return doc, true
	}
	for part := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		part = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
		switch at := doc.(type) {
		case map[string]any:
			next, ok := at[part]
			if !ok {
				return nil, false
			}
			doc = next
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(at) {
				return nil, false
			}
			doc = at[i]
		default:
			return nil, false
		}
	}
	return doc, true
}

// scalarText returns a string or number as text, and "" for everything else.
func scalarText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	default:
		return ""
	}
}

// differ returns where and how got differs from want, or "" if they are equal: text exactly, numbers as exact decimals, or
// token by token if verbatim.
func differ(want, got any, at string, verbatim bool) string {
	switch want := want.(type) {
	case map[string]any:
		got, ok := got.(map[string]any)
		if !ok {
			return place(at) + " is no object"
		}
		return differObjects(want, got, at, verbatim)
	case []any:
		got, ok := got.([]any)
		if !ok || len(got) != len(want) {
			return fmt.Sprintf("%s is no list of %d", place(at), len(want))
		}
		for i := range want {
			if d := differ(want[i], got[i], at+"/"+strconv.Itoa(i), verbatim); d != "" {
				return d
			}
		}
		return ""
	case json.Number:
		got, ok := got.(json.Number)
		if ok && (got == want || !verbatim && decimal(got.String()) == decimal(want.String())) {
			return ""
		}
		return fmt.Sprintf("%s is %s, emitted was %s", place(at), brief(got), brief(want))
	default:
		if want == got {
			return ""
		}
		return fmt.Sprintf("%s is %s, emitted was %s", place(at), brief(got), brief(want))
	}
}

func differObjects(want, got map[string]any, at string, verbatim bool) string {
	for _, k := range sortedKeys(want) {
		g, ok := got[k]
		if !ok {
			return place(at+"/"+k) + " is missing"
		}
		if d := differ(want[k], g, at+"/"+k, verbatim); d != "" {
			return d
		}
	}
	for _, k := range sortedKeys(got) {
		if _, ok := want[k]; !ok {
			return place(at+"/"+k) + " was not emitted"
		}
	}
	return ""
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

func place(at string) string {
	if at == "" {
		return "the value"
	}
	return clip(at)
}

// brief shows a JSON value in a sentence.
func brief(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return "unreadable"
	}
	return clip(string(b))
}

// clip keeps sentences readable: 60 characters name a value well enough, and the record holds the rest.
func clip(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

// decimal normalises a JSON number to digits and exponent, so that 1.0, 1 and 10e-1 are equal and nothing is rounded. It
// never expands the exponent: 1e999999999 is a valid token.
func decimal(token string) string {
	mantissa, exp := strings.ToLower(token), new(big.Int)
	if m, e, ok := strings.Cut(mantissa, "e"); ok {
		mantissa = m
		exp.SetString(strings.TrimPrefix(e, "+"), 10)
	}
	sign := ""
	if rest, ok := strings.CutPrefix(mantissa, "-"); ok {
		sign, mantissa = "-", rest
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	exp.Sub(exp, big.NewInt(int64(len(fraction))))
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return "0"
	}
	short := strings.TrimRight(digits, "0")
	exp.Add(exp, big.NewInt(int64(len(digits)-len(short))))
	return sign + short + "e" + exp.String()
}
