package mockreceiver

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// curlScript writes a script for bash that sends requests again, in order, and prints for each the status of its answer. The
// receiver's own copies are left out: whoever wants them sends them again by the receiver.
type curlScript struct {
	r         *Receiver
	w         io.Writer
	n, copies int
}

func (r *Receiver) curlExport(w http.ResponseWriter) exporter { return &curlScript{r: r, w: w} }

// scriptCA is the variable of a script that names the file with the authority's certificate.
const scriptCA = `"$ca"`

func (x *curlScript) begin() error {
	text := "#!/usr/bin/env bash\n# Sends recorded requests again; each prints the status of its answer.\nset -u\n"
	if x.r.listeners.ownCA() {
		text += "\n# The certificate of the receiver's authority, which is made anew at each start.\n" +
			"ca=$(mktemp) && trap 'rm -f \"$ca\"' EXIT\nprintf %s " + shellWord(strings.TrimSpace(string(x.r.CA()))) + " >\"$ca\"\n"
	}
	_, err := io.WriteString(x.w, text)
	return err
}

func (x *curlScript) attempt(_ context.Context, a *journal.Attempt, _ summary) error {
	if a.Origin == evidence.OriginHarness {
		x.copies++
		return nil
	}
	text, err := curlCommand(a, x.r.placeOf(a, scriptCA), "-sS", "-o /dev/null", `-w '%{http_code}\n'`)
	if err != nil {
		text = "# left out: it was not kept whole, or is no HTTP that curl can send\n"
	} else {
		text = "printf '%s: ' " + shellWord(nameOf(a)) + "\n" + text
	}
	x.n++
	_, err = io.WriteString(x.w, "\n"+commentOf(a)+text)
	return err
}

func (x *curlScript) end(context.Context) error {
	left := ""
	if x.copies > 0 {
		left = fmt.Sprintf(", and %d of the receiver's own copies left out", x.copies)
	}
	_, err := fmt.Fprintf(x.w, "\n# end: %d attempts%s\n", x.n, left)
	return err
}
