package scenarios

import (
	"context"
	"strings"

	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/harness/sender"
)

// harmless are headers that no sender needs for itself, with what careless code quotes, splits or cuts.
func harmless() map[string]string {
	return map[string]string{"X-Hookassay-Custom": `as configured, "quoted"; q=1`, "x-hookassay-trace": "00-4bf92f=%2F+~"}
}

// custom are the headers of each endpoint: harmless ones alone, and beside them one that is named like each of the sender's own,
// last all of them in lower case.
func (k kit) custom() []map[string]string {
	all := []map[string]string{harmless()}
	lower := harmless()
	for _, name := range judge.Reserved(k.c) {
		one := harmless()
		one[name] = forged(name, "forged")
		lower[strings.ToLower(name)] = forged(name, "forged-too") // another value: no two events may bear one id
		all = append(all, one)
	}
	return append(all, lower)
}

// forged is a value that is never right.
func forged(name, value string) string {
	if strings.EqualFold(name, "Content-Type") {
		return "text/plain"
	}
	return value
}

func (k kit) wireCustomHeaders() drive.Scenario {
	return drive.Scenario{
		Name:   "wire/custom-headers",
		Title:  "Endpoints are configured with headers of their own, some named like those of the sender; a retry at each",
		Paths:  []drive.Path{drive.First, drive.Retry},
		Checks: request("ability.shown", "id.stable", "body.stable", "retry.transient", "outcome.2xx"),
		Needs:  []sender.Ability{sender.CanSetHeaders},
		Play: func(ctx context.Context, st *drive.Stage) error {
			for i, headers := range k.custom() {
				e, err := st.Endpoint(ctx, drive.EndpointSpec{Headers: headers})
				if err != nil && i > 0 && len(headers) > len(harmless()) && ctx.Err() == nil {
					continue // it refuses what is its own, and may: the call is recorded
				}
				if err != nil {
					return err
				}
				if _, err := k.emitTo(ctx, st, e, k.plan("503, 200")); err != nil {
					return err
				}
			}
			return nil
		},
		Watch: k.window(),
	}
}
