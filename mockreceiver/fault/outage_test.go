package fault_test

import (
	"testing"
	"time"
)

func TestOutage(t *testing.T) {
	const ok = `business fail=false work=0s; reply 200 [] ""`
	for age, want := range map[time.Duration]string{
		0: ok, 2*time.Second - 1: ok, 2 * time.Second: `reply 503 [] ""`, 5*time.Second - 1: `reply 503 [] ""`, 5 * time.Second: ok,
	} {
		acts(t, script{age: age}, "outage(from=2s, to=5s)", want)
	}
	acts(t, script{age: time.Hour}, "outage", `reply 503 [] ""`)
	acts(t, script{age: time.Hour}, "outage(status=500)", `reply 500 [] ""`)
	acts(t, script{}, "outage(to=1s, with=reset)", `reset`)
	acts(t, script{}, "outage(to=1s, with=close)", `close`)
	acts(t, script{age: time.Second}, "outage(to=1s, with=close)", ok)
}
