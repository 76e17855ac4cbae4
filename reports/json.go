package reports

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

func writeJSON(w io.Writer, r Results) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}

// ReadResults reads a results.json. Fields that it does not know are ignored; another schema is an error, and so is
// anything after the document.
func ReadResults(path string) (Results, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Results{}, fmt.Errorf("results %s: there is no such file; give the results.json of an output folder", path)
	}
	if err != nil {
		return Results{}, fmt.Errorf("results %s: %w", path, reason(err))
	}
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(b, &head); err != nil {
		return Results{}, fmt.Errorf("results %s: not a whole JSON document: %w", path, err)
	}
	if head.Schema != Schema {
		return Results{}, fmt.Errorf("results %s: schema is %q, this version reads %q", path, head.Schema, Schema)
	}
	var r Results
	if err := json.Unmarshal(b, &r); err != nil {
		return Results{}, fmt.Errorf("results %s: %w", path, err)
	}
	return r, nil
}

// reason strips the operation and path that package os adds, where the caller names the path itself.
func reason(err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return p.Err
	}
	return err
}
