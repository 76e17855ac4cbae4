package selftest

import (
	"encoding/json"
	"io"
)

// JSON writes the matrix in the form of matrix.json.
func (m *Matrix) JSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(m)
}
