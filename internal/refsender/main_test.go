package refsender_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/hookassay/hookassay/internal/refsender"
)

// childDB makes the test binary a sender on that database, for tests that kill a process; childDefect gives it a defect.
const (
	childDB     = "REFSENDER_TEST_DB"
	childDefect = "REFSENDER_TEST_DEFECT"
)

func TestMain(m *testing.M) {
	db := os.Getenv(childDB)
	if db == "" {
		// Tests of defects wait most of their time; sixteen of them side by side keep two cores half busy.
		flag.Parse()
		if err := flag.Set("test.parallel", "16"); err != nil {
			panic(err)
		}
		os.Exit(m.Run())
	}
	err := refsender.Run(context.Background(),
		refsender.Config{DB: db, Contract: patient(), Defect: os.Getenv(childDefect), Log: os.Stderr}, os.Stdout)
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
