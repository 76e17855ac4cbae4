#!/usr/bin/env bash
# Assays the correct reference sender many times in a row and counts the outcomes: a fail, or an error, is a false alarm of
# hookassay. The last BUSY runs go on while every core is kept busy.
#
#   bench/soak.sh [RUNS [BUSY [ARGUMENT...]]]     20 0 by default; arguments go to `hookassay run`
#
# Ends with 1 on any fail or error, or when 2 % or more of the verdicts are inconclusive. A run in which a check was inconclusive
# everywhere is incomplete: it is counted, its reasons are printed, and it is no alarm. KEEP=PREFIX keeps the report of each run that
# was not conformant as PREFIX.N.
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${1:-20} busy=${2:-0}
shift $(($# < 2 ? $# : 2))

work=$(mktemp -d)
loops=()
quiet() { [ ${#loops[@]} = 0 ] || kill "${loops[@]}" 2>/dev/null || true; loops=(); }
trap 'quiet; rm -rf "$work"' EXIT
go build -o "$work/hookassay" ./cmd/hookassay

# count NAME: how many verdicts of the last run have the outcome
count() { awk -v name="\"$1\":" '$1 == name {print $2 + 0; exit}' "$work/report/results.json"; }

passed=0 failed=0 undecided=0 incomplete=0 bad=0
for ((i = 1; i <= runs; i++)); do
	label=quiet
	if ((i > runs - busy)); then
		label=busy
		if [ ${#loops[@]} = 0 ]; then
			for ((c = 0; c < $(getconf _NPROCESSORS_ONLN); c++)); do
				timeout 3600 sh -c 'while :; do :; done' & loops+=($!)
			done
		fi
	fi
	code=0
	"$work/hookassay" run -c examples/refsender/hookassay.yaml --out "$work/report" "$@" >"$work/out" 2>/dev/null || code=$?
	p=$(count pass) f=$(($(count fail) + $(count error))) u=$(count inconclusive)
	printf 'run %d (%s): exit code %d, %d pass, %d fail or error, %d inconclusive\n' "$i" "$label" "$code" "$p" "$f" "$u"
	((passed += p, failed += f, undecided += u)) || true
	if ((code == 3 && f == 0)); then
		((incomplete += 1))
		grep -m1 '^[0-9]* MUST check' "$work/out" || true
	elif ((code != 0 || f > 0)); then
		bad=1
		cat "$work/out"
	fi
	if ((code != 0)) && [ -n "${KEEP:-}" ]; then
		cp -r "$work/report" "$KEEP.$i"
	fi
done
all=$((passed + failed + undecided))
printf '%d of %d runs incomplete\n' "$incomplete" "$runs"
printf 'in all: %d pass, %d fail or error, %d inconclusive of %d verdicts (%s %%)\n' "$passed" "$failed" "$undecided" "$all" \
	"$(awk -v u="$undecided" -v a="$all" 'BEGIN {printf "%.2f", a ? 100 * u / a : 0}')"
((bad == 0 && undecided * 50 < all))
