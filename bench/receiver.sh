#!/usr/bin/env bash
# Runs a bare net/http handler and the receiver in turn and prints their rates, latencies and ratios; then fills a journal with
# 200,000 attempts and measures there; then lets everything loose on it that eats memory. Needs Go and 20,100 open files. Fails
# below the floors, which stand in compare.go, growth.go and hostile.go. Arguments go to the comparison: -rounds 9 -time 5s.
set -euo pipefail
cd "$(dirname "$0")/.."
ulimit -n 20100 2>/dev/null || ulimit -n "$(ulimit -Hn)"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/bench" ./bench
code=0
for step in "compare $*" growth hostile; do
	printf '\n== %s\n' "$step"
	# shellcheck disable=SC2086 # the arguments are several words
	"$work/bench" $step || code=1
done
exit $code
