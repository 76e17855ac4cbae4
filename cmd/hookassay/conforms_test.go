package main

import (
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/hookassay/hookassay/internal/conformtest"
)

// conforms runs a program that puts a correct sender to the test and leaves its report in a folder, and wants no complaints about it.
func conforms(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, args, 2, "conforms REPORT PROGRAM [ARG…]")
	code := execCode(ts, args[1:])
	for _, c := range conformtest.Complaints(ts.MkAbs(args[0]), code) {
		ts.Fatalf("%s", c)
	}
}
