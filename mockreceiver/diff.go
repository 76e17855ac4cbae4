package mockreceiver

import "slices"

// diffLine is one line of a comparison.
type diffLine struct {
	Op   string `json:"op"` // = in both, - only in the first, + only in the second
	Line string `json:"line"`
}

// diffCells bounds the table of the comparison: 4 million cells are 16 MiB and some 20 ms. Texts with more lines that differ
// are shown as all old and all new.
const diffCells = 4 << 20

// diffLines is a shortest way from a to b by lines.
func diffLines(a, b []string) []diffLine {
	out := []diffLine{}
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		out = append(out, diffLine{"=", a[n]})
		n++
	}
	a, b = a[n:], b[n:]
	var tail []diffLine
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		tail = append(tail, diffLine{"=", a[len(a)-1]})
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	slices.Reverse(tail)
	return append(append(out, diffMiddle(a, b)...), tail...)
}

// diffMiddle compares by the longest common subsequence.
func diffMiddle(a, b []string) (out []diffLine) {
	width := len(b) + 1
	common := []int32(nil) // at i, j: how many lines a[i:] and b[j:] have in common
	if (len(a)+1)*width <= diffCells {
		common = make([]int32, (len(a)+1)*width)
		for i, line := range slices.Backward(a) {
			for j, other := range slices.Backward(b) {
				if line == other {
					common[i*width+j] = common[(i+1)*width+j+1] + 1
				} else {
					common[i*width+j] = max(common[(i+1)*width+j], common[i*width+j+1])
				}
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && common != nil && a[i] == b[j]:
			out = append(out, diffLine{"=", a[i]})
			i, j = i+1, j+1
		case i < len(a) && (j == len(b) || common == nil || common[(i+1)*width+j] >= common[i*width+j+1]):
			out = append(out, diffLine{"-", a[i]})
			i++
		default:
			out = append(out, diffLine{"+", b[j]})
			j++
		}
	}
	return out
}
