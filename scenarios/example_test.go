package scenarios_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/sender/httpapi"
	"github.com/hookassay/hookassay/scenarios"
)

// config is what the examples assay: a sender that an adapter file describes, by a compressed contract.
func config() scenarios.Config {
	c, err := contract.Profile("bounded-6")
	if err != nil {
		log.Fatal(err)
	}
	if c, err = c.Compress(200); err != nil {
		log.Fatal(err)
	}
	adapter, err := httpapi.Load("adapter.yaml")
	if err != nil {
		log.Fatal(err)
	}
	text, err := c.Marshal()
	if err != nil {
		log.Fatal(err)
	}
	launcher, err := httpapi.New(adapter, httpapi.Options{
		TempDir: os.TempDir(),
		Files:   map[string][]byte{"contract.yaml": text},
	})
	if err != nil {
		log.Fatal(err)
	}
	return scenarios.Config{Contract: c, Launcher: launcher, Select: []string{"retry/*"}}
}

// Assay drives and judges without Ginkgo, any number of times per process.
func ExampleAssay() { //nolint:testableexamples // compiled only: it needs a sender of yours
	r, err := scenarios.Assay(context.Background(), config())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Verdict, r.Why)
	for _, v := range r.Verdicts {
		fmt.Println(v.Scenario, v.Check, v.Outcome, v.Because)
	}
}

// Register adds specs to your own Ginkgo suite: call it where you would write Describe. Each spec is labelled with the
// scenario's family, the check, its family and its level, so that --label-filter=retry works as usual.
func ExampleRegister() { //nolint:testableexamples // compiled only: it needs a sender of yours
	scenarios.Register(config())
}

// Run is for a program or a TestMain of its own that wants Ginkgo's reports of the verdicts.
func ExampleRun() { //nolint:testableexamples // compiled only: it needs a sender of yours
	r, err := scenarios.Run(context.Background(), config(), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Verdict)
}
