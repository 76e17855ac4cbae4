package main

import (
	"os"
	"runtime"

	"github.com/hookassay/hookassay/mockreceiver"
)

// receiving makes the process one that does nothing but receive, until end is called: with room for garbage, and more threads
// than it has by itself. A number of threads that the user chose stays.
func receiving() (end func()) {
	room := make([]byte, mockreceiver.Headroom)
	before := runtime.GOMAXPROCS(0)
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(before + mockreceiver.SpareThreads)
	}
	return func() {
		runtime.GOMAXPROCS(before)
		runtime.KeepAlive(room)
	}
}
