"""`ledger serve` and `ledger sync`: deliveries that share commits, batches, and a month between ledgers."""

import http.client
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import time
from pathlib import Path

from measuring import expect, run
from table import Row
from workshop import EVENTS_PER_DRIVE, HERE, Missing

SECONDS, QUICK_SECONDS = 10, 3
CONNECTIONS = (1, 16, 64, 256)

# 2020-01-01.
FIRST_SECOND = 1_577_836_800

# One request has so many events; a month of 1 Hz fixes is 2,602,000 of them.
BATCH = 10_000
MONTH, QUICK_MONTH = 2_602_000, 260_200


class Server:
    """A server of a ledger, on a port of its own."""

    def __init__(self, workshop, book):
        self.workshop, self.book = workshop, book
        command = [workshop.ledger, "--ledger", book, "serve", "--port", "0",
                   "--writes-per-minute", "0"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.port = int(re.search(r"127\.0\.0\.1:(\d+)", self.process.stdout.readline()).group(1))

    def token(self, scope):
        made = run([self.workshop.ledger, "--ledger", self.book, "token", "new", scope, "--scope", scope,
                    "--format", "json"])
        return json.loads(made)["token"]

    def memory(self, name):
        """Returns a figure of /proc in bytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(name + r":\s+(\d+)", status).group(1)) * 1024

    def size(self):
        return int(json.loads(run([self.workshop.ledger, "--ledger", self.book, "head", "--format", "json"]))["size"])

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        expect(self.process.wait() == 0, "the server ends badly")


def measure(workshop, table):
    programs = [Path(workshop.ledger).with_name(name) for name in ("ledger-serve", "ledger-sync")]
    for program in programs:
        if not program.exists():
            raise Missing(f"there is no {program.name} beside the program")
    if not shutil.which("wrk"):
        raise Missing("wrk is missing; tools/benchmarks/setup installs it")
    measure_deliveries(workshop, table)
    measure_batches(workshop, table)
    measure_month(workshop, table)


def deliver(server, token, connections, seconds, name, is_grouped):
    """Sends deliveries of one event each; returns how many a second, and two percentiles in ms."""
    # Events that are to be stored all or not at all share their commit with no others.
    path = "/v1/events" + ("" if is_grouped else "?all-or-nothing=true")
    before = server.size()
    output = run(
        ["wrk", "--threads", str(min(2, connections)), "--connections", str(connections), "--duration", f"{seconds}s",
         "--latency", "--script", HERE / "rivals" / "deliver.lua", f"http://127.0.0.1:{server.port}"],
        env=dict(os.environ, DELIVER_TOKEN=token, DELIVER_PATH=path, DELIVER_NAME=name,
                 DELIVER_START=str(FIRST_SECOND + before * 2))).decode()
    requests, microseconds, median, slow, errors = map(int, re.search(r"result (.*)", output).group(1).split())
    stored = server.size() - before
    expect(errors == 0, f"{errors} requests of {name} failed")
    # Those that were under way at the end are stored too; the first brings its source.
    expect(requests <= stored <= requests + connections + 1, f"{requests} answers, {stored} stored")
    return requests / microseconds * 1e6, median / 1e3, slow / 1e3


def measure_deliveries(workshop, table):
    book = workshop.empty_book()
    server = Server(workshop, book)
    token = server.token("ingest")
    seconds = QUICK_SECONDS if workshop.is_quick else SECONDS
    for connections in CONNECTIONS:
        grouped = deliver(server, token, connections, seconds, f"grouped-{connections}", True)
        alone = deliver(server, token, connections, seconds, f"alone-{connections}", False)
        table.add(Row(
            f"deliver-{connections}",
            f"deliveries, {connections} connections ({grouped[1]:.1f} ms, 99 %: {grouped[2]:.1f} ms)",
            f"{grouped[0]:,.0f}/s", f"a commit each: {alone[0]:,.0f}/s ({alone[2]:.0f} ms)", grouped[0] / alone[0]))
        if connections == 64:
            table.add(Row("deliver-slowest", "deliveries, 64 connections, 99 %", f"{grouped[2]:.1f} ms", "–",
                          grouped[2], " ms"))
    own = server.memory("RssAnon") / 1e6
    table.add(Row("memory-serve", "memory of the server after that, its own", f"{own:.1f} MB",
                  f"with mapped pages, most: {server.memory('VmHWM') / 1e6:.1f} MB", own, " MB"))
    server.end()
    run([workshop.ledger, "--ledger", book, "verify"])
    shutil.rmtree(book.parent)


def measure_batches(workshop, table):
    """Lines in requests of 10,000, beside `ledger append` of the same."""
    drives = (40 if workshop.is_quick else 400)
    lines = workshop.lines(drives).read_bytes().splitlines(keepends=True)
    book = workshop.empty_book()
    server = Server(workshop, book)
    fields = {"Authorization": f"Bearer {server.token('admin')}", "Content-Type": "application/x-ndjson"}
    bodies = [b"".join(lines[start:start + BATCH]) for start in range(0, len(lines), BATCH)]
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    times = []
    start = time.monotonic()
    for body in bodies:
        sent = time.monotonic()
        connection.request("POST", "/v1/events", body, fields)
        answer = connection.getresponse()
        summary = json.loads(answer.read().splitlines()[-1])
        times.append(time.monotonic() - sent)
        expect(answer.status == 200 and summary["appended"] == body.count(b"\n"), f"a batch: {summary}")
    seconds = time.monotonic() - start
    server.end()
    other = workshop.empty_book()
    cost = workshop.launcher.cost([workshop.ledger, "--ledger", other, "append", workshop.lines(drives)])
    ours, theirs = len(lines) / seconds, len(lines) / cost.seconds
    table.add(Row("batches", f"{len(lines):,} events in requests of {BATCH:,}, one after the other", f"{ours:,.0f}/s",
                  f"append of all at once: {theirs:,.0f}/s", ours / theirs))
    one = statistics.median(append_alone(workshop, body) for body in bodies[:20])
    many = statistics.median(times)
    table.add(Row("batch", f"{BATCH:,} events in one request", f"{many * 1e3:.1f} ms",
                  f"append of the same, with its start: {one * 1e3:.1f} ms", one / many))
    for directory in (book, other):
        shutil.rmtree(directory.parent)


def append_alone(workshop, body):
    """Returns how many seconds `ledger append` takes for the events of one request."""
    book = workshop.empty_book()
    path = workshop.new_directory() / "batch.jsonl"
    path.write_bytes(body)
    cost = workshop.launcher.cost([workshop.ledger, "--ledger", book, "append", path])
    shutil.rmtree(book.parent)
    shutil.rmtree(path.parent)
    return cost.seconds


def measure_month(workshop, table):
    """A month of 1 Hz fixes between two ledgers, given and got."""
    count = QUICK_MONTH if workshop.is_quick else MONTH
    full = workshop.book_of(workshop.lines(count // EVENTS_PER_DRIVE))
    for way in ("given", "got"):
        empty = workshop.empty_book()
        asking, asked = (full, empty) if way == "given" else (empty, full)
        server = Server(workshop, asked)
        token = workshop.new_directory() / "token"
        token.write_text(server.token("sync"))
        start = time.monotonic()
        report = json.loads(run([
            workshop.ledger, "--ledger", asking, "sync", f"http://127.0.0.1:{server.port}", "--token-file", token,
            "--format", "json"]))
        seconds = time.monotonic() - start
        appended = report["pushed" if way == "given" else "pulled"]["appended"]
        expect(appended == count // EVENTS_PER_DRIVE * EVENTS_PER_DRIVE, f"{appended} events were {way}")
        table.add(Row(
            f"sync-{way}", f"{appended:,} events {way} by sync", f"{seconds:.1f} s",
            f"own memory of the server: {server.memory('RssAnon') / 1e6:.1f} MB", appended / seconds / 1e6, " M/s"))
        server.end()
        shutil.rmtree(empty.parent)
        # Tokens of one name are there once.
        shutil.rmtree(full / "server", ignore_errors=True)
    shutil.rmtree(full.parent)
