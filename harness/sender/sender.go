// Package sender says what the harness needs of a sender under test. Two calls are enough; everything else is an ability
// that a driver may have, one interface each.
package sender

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

// Sender is the sender under test. Its methods are safe for concurrent use.
type Sender interface {
	// RegisterEndpoint makes the sender deliver to e.
	RegisterEndpoint(ctx context.Context, e Endpoint) (Registered, error)
	// Emit makes the sender accept an event. It returns when the sender has answered for it; an error means that the
	// sender refused the event or could not be reached, and nothing is then expected to arrive. The error wraps ErrRefused where
	// the sender said that it takes no event just now, as it may under load.
	Emit(ctx context.Context, e Event) (Emitted, error)
}

// ErrRefused says that a sender answered, and takes no event just now. That is its right, and no trouble of the harness.
var ErrRefused = errors.New("the sender refuses the event")

// Endpoint is a URL of the mock receiver.
type Endpoint struct {
	Name        string // the harness's name of it, unique in the run
	URL         string
	Secret      string   // to sign with; empty asks the sender to issue one
	Types       []string // filter; empty means all
	Tenant      string
	Environment string // test or live; empty where it does not matter
	// Headers are to be sent with each request to the endpoint, for drivers with CanSetHeaders. Those that the sender sets itself it may
	// leave out, or refuse the endpoint.
	Headers map[string]string
}

// Registered is the sender's answer to a registration.
type Registered struct {
	ID     string // the sender's id of the endpoint
	Secret string // as issued by the sender; empty if ours is used
}

// Event is something that happened, to be delivered to one endpoint or to all that match.
type Event struct {
	Type     string
	Data     json.RawMessage // business fields, with the marker among them
	Endpoint string          // Registered.ID of the endpoint that it is for; drivers whose sender fans out may ignore it
	Tenant   string
	// Environment is test or live, for drivers that can tell them apart; empty where it does not matter.
	Environment string
	// Object names the business object, for ObjectChanger.
	Object string
}

// Emitted is the sender's answer to an emit.
type Emitted struct {
	ID string // the event's id; empty if the sender returns none
}

// Delivery names one event at one endpoint, by the sender's ids.
type Delivery struct {
	Event    string
	Endpoint string
}

// Ability names something that a driver can do beyond Sender. A driver lists its abilities in the evidence header.
type Ability string

// The abilities and the interface that each stands for.
const (
	CanReplay       Ability = "replay"         // Replayer
	CanReadLog      Ability = "log"            // LogReader
	CanReadDead     Ability = "dead-letters"   // DeadLetterReader
	CanChangeObject Ability = "change-object"  // ObjectChanger
	CanStop         Ability = "stop"           // Instance.Stop
	CanKill         Ability = "kill"           // Instance.Kill
	CanLaunch       Ability = "launch"         // Launcher: an instance of its own for a scenario
	CanOutput       Ability = "output"         // its output reaches Watcher.Line
	CanRotate       Ability = "rotate"         // KeyRotator
	CanRevoke       Ability = "revoke"         // KeyRevoker
	CanDisable      Ability = "disable"        // EndpointSwitch
	CanDelete       Ability = "delete"         // EndpointDeleter
	CanReadEndpoint Ability = "read-endpoint"  // EndpointReader
	CanReplayRange  Ability = "replay-range"   // RangeReplayer
	CanRollBack     Ability = "roll-back"      // RolledBackEmitter
	CanIssueSecrets Ability = "issue-secrets"  // a registration without a secret is answered with one
	CanFanOut       Ability = "fan-out"        // an emit without an endpoint goes to all whose tenant and filter match
	CanSeparate     Ability = "environments"   // endpoints are told apart by test and live
	CanSetHeaders   Ability = "custom-headers" // Endpoint.Headers are sent with each request
	CanTrust        Ability = "trust-ca"       // Truster: its deliveries trust an authority of ours
	CanPing         Ability = "ping"           // its answers to probes tell how late it is, by Watcher.Late
)

// Replayer replays one delivery by hand.
type Replayer interface {
	// Replay asks for one more delivery of d. An error means that the sender refused or could not be reached.
	Replay(ctx context.Context, d Delivery, reason string) error
}

// LogReader reads the delivery log.
type LogReader interface {
	// DeliveryLog returns what the sender says of d. The caller fills Scenario, Endpoint, Marker and Read.
	DeliveryLog(ctx context.Context, d Delivery) (evidence.LogEntry, error)
}

// DeadLetterReader reads the dead letters.
type DeadLetterReader interface {
	// DeadLetters returns all dead letters of an endpoint, by the sender's id of it. The caller fills Scenario, Endpoint,
	// Marker and Read.
	DeadLetters(ctx context.Context, endpoint string) ([]evidence.DeadLetter, error)
}

// ObjectChanger changes the business object behind an event, so that a payload rebuilt from it would differ.
type ObjectChanger interface {
	ChangeObject(ctx context.Context, object string, data json.RawMessage) error
}

// KeyRotator replaces an endpoint's key as planned: the old one goes on signing beside the new one for the declared overlap.
type KeyRotator interface {
	// RotateSecret makes secret the endpoint's key; empty asks the sender to issue one, which is then returned.
	RotateSecret(ctx context.Context, endpoint, secret string) (issued string, err error)
}

// KeyRevoker replaces an endpoint's key at once: no request may be signed by an older one any more.
type KeyRevoker interface {
	// RevokeSecret makes secret the endpoint's only key; empty asks the sender to issue one, which is then returned.
	RevokeSecret(ctx context.Context, endpoint, secret string) (issued string, err error)
}

// EndpointSwitch stops and resumes the deliveries of an endpoint.
type EndpointSwitch interface {
	DisableEndpoint(ctx context.Context, endpoint string) error
	EnableEndpoint(ctx context.Context, endpoint string) error
}

// EndpointDeleter removes an endpoint.
type EndpointDeleter interface {
	DeleteEndpoint(ctx context.Context, endpoint string) error
}

// EndpointReader reads an endpoint back; what the sender answers reaches Watcher.Answer.
type EndpointReader interface {
	ReadEndpoint(ctx context.Context, endpoint string) error
}

// RangeReplayer replays the dead letters of an endpoint whose events were accepted from from, included, to to, left out.
type RangeReplayer interface {
	ReplayRange(ctx context.Context, endpoint string, from, to time.Time, reason string) error
}

// RolledBackEmitter makes the business change behind an event and rolls its transaction back. The error is nil when the
// sender has rolled back as it was asked to.
type RolledBackEmitter interface {
	EmitRolledBack(ctx context.Context, e Event) error
}

// Instance is a running sender process with its driver.
type Instance interface {
	Sender
	// Has tells whether the driver has the ability.
	Has(a Ability) bool
	// Stop ends the process gracefully and waits for it.
	Stop(ctx context.Context) error
	// Kill ends the process at once (SIGKILL) and waits for it.
	Kill(ctx context.Context) error
	// Start starts the process again on the same state and waits until it is ready.
	Start(ctx context.Context) error
	// Close ends the process if it runs, and removes what belongs to the instance alone.
	Close() error
}

// Launcher makes instances, each with a state of its own.
type Launcher interface {
	// Launch starts an instance under a name that is unique in the run and waits until it is ready. Output lines and the
	// process's unexpected end go to w.
	Launch(ctx context.Context, name string, w Watcher) (Instance, error)
	// Info describes the sender for the evidence header.
	Info() evidence.Sender
}

// Truster is a Launcher whose senders can be told to trust a certificate authority.
type Truster interface {
	// Trust is called once, before the first Launch. In deliveries the senders then trust ca, PEM, beside what they trust
	// anyway. The authority lives as long as the run.
	Trust(ca []byte) error
}

// Keeper is a Launcher whose senders can be gone on with by another process of the harness: those that it did not launch run on, of the others
// the state stays.
type Keeper interface {
	Launcher
	// Keeps says in one sentence why they cannot, and what to do; nil if they can.
	Keeps() error
	// Relaunch is Launch on what was left of the instance of that name, by Leaver or because the harness ended.
	Relaunch(ctx context.Context, name string, w Watcher) (Instance, error)
}

// Leaver is an Instance of a Keeper.
type Leaver interface {
	// Leave is Close for one that is gone on with: a process that the harness launched is ended at once and leaves its state, another one
	// runs on. Nothing is torn down.
	Leave() error
}

// Placer is a Launcher whose senders do not share the harness's network, as those in containers.
type Placer interface {
	// Place tells how they reach the receiver. It is called once, before the first Launch.
	Place(ctx context.Context) (Place, error)
}

// Place is how senders reach the receiver. The zero value means by loopback.
type Place struct {
	Listen string // IP address that the receiver is to listen on
	Host   string // name or address by which the senders reach it; that of Listen if empty
}

// Watcher is told what a process does. Its methods are called from goroutines of the driver.
type Watcher interface {
	// Line is called for each line of output, without its line end. stream is stdout or stderr.
	Line(stream, line string)
	// Answer is called with the body of each answer of the sender's API; call is the adapter's name of it. Answers that are
	// to show a key, to a registration or a rotation, are left out.
	Answer(call string, body []byte)
	// Exited is called when the process ended without being asked to.
	Exited(err error)
	// Late is called with the lateness of a probe of the process: how much longer than usual it took to answer.
	Late(due time.Time, late time.Duration)
}

// Noter is a Watcher that tells people what a driver noticed and no call reports.
type Noter interface {
	// Noticed is called with one sentence, which shows no secret.
	Noticed(what string)
}
