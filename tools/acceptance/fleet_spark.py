"""Fleets, part 6: Spark makes the trips of one machine, also while its parts are killed."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import fleet_shards
from fleet_shards import AS_OF

REPOSITORY = Path(__file__).resolve().parents[2]
PYTHON = REPOSITORY / ".build" / "fleet-python" / "bin" / "python3"
SHARDS, DRIVERS, DAYS = 16, 4, 60
KILLED_WORKERS = 3
MOST_SECONDS_MORE = 12

# What Spark's driver runs: it prints the hash of all rows, in order.
DRIVER = """
import hashlib, json, sys
sys.path.insert(0, sys.argv[1])
from pyspark.sql import SparkSession
import ledger_spark
master, ledger, as_of, *shards = sys.argv[2:]
spark = SparkSession.builder.master(master).config("spark.task.maxFailures", "12").getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
lines = [row.line for row in ledger_spark.rows(spark, shards, as_of, program=ledger).collect()]
lines.sort()
print(json.dumps([len(lines), hashlib.md5("\\n".join(lines).encode()).hexdigest()]))
spark.stop()
"""


def start(cluster, *command):
    """Starts a part of Spark in a group of its own, which this test alone ends."""
    home = subprocess.run([PYTHON, "-c", "import pyspark; print(pyspark.__path__[0])"], check=True,
                          capture_output=True, text=True).stdout.strip()
    environment = dict(os.environ, SPARK_HOME=home, PYSPARK_PYTHON=str(PYTHON),
                       SPARK_LOCAL_IP="127.0.0.1", SPARK_WORKER_DIR=str(cluster))
    return subprocess.Popen([f"{home}/bin/spark-class", *map(str, command)], cwd=cluster,
                            env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                            start_new_session=True), environment


def descendants(process):
    """Returns the numbers of all processes below one, with their command lines."""
    parents = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            status = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            words = (entry / "cmdline").read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        parents.setdefault(int(status[1]), []).append((int(entry.name), words))
    found, left = [], [process.pid]
    while left:
        below = parents.get(left.pop(), [])
        found += below
        left += [number for number, _ in below]
    return found


def kill_one(parts, is_meant, seconds=300):
    """Kills one process below the parts that this test started."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for part in parts:
            for number, words in descendants(part):
                if is_meant(words):
                    os.kill(number, signal.SIGKILL)
                    return True
        time.sleep(0.02)
    return False


def one_machine(ledger, streams):
    """Returns the number and hash of the rows that workers make without Spark, and the seconds."""
    begun = time.monotonic()
    command = f'exec "$1" worker --as-of {AS_OF} < "$2" > "$2.rows"'
    subprocess.run(["xargs", "-P", "2", "-I", "{}", "sh", "-c", command, "sh", ledger, "{}"],
                   input="\n".join(map(str, streams)), text=True, check=True)
    seconds = time.monotonic() - begun
    lines = [line for stream in streams
             for line in Path(f"{stream}.rows").read_text().splitlines()
             if not line.startswith('{"kind":"end"')]
    lines.sort()
    return [len(lines), hashlib.md5("\n".join(lines).encode()).hexdigest()], seconds


def exported(ledger, books):
    """Returns directories with the logs of the first ledgers, one in each form that there is."""
    directories = []
    for book, form in zip(books, ("jsonl", "tiles")):
        directories.append(book.parent / f"{book.name}.{form}")
        fleet_shards.output_of(ledger, "--ledger", book, "export", "--as", form, directories[-1])
    return directories


def compute(environment, master, ledger, streams):
    return subprocess.Popen(
        [PYTHON, "-c", DRIVER, REPOSITORY / "tools" / "fleet", master, ledger, AS_OF, *streams],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)


def claimed(ledger, book, year):
    """Returns the amounts that a ledger claims, by currency."""
    lines = fleet_shards.output_of(ledger, "--ledger", book, "report", "claim", "--jurisdiction", "us",
                                   "--year", year, "--as-of", AS_OF, "--format", "json").splitlines()
    total = json.loads(lines[-1])
    assert total["kind"] == "total", f"a claim ends with {total}"
    return {amount["currency"]: amount["amount"] for amount in total["amounts"]}


def check_other_rules(ledger, originals, directory):
    """The claims before are those of ledgers whose trips are business; those after, of copies that
    adopted the rules."""
    books, streams, copies, rules = [], [], [], directory / "rules.jsonl"
    for original in originals:
        books.append(original.with_suffix(".classed"))
        fleet_shards.output_of(ledger, "--ledger", books[-1], "import", original)
        fleet_shards.output_of(
            ledger, "--ledger", books[-1], "edit", "--unclassified", "--class", "business", "--yes")
        streams.append(fleet_shards.stream_of(ledger, books[-1]))
        copies.append(original.with_suffix(".adopted"))
        fleet_shards.output_of(ledger, "--ledger", copies[-1], "import", streams[-1])
        fleet_shards.output_of(ledger, "--ledger", copies[-1], "rules", "set", "maximum_accuracy_m=6",
                               "--from", "2000-01-01T00:00:00Z")
    log = fleet_shards.output_of(ledger, "--ledger", copies[0], "log", "--format", "json")
    rules.write_bytes(b"".join(line for line in log.splitlines(keepends=True)
                               if json.loads(line).get("type") == "rules_adopted"))
    year = json.loads(fleet_shards.trips_of(ledger, books[0]).splitlines()[0])["started_at"][:4]
    table = fleet_shards.output_of(
        PYTHON, REPOSITORY / "tools" / "fleet" / "what-would-change.py", "--rules", rules, "--year", year,
        "--as-of", AS_OF, "--jurisdiction", "us", "--ledger", ledger, "--master", "local[2]", *streams)
    lines = table.decode().splitlines()
    assert len(lines) == 2, f"there is one group: {lines}"
    for said, ledgers in zip(lines[1].split(",")[-2:], (books, copies)):
        claims = [claimed(ledger, book, year) for book in ledgers]
        assert all(claims), "control: nothing is claimed"
        expected = " + ".join(f"{sum(claim.get(currency, 0) for claim in claims):.2f} {currency}"
                              for currency in sorted(set().union(*claims)))
        assert said == expected, f"what-would-change claims {said}, not {expected}"
    print(f"spark: by other rules a claim of {lines[1].split(',')[-2]} is one of {said}", flush=True)


def result_of(driver):
    output, errors = driver.communicate(timeout=600)
    assert driver.returncode == 0, errors.decode()[-2_000:]
    return json.loads(output)


def run(programs, scratch):
    """Runs the part with the program `programs["ledger"]`; tools/fleet/setup installs Spark."""
    assert PYTHON.exists(), "there is no Spark: run tools/fleet/setup"
    ledger = str(programs["ledger"])
    directory = scratch / "spark"
    directory.mkdir()
    books = fleet_shards.make(ledger, directory, SHARDS, DRIVERS, DAYS)
    streams = [fleet_shards.stream_of(ledger, book) for book in books]
    expected, alone = one_machine(ledger, streams)
    print(f"spark: one machine makes {expected[0]:,} rows in {alone:.1f} s", flush=True)
    check_other_rules(ledger, streams[:2], directory)
    port = 20_000 + os.getpid() % 10_000
    master = f"spark://127.0.0.1:{port}"
    parts = []
    try:
        first, environment = start(
            directory, "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port",
            port, "--webui-port", port + 1)
        parts.append(first)
        for number in range(2):
            parts.append(start(directory, "org.apache.spark.deploy.worker.Worker", "--cores", 1,
                               "--memory", "1g", "--webui-port", port + 2 + number, master)[0])
        time.sleep(8)
        begun = time.monotonic()
        assert result_of(compute(environment, master, ledger, streams)) == expected, \
            "Spark's rows are not those of one machine"
        seconds = time.monotonic() - begun
        print(f"spark: master and two workers make the same in {seconds:.1f} s", flush=True)
        exports = exported(ledger, books)
        assert result_of(compute(environment, master, ledger, [*exports, *streams[len(exports):]])) \
            == expected, "the rows of directories that `ledger export` wrote are others"
        assert seconds <= alone + MOST_SECONDS_MORE, f"{seconds:.1f} s are too many"
        # A task is over in a moment: one that takes its time can be met.
        slow = directory / "slow-ledger"
        slow.write_text(f'#!/bin/sh\nsleep 1\nexec "{ledger}" "$@"\n')
        slow.chmod(0o755)
        driver = compute(environment, master, str(slow), streams)
        killed = sum(kill_one(parts, lambda words: str(slow) in words)
                     for _ in range(KILLED_WORKERS))
        assert killed == KILLED_WORKERS, "control: no task was there to be killed"
        assert kill_one(parts[1:2], lambda words: any("CoarseGrained" in word for word in words))
        os.kill(parts[2].pid, signal.SIGKILL)
        assert result_of(driver) == expected, "after kills the rows are others"
        print(f"spark: the same with {killed} tasks, an executor and a worker killed", flush=True)
    finally:
        for part in parts:
            try:
                os.killpg(part.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            part.wait()


if __name__ == "__main__":
    sys.exit("tools/acceptance/fleet runs this")
