package reports

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/internal/words"
)

// surroundings is what else was measured: how late the machine was, and what the business writes did.
type surroundings struct {
	Allowance time.Duration
	Noise     []noiseRow
	Effects   []row
	Troubles  []string
}

// noiseRow sums up a source of noise.
type noiseRow struct {
	Source          string
	Samples, Beyond int // and how many of them were later than the allowance
	P999, Max       time.Duration
}

// maxTroubles is what fits in a list; the evidence has all.
const maxTroubles = 20

func surroundingsOf(w words.Texts, run *evidence.Run) surroundings {
	s := surroundings{Allowance: judge.Allowance(run)}
	late := map[string][]time.Duration{}
	for i := range run.Noise {
		n := &run.Noise[i]
		for _, us := range n.LateUS {
			late[n.Source] = append(late[n.Source], time.Duration(us)*time.Microsecond)
		}
	}
	for source, list := range late {
		slices.Sort(list)
		r := noiseRow{Source: source, Samples: len(list), P999: list[(len(list)*999+999)/1000-1], Max: list[len(list)-1]}
		for _, d := range list {
			if d > s.Allowance {
				r.Beyond++
			}
		}
		s.Noise = append(s.Noise, r)
	}
	slices.SortFunc(s.Noise, func(a, b noiseRow) int { return cmp.Compare(a.Source, b.Source) })
	results := map[string]int{}
	for i := range run.Effects {
		results[run.Effects[i].Result]++
	}
	for _, r := range []struct{ result, label string }{
		{evidence.EffectCommitted, "effects.committed"},
		{evidence.EffectAbsorbed, "effects.absorbed"},
		{evidence.EffectRolledBack, "effects.rolled-back"},
	} {
		s.Effects = append(s.Effects, row{w.Text(r.label), fmt.Sprint(results[r.result])})
	}
	s.Troubles = troublesIn(run)
	if more := len(s.Troubles) - maxTroubles; more > 0 {
		s.Troubles = append(s.Troubles[:maxTroubles], w.Text("n.more-in", more, evidenceFile))
	}
	return s
}

// troublesIn lists the harness's troubles, and what drivers noticed of their senders.
func troublesIn(run *evidence.Run) []string {
	var out []string
	for i := range run.Troubles {
		out = append(out, run.Troubles[i].What)
	}
	for i := range run.Output {
		if o := &run.Output[i]; o.Stream == evidence.StreamDriver {
			out = append(out, o.Instance+": "+o.Line)
		}
	}
	return out
}

// noiseView is a noiseRow ready to print.
type noiseView struct {
	Source, P999, Max string
	Samples, Beyond   int
}

func noiseViews(rows []noiseRow) []noiseView {
	var out []noiseView
	for _, r := range rows {
		out = append(out, noiseView{plain(r.Source), span(r.P999), span(r.Max), r.Samples, r.Beyond})
	}
	return out
}
