package scenarios

import "slices"

// success returns the checks that an event that ends in success feeds.
func success() []string { return []string{"outcome.2xx", "durable.no-dup"} }

// request returns the checks that every event feeds, and more.
func request(more ...string) []string {
	return slices.Concat([]string{"sig.verifies", "id.present", "body.matches", "durable.no-loss"}, more)
}

// retried returns the checks that an event with a repeated attempt feeds, those of its end, and more.
func retried(end []string, more ...string) []string {
	return slices.Concat(request("id.stable", "body.stable", "retry.transient"), end, more)
}
