package drive

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// keptKey is a key that the sender issued, as it is kept while the run goes on. It is no part of the evidence.
type keptKey struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

func (p *player) keysFile() string { return filepath.Join(p.setup.State, "issued-keys.ndjson") }

// keepKey keeps a key that the sender issued, without which nothing that it signs could be verified once the run is gone on with.
func (p *player) keepKey(k keptKey) error {
	if !p.keeping() {
		return nil
	}
	text, err := json.Marshal(k)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	f, err := os.OpenFile(p.keysFile(), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(text, '\n'))
	return errors.Join(err, f.Close())
}

// recallKeys makes the keys known that the sender issued before the run was interrupted.
func (p *player) recallKeys() error {
	text, err := os.ReadFile(p.keysFile())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for line := range bytes.Lines(text) {
		var k keptKey
		if err := json.Unmarshal(line, &k); err != nil {
			return fmt.Errorf("what was kept of the run is not whole (%w); begin a new run", err)
		}
		p.newKeyName(k.Name)
		p.know(k)
	}
	return nil
}

// know makes the receiver tell what a key signed, and the evidence free of it.
func (p *player) know(k keptKey) {
	p.receiver.AddIssuedKey(k.Name, k.Value)
	p.leaks.add(k.Name, k.Value)
}
