package reports

// knownProblems returns what is wrong with the known failures, ready to show.
func knownProblems(r Results) []string {
	var out []string
	for _, k := range r.Known {
		if k.Problem != "" {
			out = append(out, plain(k.Problem))
		}
	}
	return out
}
