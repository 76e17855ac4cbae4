#!/usr/bin/env bash
# Drives four senders that nobody here wrote. Reports go to real-senders-report/NAME; what each answer leads to, side by side, to
# real-senders-report/answers.md. Names of senders may follow; all four if there is none.
# Needs Go and two Debian packages: prometheus-alertmanager, docker-registry. Takes about six minutes.
# Exit code: the highest of the runs', 2 if any verdict is an error.
set -euo pipefail
cd "$(dirname "$0")/.."

for program in prometheus-alertmanager docker-registry; do
	command -v "$program" >/dev/null || { echo "$program is missing: apt-get install $program" >&2; exit 2; }
done
here=examples/real-senders
out=real-senders-report
(cd "$here" && go build -o bin/ ./...)
go build -o "$here/bin/" ./cmd/hookassay ./examples/answers

code=0
atleast() { if [ "$1" -gt "$code" ]; then code=$1; fi; }
adapters=()
for name in ${*:-alertmanager registry cloudevents retryablehttp}; do
	adapters+=("$here/$name/adapter.yaml")
	"$here/bin/hookassay" run -c "$here/$name/hookassay.yaml" --out "$out/$name" || atleast $?
	if grep -q '"outcome": *"error"' "$out/$name/results.json"; then
		echo "$name: a verdict is an error" >&2
		atleast 2
	fi
done
"$here/bin/answers" "${adapters[@]}" | tee "$out/answers.md"
exit "$code"
