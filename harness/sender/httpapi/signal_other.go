//go:build !unix

package httpapi

import "os"

// userSignal is one of the signals that are there for programs to use as they like.
func userSignal(string) (os.Signal, bool) { return nil, false }
