package fault_test

import "testing"

func TestChance(t *testing.T) {
	acts(t, script{draw: 0.09}, "chance(0.1)", `reply 503 [] ""`)
	acts(t, script{draw: 0.09}, "chance(0.1, status=500)", `reply 500 [] ""`)
	acts(t, script{draw: 0.1}, "chance(0.1)", `business fail=false work=0s; reply 200 [] ""`)
	acts(t, script{draw: 0}, "chance(0)", `business fail=false work=0s; reply 200 [] ""`)
	acts(t, script{draw: 0.999}, "chance(1)", `reply 503 [] ""`)
}
