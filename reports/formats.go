package reports

import "io"

// Names of the files in an output folder.
const (
	resultsFile  = "results.json"
	evidenceFile = "evidence.ndjson"
	manifestFile = "manifest.json"
	summaryFile  = "summary.md"
)

// Format is one file of a report.
type Format struct {
	Name string // short, as users ask for it
	File string // in the output folder
	// Write writes the whole file. It returns the first error of w.
	Write func(w io.Writer, r Report) error
}

// Formats returns all formats. results.json is the last: once it is there, everything is.
func Formats() []Format {
	return []Format{
		{Name: "html", File: "report.html", Write: writeHTML},
		{Name: "markdown", File: summaryFile, Write: writeMarkdown},
		{Name: "junit", File: "junit.xml", Write: writeJUnit},
		{Name: "ctrf", File: "ctrf.json", Write: writeCTRF},
		{Name: "badge", File: "badge.json", Write: writeBadge},
		{Name: "har", File: "attempts.har", Write: writeHAR},
		{Name: "csv", File: "failures.csv", Write: writeFailures},
		{Name: "json", File: resultsFile, Write: func(w io.Writer, r Report) error { return writeJSON(w, r.Results) }},
	}
}
