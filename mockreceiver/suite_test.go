package mockreceiver_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// TestLifecycles runs the specs of this package: what goes through several states over time.
func TestLifecycles(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "mockreceiver")
}
