package httpapi

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/internal/near"
)

// defaultCallTimeout is far over what an API on the same machine needs, and under the patience of whoever watches.
const defaultCallTimeout = 30 * time.Second

// patience is longer than anybody sits before a debugger.
const patience = 24 * time.Hour

// Options are what an adapter is used with. The zero value is enough for an adapter whose variables all have values.
type Options struct {
	// Vars override the adapter's vars. A name that the adapter does not have is an error.
	Vars map[string]string
	// Contract holds the values of ${contract.NAME}, by NAME.
	Contract map[string]string
	// Files are written into the folder of each launched instance; ${file.NAME} is the path of one.
	Files map[string][]byte
	// Env looks up ${env.NAME}; an empty text is as good as none. nil knows no variable.
	Env func(name string) string
	// Builtin holds further plain variables: hookassay is the path of our own program.
	Builtin map[string]string
	// TempDir is where the folders of instances are made; empty means the system's place for such.
	TempDir string
	// KeepDir is a folder of the run's own in which instances keep what is needed to go on with them (sender.Keeper), each under its
	// name; it takes TempDir's place. Empty: nothing is kept.
	KeepDir string
	// HTTP makes the calls, without following redirects; nil means a client of ours, which uses no proxy.
	HTTP *http.Client
	// Containers is where a sender runs whose adapter has a section container; others need none.
	Containers Containers
	// CallTimeout bounds one call; 30 s if 0.
	CallTimeout time.Duration
	// NoTimeouts waits for calls, and for a sender to be ready, as long as anybody sits before a debugger. The adapter must have
	// a probe, so that a sender that stands still is not blamed for it.
	NoTimeouts bool
}

// New brings an adapter together with its options. All problems are reported at once: variables without a value, with
// their place in the file, and values for variables that the adapter does not have.
func New(a *Adapter, o Options) (sender.Launcher, error) {
	if o.CallTimeout == 0 {
		o.CallTimeout = defaultCallTimeout
	}
	v, errs := a.varValues(o.Vars)
	if o.NoTimeouts {
		o.CallTimeout = patience
		if a.probe == nil {
			errs = append(errs, fmt.Errorf("%s: without timeouts an adapter needs a probe, which shows when the sender stands still", a.file))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o.Builtin)) {
		if _, ok := v[name]; ok {
			errs = append(errs, fmt.Errorf("%s: vars: the name %s is taken", a.file, name))
		}
		v[name] = o.Builtin[name]
	}
	for name, value := range o.Contract {
		v["contract."+name] = value
	}
	if a.containers != nil && o.Containers == nil {
		errs = append(errs, fmt.Errorf("%s: %w", a.file, errNoContainers))
	}
	if a.launched() {
		// What these stand for is known when an instance has its folder.
		v["dir"], v[caVariable] = "", ""
		for _, name := range slices.Sorted(maps.Keys(o.Files)) {
			if name == "" || !filepath.IsLocal(name) || filepath.Base(name) != name {
				errs = append(errs, fmt.Errorf("file %q: want a plain file name", name))
				continue
			}
			v["file."+name] = ""
		}
	}
	a.takeEnvironment(v, o.Env)
	errs = append(errs, a.checkUses(v)...)
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return &launcher{adapter: a, options: o, values: v}, nil
}

// varValues returns the vars with what was given for them.
func (a *Adapter) varValues(given map[string]string) (values, []error) {
	v := values{}
	var errs []error
	for _, x := range a.vars {
		value, ok := given[x.name]
		if !ok && x.required {
			errs = append(errs, fmt.Errorf("%s: var %s has no default and was not given", a.file, x.name))
		}
		if !ok {
			value = x.value
		}
		v[x.name] = value
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if _, ok := v[name]; !ok {
			errs = append(errs, fmt.Errorf("variable %q was given, but %s has no such var%s; known: %s", name, a.file, near.Meant(name, a.VarNames()), a.varNames()))
		}
	}
	return v, errs
}

func (a *Adapter) varNames() string {
	if len(a.vars) == 0 {
		return "none"
	}
	return strings.Join(a.VarNames(), ", ")
}
