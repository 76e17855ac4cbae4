package scenarios

import (
	"context"

	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/harness/sender"
)

// queries are what careless code loses, sorts, decodes or encodes again: escapes of either case that stand for what would mean
// something else, a plus, an empty value, a name without a value, a repeated name, an order that is not that of the alphabet.
func queries() []string {
	return []string{
		"z=%2Fpath%2fend&plus=1+2&space=%20&empty=&key=1&key=2",
		"flag&b=2&a=1&b=3",
		"sig=%26%3D%2B%25%23&word=Zo%C3%AB%F0%9F%8E%9F&tilde=%7E~",
	}
}

func (k kit) wireTarget() drive.Scenario {
	return drive.Scenario{
		Name:   "wire/target-with-query",
		Title:  "Endpoints whose URLs have a query; a retry and a replay at each",
		Paths:  []drive.Path{drive.First, drive.Retry, drive.Replay},
		Checks: request("id.stable", "body.stable", "retry.transient", "outcome.2xx"),
		Play: func(ctx context.Context, st *drive.Stage) error {
			var evs []*drive.Event
			for _, query := range queries() {
				e, err := st.Endpoint(ctx, drive.EndpointSpec{Query: query})
				if err != nil {
					return err
				}
				ev, err := k.emitTo(ctx, st, e, k.plan("503, 200"))
				if err != nil {
					return err
				}
				evs = append(evs, ev)
			}
			for _, ev := range evs {
				if _, err := st.Await(ctx, ev, k.window(), delivered); err != nil {
					return err
				}
			}
			for _, ev := range evs {
				if !st.Has(sender.CanReplay) {
					break
				}
				if err := st.Replay(ctx, ev, "tested by hookassay"); err != nil {
					return err
				}
			}
			return nil
		},
		Watch: k.window(),
	}
}
