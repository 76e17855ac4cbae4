package fault_test

import (
	"testing"
	"time"
)

func TestRateLimit(t *testing.T) {
	acts(t, script{}, "rate-limit(5)", `admit 5; business fail=false work=0s; reply 200 [] ""`)
	acts(t, script{full: 1}, "rate-limit(5)", `admit 5; reply 429 [[Retry-After 1]] ""`)
	acts(t, script{full: time.Second + 1}, "rate-limit(1, status=503)", `admit 1; reply 503 [[Retry-After 2]] ""`)
}
