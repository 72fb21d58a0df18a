"""100,000 messages that wait for a key, and what another token delivers beside them."""

import base64
import json
import os
import subprocess
import time

from book import expect

MESSAGES = 100_000
TOGETHER = 1_000

# Made by another program with the key `our key`.
READABLE = {
    "_type": "encrypted",
    "data": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXHhwikzWKtLR1xiUfeuYryJ704HnE4VqqbN/Wb/Kdza/8qZwWu8be8C9p"
            "gSOANt60McLEkNnX5p2cXPnSJIlXxV+anBX1gEyZvUu2zf+Mu0SkgHhr7oTQCL2Yr4YEpc/WFF6XNZk5hX0E+dA6",
}
FIX = {"_type": "location", "lat": 51.9, "lon": 4.3, "acc": 5, "tst": 1795159860}


def sealed():
    return {"_type": "encrypted", "data": base64.b64encode(os.urandom(96)).decode()}


def check(served, directory, arguments):
    print(f"\n{MESSAGES:,} messages that wait for a key\n", flush=True)
    phone, tracker = served.new_token("phone", "ingest"), served.new_token("tracker", "ingest")

    def deliver(token, messages):
        body = json.dumps(messages).encode()
        return served.ask(f"/in/{token}/owntracks", "Content-Type: application/json",
                          method="POST", body=body, token=False)

    def refused(*options):
        result = subprocess.run(
            [served.program, "refused", "--ledger", served.path, "--format", "json", *options],
            capture_output=True, env=served.environment)
        return [json.loads(line) for line in result.stdout.splitlines()]

    started = time.monotonic()
    expect(deliver(phone, [READABLE])[0] == 200, "the first message is taken")
    left = MESSAGES - 1
    while left > 0:
        some = [sealed() for _ in range(min(left, TOGETHER))]
        left -= len(some)
        if deliver(phone, some)[0] != 200:
            expect(False, f"all are taken: {left:,} are not")
            break
    print(f"taken in {time.monotonic() - started:.0f} s")
    # The attack: far more than is kept of what cannot be read.
    for request in range(30):
        bad = [dict(FIX, lat=91, tst=request * TOGETHER + number) for number in range(TOGETHER)]
        status, body = deliver(tracker, bad)
        expect(status == 200, f"what cannot be read is never refused: {status} {body}")
    waiting = refused("--source", "phone")
    expect(len(waiting) == MESSAGES, f"none is pushed out: {len(waiting):,} are there")
    expect(all(item["whole"] and item["may_pass_later"] for item in waiting), "all are whole")
    unreadable = refused("--source", "tracker")
    expect(len(unreadable) == 2_000, f"the newest that cannot be read: {len(unreadable):,}")
    # There is no more room for this phone's alone.
    status, body = deliver(phone, [sealed()])
    expect(status == 503 and b"--owntracks-key" in body, f"one too many: {status} {body}")
    expect(deliver(phone, [FIX])[0] == 200, "what this phone says openly is taken")
    expect(deliver(tracker, [sealed()])[0] == 200, "another token has room of its own")
    doctor = served.ledger("doctor").decode()
    expect("token change phone --owntracks-key" in doctor, "the doctor names the command")
    served.ledger("token", "change", "phone", "--owntracks-key", "-", data=b"our key\n")
    started = time.monotonic()
    retried = refused("--source", "phone", "--retry")
    print(f"tried again in {time.monotonic() - started:.0f} s")
    expect(len(retried) == MESSAGES, f"each is tried again: {len(retried):,}")
    expect(sum(item["appended"] for item in retried) == 1, "what the key opens is stored")
    expect(len(refused("--source", "phone")) == MESSAGES - 1, "the rest waits on")
    expect(deliver(phone, [sealed()])[0] == 200, "there is room again")
