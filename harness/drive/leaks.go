package drive

import (
	"strings"
	"sync"

	"github.com/hookassay/hookassay/harness/evidence"
)

// leaks finds the keys that the sender issued in what it prints and answers, and takes them out: they stay out of the evidence.
type leaks struct {
	mu   sync.Mutex
	keys []issuedKey
}

type issuedKey struct {
	name  string
	forms []string
}

func (l *leaks) add(name, value string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.keys = append(l.keys, issuedKey{name, evidence.Forms(value)})
}

// clean returns line without issued keys, and the names of those that stood in it.
func (l *leaks) clean(line string) (string, []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var found []string
	for _, k := range l.keys {
		before := line
		for _, f := range k.forms {
			line = strings.ReplaceAll(line, f, "["+k.name+"]")
		}
		if line != before {
			found = append(found, k.name)
		}
	}
	return line, found
}
