package scenarios

import (
	"context"
	"slices"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

func (k kit) secTrusted() drive.Scenario {
	sc := drive.Scenario{
		Name:   "sec/tls-trusted",
		Title:  "Endpoints with https whose certificate is by an authority that the sender was told to trust",
		Checks: retried(success(), "sec.tls"),
		Paths:  []drive.Path{drive.First, drive.Retry},
		Needs:  []sender.Ability{sender.CanTrust},
		Watch:  k.window(),
		NotRun: k.verifiesTLS(),
	}
	status := k.failures(503, 500, 502, 504, 429)
	if len(status) == 0 {
		sc.Checks = settled(append(success(), "sec.tls")...)
	}
	sc.Play = func(ctx context.Context, st *drive.Stage) error {
		for _, http2 := range []bool{false, true} { // which the sender may then speak
			e, err := k.secureEndpoint(ctx, st, "ok", http2)
			if err != nil {
				return err
			}
			plans := []fault.Plan{k.plan("200")}
			if len(status) > 0 {
				plans = append(plans, k.plan("%d, 200", status[0]))
			}
			for _, p := range plans {
				if _, err := k.emitTo(ctx, st, e, p); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return sc
}

func (k kit) secUnverified() drive.Scenario {
	sc := drive.Scenario{
		Name:   "sec/tls-bad-certificate",
		Title:  "Certificates that are expired, not valid yet, self-signed or for another host: for good, or until the third handshake",
		Checks: append(survives(), "sec.tls"),
		Paths:  []drive.Path{drive.First, drive.Retry},
		Needs:  []sender.Ability{sender.CanTrust},
		Watch:  k.window(),
		NotRun: k.verifiesTLS(),
	}
	again := k.retriesTLS() == ""
	if !again {
		sc.Checks = []string{"sec.tls"}
	}
	sc.Play = func(ctx context.Context, st *drive.Stage) error {
		for _, flaw := range []fault.Flaw{fault.Expired, fault.NotYetValid, fault.SelfSigned, fault.WrongName} {
			conns := []string{"tls-" + string(flaw)}
			if again {
				conns = append(conns, "tls-"+string(flaw)+"*2, ok")
			}
			if err := k.overTLS(ctx, st, conns...); err != nil {
				return err
			}
		}
		return nil
	}
	return sc
}

func (k kit) netHandshake() drive.Scenario {
	return drive.Scenario{
		Name:   "net/handshake-fails",
		Title:  "TLS handshakes are cut in the middle, reset or refused with an alert, once or twice, and then work",
		Checks: append(survives(), "sec.tls"),
		Paths:  []drive.Path{drive.First, drive.Retry},
		Needs:  []sender.Ability{sender.CanTrust},
		Watch:  k.window(),
		NotRun: k.retriesTLS(),
		Play: func(ctx context.Context, st *drive.Stage) error {
			return k.overTLS(ctx, st,
				"tls-abort, ok", "tls-abort(with=reset), ok", "tls-alert(handshake_failure), ok", "tls-alert(internal_error), ok",
				"tls-abort, tls-alert(unrecognized_name), ok")
		},
	}
}

// overTLS emits one event for each plan, to an endpoint with https whose connections begin so.
func (k kit) overTLS(ctx context.Context, st *drive.Stage, conns ...string) error {
	for _, c := range conns {
		e, err := k.secureEndpoint(ctx, st, c, false)
		if err != nil {
			return err
		}
		if _, err := k.emitTo(ctx, st, e, k.plan("200")); err != nil {
			return err
		}
	}
	return nil
}

// secureEndpoint makes an endpoint with https on a listener of its own.
func (k kit) secureEndpoint(ctx context.Context, st *drive.Stage, conns string, http2 bool) (*drive.Endpoint, error) {
	p, err := fault.ParseConn(conns)
	if err != nil {
		return nil, err
	}
	name, err := st.SecureListener(ctx, p, http2)
	if err != nil {
		return nil, err
	}
	return st.Endpoint(ctx, drive.EndpointSpec{Listener: name})
}

// verifiesTLS says why certificates are no stimulus; "" if they are one.
func (k kit) verifiesTLS() string {
	if n := k.c.Network; n == nil || n.TLS != contract.TLSVerified {
		return "the contract does not promise that certificates are checked"
	}
	return ""
}

// retriesTLS says why handshakes that fail are no stimulus; "" if they are one.
func (k kit) retriesTLS() string {
	if !slices.Contains(k.c.Answers.Errors, contract.ErrorTLS) {
		return "the contract does not promise another attempt after a TLS error"
	}
	return k.retriesConnections()
}
