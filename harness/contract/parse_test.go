package contract_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/hookassay/hookassay/harness/contract"
)

var update = flag.Bool("update", false, "write the wanted errors of testdata/parse anew")

// TestParseErrors reads testdata/parse/*.txtar: pairs of NAME.yaml and NAME.want, the error as it must read, or nothing.
func TestParseErrors(t *testing.T) {
	files, err := filepath.Glob("testdata/parse/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range files {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(ar.Files)%2 != 0 {
			t.Fatalf("%s: files do not come in pairs", path)
		}
		for i := 0; i < len(ar.Files); i += 2 {
			in, want := ar.Files[i], &ar.Files[i+1]
			t.Run(filepath.Base(path)+"/"+in.Name, func(t *testing.T) {
				if want.Name != strings.TrimSuffix(in.Name, ".yaml")+".want" {
					t.Fatalf("%s stands beside %s", want.Name, in.Name)
				}
				got := parseError(in)
				if *update {
					want.Data = []byte(got)
				}
				if diff := cmp.Diff(string(want.Data), got); diff != "" {
					t.Error(diff)
				}
			})
		}
		if *update {
			if err := os.WriteFile(path, txtar.Format(ar), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func parseError(in txtar.File) string {
	if _, err := contract.Parse(in.Name, in.Data); err != nil {
		return err.Error() + "\n"
	}
	return ""
}

func TestParseRefusesWhatIsNoText(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"empty":      {"", "c.yaml: holds 0 documents; a contract is one"},
		"comment":    {"# nothing\n", "c.yaml: holds 0 documents; a contract is one"},
		"two":        {"a: 1\n---\nb: 2\n", "c.yaml: holds 2 documents; a contract is one"},
		"not UTF-8":  {"name: \xff\n", "c.yaml: is not UTF-8 text"},
		"too large":  {strings.Repeat("#", 300_000), "c.yaml: is 300000 bytes long; a contract has at most 262144"},
		"only text":  {"hello", ""},
		"too deep":   {strings.Repeat("[", 60_000), "c.yaml: holds 60000 words and signs; a contract has at most 10000"},
		"deep":       {strings.Repeat("[", 9_000), ""},
		"deep maps":  {strings.Repeat("{a: ", 3_000), ""},
		"deep lists": {strings.Repeat("- ", 9_000), ""},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := contract.Parse("c.yaml", []byte(tt.text))
			if err == nil {
				t.Fatalf("got %+v, want an error", c)
			}
			if tt.want != "" && err.Error() != tt.want {
				t.Errorf("got %q, want %q", err, tt.want)
			}
		})
	}
}

func TestLoad(t *testing.T) {
	got, err := contract.Load("profiles/bounded-6.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(bounded6(t), got); diff != "" {
		t.Error(diff)
	}
	large := filepath.Join(t.TempDir(), "large.yaml")
	if err := os.WriteFile(large, make([]byte, 1<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := contract.Load(large); err == nil || !strings.Contains(err.Error(), "is 262145 bytes long") {
		t.Errorf("a file of 1 MiB must be read to its bound only: %v", err)
	}
	if _, err := contract.Load("testdata/absent.yaml"); err == nil || !strings.Contains(err.Error(), "absent.yaml") {
		t.Errorf("got %v, want an error that names the file", err)
	}
}

func TestProfiles(t *testing.T) {
	names := contract.Profiles()
	if len(names) == 0 {
		t.Fatal("no profiles")
	}
	for _, name := range names {
		c, err := contract.Profile(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if c.Name != name {
			t.Errorf("profile %s calls itself %s", name, c.Name)
		}
	}
	_, err := contract.Profile("bounded-7")
	if err == nil || !strings.Contains(err.Error(), "bounded-6") {
		t.Errorf("got %v, want an error that lists the known profiles", err)
	}
}

func FuzzParse(f *testing.F) {
	for _, path := range []string{"profiles/bounded-6.yaml", "testdata/parse/fields.txtar", "testdata/parse/yaml.txtar"} {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		if ar := txtar.Parse(text); len(ar.Files) > 0 {
			for _, file := range ar.Files {
				f.Add(file.Data)
			}
			continue
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := contract.Parse("fuzz.yaml", text)
		if err != nil {
			return
		}
		out, err := c.Marshal()
		if err != nil {
			t.Fatalf("marshal what was parsed: %v", err)
		}
		again, err := contract.Parse("again.yaml", out)
		if err != nil {
			t.Fatalf("parse what was marshalled: %v\n%s", err, out)
		}
		if diff := cmp.Diff(c, again); diff != "" {
			t.Error(diff)
		}
	})
}
