#!/usr/bin/env bash
# Assays the reference sender in real time under a contract of twelve minutes, interrupts the run, and goes on with it. Takes about
# seventeen minutes, little of the machine, and leaves the report where KEEP says.
#
#   bench/resume.sh [AT [GAP [ARGUMENT...]]]     AT: seconds until the signal, 240; GAP: seconds without a run, 20; arguments go to
#                                                `hookassay run`, such as -c FILE or --var defect=NAME
#
# Ends with 1 unless both reports hold against their evidence, and no verdict of either is a fail or an error. With FAILS=1 a fail is wanted
# in the second one, for a defect.
set -euo pipefail
cd "$(dirname "$0")/.."
at=${1:-240} gap=${2:-20}
shift $(($# < 2 ? $# : 2))

work=$(mktemp -d)
run=
trap '[ -z "$run" ] || kill -9 "$run" 2>/dev/null || true; rm -rf "$work"' EXIT
report=${KEEP:-$work/report}
go build -o "$work/hookassay" ./cmd/hookassay

# count NAME: how many verdicts of the last part have the outcome
count() { awk -v name="\"$1\":" '$1 == name {print $2 + 0; exit}' "$report/results.json"; }

# part NAME CODE: what a part of the run came to
part() {
	bad=$(($(count fail) + $(count error)))
	printf '%s: exit code %d; %d pass, %d fail or error, %d inconclusive, %d not applicable\n' \
		"$1" "$2" "$(count pass)" "$bad" "$(count inconclusive)" "$(count not-applicable)"
	sed -n '2,/^$/p' "$work/out" | sed '/^$/d; s/^/  /'
	{ grep -E '^(fail|error) ' "$work/out" || true; } | sed 's/^/  /'
	"$work/hookassay" report verify "$report" | sed 's/^/  /'
}

began=$SECONDS
"$work/hookassay" run -c examples/twelve-minutes/hookassay.yaml --out "$report" "$@" >"$work/out" 2>"$work/err" & run=$!
sleep "$at"
kill -INT "$run"
code=0
wait "$run" || code=$?
run=
stopped=$SECONDS
part "interrupted after $((stopped - began)) s" "$code"
[ "$code" = 3 ] && [ "$bad" = 0 ] || { echo "the first part is not a truthful partial report of a correct sender" >&2; [ -n "${FAILS:-}" ] || exit 1; }

rest=$((gap - (SECONDS - stopped)))
((rest <= 0)) || sleep "$rest"
resumed=$SECONDS
code=0
"$work/hookassay" run --resume "$report" >"$work/out" 2>"$work/err" || code=$?
echo "nothing ran for $((resumed - stopped)) s, then it went on for $((SECONDS - resumed)) s: $((SECONDS - began)) s in all"
part "gone on with" "$code"
grep -c '"act":"again"' "$report/evidence.ndjson" | sed 's/$/ scenarios were played anew/'
if [ -n "${FAILS:-}" ]; then
	[ "$code" = 1 ]
else
	[ "$bad" = 0 ]
fi
