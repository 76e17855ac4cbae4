package drive_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/harness/sender"
)

// trusting is a launcher whose senders can be told what to trust.
type trusting struct {
	*launcher
	err  error
	told []byte
}

func (l *trusting) Trust(ca []byte) error {
	l.told = ca
	return l.err
}

func TestTrust(t *testing.T) {
	able := &launcher{make: func() *fakeSender { return &fakeSender{abilities: []sender.Ability{sender.CanTrust}} }}
	play := func(l sender.Launcher) error {
		_, err := drive.Drive(t.Context(), drive.Setup{Launcher: l, Evidence: io.Discard, Scenarios: []drive.Scenario{{
			Name: "a/b", Play: func(context.Context, *drive.Stage) error { return nil },
		}}})
		return err
	}
	l := &trusting{launcher: able}
	if err := play(l); err != nil || !bytes.HasPrefix(l.told, []byte("-----BEGIN CERTIFICATE-----")) {
		t.Errorf("told %.40q, %v", l.told, err)
	}
	if err := play(&trusting{launcher: able, err: errors.New("too late")}); err == nil || !strings.Contains(err.Error(), "too late") {
		t.Errorf("a launcher that cannot take it: %v", err)
	}
	if err := play(able); err == nil || !strings.Contains(err.Error(), "is no sender.Truster") {
		t.Errorf("a launcher that only says so: %v", err)
	}
	unable := &trusting{launcher: &launcher{make: func() *fakeSender { return &fakeSender{} }}}
	if err := play(unable); err != nil || unable.told != nil {
		t.Errorf("a launcher that is not able was told %.40q, %v", unable.told, err)
	}
}

func TestLaunchErrorIsOneSentence(t *testing.T) {
	for _, tt := range []struct{ name, err, want string }{
		{"ended, with output", "launch a: start a: command x ended (exit status 2); last lines of output:\none\ntwo \"2\"\n", `the sender a did not start: command x ended (exit status 2); its last line: "two \"2\""`},
		{"ended silently", "launch a: start a: command x ended (exit status 2); it printed nothing", "the sender a did not start: command x ended (exit status 2); it printed nothing"},
		{"not launched by us", "attach to b: GET /: refused", "the sender a did not start: attach to b: GET /: refused"},
		{"lines elsewhere", "one\ntwo", "the sender a did not start: one two"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cause := errors.New(tt.err)
			err := &drive.LaunchError{Instance: "a", Err: cause}
			if err.Error() != tt.want {
				t.Errorf("got  %s\nwant %s", err, tt.want)
			}
			if !errors.Is(err, cause) {
				t.Error("the cause is lost")
			}
		})
	}
}
