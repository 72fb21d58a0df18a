"""Fleets, part 14: the recipe for Kafka loses nothing and doubles nothing, whenever it is killed."""

import hashlib
import json
import random
import subprocess
import time
from pathlib import Path

from fleet_spark import descendants

REPOSITORY = Path(__file__).resolve().parents[2]
PYTHON = REPOSITORY / ".build" / "fleet-python" / "bin" / "python3"
INTAKE = REPOSITORY / "tools" / "fleet" / "kafka-intake"
LINES, REFUSED, GROUPS, SHARDS, CRASHES = 30_000, 50, 40, 4, 10
MOST_SECONDS = 150
# The last shard names it, which goes before its hash.
NAMED = "5"

# A broker within a process: whenever it is told to, it takes the next part of the lines of a file, so that
# there is work before each crash; in the end it counts those that are refused.
BROKER = """
import json, sys
from confluent_kafka import Consumer, Producer
producer = Producer({"test.mock.num.brokers": 3, "linger.ms": 20})
brokers = ",".join(f"{it.host}:{it.port}" for it in producer.list_topics(timeout=30).brokers.values())
for key, value in map(json.loads, open(sys.argv[2])):
    producer.produce("events", value.encode("latin-1"), key and key.encode("latin-1"))
assert producer.flush(60) == 0
print(brokers, flush=True)
lines = open(sys.argv[1], "rb").readlines()
parts = int(sys.argv[3])
for part in range(parts):
    sys.stdin.readline()
    for line in lines[part::parts]:
        group = json.loads(line)["source"].split("-")[0]
        producer.produce("events", line, group)
    assert producer.flush(60) == 0
sys.stdin.readline()
consumer = Consumer({"bootstrap.servers": brokers, "group.id": "judge", "auto.offset.reset": "earliest"})
consumer.subscribe(["events-refused"])
refused = set()
for _ in range(15):
    for message in consumer.consume(10_000, 1):
        if not message.error():
            json.loads(dict(message.headers())["receipt"])
            refused.add(message.value())
print(len(refused), flush=True)
"""


def make_lines(path, seed):
    """Writes lines of events, some of which no ledger takes; returns how many each group has."""
    chance = random.Random(seed)
    bad = set(chance.sample(range(LINES), REFUSED))
    counts = {}
    with open(path, "w") as file:
        for number in range(LINES):
            group = str(chance.randrange(GROUPS))
            line = {"type": "fix_recorded", "source": f"{group}-phone",
                    "occurred_at": f"2025-01-01T{number // 3600:02d}:{number // 60 % 60:02d}:"
                                   f"{number % 60:02d}Z",
                    "id": f"n{number}", "lat": 52 + number / LINES, "lon": 4.5, "accuracy": 5}
            if number in bad:
                line["lat"] = 99
            else:
                counts[group] = counts.get(group, 0) + 1
            file.write(json.dumps(line) + "\n")
    return counts


def odd_messages():
    """Returns keys and values of which the last two are taken, and the others refused."""
    def line(name, **members):
        return json.dumps({"type": "place_saved", "source": f"1-{name}", "place": name, "lat": 52, "lon": 5,
                           "radius_m": 75, "occurred_at": "2025-01-01T00:00:00Z", **members})
    return [("1", "\x00\xff no text"), ("1", "[" * 100_000), ("1", "[]"), ("1", ""), ("\xff", line("key")),
            (None, line("none")), ("1", line("other", group="2")), ("1", line("group")),
            ("1", line("own", group="1"))]


def shard_of(group):
    return SHARDS if group == NAMED else int.from_bytes(hashlib.sha256(group.encode()).digest()[:8], "big") % SHARDS


def stored(ledger, book):
    """Returns how many fixes of each group a ledger has, and the names of all."""
    said = subprocess.run([ledger, "--ledger", book, "log", "--format", "json"], capture_output=True,
                          check=True).stdout
    found, names = {}, []
    for line in said.splitlines():
        event = json.loads(line)
        if event.get("type") == "fix_recorded":
            group = event["source"].split("-")[0]
            found[group] = found.get(group, 0) + 1
            names.append(event["id"])
    return found, names


def wait_for_work(intake):
    """Waits until the recipe appends something: before, there is nothing that a crash could harm."""
    end = time.monotonic() + MOST_SECONDS
    while not any("append" in words for _, words in descendants(intake)):
        assert intake.poll() is None, "the recipe has ended"
        assert time.monotonic() < end, "the recipe appends nothing"
        time.sleep(0.02)


def refuse_layout(path, layout):
    """Lets the recipe refuse a layout before it takes anything."""
    path.write_text(json.dumps(layout))
    said = subprocess.run([PYTHON, INTAKE, "--topic", "events", "--fleet", path, "--shards", path.parent,
                           "bootstrap.servers=127.0.0.1:1"], capture_output=True, text=True, timeout=60)
    assert said.returncode == 1 and "hashes are of none" in said.stderr, f"{layout} is taken: {said}"


def run(programs, scratch):
    """Runs the part with the program `programs["ledger"]`; tools/fleet/setup installs the client."""
    ledger = str(programs["ledger"])
    if subprocess.run([PYTHON, "-c", "import confluent_kafka"], capture_output=True).returncode != 0:
        raise AssertionError("there is no client for Kafka: run tools/fleet/setup")
    directory = scratch / "kafka"
    directory.mkdir()
    seed = random.randrange(1 << 32)
    counts = make_lines(directory / "lines.jsonl", seed)
    layout = [{"name": f"s{number}", "groups_from": "hash", "of": SHARDS, "is": number}
              for number in range(SHARDS)]
    # Some hashes would be of no shard.
    refuse_layout(directory / "part.json", {"shards": layout[1:]})
    layout.append({"name": f"s{SHARDS}", "groups": [NAMED]})
    (directory / "fleet.json").write_text(json.dumps({"shards": layout}))
    odd = odd_messages()
    (directory / "odd.jsonl").write_text("".join(json.dumps(message) + "\n" for message in odd))
    for shard in layout:
        subprocess.run([ledger, "--ledger", directory / shard["name"], "init"], check=True,
                       stdout=subprocess.DEVNULL)
    broker = subprocess.Popen(
        [PYTHON, "-c", BROKER, directory / "lines.jsonl", directory / "odd.jsonl", str(CRASHES + 1)],
        text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def go_on():
        broker.stdin.write("\n")
        broker.stdin.flush()

    begun = time.monotonic()
    try:
        brokers = broker.stdout.readline().strip()
        assert brokers, "the broker did not start"
        # No database stands behind these shards: receipts that wait for one are points 8 and 9.
        # The mock forms a group for 3 s, and forgets members with shorter sessions meanwhile.
        command = list(map(str, (
            PYTHON, INTAKE, "--without-replica", "--topic", "events", "--fleet", directory / "fleet.json", "--shards",
            directory, "--ledger", ledger, f"bootstrap.servers={brokers}", "session.timeout.ms=4000",
            "heartbeat.interval.ms=500")))
        chance = random.Random(seed)
        for _ in range(CRASHES):
            go_on()
            intake = subprocess.Popen(command, stderr=subprocess.DEVNULL)
            try:
                wait_for_work(intake)
                time.sleep(chance.uniform(0, 1.5))
            finally:
                intake.kill()
                intake.wait()
        go_on()
        intake = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        try:
            end = time.monotonic() + MOST_SECONDS
            while time.monotonic() < end:
                results = [stored(ledger, directory / shard["name"]) for shard in layout]
                if sum(len(names) for _, names in results) >= sum(counts.values()):
                    break
                assert intake.poll() is None, "the recipe has ended"
                time.sleep(1)
            # What is refused last is sent on, and the offset after it committed.
            time.sleep(2)
        finally:
            intake.kill()
            intake.wait()
        go_on()
        refused = int(broker.stdout.readline())
    finally:
        broker.kill()
        broker.wait()
    results = [stored(ledger, directory / shard["name"]) for shard in layout]
    names = [name for _, names in results for name in names]
    assert len(names) == len(set(names)), f"seed {seed}: {len(names) - len(set(names))} are doubled"
    found = {group: count for groups, _ in results for group, count in groups.items()}
    assert found == counts, f"seed {seed}: {sum(counts.values()) - len(names)} are lost"
    for number, (groups, _) in enumerate(results):
        assert all(shard_of(group) == number for group in groups), f"seed {seed}: a group is elsewhere"
    expected = REFUSED + len(odd) - 2
    assert refused == expected, f"seed {seed}: {refused} lines were sent on, not {expected}"
    book = directory / layout[shard_of("1")]["name"]
    for place in ("group", "own"):
        command = [ledger, "--ledger", book, "log", "--source", f"1-{place}", "--format", "json"]
        listed = subprocess.run(command, capture_output=True, check=True).stdout.splitlines()
        assert [json.loads(line).get("group") for line in listed] == ["1"], f"{place}: {listed}"
    print(f"kafka: {len(names):,} lines in {len(layout)} shards, {CRASHES} crashes, 0 lost, 0 doubled, "
          f"{refused} refused and sent on, {time.monotonic() - begun:.0f} s (seed {seed})")
