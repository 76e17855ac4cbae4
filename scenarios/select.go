package scenarios

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/onsi/ginkgo/v2/types"

	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/internal/near"
)

// Selection returns the scenarios that cfg selects, each with the checks that it selects. A glob that matches no scenario, and
// an empty selection, are errors: a run that tests nothing must not look like one that found nothing.
func Selection(cfg Config) ([]drive.Scenario, error) {
	if cfg.Observe > 0 {
		return []drive.Scenario{observe(cfg)}, nil
	}
	chosen, err := byName(All(cfg.Contract, cfg.AcceptanceEvents), cfg.Select)
	if err != nil || cfg.Labels == "" {
		return chosen, err
	}
	match, err := types.ParseLabelFilter(cfg.Labels)
	if err != nil {
		return nil, fmt.Errorf("label filter %q: %s; write one as 'retry && MUST', '!SHOULD' or 'backoff || budget'", cfg.Labels, filterProblem(err))
	}
	var known []string
	for i, sc := range chosen {
		for _, check := range sc.Checks {
			known = append(known, labels(cfg, sc, check)...)
		}
		chosen[i].Checks = slices.DeleteFunc(slices.Clone(sc.Checks), func(check string) bool {
			return !match(labels(cfg, sc, check))
		})
	}
	chosen = slices.DeleteFunc(chosen, func(sc drive.Scenario) bool { return len(sc.Checks) == 0 })
	if len(chosen) == 0 {
		return nil, fmt.Errorf("label filter %q selects nothing%s; labels are the family of a scenario, a check, its family and its level, as hookassay list scenarios and hookassay list checks name them", cfg.Labels, meantLabel(cfg.Labels, known))
	}
	return chosen, nil
}

// meantLabel guesses at the first word of a filter that is no label, where it is close to one.
func meantLabel(filter string, known []string) string {
	for _, word := range strings.FieldsFunc(filter, func(r rune) bool { return strings.ContainsRune(" &|!(),", r) }) {
		if hint := near.Meant(word, known); hint != "" && !slices.Contains(known, word) {
			return hint
		}
	}
	return ""
}

// filterProblem is the last line of Ginkgo's message, which is for a screen of its own.
func filterProblem(err error) string {
	var ge types.GinkgoError
	if !errors.As(err, &ge) {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(ge.Message), "\n")
	return strings.ToLower(strings.Trim(lines[len(lines)-1], " ."))
}

func byName(all []drive.Scenario, globs []string) ([]drive.Scenario, error) {
	if len(globs) == 0 {
		return all, nil
	}
	var chosen []drive.Scenario
	matched := make([]bool, len(globs))
	for _, sc := range all {
		hit := false
		for i, glob := range globs {
			ok, err := path.Match(glob, sc.Name)
			if err != nil {
				return nil, fmt.Errorf("scenario pattern %q: %w; write a name or a glob such as retry/*", glob, err)
			}
			matched[i] = matched[i] || ok
			hit = hit || ok
		}
		if hit {
			chosen = append(chosen, sc)
		}
	}
	if i := slices.Index(matched, false); i >= 0 {
		return nil, fmt.Errorf("scenario pattern %q matches no scenario%s; hookassay list scenarios names them", globs[i], near.Meant(globs[i], patterns(all)))
	}
	return chosen, nil
}

// patterns are what may have been meant by one: a scenario, or all of a family.
func patterns(all []drive.Scenario) []string {
	var list []string
	for _, sc := range all {
		list = append(list, sc.Name, sc.Family()+"/*")
	}
	return list
}

// labels are the Ginkgo labels of one check in one scenario.
func labels(cfg Config, sc drive.Scenario, check string) []string {
	level := judge.Must
	if cfg.Contract.Advises(check) {
		level = judge.Should
	}
	family, _, _ := strings.Cut(check, ".")
	ls := []string{sc.Family(), check, family, string(level)}
	slices.Sort(ls)
	return slices.Compact(ls)
}

// selection is what the user asked for, for the evidence.
func (cfg Config) selection() []string {
	asked := slices.Clone(cfg.Select)
	if cfg.Labels != "" {
		asked = append(asked, evidence.SelectedLabels+cfg.Labels)
	}
	return asked
}

// leftOut names the scenarios that a selection left out.
func leftOut(cfg Config, selected []drive.Scenario) []string {
	if cfg.Observe > 0 {
		return nil
	}
	var out []string
	for _, sc := range All(cfg.Contract, cfg.AcceptanceEvents) {
		if !slices.ContainsFunc(selected, func(s drive.Scenario) bool { return s.Name == sc.Name }) {
			out = append(out, sc.Name)
		}
	}
	return out
}
