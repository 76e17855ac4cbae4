package drive_test

import (
	"errors"
	"testing"

	"github.com/hookassay/hookassay/harness/drive"
)

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
