package reports

import (
	"fmt"
	"strings"

	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/internal/words"
)

const (
	// One mark per event: at a share of 99 % a bar of a hundred per cent would hide what matters. Fifty columns make the
	// promised 1000 events a block of twenty rows, and stay legible on a telephone.
	waffleColumns = 50
	// Above this the marks blur, and the figures have to do.
	waffleMax = 3000
	// Units of the drawing per mark.
	waffleStep = 10
)

type acceptanceView struct {
	Rate, Formula, Met string
	Duplicates         string
	Reached            bool
	Rows               []row
	Missing            string
	Waffle             *waffle
	Interval           *intervalView
}

// waffle is a block of one mark per event, as one path per group. Groups differ in shape and size, not in colour alone.
type waffle struct {
	Width, Height int
	Alt           string
	Groups        []waffleGroup
}

type waffleGroup struct {
	Class, Word, Path, Key string
	N                      int
}

func newAcceptanceView(w words.Texts, a judge.Acceptance) *acceptanceView {
	v := &acceptanceView{
		Rate: percent(delivered(a), a.Events), Formula: formula(a), Duplicates: duplicates(a), Met: together(met(w, a)), Reached: reached(a),
		Rows: acceptanceRows(w, a), Missing: missing(w, a), Interval: newInterval(w, a),
	}
	if a.Events > 0 && a.Events <= waffleMax {
		v.Waffle = newWaffle(w, a)
	}
	return v
}

func newWaffle(x words.Texts, a judge.Acceptance) *waffle {
	rest := max(0, a.Events-delivered(a)-a.DeadLettered)
	groups := []struct {
		class, word string
		n           int
		mark        func(x, y int) string
	}{
		{"w-first", x.Text("waffle.first"), a.DeliveredFirstTry, small},
		{"w-retry", x.Text("waffle.retry"), a.DeliveredAfterRetry, diamond},
		{"w-dead", x.Text("waffle.dead"), a.DeadLettered, cross},
		{"w-open", x.Text("waffle.open"), rest, frame},
	}
	w := &waffle{Width: waffleColumns * waffleStep}
	i := 0
	var alt []string
	for _, g := range groups {
		if g.n == 0 {
			continue
		}
		var path strings.Builder
		// A count that contradicts the number of events must not draw without end.
		for range min(g.n, waffleMax) {
			path.WriteString(g.mark(i%waffleColumns*waffleStep, i/waffleColumns*waffleStep))
			i++
		}
		w.Groups = append(w.Groups, waffleGroup{g.class, g.word, path.String(), g.mark(0, 0), g.n})
		alt = append(alt, x.Text("waffle.item", g.n, g.word))
	}
	w.Height = (i + waffleColumns - 1) / waffleColumns * waffleStep
	w.Alt = x.Text("waffle.alt", x.Count("n.event", a.Events), strings.Join(alt, x.Text("list.comma")))
	return w
}

// The marks, drawn in a square of ten units with its upper left corner at x, y.

func small(x, y int) string { return fmt.Sprintf("M%d %dh4v4h-4z", x+3, y+3) }

func diamond(x, y int) string { return fmt.Sprintf("M%d %dl5 5l-5 5l-5-5z", x+5, y) }

func cross(x, y int) string {
	return fmt.Sprintf("M%d %dl2-2l3 3l3-3l2 2l-3 3l3 3l-2 2l-3-3l-3 3l-2-2l3-3z", x, y+2)
}

func frame(x, y int) string {
	return fmt.Sprintf("M%d %dh9v9h-9zm2 2v5h5v-5z", x, y)
}
