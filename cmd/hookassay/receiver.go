package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/mockreceiver"
)

// receiverHelp is what the command says of itself.
const receiverHelp = `Run the mock receiver alone: point a sender at the URL that it prints, and it answers each event's attempts as
the plan says. A plan counts per event: two events both start at its first step; its last step repeats.
An event is told by its id (header or body), else by the bytes of its body.

The console is a web page that shows attempts as they arrive. Its address holds the token of the control API: whoever has
it can read and change everything that the receiver holds.

A plan file is YAML:

    plan: 502, 502, 200     # or steps, then, ttl: hookassay list faults
    events:
      evt_1: timeout, 200   # by the event's id
    rules:                  # tried in order before the plan above; each counts
                            # its own attempts, the plan all
      - match: .body.type == "payment.failed"
        plan: 503*3, 200

A match is a jq expression that gives true or false. It sees method, path, query, proto, header (lists by lower-case
name: .header["x-tenant"][0]), body (parsed), text, key, attempt, connection and request_on_connection. Operators, if,
try and functions such as any, all, select, test, startswith and contains are there; loops, functions of its own, slices and
what changes values are not.

Without --contract the receiver judges nobody: it has no windows for waits, gives no event up, and finds an event's id in
the usual places. With one it shows what the contract allows beside what came.

With a secret each request's signature is checked, by timestamp-v1 if neither --scheme nor a contract says otherwise;
--reject answers 401 to what does not verify.
--business says what a 2xx stands for: the business write is committed (transaction), the event is in a durable inbox
whose worker calls the effect later, with retries and a dead letter of its own (inbox), or nothing but the record (none).

--handshake answers what a provider asks before it delivers; such a request is recorded and is no attempt of an event.

Exit codes, at Ctrl-C: 0 all that was received was kept, 2 records were lost, bad input, or trouble.`

func receiverCommand(s streams) *cobra.Command {
	var flags receiverFlags
	cmd := &cobra.Command{
		Use:   "receiver",
		Short: "Run the mock receiver alone, for tests by hand",
		Long:  receiverHelp,
		Example: `  hookassay receiver --plan "502, 502, 200"
  hookassay receiver --plan "timeout, 429(retry-after=2), 200" \
    --listen 127.0.0.1:8080
  hookassay receiver --plan "mix(502=0.2, timeout=0.1, 200)" --seed 7
  hookassay receiver --plan-file plans.yaml
  hookassay receiver --contract bounded-6 --compress 200
  hookassay receiver --tls --http2
  hookassay receiver --secret-file secret.txt --reject \
    --business inbox --types 'payment.*'
  hookassay receiver --handshake zoom --secret-file secret.txt`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return flags.serve(cmd, s) },
	}
	flags.add(cmd)
	return cmd
}

type receiverFlags struct {
	listen, control, path, advertise, journal, contract string
	memory                                              bool

	compress int
	token    tokenFlag
	plans    planFlags
	tls      tlsFlags
	business businessFlags

	handshake handshakeFlags
}

func (f *receiverFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	f.plans.add(cmd)
	fs.StringVar(&f.listen, "listen", "", "address that takes deliveries; empty is a free port on loopback")
	fs.StringVar(&f.control, "control", "", "address of the control API; empty is a free port on loopback")
	fs.StringVar(&f.path, "path", "/hook", "path that takes deliveries")
	fs.StringVar(&f.advertise, "advertise", "", "base URL to print, where senders reach the receiver by another one")
	fs.StringVar(&f.journal, "journal", "", "SQLite file to keep everything received in, and what the control API is told but for secrets; empty is a temporary one")
	fs.BoolVar(&f.memory, "memory", false, "keep everything received in memory, the newest 100000 requests and 32 MiB of them; business steps are refused")
	fs.StringVar(&f.contract, "contract", "", "profile or contract file to hold attempts against: waits, deadline, acceptance; empty judges nobody")
	addCompress(cmd, &f.compress)
	f.token.add(fs)
	f.tls.add(fs)
	f.business.add(cmd)
	f.handshake.add(cmd)
}

func (f receiverFlags) serve(cmd *cobra.Command, s streams) error {
	defer receiving()()
	plans, err := f.plans.read()
	if err != nil {
		return err
	}
	c, err := f.promised()
	if err != nil {
		return err
	}
	log := &receiverLog{w: s.out, open: map[int64]string{}}
	cfg, err := f.config(c)
	if err != nil {
		return err
	}
	cfg.Observe = log.observe
	causes := newCauseLog(log)
	defer causes.end()
	hook := mockreceiver.Endpoint{Name: "hook", Path: f.path}
	if err := f.handshake.set(&hook); err != nil {
		return err
	}
	if err := f.business.set(&hook, c, f.memory); err != nil {
		return err
	}
	r, err := mockreceiver.Listen(cmd.Context(), cfg, f.listen, f.control)
	if err != nil {
		return err
	}
	causes.begin(r)
	url, err := planned(r, hook, plans)
	if err != nil {
		return closing(r, err)
	}
	plans, kept := restored(r, hook.Name, plans)
	trust, forget, err := f.tls.publish(r, url)
	if err != nil {
		return closing(r, errors.Join(err, forget()))
	}
	// A receiver whose URL nobody gets to know is of no use.
	if err := log.say("receiving at  %s\nconsole       %s\ncontrol API   %s  (Authorization: Bearer %s)\n%s%s%s",
		url, r.ConsoleURL(), r.ControlURL(), r.Token(), f.plans.said(r, plans)+kept, contractLine(c)+f.business.said(hook)+f.handshake.said(hook), trust); err != nil {
		return closing(r, errors.Join(err, forget()))
	}
	<-cmd.Context().Done()
	return errors.Join(closing(r, forget()), lostError(r.Lost(), f.memory))
}

// lostError says how many records are missing in what the receiver has kept; nil: none.
func lostError(lost int64, memory bool) error {
	switch {
	case lost == 0:
		return nil
	case memory:
		return fmt.Errorf("%s lost: the journal in memory was full and dropped the oldest; --journal FILE keeps all", number(int(lost), "record"))
	}
	return fmt.Errorf("%s lost: the journal could not be written; the troubles above say why", number(int(lost), "record"))
}

// config is what the flags and the contract say of the receiver as a whole.
func (f receiverFlags) config(c *contract.Contract) (mockreceiver.Config, error) {
	cfg := mockreceiver.Config{Journal: f.journal, Memory: f.memory, AdvertisedURL: f.advertise, Seed: f.plans.drawn()}
	if info, err := os.Stat(f.journal); f.journal != "" && err == nil && info.IsDir() {
		return cfg, fmt.Errorf("--journal %s: is a folder; name a file", f.journal)
	}
	var err error
	if cfg.Token, err = f.token.read(); err != nil {
		return cfg, err
	}
	if err := f.tls.settings(&cfg); err != nil {
		return cfg, err
	}
	return cfg, byContract(&cfg, c)
}

// closing closes the receiver and returns the first error.
func closing(r *mockreceiver.Receiver, err error) error {
	if cerr := r.Close(); err == nil {
		err = cerr
	}
	return err
}
