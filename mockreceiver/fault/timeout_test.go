package fault_test

import "testing"

func TestTimeout(t *testing.T) {
	acts(t, script{}, "timeout", "hang 0s")
	acts(t, script{}, "timeout(5s)", "hang 5s")
}
