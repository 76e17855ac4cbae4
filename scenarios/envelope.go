package scenarios

import (
	"context"

	"github.com/hookassay/hookassay/harness/drive"
)

func (k kit) envelopeTypes() drive.Scenario {
	sc := drive.Scenario{
		Name:   "envelope/every-type",
		Title:  "One event of each declared type",
		Checks: settled(success()...),
		Paths:  []drive.Path{drive.First},
		Watch:  k.window(),
	}
	if k.c.Envelope == nil || len(k.c.Envelope.Types) == 0 {
		sc.NotRun = "the contract declares no list of event types"
		return sc
	}
	sc.Play = func(ctx context.Context, st *drive.Stage) error {
		e, err := st.Endpoint(ctx, drive.EndpointSpec{})
		if err != nil {
			return err
		}
		es := make([]drive.Emission, len(k.c.Envelope.Types))
		for i, t := range k.c.Envelope.Types {
			es[i] = drive.Emission{Endpoint: e, Type: t, Data: order(i), Plan: k.plan("200")}
		}
		_, err = st.EmitPaced(ctx, pace, es)
		return err
	}
	return sc
}
