// Package presets holds files to start from for senders that people run: how to drive each, and what it promises.
package presets

import (
	"embed"
	"fmt"
	"strings"

	"github.com/hookassay/hookassay/examples"
	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/internal/near"
)

//go:embed */*.yaml */README.md
var files embed.FS

// minimal is the contract of the smallest example, which is none of the profiles.
const minimal = "minimal"

// Preset is a sender that there are files for.
type Preset struct {
	Name    string // of the folder
	Title   string
	Profile string // the name of the contract that it begins with
	Needs   string // what whoever uses it must have or give, in one line
}

// File is one of a preset's files.
type File struct {
	Name string
	Text []byte
}

// All returns the presets, in the order in which they are listed.
func All() []Preset {
	return []Preset{
		{"own", "a sender of your own with an HTTP API", minimal, "its two calls: one that registers an endpoint, one that emits an event"},
		{"refsender", "the reference sender that comes with hookassay", "bounded-6", "nothing"},
		{"outpost", "Hookdeck Outpost", "outpost", "a running Outpost and its API key; its waits in RETRY_SCHEDULE"},
		{"svix", "Svix, open source server", "svix-oss", "a running server and a token; the receiver's address in its allow-list, since private ones are refused"},
		{"convoy", "Convoy", "convoy", "a project and its API key; a receiver at another address than 127.0.0.1, which is refused"},
		{"alertmanager", "Prometheus Alertmanager", "alertmanager", "an Alertmanager for tests alone, whose configuration file is overwritten"},
		{"gitea", "Gitea and Forgejo", "gitea", "a running Gitea, an account for tests alone and its token; the receiver's address in ALLOWED_HOST_LIST"},
		{"github", "GitHub: what arrives is observed", "github", "a webhook configured by hand, and a tunnel to the receiver"},
	}
}

// Get returns a preset. The error of an unknown name has the one that was probably meant.
func Get(name string) (Preset, error) {
	var known []string
	for _, p := range All() {
		if p.Name == name {
			return p, nil
		}
		known = append(known, p.Name)
	}
	return Preset{}, fmt.Errorf("preset %q is unknown%s; hookassay presets lists them", name, near.Meant(name, known))
}

// Files returns what the preset consists of: contract.yaml, README.md and, where it drives a sender, hookassay.yaml and adapter.yaml; hookassay.yaml
// alone where it only observes one.
func (p Preset) Files() ([]File, error) {
	promised, err := p.contract()
	if err != nil {
		return nil, err
	}
	out := []File{{"contract.yaml", promised}}
	entries, err := files.ReadDir(p.Name)
	if err != nil {
		return nil, fmt.Errorf("preset %s: %w", p.Name, err)
	}
	for _, e := range entries {
		text, err := files.ReadFile(p.Name + "/" + e.Name())
		if err != nil {
			return nil, fmt.Errorf("preset %s: %w", p.Name, err)
		}
		out = append(out, File{e.Name(), text})
	}
	if p.Name != "refsender" {
		return out, nil
	}
	return p.withExample(out)
}

func (p Preset) contract() ([]byte, error) {
	if p.Profile != minimal {
		return contract.ProfileText(p.Profile)
	}
	text, err := examples.Minimal.ReadFile("minimal/contract.yaml")
	if err != nil {
		return nil, fmt.Errorf("preset %s: %w", p.Name, err)
	}
	return []byte(strings.Replace(string(text), "What the minimal sender promises", "What your sender promises", 1)), nil
}

// withExample adds the example of the reference sender, which is kept in one place; its run file names the copied contract.
func (p Preset) withExample(out []File) ([]File, error) {
	for _, name := range []string{"adapter.yaml", "hookassay.yaml"} {
		text, err := examples.Refsender.ReadFile("refsender/" + name)
		if err != nil {
			return nil, fmt.Errorf("preset %s: %w", p.Name, err)
		}
		own := strings.NewReplacer("\ncontract: bounded-6\n", "\ncontract: contract.yaml\n", "examples/refsender/", "").Replace(string(text))
		out = append(out, File{name, []byte(own)})
	}
	return out, nil
}
