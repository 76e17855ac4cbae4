package main

// This file has the ways in which a run file can say how the sender under test is driven.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/sender"
	shim "github.com/hookassay/hookassay/harness/sender/command"
	"github.com/hookassay/hookassay/harness/sender/httpapi"
)

// driver is how the sender under test is driven, read from files and checked as far as they can tell.
type driver interface {
	// secret tells whether no message may show the setting of that name.
	secret(name string) bool
	// usesContract tells whether the sender can know the contract's times.
	usesContract() bool
	// mend says where to look when the sender does not start.
	mend() string
	// launcher brings it together with the run.
	launcher(ctx context.Context, o driverOptions) (sender.Launcher, error)
}

// driverOptions are what a run gives a driver.
type driverOptions struct {
	contract *contract.Contract
	vars     map[string]string
	dir      string // where instances keep their state
	keep     bool   // for a run that goes on with them
	// calls bounds a call; 0: as usual; below 0: no bound.
	calls time.Duration
	// engine runs containers; nil where the sender runs in none.
	engine httpapi.Containers
}

func (o driverOptions) contractFile() (map[string][]byte, error) {
	if o.contract.Schema == "" {
		return nil, nil // adapter check without a contract: an adapter that asks for its file is told that there is none
	}
	text, err := o.contract.Marshal()
	return map[string][]byte{"contract.yaml": text}, err
}

// adapterDriver is an adapter file for an HTTP API.
type adapterDriver struct {
	*httpapi.Adapter
	path string
}

func (d adapterDriver) secret(name string) bool { return d.Secret(name) }
func (d adapterDriver) usesContract() bool      { return d.UsesContract() }
func (d adapterDriver) mend() string            { return "mend launch in " + d.path }

func (d adapterDriver) launcher(_ context.Context, o driverOptions) (sender.Launcher, error) {
	files, err := o.contractFile()
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("path of this program: %w", err)
	}
	keep := ""
	if o.keep {
		keep = o.dir
	}
	return httpapi.New(d.Adapter, httpapi.Options{
		KeepDir:     keep,
		Vars:        o.vars,
		Contract:    contractVariables(o.contract),
		Files:       files,
		Builtin:     map[string]string{"hookassay": self},
		Env:         os.Getenv,
		TempDir:     o.dir,
		CallTimeout: max(0, o.calls),
		NoTimeouts:  o.calls < 0,
		Containers:  o.engine,
	})
}

// shimDriver is a program that speaks the shim protocol.
type shimDriver struct {
	command []string
	folder  string // of the run file, in which the command runs
}

func (d shimDriver) secret(string) bool { return false }
func (d shimDriver) usesContract() bool { return true } // all of it is in the hello
func (d shimDriver) mend() string       { return "mend sender.shim in the run file" }

func (d shimDriver) launcher(ctx context.Context, o driverOptions) (sender.Launcher, error) {
	if o.calls < 0 {
		return nil, errors.New("--no-timeouts: nothing shows when a shim stands still, and it would be blamed for that; use an adapter with a probe")
	}
	files, err := o.contractFile()
	if err != nil {
		return nil, err
	}
	return shim.Open(ctx, shim.Options{
		Command: d.command, Folder: d.folder, Vars: o.vars, Contract: contractVariables(o.contract), Files: files, TempDir: o.dir,
		CallTimeout: o.calls,
	})
}

// driverOf reads what the run file says of the sender. load reads an adapter.
func (f runFile) driverOf(load func(path string) (*httpapi.Adapter, error)) (driver, error) {
	if len(f.Sender.Shim) > 0 {
		return shimDriver{f.Sender.Shim, f.folder}, nil
	}
	if len(f.Sender.Trigger) > 0 || f.Sender.Observe != "" {
		return newHandDriver(f)
	}
	a, err := load(f.Sender.Adapter)
	if err != nil {
		return nil, err
	}
	return adapterDriver{a, f.Sender.Adapter}, nil
}
