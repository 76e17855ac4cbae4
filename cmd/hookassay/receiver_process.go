package main

import (
	"os"
	"runtime"
	"runtime/debug"

	"github.com/hookassay/hookassay/mockreceiver"
)

// receiving makes the process one that does nothing but receive, until end is called: with room for garbage and a bound for it,
// and more threads than it has by itself. What the user chose by GOMAXPROCS or GOMEMLIMIT stays.
func receiving() (end func()) {
	room := make([]byte, mockreceiver.Headroom)
	before := runtime.GOMAXPROCS(0)
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(before + mockreceiver.SpareThreads)
	}
	limit := debug.SetMemoryLimit(-1) // it only asks
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(mockreceiver.MemoryLimit)
	}
	return func() {
		debug.SetMemoryLimit(limit)
		runtime.GOMAXPROCS(before)
		runtime.KeepAlive(room)
	}
}
