// Package reports writes the acceptance report: results.json, which is canonical, and the views drawn from it.
//
// A report is handed to strangers. Two rules follow. It tells the truth at any moment: results.json says "incomplete" from
// the first second of a run until everything else is on disk. And it carries no key and no full signature: Prepare takes
// them out before any format sees a string, and a format can only be written from what Prepare made.
//
// A new format is one file with one function and one line in Formats.
package reports
