package fault_test

import "testing"

func TestStatus(t *testing.T) {
	acts(t, script{}, "502", `reply 502 [] ""`)
	acts(t, script{}, `404(header="X-A: 1", body="no", delay=1s)`, `hold 1s; reply 404 [[X-A 1]] "no"`)
	acts(t, script{}, "200", `business fail=false work=0s; reply 200 [] ""`)
	acts(t, script{}, "204(work=1s, delay=2s)", `business fail=false work=1s; hold 2s; reply 204 [] ""`)
	acts(t, script{}, "200(copies=3, delay=1s)", `inject 3 200(delay=1s); business fail=false work=0s; hold 1s; reply 200 [] ""`)
	acts(t, script{}, "429(retry-after=7)", `reply 429 [[Retry-After 7]] ""`)
	acts(t, script{}, `503(retry-after=date+3s, header="X-A: 1")`, `reply 503 [[Retry-After Sun, 01 Mar 2026 12:00:03 GMT] [X-A 1]] ""`)
	acts(t, script{stop: "inject"}, "200(copies=3)", `inject 3 200`)
	acts(t, script{stop: "business"}, "200", `business fail=false work=0s`)
	acts(t, script{stop: "hold"}, "502(delay=1s)", `hold 1s`)
	for form, want := range map[string]string{
		`"-5"`: "-5", `"1e3"`: "1e3", `"2.5"`: "2.5", `"soon"`: "soon", "99999999999999999999999": "99999999999999999999999",
		"date-1h": "Sun, 01 Mar 2026 11:00:00 GMT", `"Sun, 01 Mar 2026"`: "Sun, 01 Mar 2026",
	} {
		acts(t, script{}, "429(retry-after="+form+")", `reply 429 [[Retry-After `+want+`]] ""`)
	}
}
