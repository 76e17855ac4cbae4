package mockreceiver

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// curlScript writes a script for bash that sends requests again, in order, and prints the status of each answer.
type curlScript struct {
	r *Receiver
	w io.Writer
	n int
}

func (r *Receiver) curlExport(w http.ResponseWriter) exporter { return &curlScript{r: r, w: w} }

func (x *curlScript) begin() error {
	_, err := io.WriteString(x.w, "#!/usr/bin/env bash\n# Sends recorded requests again; each prints the status of its answer.\nset -u\n")
	return err
}

func (x *curlScript) attempt(_ context.Context, a *journal.Attempt, _ summary) error {
	text, err := curlCommand(a, x.r.urlOf(a), "-sS", "-o /dev/null", `-w '%{http_code}\n'`)
	if err != nil {
		text = "# left out: it was not kept whole, or is no HTTP that curl can send\n"
	}
	x.n++
	_, err = io.WriteString(x.w, "\n"+commentOf(a)+text)
	return err
}

func (x *curlScript) end(context.Context) error {
	_, err := fmt.Fprintf(x.w, "\n# end: %d attempts\n", x.n)
	return err
}
