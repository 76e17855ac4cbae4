package scenarios

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// contents are payloads that break careless code, each of one kind. None holds what JSON allows and many sound senders cannot keep: a
// number beyond a double's range, U+0000, half of a surrogate pair.
func contents() []json.RawMessage {
	texts := []string{
		`{"latin": "Zoë Søren Łódź ß İı", "combined": "e\u0301 é", "escaped": "\u00e9\u6f22\ud83c\udf9f"}`,
		`{"wide": "漢字 かな 한국어", "right_to_left": "שלום مرحبا", "emoji": "🎟👩‍👩‍👧🇪🇺", "last": "` + "\U0010ffff\uffff\ufffd" + `"}`,
		`{"lines": "a` + "\u2028b\u2029c\u0085d" + `", "escaped": "\u2028\u2029", "mark": "` + "\ufeff\u200b\u00a0" + `", "delete": "` + "\x7f" + `"}`,
		`{"control": "\u0001\u001f\b\f\n\r\t", "quotes": "\"'` + "`" + `", "slashes": "\\ \/ / \\\\", "ends": " both "}`,
		`{"html": "<script>alert(1)</script> &amp; <a href='x'>&</a>", "template": "${x} {{y}} %s %d %%", "query": "' OR 1=1; --"}`,
		`{"url": "https://example.com/a%2Fb?c=d+e&f=%20&g=é#h", "path": "../../etc", "form": "a=1&b=2;c=3"}`,
		`{"zero": 0, "negative": -1, "minus_zero": -0, "trailing": 1.50, "whole": 1.0, "tenth": 0.1, "long": 0.1000000000000000055511151231257827}`,
		`{"beyond": 9007199254740993, "twenty": 12345678901234567890, "sixty_four": 18446744073709551615, "thirty": 123456789012345678901234567890}`,
		`{"small": 1e-7, "large": 1E+20, "exponent": 1.5e3, "tiny": 5e-324, "most": 1.7976931348623157e308, "text": "1e3", "digits": "007"}`,
		`{"z": 1, "a": 2, "10": 3, "9": 4, "Z": 5, "m": {"y": 1, "b": 2}, "é": 6, "": 7, " ": 8, "a.b": 9, "a/b": 10, "__proto__": 11, "$ref": 12}`,
		"{\"spaced\" :\t[ 1 ,\r\n2 , { } , [ ] ]\n,  \"tight\":[1,2,{},[]] }",
		`{"null": null, "true": true, "false": false, "empty": "", "list": [], "object": {}, "nested": [[], {}, [null], {"a": null}]}`,
		`{"deep": ` + strings.Repeat(`[`, 30) + strings.Repeat(`]`, 30) + `, "date": "2024-02-29T23:59:60.123+05:45", "null_word": "null"}`,
		`{}`,
		`{}`, // an event may say the same as another
	}
	all := make([]json.RawMessage, len(texts))
	for i, t := range texts {
		all[i] = json.RawMessage(t)
	}
	return all
}

// sizes are around those at which columns, queues and buffers end: 64 KiB, 256 KiB and 1 MiB, and well beyond all of them.
func sizes() []int { return []int{64<<10 - 1, 64<<10 + 1, 256<<10 + 1, 1<<20 - 1, 1<<20 + 1, 4 << 20} }

// repeated is up to which size an event is sent again: more often would only fill the evidence.
const repeated = 100 << 10

// sized is a payload of so many bytes. No piece of it is like another, and its last member shows that nothing is missing.
func sized(n int) json.RawMessage {
	const tail = `", "tail": "end of the payload"}`
	var b strings.Builder
	b.WriteString(`{"text": "`)
	for i := 0; b.Len()+40 < n-len(tail); i++ { // a line has less than 40 bytes
		fmt.Fprintf(&b, "line %d of é漢🎟\\n", i)
	}
	b.WriteString(strings.Repeat(".", n-len(tail)-b.Len()))
	b.WriteString(tail)
	return json.RawMessage(b.String())
}

func (k kit) bodyContents() drive.Scenario {
	return drive.Scenario{
		Name:   "body/every-kind-of-content",
		Title:  "Text of every width, markup, numbers of every form, any order and spacing, empty and equal payloads; a retry and a replay of each",
		Paths:  []drive.Path{drive.First, drive.Retry, drive.Replay},
		Checks: replayed("id.stable", "body.stable", "retry.transient", "outcome.2xx"),
		Play: func(ctx context.Context, st *drive.Stage) error {
			return k.emitContents(ctx, st, contents())
		},
		Watch: k.window(),
	}
}

// The large ones come late and one after the other: a run begins with a rush, in which megabytes of theirs would delay what is judged
// by short times.
const largeAfter = 10 * time.Second

func (k kit) bodySizes() drive.Scenario {
	return drive.Scenario{
		Name:   "body/every-size",
		Title:  "Payloads from just below 64 KiB to 4 MiB with a mark at their end; a retry and a replay of the smaller ones, and one refused",
		Paths:  []drive.Path{drive.First, drive.Retry, drive.Replay},
		Checks: replayed("id.stable", "body.stable", "retry.transient", "retry.permanent", "dlq.entry"),
		Play: func(ctx context.Context, st *drive.Stage) error {
			begun := st.Now()
			if err := k.refuseLarge(ctx, st); err != nil {
				return err
			}
			var small, large []json.RawMessage
			for _, n := range sizes() {
				if n <= repeated {
					small = append(small, sized(n))
				} else {
					large = append(large, sized(n))
				}
			}
			if err := k.emitContents(ctx, st, small); err != nil {
				return err
			}
			if err := st.Until(ctx, begun+largeAfter); err != nil {
				return err
			}
			return k.emitLarge(ctx, st, large)
		},
		Watch: k.settle(), // the last event is delivered at once
	}
}

// emitLarge emits one event after the other, each when the one before it has arrived.
func (k kit) emitLarge(ctx context.Context, st *drive.Stage, data []json.RawMessage) error {
	e, err := st.Endpoint(ctx, drive.EndpointSpec{})
	if err != nil {
		return err
	}
	for _, d := range data {
		ev, err := st.Emit(ctx, drive.Emission{Endpoint: e, Type: k.anyType(), Data: d, Plan: k.plan("200")})
		if err != nil {
			return err
		}
		if _, err := st.Await(ctx, ev, k.settle(), delivered); err != nil {
			return err
		}
	}
	return nil
}

// refuseLarge has events refused for good whose dead letters must keep all of them.
func (k kit) refuseLarge(ctx context.Context, st *drive.Stage) error {
	var plans []fault.Plan
	for _, s := range k.refusals(422, 400, 404) {
		plans = append(plans, plan("%d", s))
	}
	if len(plans) == 0 {
		return nil
	}
	e, err := st.Endpoint(ctx, drive.EndpointSpec{})
	if err != nil {
		return err
	}
	_, err = st.Emit(ctx, drive.Emission{Endpoint: e, Type: k.anyType(), Data: sized(sizes()[1]), Plan: plans[0]})
	return err
}

// emitContents emits an event of each payload to one endpoint, which fails once, and replays it.
func (k kit) emitContents(ctx context.Context, st *drive.Stage, data []json.RawMessage) error {
	e, err := st.Endpoint(ctx, drive.EndpointSpec{})
	if err != nil {
		return err
	}
	es := make([]drive.Emission, len(data))
	for i, d := range data {
		es[i] = drive.Emission{Endpoint: e, Type: k.anyType(), Data: d, Plan: k.failsOnce()}
	}
	evs, err := st.EmitPaced(ctx, pace, es)
	if err != nil {
		return err
	}
	due := st.Now() + k.window() // for all of them: a sender that delivers nothing does not cost the time of each
	for _, ev := range evs {
		if _, err := st.Await(ctx, ev, due-st.Now(), delivered); err != nil {
			return err
		}
	}
	return k.replayEach(ctx, st, evs, 3) // after both attempts
}

// replayEach replays events once a stale signed time would show, and waits for the n-th request of each.
func (k kit) replayEach(ctx context.Context, st *drive.Stage, evs []*drive.Event, n int) error {
	if !st.Has(sender.CanReplay) {
		return nil
	}
	if err := st.Until(ctx, st.Now()+freshGap+margin/2); err != nil {
		return err
	}
	for _, ev := range evs {
		if ev.Refused {
			continue
		}
		if err := st.Replay(ctx, ev, "tested by hookassay"); err != nil {
			return err
		}
	}
	due := st.Now() + k.settle()
	for _, ev := range evs {
		if _, err := st.Await(ctx, ev, due-st.Now(), outcomes(n)); err != nil {
			return err
		}
	}
	return nil
}

// failsOnce is a failure that the contract calls transient, and then success.
func (k kit) failsOnce() fault.Plan {
	for _, s := range k.failures(503, 500, 502, 504, 429) {
		return k.plan("%d, 200", s)
	}
	return k.plan("200")
}
