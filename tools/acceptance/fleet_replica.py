"""Fleets, parts 8 to 11: a ledger's log in PostgreSQL, what is acknowledged, kills and traps.

Run it alone with the directory of the programs: tools/acceptance/fleet_replica.py .build/release
"""

import hashlib
import json
import os
import queue
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import postgres

FAIL_OVERS, REPLICATE_KILLS, APPEND_KILLS = 20, 10, 10
MOST_PAUSE = 5
AS_OF = "2027-01-01T00:00:00Z"


class Machine:
    """A directory with a ledger, and the programs that run there."""

    def __init__(self, ledger, book, cluster):
        self.ledger, self.book, self.cluster = ledger, book, cluster
        self.environment = {**os.environ, "PGSERVICEFILE": str(cluster.services),
                            "TZ": "Europe/Amsterdam"}
        self.replicator = None

    def run(self, *arguments, input=None):
        return subprocess.run(
            [self.ledger, "--ledger", self.book, *map(str, arguments)], capture_output=True,
            input=input, env=self.environment)

    def output(self, *arguments, input=None):
        result = self.run(*arguments, input=input)
        assert result.returncode == 0, f"{arguments}: {result.stderr.decode()}"
        return result.stdout

    def replicate(self, *options):
        return self.run("replicate", "--to", "fleet", *options)

    def start(self, *options):
        (self.book / "server" / "replica.sock").unlink(missing_ok=True)
        self.replicator = subprocess.Popen(
            [self.ledger, "--ledger", self.book, "replicate", "--to", "fleet", *options],
            env=self.environment, stderr=open(self.book.parent / "replicate.log", "ab"))
        for _ in range(200):
            if (self.book / "server" / "replica.sock").exists():
                return
            time.sleep(0.02)
        raise AssertionError("ledger-replicate does not open its door")

    def stop(self, number=signal.SIGTERM):
        self.replicator.send_signal(number)
        self.replicator.wait(10)

    def head(self):
        said = json.loads(self.output("head", "--format", "json"))
        return said["size"], said["root"]

    def append(self, lines, *options):
        """Returns the exit code and the receipts of an append that waits for the replica."""
        result = self.run("append", "--receipts", "--require-replica", *options,
                          input="".join(lines).encode())
        receipts = [json.loads(line) for line in result.stdout.splitlines()]
        return result, [said for said in receipts if "receipt" in said]


def lines(first, count, source="box"):
    """Lines of fixes that no other call makes."""
    return [json.dumps({
        "type": "fix_recorded", "source": source, "id": f"n{number}",
        "occurred_at": f"2026-03-01T{number // 3600 % 24:02}:{number // 60 % 60:02}:"
                       f"{number % 60:02}Z",
        "lat": 52 + number % 1000 * 1e-4, "lon": 5.1, "accuracy": 8}) + "\n"
        for number in range(first, first + count)]


def segments(node):
    return node.ask("SELECT first, next, encode(root, 'hex'), md5(bytes) FROM ledger.segments "
                    "ORDER BY ledger, next")


def expect_sound(node, machine, number=1):
    """The chain holds, and its end is an earlier head of the log or its head."""
    entries, root, wrong = node.ask(f"SELECT * FROM ledger.check_chain({number})").split("|")
    assert not wrong, wrong
    size, own = machine.head()
    assert int(entries) <= size, "the replica has more than the ledger"
    if int(entries) == size:
        assert root == "\\x" + own, "the replica has another root"
    return int(entries)


def expect_missing(what, machine, number, timeout=2):
    """Nothing is acknowledged now."""
    result, receipts = machine.append(
        lines(number, 3), "--replica-timeout", timeout)
    assert result.returncode == 74, f"{what}: exit {result.returncode} {result.stderr.decode()}"
    assert not receipts, f"{what}: {receipts}"
    assert b"has not confirmed" in result.stderr, result.stderr.decode()


def expect_known(what, machine, number):
    """What was sent before is a duplicate, and is acknowledged."""
    result, receipts = machine.append(lines(number, 3), "--replica-timeout", 30)
    assert result.returncode == 0, f"{what}: {result.stderr.decode()}"
    kinds = [said["receipt"] for said in receipts]
    assert kinds == ["duplicate"] * 3, f"{what}: {kinds}"


class Load(threading.Thread):
    """Appends batches one after the other, each again until it is acknowledged."""

    def __init__(self, machine, first):
        super().__init__(daemon=True)
        self.machine, self.number = machine, first
        self.acknowledged, self.times = {}, [time.monotonic()]
        self.kills, self.fault = queue.Queue(), None
        self.is_over = False

    def run(self):
        try:
            while not self.is_over:
                self.send(lines(self.number, 50))
                self.number += 50
        except Exception as error:  # shown by the one who joins
            self.fault = error

    def send(self, batch):
        while True:
            process = subprocess.Popen(
                [self.machine.ledger, "--ledger", self.machine.book, "append", "--receipts",
                 "--require-replica"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, env=self.machine.environment)
            if not self.kills.empty():
                self.kills.get()
                threading.Timer(random.random() * 0.05, process.kill).start()
            output, errors = process.communicate("".join(batch).encode())
            for line in output.splitlines(keepends=True):
                if line.endswith(b"\n") and b'"receipt"' in line:
                    said = json.loads(line)
                    assert said["receipt"] in ("appended", "duplicate"), said
                    position = said["position" if said["receipt"] == "appended" else "of"]
                    self.acknowledged[batch[said["line"] - 1]] = position
            if process.returncode == 0:
                self.times.append(time.monotonic())
                return
            assert process.returncode in (74, -signal.SIGKILL), errors.decode()
            time.sleep(0.05)

    def wait_for_more(self, seconds=30):
        """Waits until something is acknowledged; returns how long that took."""
        start, count = time.monotonic(), len(self.times)
        while len(self.times) == count:
            assert self.fault is None, self.fault
            assert time.monotonic() - start < seconds, "nothing is acknowledged any more"
            time.sleep(0.01)
        return time.monotonic() - start


def check_kills(machine, cluster):
    """Whatever is killed, each receipt is on both servers; returns the longest pause in seconds."""
    machine.start()
    load = Load(machine, 1_000_000)
    load.start()
    longest = 0
    deeds = ["primary"] * FAIL_OVERS + ["replicate"] * REPLICATE_KILLS + ["append"] * APPEND_KILLS
    seed = random.randrange(1 << 32)
    random.Random(seed).shuffle(deeds)
    for deed in deeds:
        load.wait_for_more()
        if deed == "primary":
            known = max(load.acknowledged.values())
            cluster.fail_over(clone=False)
            held = int(cluster.primary.ask("SELECT max(next) FROM ledger.segments"))
            assert held > known, f"position {known} was acknowledged, and {held} entries are there"
            cluster.clone()
        elif deed == "replicate":
            machine.stop(signal.SIGKILL)
            machine.start()
        else:
            load.kills.put(True)
        longest = max(longest, load.wait_for_more())
    load.is_over = True
    load.join(60)
    assert load.fault is None, load.fault
    machine.stop()
    assert machine.replicate("--once").returncode == 0
    cluster.wait_until_even()
    for node in cluster.nodes.values():
        held = expect_sound(node, machine)
        assert held == machine.head()[0]
    assert segments(cluster.primary) == segments(cluster.standby)
    logged = {}
    for line in machine.output("log", "--format", "json").splitlines():
        said = json.loads(line)
        if "id" in said:
            logged[said["id"]] = said["position"]
    for line, position in load.acknowledged.items():
        assert logged[json.loads(line)["id"]] == position, line
    print(f"replica: {len(load.acknowledged):,} receipts, {len(deeds)} kills, none lost; longest "
          f"pause {longest:.1f} s (seed {seed})", flush=True)
    return longest


def set_list(node, names):
    """Sets the list of standbys of a server, which may be a standby itself."""
    node.ask(f"ALTER SYSTEM SET synchronous_standby_names = '{names}'")
    node.ask("SELECT pg_reload_conf()")
    for _ in range(100):
        if node.ask("SHOW synchronous_standby_names") == names:
            return
        time.sleep(0.05)
    raise AssertionError("the list is not taken")


def check_traps(machine, cluster):
    """COMMIT says that all is well, and nothing is acknowledged."""
    machine.start()
    standby = cluster.standby
    standby.signal(signal.SIGSTOP)
    expect_missing("the standby is stopped", machine, 2_000_000)
    standby.signal(signal.SIGCONT)
    expect_known("after that", machine, 2_000_000)
    standby.signal(signal.SIGSTOP)
    cancel = threading.Timer(1, lambda: cluster.primary.ask(
        "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"))
    cancel.start()
    expect_missing("the wait is cancelled", machine, 2_000_010, 4)
    cancel.join()
    standby.signal(signal.SIGCONT)
    expect_known("after that", machine, 2_000_010)
    set_list(cluster.primary, "")
    standby.signal(signal.SIGSTOP)
    expect_missing("the list is emptied", machine, 2_000_020, 4)
    standby.signal(signal.SIGCONT)
    expect_known("after that", machine, 2_000_020)
    set_list(cluster.primary, postgres.LIST)
    # A promoted server without the list believes itself.
    set_list(standby, "")
    cluster.fail_over(clone=False)
    expect_missing("the promoted server has no list", machine, 2_000_030, 8)
    set_list(cluster.primary, postgres.LIST)
    cluster.clone()
    expect_known("after the fail-over", machine, 2_000_030)
    machine.stop()
    start = time.monotonic()
    expect_missing("nothing replicates", machine, 2_000_040, 30)
    assert time.monotonic() - start < 15, "it waited although nothing replicates"
    machine.start()
    expect_known("once it runs", machine, 2_000_040)
    machine.stop()
    print("replica: five traps, no receipt in any; afterwards all are duplicates")


def check_refusals(machine, cluster, scratch):
    """Older copies and other histories change nothing; nor do forged segments."""
    older = scratch / "older"
    shutil.copytree(machine.book, older, ignore=shutil.ignore_patterns("*.sock"))
    machine.output("append", input="".join(lines(3_000_000, 20)).encode())
    assert machine.replicate("--once").returncode == 0
    before = segments(cluster.primary)
    copy = Machine(machine.ledger, older, cluster)
    result = copy.replicate("--once")
    assert result.returncode == 1 and b"set_back" in result.stderr, result.stderr.decode()
    copy.output("append", input="".join(lines(4_000_000, 40)).encode())
    result = copy.replicate("--once")
    assert result.returncode == 1 and b"forked" in result.stderr, result.stderr.decode()
    assert segments(cluster.primary) == before, "a refused ledger changed the replica"
    size, root = machine.head()
    wrong = "11" * 32
    for place, state in (
            (f"{size + 1}, {size + 2}, '\\x{root}', '\\x{wrong}'", "23503"),
            (f"{size}, {size + 1}, '\\x{wrong}', '\\x{wrong}'", "23503"),
            (f"0, 5, NULL, '\\x{wrong}'", "23505"),
            (f"{size}, {size + 1}, '\\x{root}', '\\x11'", "23514"),
            (f"{size}, {size}, '\\x{root}', '\\x{wrong}'", "23514")):
        said = cluster.primary.ask(
            "INSERT INTO ledger.segments (ledger, first, next, old_root, root, bytes) VALUES "
            f"(1, {place}, '')", check=False)
        assert state in said, f"{place}: {said}"
    place = "ledger = 1 AND first = 0"
    cluster.primary.ask("CREATE TABLE kept AS SELECT bytes FROM ledger.segments WHERE " + place)
    cluster.primary.ask("UPDATE ledger.segments SET bytes = set_byte(bytes, 60, "
                        "get_byte(bytes, 60) # 1) WHERE " + place)
    assert cluster.primary.ask("SELECT wrong FROM ledger.check_chain(1)"), "a bit is not seen"
    forged = Machine(machine.ledger, scratch / "forged", cluster)
    result = forged.replicate("--fetch", "--name", "s001")
    assert result.returncode == 65, result.stderr.decode()
    cluster.primary.ask("UPDATE ledger.segments SET bytes = (SELECT bytes FROM kept) WHERE "
                        + place)
    cluster.primary.ask("DROP TABLE kept")
    assert segments(cluster.primary) == before
    print("replica: set_back, forked and six forgeries refused")


def trip(secret):
    """A line of a trip with something that will be erased."""
    return json.dumps({
        "type": "trip_reported", "source": "manual", "id": "x1",
        "occurred_at": "2026-03-02T10:00:00Z", "started_at": "2026-03-02T09:00:00Z",
        "ended_at": "2026-03-02T10:00:00Z", "distance_m": 12000, "purpose": secret}) + "\n"


def check_erasure(machine, cluster):
    """What is erased is a tombstone in the database, too."""
    secret = "Zaandam-7-secret"
    said = json.loads(machine.output("append", "--receipts", input=trip(secret).encode())
                      .splitlines()[0])
    assert said["receipt"] == "appended", said
    assert machine.replicate("--once").returncode == 0
    found = ("SELECT count(*) FROM ledger.segments WHERE "
             f"position('{secret}'::bytea in bytes) > 0")
    assert cluster.primary.ask(found) == "1", "control: it is not there before"
    machine.output("erase", said["position"], "--why", "asked for", "--yes")
    assert machine.replicate("--once").returncode == 0
    cluster.wait_until_even()
    for node in cluster.nodes.values():
        assert node.ask(found) == "0", "what was erased is still there"
        expect_sound(node, machine)
    return secret


def check_fetch(machine, cluster, scratch, secret):
    """Another machine gets the same ledger and goes on; the first one is fenced."""
    new = Machine(machine.ledger, scratch / "new", cluster)
    assert new.replicate("--fetch", "--name", "s001").returncode == 0
    assert new.head() == machine.head()
    trips = ("trips", "--all", "--as-of", AS_OF, "--format", "json")
    digest = [hashlib.md5(one.output(*trips)).hexdigest() for one in (machine, new)]
    assert digest[0] == digest[1], "the trips are others"
    assert secret.encode() not in (new.book / "log" / "data.mdb").read_bytes()
    result = new.replicate("--once")
    assert result.returncode == 1 and b"unclaimed" in result.stderr, result.stderr.decode()
    shutil.rmtree(new.book)
    result = new.replicate("--fetch", "--name", "s001", "--take-over")
    assert result.returncode == 0, result.stderr.decode()
    machine.output("append", input="".join(lines(5_000_000, 15)).encode())
    before = segments(cluster.primary)
    result = machine.replicate("--once")
    assert result.returncode == 1 and b"fenced" in result.stderr, result.stderr.decode()
    lost = f"positions {new.head()[0]}–{machine.head()[0] - 1} of this one were never acknowledged"
    assert lost in result.stderr.decode(), result.stderr.decode()
    assert segments(cluster.primary) == before, "a fenced machine changed the replica"
    new.start()
    result, receipts = new.append(lines(6_000_000, 30))
    assert result.returncode == 0 and len(receipts) == 30, result.stderr.decode()
    new.stop()
    expect_sound(cluster.primary, new)
    print("replica: fetched with the same root and trips; the old machine is fenced")
    return new


def check_care(machine, cluster):
    """Settings are looked at, and small segments can be joined."""
    result = machine.replicate("--check")
    assert result.returncode == 0, result.stdout.decode() + result.stderr.decode()
    set_list(cluster.primary, "")
    result = machine.replicate("--check")
    assert result.returncode == 1 and b"synchronous_standby_names is empty" in result.stdout
    set_list(cluster.primary, postgres.LIST)
    standby = cluster.standby
    set_list(standby, f"ANY 1 ({standby.name})")
    result = machine.replicate("--check")
    assert result.returncode == 1 and b"has only this server" in result.stdout, result.stdout
    set_list(standby, postgres.LIST)
    before = segments(cluster.primary)
    assert machine.replicate("--merge").stdout == b"Joined 0 segments into 0.\n"
    assert segments(cluster.primary) == before, "segments of today were joined"
    print("replica: settings are checked; segments of today stay")


def check_old_server(machine, scratch):
    """A server that is too old gets no tables."""
    server = postgres.OldServer()
    services = scratch / "old-services"
    # The second host, which nothing answers at, may have confirmed.
    services.write_text("[fleet]\nhost=127.0.0.1,127.0.0.2\n"
                        f"port={server.port},{server.port}\nuser=x\ndbname=x\n")
    old = Machine(machine.ledger, machine.book, machine.cluster)
    old.environment["PGSERVICEFILE"] = str(services)
    result = old.replicate("--init", "--once")
    assert result.returncode == 1, result.stderr.decode()
    assert b"PostgreSQL 15 or newer is needed, and this is 14.11" in result.stderr, result.stderr
    assert not any(b"CREATE" in text for text in server.asked), "it got tables nevertheless"


def check_joining(ledger, cluster, scratch):
    """Segments that are older than a day become one, in which entries can still be erased."""
    machine, secret = Machine(ledger, scratch / "s002", cluster), "Monnickendam-3-secret"

    def in_the_past(*arguments, input=None):
        command = ["faketime", "-f", "-2d", ledger, "--ledger", machine.book, *arguments]
        return subprocess.run(command, input=input, capture_output=True, check=True).stdout

    assert shutil.which("faketime"), "joining: faketime is not installed: tools/acceptance/setup"
    in_the_past("init")
    founded = json.loads(in_the_past("log", "--format", "json").splitlines()[0])["recorded_at"]
    a_day_ago = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - 86_400))
    assert founded < a_day_ago, "joining: faketime does not reach a static program: give another --ledger"
    rounds = [lines(7_000_000 + 100 * number, 50) for number in range(5)]
    said = in_the_past("append", "--receipts", input=trip(secret).encode())
    position = json.loads(said.splitlines()[0])["position"]
    for number, batch in enumerate(rounds):
        in_the_past("append", input="".join(batch).encode())
        result = machine.replicate("--once", *([] if number else ["--init"]))
        assert result.returncode == 0, result.stderr.decode()
    place = "ledger = (SELECT ledger FROM ledger.ledgers WHERE name = 's002')"
    count = f"SELECT count(*) FROM ledger.segments WHERE {place}"
    assert cluster.primary.ask(count) == str(len(rounds)), "control: there are not several"
    number = cluster.primary.ask("SELECT ledger FROM ledger.ledgers WHERE name = 's002'")
    before = expect_sound(cluster.primary, machine, number)
    result = machine.replicate("--merge")
    assert result.stdout == b"Joined 5 segments into 1.\n", result.stdout + result.stderr
    assert cluster.primary.ask(count) == "1"
    assert expect_sound(cluster.primary, machine, number) == before == machine.head()[0]
    machine.output("erase", position, "--why", "asked for", "--yes")
    assert machine.replicate("--once").returncode == 0
    found = f"SELECT count(*) FROM ledger.segments WHERE position('{secret}'::bytea in bytes) > 0"
    cluster.wait_until_even()
    for node in cluster.nodes.values():
        assert node.ask(found) == "0", "what was erased is still in the joined segment"
        assert expect_sound(node, machine, number) == machine.head()[0]
    fetched = Machine(ledger, scratch / "s002-again", cluster)
    assert fetched.replicate("--fetch", "--name", "s002").returncode == 0
    assert fetched.head() == machine.head()
    print("replica: 5 segments of two days ago joined; an entry in them erased, and all fetched")


def run(programs, scratch):
    """Runs the parts with the program `programs["ledger"]`; prints figures."""
    if postgres.binaries() is None:
        print("replica: skipped, PostgreSQL is not installed: tools/setup --all")
        return
    directory = scratch / "replica"
    cluster = postgres.Cluster(directory / "servers")
    machine = None
    try:
        machine = Machine(programs["ledger"], directory / "s001", cluster)
        machine.output("init", "--time-zone", "Europe/Amsterdam")
        machine.output("append", input=subprocess.run(
            [machine.ledger, "simulate", "--days", "20"], capture_output=True, check=True).stdout)
        result = machine.replicate("--init", "--once")
        assert result.returncode == 0, result.stderr.decode()
        longest = check_kills(machine, cluster)
        check_traps(machine, cluster)
        check_refusals(machine, cluster, directory)
        secret = check_erasure(machine, cluster)
        new = check_fetch(machine, cluster, directory, secret)
        check_care(new, cluster)
        check_old_server(new, directory)
        check_joining(programs["ledger"], cluster, directory)
        # A slow machine misses this alone, so the rest comes first.
        assert longest <= MOST_PAUSE, f"it took {longest:.1f} s until something was acknowledged"
    finally:
        if machine and machine.replicator and machine.replicator.poll() is None:
            machine.replicator.kill()
        cluster.end()
    shutil.rmtree(directory)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="fleet-replica-") as scratch:
        Path(scratch).chmod(0o755)
        run({"ledger": Path(sys.argv[1]).absolute() / "ledger"}, Path(scratch))
