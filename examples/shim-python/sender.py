#!/usr/bin/env python3
"""A small webhook sender and its shim for hookassay in one program. To drive a sender of yours, keep the lower half and let
`register` and `emit` call yours. `hookassay adapter protocol` prints the form of the lines."""
import hashlib
import hmac
import http.client
import json
import socket
import sys
import threading
import time
import urllib.parse
import uuid

endpoints = {}  # endpoint by id
events = {}  # event by id, for replays
pending = set()  # ids of events that are on their way
waits, timeout = [1, 20, 60, 100], 20  # seconds; hello brings the ones of the contract


def send(endpoint, event):
    """One attempt. Returns the status, or None where there was no whole answer."""
    now = str(int(time.time()))
    signed = hmac.new(endpoint["secret"].encode(), now.encode() + b"." + event["body"], hashlib.sha256).hexdigest()
    url = urllib.parse.urlsplit(endpoint["url"])
    conn = http.client.HTTPConnection(url.hostname, url.port, timeout=timeout)

    def give_up():  # the timeout above is for each read, this one for the request in all
        try:
            conn.sock.shutdown(socket.SHUT_RDWR)
        except (OSError, AttributeError):
            pass

    limit = threading.Timer(timeout, give_up)
    limit.start()
    try:
        conn.request("POST", url.path + ("?" + url.query if url.query else ""), event["body"], {
            "Content-Type": "application/json",
            "X-Webhook-Id": event["id"],
            "X-Webhook-Signature": f"t={now},v1={signed}",
        })
        answer = conn.getresponse()
        while 100 <= answer.status < 200:  # an interim answer; the library skips only 100
            answer.headers = None
            answer.begin()
        return answer.status
    except (OSError, http.client.HTTPException, ValueError, AttributeError):
        return None  # a timeout or a broken connection
    finally:
        limit.cancel()
        conn.close()


def deliver(endpoint, event):
    """Tries until the receiver answers 2xx, refuses the event for good, or the waits are used up."""
    for wait in waits:
        time.sleep(wait)
        status = send(endpoint, event)
        if status is not None and status < 500 and status != 429:
            break  # delivered, or refused for good
    pending.discard(event["id"])


# From here on: the shim.


def hello(p, _):
    global waits, timeout
    waits = [int(ms) / 1000 for ms in p["contract"]["schedule.waits_ms"].split(",")]
    timeout = int(p["contract"]["schedule.timeout_ms"]) / 1000
    return {"name": "a sender in Python", "abilities": ["launch", "replay", "ping"]}


def register(p, _):
    ep = "ep_" + uuid.uuid4().hex
    endpoints[ep] = p
    return {"id": ep}


def emit(p, line):
    # The data as it was written: a parsed 1.50 would be sent as 1.5. It is the last member of the line.
    data = line[line.index('"data":') + len('"data":'):].rstrip()[:-2]
    evt = "evt_" + uuid.uuid4().hex
    body = f'{{"id":"{evt}","type":{json.dumps(p["type"])},"data":{data}}}'.encode()
    event = events[evt] = {"id": evt, "body": body}
    pending.add(evt)
    threading.Thread(target=deliver, args=(endpoints[p["endpoint"]], event), daemon=True).start()
    return {"id": evt}


def replay(p, _):
    if p["event"] in pending:
        raise ValueError("the event is on its way already")
    threading.Thread(target=send, args=(endpoints[p["endpoint"]], events[p["event"]]), daemon=True).start()
    return {}


def ping(*_):  # this process delivers: if it is late here, it is late there, and that is noise instead of a broken promise
    return {}


calls = {"hello": hello, "register": register, "emit": emit, "replay": replay, "ping": ping}
for line in sys.stdin:
    call = json.loads(line)
    try:
        answer = {"id": call["id"], "result": calls[call["call"]](call["params"], line)}
    except Exception as e:  # whatever it is, the harness is to be told
        answer = {"id": call["id"], "error": repr(e)}
    print(json.dumps(answer), flush=True)
