package main

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/sender"
	shim "github.com/hookassay/hookassay/harness/sender/command"
	"github.com/hookassay/hookassay/scenarios"
)

// handPath is the path of the endpoint that a person configures.
const handPath = "/hook"

// handDriver is for a sender in which one endpoint is configured by hand: it sets events off there, or watches.
type handDriver struct {
	senderFile
	folder  string
	observe time.Duration // 0: events are set off
}

func newHandDriver(f runFile) (driver, error) {
	d := handDriver{senderFile: f.Sender, folder: f.folder}
	if f.Sender.Observe == "" {
		return d, nil
	}
	var err error
	if d.observe, err = time.ParseDuration(f.Sender.Observe); err != nil || d.observe <= 0 {
		return nil, fmt.Errorf("sender.observe: want a time such as 10m, above 0, got %q", f.Sender.Observe)
	}
	return d, nil
}

func (d handDriver) secret(string) bool { return false }

// usesContract: whoever configured the sender knows its times.
func (d handDriver) usesContract() bool { return true }
func (d handDriver) mend() string       { return "mend sender.trigger in the run file" }

func (d handDriver) launcher(_ context.Context, o driverOptions) (sender.Launcher, error) {
	if o.calls < 0 {
		return nil, fmt.Errorf("--no-timeouts: nothing shows when a sender behind a trigger stands still, and it would be blamed for that; use an adapter with a probe")
	}
	secret := ""
	if d.SecretEnv != "" {
		if secret = os.Getenv(d.SecretEnv); secret == "" {
			return nil, fmt.Errorf("secret_env: the environment variable %s is empty; it is to hold the key that is configured in the sender", d.SecretEnv)
		}
	}
	if o.contract.Signature != nil && secret == "" {
		return nil, fmt.Errorf("the contract promises signatures: name the environment variable that holds the key, as configured in the sender, under sender.secret_env")
	}
	if d.observe > 0 {
		return shim.Observed(secret), nil
	}
	return shim.Trigger(shim.TriggerOptions{Command: d.Trigger, Folder: d.folder, Secret: secret, Timeout: o.calls})
}

// handURL is what the person configures, if the run file says it.
func (d handDriver) handURL() (base, full string, err error) {
	if d.URL == "" {
		return "", "", nil
	}
	u, err := url.Parse(d.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.Path != handPath {
		return "", "", fmt.Errorf("sender.url %q: want http://host%s or https://host%s", d.URL, handPath, handPath)
	}
	return strings.TrimSuffix(d.URL, handPath), d.URL, nil
}

// byHand makes a run listen where the person has configured it.
func (a assay) byHand(ctx context.Context, cfg *scenarios.Config, l *live) error {
	d, ok := a.driver.(handDriver)
	if !ok {
		return nil
	}
	base, full, err := d.handURL()
	if err != nil {
		return err
	}
	var lc net.ListenConfig
	if cfg.Listener, err = lc.Listen(ctx, "tcp", d.Listen); err != nil {
		return fmt.Errorf("sender.listen: %w", err)
	}
	cfg.ByHand, cfg.AdvertisedURL = handPath, base
	if d.URL == "" {
		full = "http://" + cfg.Listener.Addr().String() + handPath // the port may have been 0
	}
	if d.observe > 0 {
		cfg.Observe, cfg.Stop = d.observe, ctx.Done()
		cfg.Observing = func() {
			l.say("the sender must deliver to %s; what arrives is judged after %s, or at Ctrl-C", full, d.observe)
		}
		return nil
	}
	l.say("the sender must deliver to %s; scenarios are played one after another", full)
	return nil
}
