package contract

import (
	"fmt"
	"reflect"
	"time"
)

const (
	// minTimeout is the floor of a compressed request timeout: 150 ms held on two busy cores without one spurious timeout,
	// and 500 ms leaves room.
	minTimeout = 500 * time.Millisecond
	// minWindow is the shortest compressed deadline, and the shortest sum of the waits where there is no deadline: below
	// it, whole seconds on the wire and measured noise no longer fit.
	minWindow = 8 * time.Second
	// defaultTimeUnit is the granularity of a sender that declares none.
	defaultTimeUnit = time.Millisecond
)

// Compress returns the contract with its schedule n times as fast, and leaves c as it is.
//
// Waits, deadline, claimed window, Retry-After cap, rotation overlap, lease and the time of failures that disables an endpoint are divided by n, waits rounded up to the
// time unit; jitter is a share of the waits and so shrinks with them. The request timeout is divided too, but not below
// 500 ms, or below itself where it is shorter. What stands for real seconds stays: signature tolerance, log lag and unit,
// the terminal record's allowance, slack that is a time, the wait of a throttle, the time in which a change takes effect, the idle timeout of connections.
//
// It refuses an n below 1; one that brings the deadline below 8 s or below the sum of the waits, or, without a deadline, the
// sum of the waits below 8 s; and a contract that is compressed already: rounding and the floor would make two steps differ
// from one. n = 1 returns an equal copy.
func (c *Contract) Compress(n int) (*Contract, error) {
	if n < 1 {
		return nil, fmt.Errorf("compress %s by %d: n must be at least 1", c.Name, n)
	}
	out := clone(c)
	if n == 1 {
		return out, nil
	}
	if c.CompressedBy > 1 {
		return nil, fmt.Errorf("compress %s by %d: it is compressed by %d already; compress the published contract instead",
			c.Name, n, c.CompressedBy)
	}
	out.CompressedBy = n
	if out.Schedule != nil {
		out.Schedule.compress(n, c.timeUnit())
		if err := c.tooFast(n, out.Schedule); err != nil {
			return nil, err
		}
	}
	if out.RetryAfter != nil {
		out.RetryAfter.Cap /= time.Duration(n)
	}
	if out.Keys != nil {
		out.Keys.Overlap /= time.Duration(n)
	}
	if out.AutoDisable != nil {
		out.AutoDisable.FailingFor = ceilDiv(out.AutoDisable.FailingFor, time.Duration(n))
	}
	return out, nil
}

func (s *Schedule) compress(n int, unit time.Duration) {
	d := time.Duration(n)
	for _, waits := range [][]time.Duration{s.Waits, s.WaitsMax} {
		for i, w := range waits {
			waits[i] = roundUp(ceilDiv(w, d), unit)
		}
	}
	s.Deadline /= d
	s.ClaimedWindow /= d
	s.Lease /= d
	s.Timeout = min(s.Timeout, max(s.Timeout/d, minTimeout))
}

// tooFast says why n is refused. fast is the compressed schedule.
func (c *Contract) tooFast(n int, fast *Schedule) error {
	switch {
	case !fast.Stepped() && fast.Deadline == 0:
		return nil
	case c.Schedule.Deadline == 0 && fast.sum().Min < minWindow:
		return fmt.Errorf("compress %s by %d: the waits would take %v in all, less than %v; use n = %d or less",
			c.Name, n, fast.sum().Min, minWindow, max(1, int(c.Schedule.sum().Min/minWindow)))
	case c.Schedule.Deadline == 0:
		return nil
	case fast.Deadline < minWindow:
		return fmt.Errorf("compress %s by %d: the deadline would be %v, below %v; the most is n = %d",
			c.Name, n, fast.Deadline, minWindow, max(1, int(c.Schedule.Deadline/minWindow)))
	case fast.Deadline < fast.sum().Min:
		return fmt.Errorf("compress %s by %d: the waits, rounded up to %v, would take %v and the deadline is %v; use a smaller n",
			c.Name, n, c.timeUnit(), fast.sum().Min, fast.Deadline)
	}
	return nil
}

func (c *Contract) timeUnit() time.Duration {
	if c.TimeUnit > 0 {
		return c.TimeUnit
	}
	return defaultTimeUnit
}

func ceilDiv(a, b time.Duration) time.Duration {
	q := a / b
	if a%b > 0 {
		q++
	}
	return q
}

func roundUp(d, unit time.Duration) time.Duration {
	if over := d % unit; over > 0 {
		return d + unit - over
	}
	return d
}

// clone copies deeply by reflection, so that a field added later cannot be shared by oversight.
func clone(c *Contract) *Contract {
	return deepCopy(reflect.ValueOf(c)).Interface().(*Contract) //nolint:errcheck,forcetypeassert // deepCopy keeps the type
}

func deepCopy(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(deepCopy(v.Elem()))
		}
	case reflect.Slice:
		if !v.IsNil() {
			out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			for i := range v.Len() {
				out.Index(i).Set(deepCopy(v.Index(i)))
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			out.Field(i).Set(deepCopy(v.Field(i)))
		}
	default:
		out.Set(v)
	}
	return out
}
