package reports

import (
	"fmt"
	"math"

	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/internal/words"
)

// intervalText says how far a sample's rate reaches: "95 % interval 98.83 to 99.79 %". Rounded outwards, so that it never claims
// more than the formula.
func intervalText(w words.Texts, a judge.Acceptance) string {
	i := judge.Wilson(delivered(a), a.Events)
	return w.Text("acceptance.interval", fmt.Sprintf("%.0f", 100*i.Confidence), hundredths(math.Floor(i.Low*10_000)), hundredths(math.Ceil(i.High*10_000)))
}

func hundredths(n float64) string { return trimDecimals(fmt.Sprintf("%.2f", n/100)) }
