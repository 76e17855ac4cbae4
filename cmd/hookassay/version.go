package main

import "runtime/debug"

// version is the module's version as the go command stamped it: a tag for an installed release, "(devel)" for a checkout.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
