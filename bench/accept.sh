#!/bin/sh
# Prints the time and the memory that `hookassay accept` takes for a log of 1,000,000 rows, as CSV and as NDJSON.
# It fails above 5 s or 200 MiB. Needs awk and GNU time.
set -eu
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -o "$dir/hookassay" ./cmd/hookassay
awk -v csv="$dir/log.csv" -v json="$dir/log.ndjson" 'BEGIN {
	print "event,endpoint,at,status" > csv
	for (i = 0; i < 1000000; i++) {
		id = sprintf("evt_%024x", (i * 7919) % 900000); status = i % 21 ? 200 : 502
		printf "%s,https://hooks.example.com/%d,%.0f,%d\n", id, i % 7, 1796500000000 + 3 * i, status > csv
		printf "{\"event\":\"%s\",\"endpoint\":\"https://hooks.example.com/%d\",\"at\":%.0f,\"response\":{\"status\":%d,\"ms\":12},\"tags\":[1,2]}\n", \
			id, i % 7, 1796500000000 + 3 * i, status > json
	}
}'
for form in csv ndjson; do
	columns=status=$([ $form = csv ] && echo status || echo response.status)
	/usr/bin/time -o "$dir/took" -f '%e %M' "$dir/hookassay" accept "$dir/log.$form" --columns "$columns" > "$dir/out" || [ $? -eq 1 ]
	head -n 2 "$dir/out"
	tail -n 1 "$dir/took" | awk -v form=$form '{ printf "%s: %s s, %.0f MiB\n", form, $1, $2 / 1024; exit !($1 < 5 && $2 < 200 * 1024) }'
done
