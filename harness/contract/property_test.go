package contract_test

import (
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hookassay/hookassay/harness/contract"
)

func TestMarshalRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := validContract(t)
		text, err := want.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		got, err := contract.Parse("marshalled.yaml", text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s\n%s", diff, text)
		}
	})
}

func TestMarshalOfProfilesAndTheirCompression(t *testing.T) {
	for _, name := range contract.Profiles() {
		c, err := contract.Profile(name)
		if err != nil {
			t.Fatal(err)
		}
		const most = 200
		n := most
		if s := c.Schedule; s.Stepped() && s.Deadline == 0 {
			n = min(n, int(s.Total().Min/(8*time.Second))) // no less than 8 s may be left
		}
		fast, err := c.Compress(max(n, 1))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []*contract.Contract{c, fast} {
			text, err := want.Marshal()
			if err != nil {
				t.Fatal(err)
			}
			got, err := contract.Parse("x.yaml", text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
	}
}

func TestMarshalRefusesWhatParseWould(t *testing.T) {
	c := bounded6(t)
	c.Schedule.Timeout = -time.Second
	_, err := c.Marshal()
	if want := "marshal contract bounded-6: schedule.timeout: -1s is negative"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestCompressNeverSharesMemory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := validContract(t)
		before, err := c.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		fast, err := c.Compress(rapid.IntRange(1, 300).Draw(t, "n"))
		if err != nil {
			return
		}
		for _, p := range pointers(reflect.ValueOf(fast)) {
			if slices.Contains(pointers(reflect.ValueOf(c)), p) {
				t.Fatal("the compressed contract shares memory with its source")
			}
		}
		after, err := c.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(before), string(after)); diff != "" {
			t.Fatal(diff)
		}
	})
}

// pointers returns the addresses of all memory reachable from v.
func pointers(v reflect.Value) []uintptr {
	var all []uintptr
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			all = append(all, v.Pointer())
			all = append(all, pointers(v.Elem())...)
		}
	case reflect.Slice:
		if v.Len() > 0 {
			all = append(all, v.Pointer())
		}
		for i := range v.Len() {
			all = append(all, pointers(v.Index(i))...)
		}
	case reflect.Struct:
		for _, field := range v.Fields() {
			all = append(all, pointers(field)...)
		}
	}
	return all
}

func TestCompressedScheduleKeepsItsPromises(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := validContract(t)
		n := rapid.IntRange(2, 300).Draw(t, "n")
		fast, err := c.Compress(n)
		if err != nil || c.Schedule == nil {
			return
		}
		unit := max(c.TimeUnit, time.Millisecond)
		for i, w := range fast.Schedule.Waits {
			exact := float64(c.Schedule.Waits[i]) / float64(n)
			if f := float64(w); w%unit != 0 || f < exact-1 || f > exact+float64(unit) {
				t.Fatalf("wait %d: %v by %d gave %v in units of %v", i, c.Schedule.Waits[i], n, w, unit)
			}
		}
		if d := fast.Schedule.Deadline; d > 0 && (d < 8*time.Second || d < fast.Window(0).Waits.Min) {
			t.Fatalf("deadline %v is too short for waits of %v", d, fast.Window(0).Waits.Min)
		}
		if sum := fast.Window(0).Waits.Min; fast.Schedule.Deadline == 0 && sum < 8*time.Second {
			t.Fatalf("without a deadline, waits of %v are too short", sum)
		}
	})
}

func TestBreakEvenIsTheEdge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := validContract(t)
		if c.Schedule == nil || c.Schedule.Deadline == 0 || c.Schedule.Count() < 2 {
			return
		}
		c.Schedule.Jitter, c.Schedule.WaitsMax = nil, nil
		edge := c.Window(0).BreakEven
		if last := lastStart(c, edge); last.InTime != contract.Always {
			t.Fatalf("at break-even %v attempt %d is in time %s", edge, last.Attempt, last.InTime)
		}
		if last := lastStart(c, edge+1); last.InTime != contract.Never {
			t.Fatalf("past break-even %v attempt %d is in time %s", edge, last.Attempt, last.InTime)
		}
	})
}

func lastStart(c *contract.Contract, d time.Duration) contract.Start {
	starts := c.Window(d).Starts
	return starts[len(starts)-1]
}

func TestValidateNeverPanics(t *testing.T) {
	for name, c := range map[string]*contract.Contract{
		"zero":          {},
		"zero sections": zeroSections(),
		"not a number":  {Acceptance: &contract.Acceptance{Sample: 1, Rate: math.NaN()}, Schedule: &contract.Schedule{Jitter: &contract.Jitter{Plus: math.NaN()}}},
		"huge attempts": {Schedule: &contract.Schedule{Waits: []time.Duration{time.Hour}, Attempts: math.MaxInt, Deadline: time.Hour}},
	} {
		if c.Validate() == nil {
			t.Errorf("%s: is valid, want problems", name)
		}
	}
}

func zeroSections() *contract.Contract {
	c := &contract.Contract{}
	v := reflect.ValueOf(c).Elem()
	for _, f := range v.Fields() {
		if f.Kind() == reflect.Pointer {
			f.Set(reflect.New(f.Type().Elem()))
		}
	}
	return c
}
