#!/bin/sh
# A small webhook sender and its shim for hookassay in one script, with curl and openssl. To drive a sender of yours, let register
# and emit call yours. Calls come as JSON, one a line; since their members have a fixed order, with data last, a shell can take
# them apart. `hookassay adapter protocol` prints their form.

waits=1000,20000,60000,100000 # milliseconds before each attempt; hello brings the ones of the contract
timeout=20000                 # milliseconds for one request in all

seconds() { printf '%d.%03d' $(($1 / 1000)) $(($1 % 1000)); }

# text NAME prints the string of that name in the line, if there is one.
text() {
	case $line in
	*"\"$1\":\""*) ;;
	*) return ;;
	esac
	rest=${line#*\""$1"\":\"}
	printf '%s' "${rest%%\"*}"
}

# deliver URL SECRET ID FILE tries until the receiver answers 2xx, refuses the event for good, or the waits are used up.
deliver() {
	for wait in $(echo "$waits" | tr , ' '); do
		sleep "$(seconds "$wait")"
		now=$(date +%s)
		sign=$({ printf '%s.' "$now" && cat "$4"; } | openssl dgst -sha256 -hmac "$2")
		status=$(curl -s -o /dev/null -w '%{http_code}' --http1.1 --noproxy '*' --max-time "$(seconds "$timeout")" \
			-H 'Content-Type: application/json' -H "X-Webhook-Id: $3" -H "X-Webhook-Signature: t=$now,v1=${sign##* }" \
			-H 'Expect:' --data-binary "@$4" "$1")
		case $? in
		0 | 18) ;;     # 18: the head was there, and not all of the body
		*) status=000 ;; # not even that
		esac
		case $status in
		000 | 429 | 5??) ;; # no answer, or a transient one: try again
		*) break ;;         # delivered, or refused for good
		esac
	done
	rm -f "$4"
}

while IFS= read -r line; do
	id=${line#*\"id\":}
	id=${id%%,*}
	case $(text call) in
	hello)
		waits=$(text schedule.waits_ms)
		timeout=$(text schedule.timeout_ms)
		dir=$(text dir)
		result='{"name":"a sender in shell"}'
		;;
	register)
		text url >"$dir/endpoint_$id.url"
		text secret >"$dir/endpoint_$id.secret"
		result="{\"id\":\"endpoint_$id\"}"
		;;
	emit)
		data=${line#*\"data\":}
		to=$dir/$(text endpoint)
		printf '{"id":"evt_%s","type":"%s","data":%s}' "$$_$id" "$(text type)" "${data%\}\}}" >"$dir/body_$id"
		deliver "$(cat "$to.url")" "$(cat "$to.secret")" "evt_$$_$id" "$dir/body_$id" </dev/null >/dev/null &
		result="{\"id\":\"evt_$$_$id\"}"
		;;
	*)
		printf '{"id":%s,"error":"not known here"}\n' "$id"
		continue
		;;
	esac
	printf '{"id":%s,"result":%s}\n' "$id" "$result"
done
