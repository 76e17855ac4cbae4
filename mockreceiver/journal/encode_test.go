package journal_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// TestEncodedRecordsReadAsEncodingJSONHasThem fills every field of the records, those that come later too, by reflection.
func TestEncodedRecordsReadAsEncodingJSONHasThem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for _, r := range []evidence.Record{&evidence.Arrival{}, &evidence.Outcome{}, &evidence.Effect{}} {
			fillIn(t, reflect.ValueOf(r).Elem())
			// What has a column is not in the text.
			want := reflect.New(reflect.TypeOf(r).Elem()).Interface()
			again(t, r, want)
			got := reflect.New(reflect.TypeOf(r).Elem()).Interface()
			text, err := journal.Encode(r)
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(text, got); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			for _, v := range []any{want, got} {
				strip(v)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s: %s", text, d)
			}
		}
	})
}

// again reads r back from what encoding/json makes of it.
func again(t *rapid.T, r, into any) {
	b, err := json.Marshal(r)
	if err == nil {
		err = json.Unmarshal(b, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func strip(v any) {
	switch v := v.(type) {
	case *evidence.Arrival:
		v.Meta, v.Seq, v.Head, v.Body = evidence.Meta{}, 0, nil, nil
	case *evidence.Outcome:
		v.Meta, v.Of = evidence.Meta{}, 0
	case *evidence.Effect:
		v.Meta, v.Of = evidence.Meta{}, 0
	}
}

// fillIn gives a value to most fields of v.
func fillIn(t *rapid.T, v reflect.Value) {
	if v.CanInterface() {
		if _, ok := reflect.TypeAssert[time.Time](v); ok {
			v.Set(reflect.ValueOf(time.Unix(rapid.Int64Range(-1<<33, 1<<36).Draw(t, "s"), rapid.Int64Range(0, 999_999_999).Draw(t, "ns")).UTC()))
			return
		}
	}
	if rapid.IntRange(0, 3).Draw(t, "empty") == 0 {
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for _, field := range v.Fields() {
			fillIn(t, field)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fillIn(t, v.Elem())
	case reflect.String:
		v.SetString(rapid.OneOf(rapid.String(), rapid.StringMatching(`(base64:)?[ -~]*`)).Draw(t, "text"))
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), rapid.IntRange(0, 3).Draw(t, "length"), 3))
		for i := range v.Len() {
			fillIn(t, v.Index(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			fillIn(t, v.Index(i))
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(rapid.Int64().Draw(t, "number"))
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(rapid.Uint64Max(255).Draw(t, "number"))
	default:
		t.Fatalf("a field of kind %s: teach this test to fill it in", v.Kind())
	}
}
