# Versions of tools are exact, so that two machines agree.
GOLANGCI = go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0

.PHONY: help check test race fuzz lint fmt golden scenarios demo selftest soak real-senders reference release

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

check: lint test ## what must hold before a commit

test: ## all tests
	go test ./...

race: ## all tests under the race detector
	go test -race ./...

fuzz: ## each fuzz target for a minute; FUZZ=10s for less
	scripts/fuzz.sh $(or $(FUZZ),60s)

lint: ## vet and golangci-lint
	go vet ./...
	$(GOLANGCI) run ./...

fmt: ## format all Go files
	$(GOLANGCI) fmt ./...

golden: ## write the golden files anew; read the diff before you commit it
	go test ./reports ./harness/judge -update

scenarios: ## assay the reference sender
	go run ./cmd/hookassay run -c examples/refsender/hookassay.yaml

demo: ## what the README shows
	go run ./cmd/hookassay demo --out demo-report

selftest: ## every scenario for every defect, and the kill matrix
	go run ./cmd/hookassay selftest --out selftest-report

soak: ## many runs of the correct sender, half of them on busy cores
	bench/soak.sh 30 15

real-senders: ## drive Alertmanager, Docker registry and two libraries; needs two Debian packages
	scripts/real-senders.sh

reference: ## write docs/cli anew, from the commands
	go run ./cmd/hookassay reference docs/cli

release: ## build the program for Linux, macOS and Windows into dist/
	scripts/release.sh
