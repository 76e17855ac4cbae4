package scenarios_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/harness/sender/httpapi"
	"github.com/hookassay/hookassay/scenarios"
)

// yours is what the examples assay: a sender that an adapter file describes, by a compressed contract.
func yours() (*contract.Contract, sender.Launcher) {
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
	return c, launcher
}

// The three ways in, of which a program takes one. README.md and docs/drive-your-own-sender.md show these lines.
func Example() { //nolint:testableexamples // compiled only: it needs a sender of yours
	ctx := context.Background()
	c, launcher := yours()

	cfg := scenarios.Config{Contract: c, Launcher: launcher}
	result, err := scenarios.Assay(ctx, cfg) // drive and judge; any number of times per process
	scenarios.Register(cfg)                  // or as specs in your own Ginkgo suite
	scenarios.Run(ctx, cfg, nil)             // or the same with Ginkgo's reports; ExampleRun looks at the error

	fmt.Println(result, err)
}

// Assay drives and judges without Ginkgo, any number of times per process.
func ExampleAssay() { //nolint:testableexamples // compiled only: it needs a sender of yours
	c, launcher := yours()
	r, err := scenarios.Assay(context.Background(), scenarios.Config{Contract: c, Launcher: launcher, Select: []string{"retry/*"}})
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
	c, launcher := yours()
	scenarios.Register(scenarios.Config{Contract: c, Launcher: launcher})
}

// Run is for a program or a TestMain of its own that wants Ginkgo's reports of the verdicts.
func ExampleRun() { //nolint:testableexamples // compiled only: it needs a sender of yours
	c, launcher := yours()
	r, err := scenarios.Run(context.Background(), scenarios.Config{Contract: c, Launcher: launcher}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Verdict)
}
