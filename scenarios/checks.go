package scenarios

import "slices"

// perRequest returns the checks that every request feeds.
func perRequest() []string {
	return []string{
		"sig.verifies", "sig.covers-metadata", "time.format", "time.payload", "id.present", "id.unique", "body.matches",
		"envelope.fields", "envelope.type", "wire.headers", "wire.target", "wire.framing",
		"secret.no-leak", "secret.isolation",
	}
}

// success returns the checks that an event that ends in success feeds.
func success() []string { return []string{"outcome.2xx", "durable.no-dup"} }

// request returns the checks that every event feeds, and more.
func request(more ...string) []string {
	return slices.Concat(perRequest(), []string{"durable.no-loss", "log.complete"}, more)
}

// settled returns the checks of an event whose end is certain, so that the log must name it, and more.
func settled(more ...string) []string { return request(append([]string{"log.state"}, more...)...) }

// retried returns the checks that an event with a repeated attempt feeds, those of its end, and more.
func retried(end []string, more ...string) []string {
	return slices.Concat(settled("id.stable", "body.stable", "retry.transient"), end, more)
}

// replayed returns the checks that a replay by hand feeds.
func replayed(more ...string) []string {
	return slices.Concat(request("ability.shown", "replay.identity", "replay.body", "replay.fresh"), more)
}

// without returns checks without one of them.
func without(checks []string, one string) []string {
	return slices.DeleteFunc(checks, func(c string) bool { return c == one })
}
