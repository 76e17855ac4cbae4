#!/usr/bin/env bash
# Drives four senders that nobody here wrote and says what each answer led to. Reports go to real-senders-report/NAME.
# Needs Go and two Debian packages: prometheus-alertmanager, docker-registry. Takes about five minutes.
set -euo pipefail
cd "$(dirname "$0")/.."

for program in prometheus-alertmanager docker-registry; do
	command -v "$program" >/dev/null || { echo "$program is missing: apt-get install $program" >&2; exit 2; }
done
here=examples/real-senders
(cd "$here" && go build -o bin/ ./...)
go build -o "$here/bin/hookassay" ./cmd/hookassay

code=0
for name in ${*:-alertmanager registry cloudevents retryablehttp}; do
	"$here/bin/hookassay" run -c "$here/$name/hookassay.yaml" --out "real-senders-report/$name" || code=$?
	"$here/bin/answers" "real-senders-report/$name/evidence.ndjson" >"real-senders-report/$name/answers.md"
done
exit "$code"
