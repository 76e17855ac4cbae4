// Package examples holds the files that users copy, so that the program can run them without a checkout.
package examples

import "embed"

// Refsender is the run file and the adapter of the reference sender.
//
//go:embed refsender/*.yaml
var Refsender embed.FS

// Minimal is the contract of the minimal sender.
//
//go:embed minimal/contract.yaml
var Minimal embed.FS
