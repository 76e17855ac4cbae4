package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// jobSummary names the variable by which GitHub Actions hands over the file of a job's summary.
const jobSummary = "GITHUB_STEP_SUMMARY"

// maxJobSummary is what GitHub takes of one step; above it the whole summary is dropped.
const maxJobSummary = 1 << 20

// appendJobSummary appends a report's summary to the summary of the CI job, where there is one.
func appendJobSummary(dir string) error {
	path := os.Getenv(jobSummary)
	if path == "" {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(dir, "summary.md"))
	if err != nil {
		return fmt.Errorf("job summary: %w", err)
	}
	if len(text) > maxJobSummary {
		return fmt.Errorf("job summary: summary.md has %d bytes, and %s takes %d", len(text), jobSummary, maxJobSummary)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		return fmt.Errorf("job summary: %w", err)
	}
	_, err = f.Write(append(text, '\n'))
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("job summary: %w", err)
	}
	return nil
}
