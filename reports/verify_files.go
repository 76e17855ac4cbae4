package reports

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// notFileError says what lies where a report has a file.
type notFileError struct{ what string }

func (e notFileError) Error() string { return "is no file but a " + e.what }

// isFile refuses what is no file of the folder's own: a link, which leads out of the folder and holds only here, and what would never
// end when it is read.
func isFile(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode&fs.ModeSymlink != 0:
		return notFileError{"symbolic link"}
	case mode.IsDir():
		return notFileError{"folder"}
	default:
		return notFileError{"pipe, socket or device"}
	}
}

// there tells whether there is a file that can be read as one of the report's.
func there(path string) bool { return isFile(path) == nil }

func readFile(path string) ([]byte, error) {
	if err := isFile(path); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// files compares the files with the manifest. It returns an error if there is no manifest that can be read.
func (v *Verification) files(dir, suite string) (m Manifest, err error) {
	text, err := readFile(filepath.Join(dir, manifestFile))
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(text, &m); err != nil || m.Schema != ManifestSchema {
		v.altered("%s is not a manifest of schema %s", manifestFile, ManifestSchema)
		return Manifest{}, nil //nolint:nilerr // it is there, and what is wrong with it is said
	}
	own, err := fileDigest(filepath.Join(dir, manifestFile))
	if err != nil {
		return m, err
	}
	v.Manifest = own.SHA256
	before := len(v.Altered)
	listed := []string{}
	for _, want := range m.Files {
		switch {
		case want.Name != filepath.Base(want.Name) || want.Name == manifestFile:
			v.altered("%s lists %q, which is no file that it can be the manifest of", manifestFile, want.Name)
		case slices.Contains(listed, want.Name):
			v.altered("%s lists %s twice", manifestFile, want.Name)
		default:
			listed = append(listed, want.Name)
			v.file(dir, want, m.Blocks)
		}
	}
	v.unlisted(dir, listed, suite == m.Suite)
	if len(v.Altered) == before && suite == m.Suite {
		v.manifest(dir, text, m)
	}
	return m, nil
}

// file compares a file with what the manifest has of it.
func (v *Verification) file(dir string, want ManifestFile, blocks Blocks) {
	v.Files++
	path := filepath.Join(dir, want.Name)
	err := isFile(path)
	var got ManifestFile
	if err == nil {
		got, err = fileDigest(path)
	}
	notFile, isOther := errors.AsType[notFileError](err)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		v.altered("%s is gone", want.Name)
	case isOther:
		v.altered("%s %v", want.Name, notFile)
	case err != nil:
		v.altered("%s cannot be read: %v", want.Name, reason(err))
	case got != want:
		v.altered("%s is not the file that was written: %d bytes with SHA-256 %.12s…, the manifest has %d bytes with %.12s…",
			want.Name, got.Bytes, got.SHA256, want.Bytes, want.SHA256)
		if want.Name == evidenceFile {
			v.blocks(path, blocks)
		}
	}
}

// unlisted tells of what the manifest does not list. A version knows which files it writes; another one may write others.
func (v *Verification) unlisted(dir string, listed []string, sameVersion bool) {
	ours := append([]string{evidenceFile}, formatFiles()...)
	for _, name := range ours {
		if slices.Contains(listed, name) {
			continue
		}
		_, err := os.Lstat(filepath.Join(dir, name))
		switch {
		case err == nil:
			v.altered("%s is not in the manifest", name)
		case sameVersion && name != evidenceFile: // a report can be of a run that was never stored
			v.altered("%s is gone, from the folder and from the manifest", name)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // its files could be read one by one
	}
	for _, e := range entries {
		if e.Name() != manifestFile && !slices.Contains(listed, e.Name()) && !slices.Contains(ours, e.Name()) {
			v.note("%s is not part of the report", e.Name())
		}
	}
}

// manifest compares the manifest itself with what this version writes of the same files.
func (v *Verification) manifest(dir string, text []byte, m Manifest) {
	d := Dir{path: dir}
	fresh, err := d.manifest(m.Suite, m.Language)
	if err != nil {
		v.altered("%s cannot be drawn again: %v", manifestFile, err)
		return
	}
	want, err := fresh.text()
	if err == nil && string(want) != string(text) {
		v.altered("%s is not the one of these files, from line %s on", manifestFile, firstOther(want, text))
	}
}

func formatFiles() []string {
	var out []string
	for _, f := range Formats() {
		out = append(out, f.File)
	}
	return out
}

// blocks says in which lines of the evidence the first change is.
func (v *Verification) blocks(path string, want Blocks) {
	if want.Lines <= 0 || len(want.SHA256) == 0 {
		return
	}
	got, err := blockDigests(path, want.Lines)
	if err != nil {
		return // said of the file already
	}
	for i, w := range want.SHA256 {
		if i >= len(got) {
			v.altered("%s ends before line %d", evidenceFile, i*want.Lines+1)
			return
		}
		if got[i] != w {
			v.altered("%s differs first in lines %d to %d", evidenceFile, i*want.Lines+1, (i+1)*want.Lines)
			return
		}
	}
	if len(got) == len(want.SHA256) {
		v.altered("%s: what it has of %s as a whole does not fit what it has of its lines, which hold", manifestFile, evidenceFile)
		return
	}
	v.altered("%s goes on after line %d", evidenceFile, len(want.SHA256)*want.Lines)
}
