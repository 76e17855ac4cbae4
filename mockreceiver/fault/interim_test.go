package fault_test

import "testing"

func TestInterim(t *testing.T) {
	acts(t, script{}, "interim", `interim 102 []; hang 0s`)
	acts(t, script{}, "interim(103, with=close)", `interim 103 []; close`)
	acts(t, script{}, "interim(with=reset)", `interim 102 []; reset`)
	acts(t, script{stop: "interim"}, "interim", `interim 102 []`)
}
