package reports

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
)

// The page is one file that needs nothing from outside and runs no script. Everything in it that a stranger wrote goes
// through plain and through html/template; the only values that bypass escaping are the two files embedded here.
var (
	//go:embed report.html.tmpl
	pageTemplate string
	//go:embed report.css
	pageStyle string
)

func writeHTML(w io.Writer, r Report) error {
	t, err := template.New("report").Funcs(template.FuncMap{"t": r.words.Text, "th": markup(r.words)}).Parse(pageTemplate)
	if err != nil {
		return err
	}
	p := newPage(r)
	// The policy names the style sheet by its digest, so that even markup that got past the escaping could load nothing,
	// run nothing and restyle nothing.
	sum := sha256.Sum256([]byte(pageStyle))
	p.Style = template.CSS(pageStyle)
	p.StyleHash = "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
	var b bytes.Buffer
	if err := t.Execute(&b, p); err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}
