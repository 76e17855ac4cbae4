package simulate

import (
	"fmt"
	"strings"
	"time"
)

// Plot draws the load over time with bars of text, one line for each stretch, up to width characters wide.
func Plot(r Result, width int) string {
	most := 1
	for _, n := range r.Load {
		most = max(most, n)
	}
	var b strings.Builder
	for i := 0; i < len(r.Load); i += 3 { // a screen holds twenty lines
		n := max(r.Load[i], r.Load[i+1], r.Load[i+2])
		from := time.Duration(i) * r.Stretch
		mark := " "
		if r.Outage > 0 && from < r.Outage {
			mark = "x" // the receiver is down
		}
		line := fmt.Sprintf("%10s %s %s %.1f/s", from.Round(time.Second), mark, strings.Repeat("#", (n*width+most-1)/most), float64(n)/r.Stretch.Seconds())
		b.WriteString(line + "\n")
	}
	return b.String()
}

// Sizes of the drawing, in its own units.
const (
	svgWidth, svgHeight = 720, 300
	left, bottom        = 60, 40
	top, right          = 30, 20
)

// SVG draws the load over time, the outage behind it.
func SVG(r Result, title string) string {
	most := 1
	for _, n := range r.Load {
		most = max(most, n)
	}
	inner, tall := float64(svgWidth-left-right), float64(svgHeight-top-bottom)
	whole := time.Duration(len(r.Load)) * r.Stretch
	x := func(at time.Duration) float64 { return left + inner*min(1, float64(at)/float64(whole)) }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" font-family="sans-serif" font-size="12">`+"\n", svgWidth, svgHeight)
	fmt.Fprintf(&b, "<title>%s</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n", escaped(title))
	fmt.Fprintf(&b, `<text x="%d" y="18" font-weight="bold">%s</text>`+"\n", left, escaped(title))
	if r.Outage > 0 {
		fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%.1f" height="%.1f" fill="#f6d5d5"><title>the receiver is down</title></rect>`+"\n", left, top, x(r.Outage)-left, tall)
	}
	for i, n := range r.Load {
		h := tall * float64(n) / float64(most)
		fmt.Fprintf(&b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="#2b5c8a"/>`+"\n",
			x(time.Duration(i)*r.Stretch), top+tall-h, inner/float64(len(r.Load))-1, h)
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="end">%.1f/s</text><text x="%d" y="%.0f" text-anchor="end">0</text>`+"\n",
		left-6, top+10, float64(most)/r.Stretch.Seconds(), left-6, top+tall)
	for i := range 5 {
		at := whole / 4 * time.Duration(i)
		fmt.Fprintf(&b, `<text x="%.1f" y="%d" text-anchor="middle">%s</text>`+"\n", x(at), svgHeight-bottom+18, at.Round(time.Second))
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="end">time; attempts per second, red while the receiver is down</text>`+"\n</svg>\n", svgWidth-right, svgHeight-6)
	return b.String()
}

func escaped(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(s)
}
