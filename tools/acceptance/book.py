"""A ledger in a directory of its own, and the note of what does not hold."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from datetime import datetime, timezone
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("LEDGER_SHARED_DATA", REPOSITORY.parent / "shared" / "data"))

failures = []


def release_build():
    """Returns the release build of `ledger`, which the quickstart makes."""
    result = subprocess.run(
        [REPOSITORY / "tools" / "quickstart"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if result.returncode != 0:
        sys.stderr.buffer.write(result.stdout)
        sys.exit("acceptance: the release build failed")
    return REPOSITORY / ".build" / "ledger"


def expect(is_met, sentence):
    """Notes what does not hold; the rest goes on."""
    if not is_met:
        failures.append(sentence)
        print(f"FAILED: {sentence}")


def join(lines):
    return b"".join(line + b"\n" for line in lines)


def simulate(ledger, *arguments):
    """Returns the lines of a simulated drive in order of arrival."""
    output = subprocess.run(
        [ledger, "simulate", *arguments], check=True, capture_output=True).stdout
    return output.splitlines()


class Book:
    """A new ledger in a directory of its own."""

    def __init__(self, ledger, directory):
        self.ledger = ledger
        self.path = Path(tempfile.mkdtemp(dir=directory)) / "book"
        self.run("init", "--time-zone", "Europe/Amsterdam")

    def run(self, *arguments, data=b""):
        return subprocess.run(
            [self.ledger, "--ledger", self.path, *arguments], input=data, capture_output=True)

    def append(self, data):
        return json.loads(self.run("append", data=data).stdout.splitlines()[-1])

    def be_in_use(self, source):
        """Has a source say where it is now, as a device does that is in use: GO is for such ones."""
        now = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
        return self.append(json.dumps({
            "type": "fix_recorded", "source": source, "occurred_at": now, "lat": 51.93, "lon": 4.58,
            "accuracy": 6, "speed": 0}).encode() + b"\n")

    def append_and_die(self, line):
        """Appends an event with a process that is killed as soon as it has acknowledged it."""
        process = subprocess.Popen(
            [self.ledger, "--ledger", self.path, "append", "--receipts"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        process.stdin.write(line + b"\n")
        process.stdin.flush()
        receipt = json.loads(process.stdout.readline())
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdin.close()
        process.stdout.close()
        return receipt

    def lines(self, *arguments):
        """Returns what a command prints as JSON lines."""
        result = self.run(*arguments, "--format", "json")
        return [json.loads(line) for line in result.stdout.splitlines()]

    def trips(self):
        return self.run("trips", "--all", "--format", "json").stdout

    def trips_without_arrival(self):
        return re.sub(rb',"recorded":\{[^{}]*\}', b"", self.trips())

    def rows(self):
        return [json.loads(line) for line in self.trips().splitlines()]

    def source(self, name):
        """Returns what `status` says of a source."""
        result = self.run("status", "--format", "json", "--as-of", "2020-01-01T00:00:00Z")
        sources = json.loads(result.stdout)["sources"]
        return next((source for source in sources if source["source"] == name), None)

    def expect_views_confirmed(self, name):
        check = self.run("project", "--check")
        if check.returncode != 0 or check.stdout != b"":
            sys.stderr.buffer.write(check.stdout + check.stderr)
        expect(check.returncode == 0 and check.stdout == b"", f"{name}: project --check")
