package reports

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/hookassay/hookassay/internal/words"
)

// ManifestSchema names the form of manifest.json. Fields may be added; the number changes when an old reader would misread a
// new file.
const ManifestSchema = "hookassay.manifest/1"

// Manifest lists the files of a report with their digests. It is written last, and holds no digest of itself: whoever hands a
// report on names that one beside it.
type Manifest struct {
	Schema string `json:"schema"`
	Suite  string `json:"suite"` // the version that wrote the report
	// Language is that of the views for people; empty is English. The evidence and what programs read have none.
	Language words.Language `json:"language,omitempty"`
	Files    []ManifestFile `json:"files"`
	// Blocks are digests of the evidence by blocks of lines, so that a change can be told to within a few of them.
	Blocks Blocks `json:"evidence_blocks"`
}

// ManifestFile is one file of the folder.
type ManifestFile struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Blocks are SHA-256 digests of so many lines each, of the last the rest.
type Blocks struct {
	Lines  int      `json:"lines"`
	SHA256 []string `json:"sha256"`
}

// blockLines makes the digests of a run of 15,000 records a few kilobytes, and what a change can hide in a page of text.
const blockLines = 128

// seal writes the manifest of what is in the folder.
func (d *Dir) seal(r Results, l words.Language) error {
	m, err := d.manifest(r.Versions.Suite, l)
	if err != nil {
		return err
	}
	text, err := m.text()
	if err != nil {
		return err
	}
	return d.put(manifestFile, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// manifest lists what is in the folder.
func (d *Dir) manifest(suite string, l words.Language) (Manifest, error) {
	m := Manifest{Schema: ManifestSchema, Suite: suite, Language: l, Files: []ManifestFile{}, Blocks: Blocks{Lines: blockLines, SHA256: []string{}}}
	for _, name := range append([]string{evidenceFile}, formatFiles()...) {
		path := filepath.Join(d.path, name)
		f, err := fileDigest(path)
		if name == evidenceFile && errors.Is(err, fs.ErrNotExist) {
			continue // a report can be written of a run that was never stored
		}
		if err != nil {
			return m, fmt.Errorf("digest of %s: %w", path, reason(err))
		}
		m.Files = append(m.Files, f)
		if name == evidenceFile {
			if m.Blocks.SHA256, err = blockDigests(path, blockLines); err != nil {
				return m, fmt.Errorf("digest of %s: %w", path, reason(err))
			}
		}
	}
	return m, nil
}

// text is the manifest as it is written.
func (m Manifest) text() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "  ")
	err := enc.Encode(m)
	return b.Bytes(), err
}

func fileDigest(path string) (ManifestFile, error) {
	f, err := os.Open(path)
	if err != nil {
		return ManifestFile{}, err
	}
	defer f.Close() //nolint:errcheck // opened for reading
	h := sha256.New()
	n, err := io.Copy(h, f)
	if err != nil {
		return ManifestFile{}, err
	}
	return ManifestFile{Name: filepath.Base(path), Bytes: n, SHA256: hex.EncodeToString(h.Sum(nil))}, nil
}

// blockDigests returns the digest of each block of lines. What follows the last line end is a line too.
func blockDigests(path string, lines int) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // opened for reading
	in := bufio.NewReaderSize(f, 64<<10)
	out, h, n := []string{}, sha256.New(), 0
	end := func() {
		out = append(out, hex.EncodeToString(h.Sum(nil)))
		h.Reset()
		n = 0
	}
	for open := false; ; {
		part, err := in.ReadSlice('\n') // a line longer than the buffer comes in parts
		h.Write(part)
		open = open || len(part) > 0
		switch {
		case err == nil:
			if n++; n == lines {
				end()
				open = false
			}
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF):
			if open {
				end()
			}
			return out, nil
		default:
			return nil, err
		}
	}
}
