package fault

import (
	"net/http"
	"strconv"
)

// Interim sends an answer of 1xx and no final one. A 1xx is none (RFC 9110, 15.2): a sender that takes it for the outcome
// records a delivery, or a failure, that never was, and one whose time limit ends with the first byte waits for ever.
type Interim struct {
	Code int // 100 to 199 without 101, which ends HTTP on the connection; 0: 102
	// With ends the connection after it; empty: nothing more is sent until the peer hangs up.
	With End
}

// Kind implements Fault.
func (Interim) Kind() string { return "interim" }

// Act implements Fault.
func (i Interim) Act(x Exchange) {
	code := i.Code
	if code == 0 {
		code = http.StatusProcessing
	}
	if !x.Interim(code) {
		return
	}
	switch i.With {
	case Closed:
		x.Close()
	case Aborted:
		x.Reset()
	default:
		x.Hang(0)
	}
}

// String implements Fault.
func (i Interim) String() string {
	code := ""
	if i.Code != 0 {
		code = strconv.Itoa(i.Code)
	}
	return text("interim", code, endText(i.With))
}

func interimKind() Kind {
	return Kind{
		Name: "interim",
		Form: "interim(102)",
		Params: []Param{
			{Value: "102", Meaning: "the status, 100 to 199 without 101; 102 if left out"},
			{Name: "with", Value: "close or reset", Meaning: "how the connection ends after it; if left out, nothing more is sent"},
		},
		Reason: "a 1xx and no final answer: it is no outcome, and no reason to wait for ever",
		parse: func(_ string, a *args) Fault {
			i := Interim{Code: a.number("", http.StatusContinue, http.StatusOK-1), With: a.end()}
			if i.Code == http.StatusSwitchingProtocols {
				a.fail(a.at, "interim: 101 is a final answer of another protocol, take another")
			}
			return i
		},
	}
}
