package mockreceiver

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/business"
	"github.com/hookassay/hookassay/mockreceiver/fault"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// Config are the settings of a Receiver. The zero value works.
type Config struct {
	// Started is offset 0 of all times; it must carry a monotonic reading. Zero: when New is called.
	Started time.Time
	// Journal is the SQLite file that keeps everything received. An existing one is continued. Empty: a temporary file that
	// Close removes.
	Journal string
	// Memory keeps the journal in memory instead: nothing is left when the receiver ends. It is for tests that look at a few
	// requests, and answers two to three times as many. There is no database, so a 2xx stands for nothing but
	// itself: an endpoint with a business mode other than none, and steps that write (business-failure, lost-ack), are
	// refused.
	Memory bool
	// MemoryRecords and MemoryBytes bound what Memory keeps: when either is reached the oldest requests are dropped, counted in
	// Lost and told in a trouble. One request is always kept, however large. 0: journal.DefaultMemoryRecords and
	// journal.DefaultMemoryBytes.
	MemoryRecords int
	MemoryBytes   int64
	// Quick lets a record survive the end of the process but not that of the machine: no answer waits for the disk. It is for
	// runs whose evidence goes to a file of its own; a slow disk would look like a slow receiver.
	Quick bool
	// LastConn is the number of the last connection of the receiver before, in whose journal and evidence this one goes on; 0: there was
	// none.
	LastConn int64
	// Observe is called with each *evidence.Arrival, *evidence.Outcome, *evidence.Effect, *evidence.Connection and
	// *evidence.Trouble after it is on disk, one call at a time; with an arrival before its reply leaves. It must not block,
	// and must not call the receiver. Troubles of the journal itself are handed over although they could not be stored.
	Observe func(evidence.Record)
	// IDHeader and IDBody (a JSON pointer, /id) say where the event's id is. It is the business side's idempotency key. If
	// neither is there: webhook-id, ce-id, Idempotency-Key, the body's id, the body's SHA-256.
	IDHeader, IDBody string
	// Scheme is the signature scheme (hookassay list schemes, or a record: signature.Lookup) by which keys of AddIssuedKey are tried; empty: they are not.
	Scheme string
	// Effect is what the worker of an inbox calls for an event, at least once and with the same idempotency key each time,
	// until a call returns nil. Several calls run at once. It must return when ctx ends, which Close waits for. nil: a row per
	// idempotency key in the journal's file.
	Effect func(ctx context.Context, t business.Task) error
	// Defect is a bug of the business side (business.Defect), for the proof that a receiver at fault is found out; empty: none.
	Defect string
	// MaxBody is the largest request body that is kept. A larger one is answered 413; its first MiB is kept, and the size and
	// the sum of what was read.
	// 0: 32 MiB, above the largest payload that a provider documents (GitHub: 25 MB).
	MaxBody int64
	// MaxInFlight bounds the bytes of all bodies in memory at once; a request beyond is answered 503 and recorded, with a
	// trouble. 0: one body and a half of the largest size: what was given back is in memory until it is collected, so that twice as
	// much is held for a moment.
	MaxInFlight int64
	// RetryFor is how long after an event's first attempt its sender may still retry, if that is known: an event without a 2xx
	// by then is a dead letter to the alarms. 0: not known.
	RetryFor time.Duration
	// Seed is what random faults are drawn from.
	Seed uint64
	// Network is where the receiver listens and connects; nil: the system's.
	Network Network
	// AdvertisedURL is the base URL told to senders. Empty: made of the data listener's address.
	AdvertisedURL string
	// ListenIP is where listeners that are added without an address listen, each on a free port. Empty: loopback.
	ListenIP string
	// AdvertisedHost stands for the host in the URLs told to senders that are made of a listener's address. Empty: the address's own.
	AdvertisedHost string
	// TLS makes the first listener speak TLS; nil: plain HTTP.
	TLS *TLS
	// HTTP2 lets the first listener offer HTTP/2 beside HTTP/1.1. It needs TLS.
	HTTP2 bool
	// ConnPlan says how the connections of the first listener begin, by their number. The zero value lets all begin as they
	// should. Copies that the receiver sends to itself are connections like others.
	ConnPlan fault.ConnPlan
	// Token is what callers of the control API must show. Empty: a random one.
	Token string
	// Window tells what a contract allows the wait before an event's n-th attempt to be, n from 2, given the one before it with
	// its answer. ok is false where it sets no bound. nil: nothing is promised. It must not call the receiver.
	Window func(n int, before *journal.Attempt) (w Window, ok bool)
	// Acceptance counts how the given events fared by now, one list of requests per event, both oldest first and without their bodies.
	// What it returns is shown as JSON. nil: GET /v1/acceptance says that there is no contract to go by. It must not call the
	// receiver.
	Acceptance func(ctx context.Context, now time.Time, events [][]journal.Attempt) (any, error)
	// Contract is the effective contract in its YAML form and Version the program's; both go into exports.
	Contract, Version string
	// HeaderTimeout and BodyTimeout bound how long a peer may take to send the head and the body of a request, each from
	// its beginning; a connection that sends nothing falls under the first. While a body waits for us it has more. 0: 30 s each, above
	// the request timeouts of senders, so that it is the sender that gives up.
	HeaderTimeout, BodyTimeout time.Duration
	// IdleTimeout bounds how long a connection may rest between two requests. 0: 5 min, above the pools of usual clients
	// (Go 90 s), so that we do not close a connection that a sender is about to use.
	IdleTimeout time.Duration
}

const (
	defaultMaxBody       = 32 << 20
	defaultHeaderTimeout = 30 * time.Second
	defaultIdleTimeout   = 5 * time.Minute
)

func (c Config) withDefaults() (Config, error) {
	if c.Started.IsZero() {
		c.Started = time.Now()
	}
	err := c.validate()
	c.AdvertisedURL = strings.TrimSuffix(c.AdvertisedURL, "/")
	if c.Network == nil {
		c.Network = system{}
	}
	if c.Token == "" {
		c.Token = rand.Text()
	}
	if c.Observe == nil {
		c.Observe = func(evidence.Record) {}
	}
	orDefault(&c.MaxBody, defaultMaxBody)
	orDefault(&c.MemoryRecords, journal.DefaultMemoryRecords)
	orDefault(&c.MemoryBytes, journal.DefaultMemoryBytes)
	orDefault(&c.MaxInFlight, 3*c.MaxBody/2)
	orDefault(&c.HeaderTimeout, defaultHeaderTimeout)
	orDefault(&c.BodyTimeout, defaultHeaderTimeout)
	orDefault(&c.IdleTimeout, defaultIdleTimeout)
	return c, err
}

// validate names all settings that cannot be used.
func (c Config) validate() error {
	var errs []error
	// On virtual time no clock has a monotonic reading, and none is needed: the wall clock never jumps there.
	if monotonic(time.Now()) && !monotonic(c.Started) {
		errs = append(errs, errors.New("started: has no monotonic reading, use a time from time.Now as it is"))
	}
	if c.IDBody != "" && !strings.HasPrefix(c.IDBody, "/") {
		errs = append(errs, fmt.Errorf("id in body %q: want a JSON pointer such as /id", c.IDBody))
	}
	if c.MaxBody < 0 || c.MaxInFlight < 0 || c.HeaderTimeout < 0 || c.BodyTimeout < 0 || c.IdleTimeout < 0 || c.RetryFor < 0 {
		errs = append(errs, errors.New("limits: want none below zero"))
	}
	if c.Memory && (c.Journal != "" || c.Quick) {
		errs = append(errs, errors.New("memory: the journal is either in memory or in a file: leave out one of the two"))
	}
	if c.Memory && c.Defect != "" {
		errs = append(errs, errors.New("defect: a journal in memory has no business side that could have one"))
	}
	if c.MemoryRecords < 0 || c.MemoryBytes < 0 {
		errs = append(errs, errors.New("memory: want no limit below zero"))
	}
	return errors.Join(append(errs, checkAdvertised(c.AdvertisedURL))...)
}

// checkAdvertised refuses a base URL that no sender could send to.
func checkAdvertised(base string) error {
	if base == "" {
		return nil
	}
	if u, err := url.Parse(base); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("advertised URL %q: want a base URL such as http://receiver:8080", base)
	}
	return nil
}

// monotonic tells whether t has a monotonic reading.
func monotonic(t time.Time) bool {
	return strings.Contains(t.String(), " m=") // how package time shows it
}

func orDefault[T comparable](v *T, d T) {
	var zero T
	if *v == zero {
		*v = d
	}
}
