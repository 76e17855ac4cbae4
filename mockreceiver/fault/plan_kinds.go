package fault

import "slices"

// Uses tells whether a step of the plan, or one that can be drawn for it, is of the kind with that name.
func (p Plan) Uses(kind string) bool {
	for _, s := range append(slices.Clip(p.Steps), p.Then) {
		if s.uses(kind) {
			return true
		}
	}
	return false
}

func (s Step) uses(kind string) bool {
	if s.Kind() == kind {
		return true
	}
	choice, ok := s.fault().(Choice)
	if !ok {
		return false
	}
	for _, one := range choice.All() {
		if one.uses(kind) {
			return true
		}
	}
	return false
}
