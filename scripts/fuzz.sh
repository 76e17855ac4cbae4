#!/bin/sh
# Runs each fuzz target of the project for a time, one after the other: scripts/fuzz.sh [time each, 60s] [pattern of names].
# Prints one line for each. Ends with 1 if any found something; Go then leaves the input in testdata/fuzz of the package.
set -u
cd "$(dirname "$0")/.." || exit 2
each=${1:-60s}
names=${2:-.}
failed=0
for dir in $(grep -rl --include='*_test.go' '^func Fuzz' . | xargs -n1 dirname | sort -u); do
	for target in $(grep -h '^func Fuzz' "$dir"/*_test.go | sed 's/^func \(Fuzz[A-Za-z0-9_]*\).*/\1/' | grep -E "$names" | sort); do
		# One worker: the targets are quick, and a machine with other work stays usable. Left to itself Go spends up to a minute on
		# making one new input smaller, which for a long one is all of the time.
		if out=$(go test -run '^$' -fuzz "^$target\$" -fuzztime "$each" -fuzzminimizetime 100x -parallel 1 "$dir" 2>&1); then
			printf '%-8s %s %s\n' clean "$dir" "$target: $(printf '%s\n' "$out" | grep -E '^fuzz: elapsed' | tail -n 1)"
		else
			printf '%-8s %s %s\n%s\n' FINDING "$dir" "$target" "$out"
			failed=1
		fi
	done
done
exit "$failed"
