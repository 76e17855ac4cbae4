package console_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hookassay/hookassay/mockreceiver"
)

// drawn is a timeline to draw: the attempts of one event, as the receiver tells them, and the room for them.
type drawn struct {
	Attempts []map[string]any `json:"attempts"`
	Room     int              `json:"room"`
}

// drawsTimelines draws any attempts with any gaps in cards of any width. No two labels may lie over each other, nothing may be cut
// off, the mark of the chosen attempt lies over no other, and what room there is is used.
func drawsTimelines(t *testing.T, b chromium) {
	r := start(t, b, mockreceiver.Config{})
	r.console("")
	// Those of a person's first tries, which once printed over each other.
	quick := timelineOf(360, 18400*time.Microsecond, 16*time.Millisecond, 16300*time.Microsecond, 16300*time.Microsecond)
	if bad := r.draw(quick); len(bad) > 0 {
		t.Errorf("gaps of milliseconds: %q", bad)
	}
	rapid.Check(t, func(rt *rapid.T) {
		var gaps []time.Duration
		for range rapid.IntRange(0, 14).Draw(rt, "gaps") {
			gaps = append(gaps, time.Duration(math.Pow(10, rapid.Float64Range(0, 14).Draw(rt, "ns as a power of ten"))))
		}
		d := timelineOf(rapid.IntRange(200, 1800).Draw(rt, "room"), gaps...)
		for _, a := range d.Attempts {
			a["attempt"] = rapid.SampledFrom([]int{0, 1, 7, 43, 99_999}).Draw(rt, "number")
			a["status"] = rapid.SampledFrom([]int{0, 200, 502}).Draw(rt, "status")
			a["end"] = rapid.SampledFrom([]string{"", "complete", "reset", "peer-gone", "shutdown"}).Draw(rt, "end")
			if a["gap_ns"] != nil && rapid.Bool().Draw(rt, "has a window") {
				low := math.Floor(math.Pow(10, rapid.Float64Range(0, 14).Draw(rt, "window")))
				a["window"] = map[string]any{"min_ns": low, "max_ns": 2 * low, "ok": rapid.Bool().Draw(rt, "ok")}
			}
		}
		if bad := r.draw(d); len(bad) > 0 {
			text, _ := json.Marshal(d)
			rt.Fatalf("%q\n%s", bad, text)
		}
	})
	// The measure is one that can fail.
	js[any](r.tab, "document.documentElement.style.setProperty('--mono', 'monospace'), null")
	quick.Attempts[1]["at"] = quick.Attempts[0]["at"]
	if bad := js[[]string](r.tab, fmt.Sprintf(lookAtTimeline, marshal(t, quick), "box.querySelectorAll('.node')[1].setAttribute('transform', box.querySelector('.node').getAttribute('transform'))")); len(bad) == 0 {
		t.Error("two attempts at one place pass for apart")
	}
}

// timelineOf is attempts with gaps between them.
func timelineOf(room int, gaps ...time.Duration) drawn {
	d := drawn{Room: room}
	at := time.Unix(1_700_000_000, 0).UTC()
	for i := range len(gaps) + 1 {
		a := map[string]any{"seq": i + 1, "attempt": i + 1, "origin": "", "status": 502, "end": "complete"}
		if i > 0 {
			at = at.Add(gaps[i-1])
			a["gap_ns"] = gaps[i-1]
		}
		a["at"] = at.Format(time.RFC3339Nano)
		d.Attempts = append(d.Attempts, a)
	}
	return d
}

func marshal(t *testing.T, d drawn) string {
	t.Helper()
	text, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// lookAtTimeline draws and returns what is wrong. It has two gaps: what to draw, and what to do to the drawing.
const lookAtTimeline = `import('/console/timeline.js').then(({timeline, choose}) => {
	const {attempts, room} = %s;
	const box = document.createElement('div');
	box.className = 'timeline-box';
	box.style.width = room + 'px';
	document.body.append(box);
	box.append(timeline(attempts, room - 2, () => {}));
	%s;
	const bad = [];
	const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
	const boxOf = (node) => node.getBoundingClientRect();
	const whole = boxOf(box.querySelector('svg'));
	if (attempts.length > 1 && whole.width < room - 3) bad.push('it leaves room: ' + whole.width + ' of ' + room);
	const texts = [...box.querySelectorAll('text')];
	texts.forEach((t, i) => {
		const a = boxOf(t);
		if (a.left < whole.left || a.right > whole.right || a.top < whole.top || a.bottom > whole.bottom) bad.push('cut off: ' + t.textContent);
		for (const u of texts.slice(i + 1)) if (!apart(a, boxOf(u))) bad.push('one over the other: ' + t.textContent + ' and ' + u.textContent);
	});
	const nodes = [...box.querySelectorAll('.node')];
	nodes.forEach((n, i) => {
		choose(box, Number(n.dataset.seq));
		const marks = [...n.querySelectorAll('.ring, .chosen-label')].map(boxOf);
		nodes.forEach((other, j) => {
			if (j !== i && [...other.querySelectorAll('text, :not(.hit, .ring, .chosen-label, title, text)')].some((o) => marks.some((m) => !apart(m, boxOf(o))))) bad.push('the mark of ' + i + ' lies over ' + j);
		});
	});
	box.remove();
	return bad;
})`

func (r *rig) draw(d drawn) []string {
	r.t.Helper()
	return js[[]string](r.tab, fmt.Sprintf(lookAtTimeline, marshal(r.t, d), ""))
}
