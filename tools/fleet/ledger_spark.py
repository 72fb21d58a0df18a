"""Rows of many ledgers as a DataFrame of Spark: one task reads one shard with `ledger worker`.

    rows(spark, ["s001.segments", "postgresql:fleet/s002"], "2026-01-01T00:00:00Z")

A shard is what `ledger export --as segments -` wrote, a directory that `ledger export` wrote, both where
every executor can read them, or SERVICE/LEDGER in a replica, read with psql. The program is `ledger`, or
what LEDGER_PROGRAM names. Python moves blocks and never reads an entry. A worker that fails, or ends
without saying that it is complete, fails its task, and Spark tries that again.
"""

import contextlib
import hashlib
import json
import os
import subprocess
import tempfile
import threading
from pathlib import Path

from pyspark.sql import functions as F
from pyspark.sql import types as T

BLOCK = 1 << 20
MOST_SAID = 1 << 16

EXACT = T.DecimalType(14, 3)
PLACE = T.StructType([
    T.StructField("lat", T.DecimalType(10, 7)), T.StructField("lon", T.DecimalType(10, 7))])

# The members of a trip that become columns; the whole row stands beside them as text.
TRIP = T.StructType([
    *(T.StructField(name, T.StringType()) for name in (
        "id", "source", "group", "vehicle", "status", "class", "mode", "started_at", "ended_at",
        "from", "to", "start_place", "end_place", "purpose", "client", "driver", "rules")),
    *(T.StructField(name, EXACT) for name in (
        "distance_m", "adjusted_distance_m", "excluded_distance_m", "unrecorded_before_m",
        "moving_s")),
    T.StructField("measured", T.BooleanType()),
    T.StructField("start", PLACE),
    T.StructField("end", PLACE),
    T.StructField("gaps", T.StructType([
        T.StructField("count", T.IntegerType()), T.StructField("seconds", EXACT),
        T.StructField("meters", EXACT)])),
])

TEXTS = {
    "visits": ("place", "entered_at", "last_inside_at", "left_at", "source", "group"),
    "vehicles": ("vehicle", "group", "plate", "make", "model", "keeper", "driver"),
}
# Beside months there is a line of the total.
TOTAL = T.StructType([
    *(T.StructField(name, T.StringType()) for name in ("kind", "by", "name")),
    T.StructField("trips", T.LongType()),
    *(T.StructField(name, EXACT) for name in (
        "distance_m", "measured_distance_m", "excluded_distance_m", "driving_s", "moving_s"))])
CLAIM = T.StructType([T.StructField("kind", T.StringType()), T.StructField("amounts", T.ArrayType(
    T.StructType([T.StructField("currency", T.StringType()), T.StructField("amount", EXACT)])))])
ROWS = {"trips": TRIP, "totals": TOTAL, "claims": CLAIM, **{
    emit: T.StructType([T.StructField(name, T.StringType()) for name in names])
    for emit, names in TEXTS.items()}}

# The frames of a replicated ledger, but for the last one, each as hexadecimal digits.
FRAMES = """COPY (
    WITH it AS (SELECT ledger, encode(id, 'hex') AS id FROM ledger.ledgers WHERE name = '{name}'),
    parts AS (
        SELECT 0::bigint AS place, 'H' AS kind, convert_to(
            '{{"format":"ledger-segments/v1","ledger":"' || it.id || '","size":' || s.next
            || ',"root":"' || encode(s.root, 'hex') || '"}}', 'UTF8') AS payload
        FROM it, LATERAL (SELECT next, root FROM ledger.segments
            WHERE ledger = it.ledger ORDER BY next DESC LIMIT 1) AS s
        UNION ALL SELECT s.next, 'S', int8send(s.first) || int8send(s.next) || s.root || s.bytes
        FROM ledger.segments AS s JOIN it ON s.ledger = it.ledger)
    SELECT encode(convert_to(kind, 'UTF8') || int4send(octet_length(payload)) || payload, 'hex')
    FROM parts ORDER BY place) TO STDOUT"""
REPLICA = "postgresql:"


class WorkerFailed(Exception):
    """A worker did not make all rows of its shard."""


def _blocks(shard, program):
    """Yields the bytes of a shard's stream."""
    if os.path.isdir(shard):
        with tempfile.TemporaryDirectory() as scratch:
            book = [program, "--ledger", f"{scratch}/book"]
            subprocess.run([*book, "import", shard], stdout=subprocess.DEVNULL, check=True)
            export = [*book, "export", "--as", "segments", "-"]
            with subprocess.Popen(export, stdout=subprocess.PIPE) as segments:
                yield from iter(lambda: segments.stdout.read(BLOCK), b"")
    elif not shard.startswith(REPLICA):
        with open(shard, "rb") as source:
            yield from iter(lambda: source.read(BLOCK), b"")
    else:
        service, name = shard.removeprefix(REPLICA).split("/", 1)
        question = FRAMES.format(name=name.replace("'", "''"))
        with subprocess.Popen(["psql", f"service={service}", "-qXc", question],
                              stdout=subprocess.PIPE) as database:
            for line in database.stdout:
                yield bytes.fromhex(line.decode())
        if database.returncode == 0:
            yield b"E" + bytes(4)


def _feed(shard, program, stdin):
    # The worker has said why it reads no more, or its exit code does.
    with contextlib.suppress(BrokenPipeError), stdin:
        for block in _blocks(shard, program):
            stdin.write(block)


def _drain(stream, said):
    while block := stream.read(BLOCK):
        said.append(block[:MOST_SAID - sum(map(len, said))])


def lines_of(shard, arguments, program):
    """Yields the lines of a shard's trips, and raises at the end unless they are complete."""
    digest, count, ends, said = hashlib.sha256(), 0, 0, []
    with subprocess.Popen([program, "worker", *arguments], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as worker:
        threads = [threading.Thread(target=_feed, args=(shard, program, worker.stdin), daemon=True),
                   threading.Thread(target=_drain, args=(worker.stderr, said), daemon=True)]
        for thread in threads:
            thread.start()
        try:
            for line in worker.stdout:
                if not line.startswith(b'{"kind":"end"'):
                    digest.update(line)
                    count += 1
                    yield line[:-1].decode()
                    continue
                end = json.loads(line)
                if (end.get("error") or end["rows"] != count
                        or end["sha256"] != digest.hexdigest()):
                    raise WorkerFailed(f"{shard}: {line.decode().strip()}")
                digest, count, ends = hashlib.sha256(), 0, ends + 1
            code = worker.wait()
        finally:
            worker.kill()
            for thread in threads:
                thread.join()
    if code or count or not ends:
        words = b"".join(said).decode(errors="replace").strip()
        raise WorkerFailed(f"{shard}: the worker ended with {code} after {ends} ledgers: {words}")


def rows(spark, shards, as_of, rules=None, emit="trips", program=None, more=()):
    """Returns the trips of shards as a DataFrame, or another list that `ledger worker --emit` has.

    as_of is the moment to which time passes, as RFC 3339; rules is a file of `rules_adopted` that
    stand in the place of those in the logs; more has other options. Distances are exact decimals.
    """
    program = program or os.environ.get("LEDGER_PROGRAM", "ledger")
    spark.sparkContext.addPyFile(__file__)
    arguments = (["--as-of", as_of] + (["--rules", str(rules)] if rules else [])
                 + ([] if emit == "trips" else ["--emit", emit]) + list(more))
    # The largest first, so that no long task begins last.
    shards = sorted(map(str, shards), reverse=True, key=lambda shard: sum(
        path.stat().st_size for path in [Path(shard), *Path(shard).rglob("*")] if path.exists()))
    texts = spark.sparkContext.parallelize(shards, max(1, len(shards))).flatMap(
        lambda shard: ((line,) for line in lines_of(shard, arguments, program)))
    text = spark.createDataFrame(texts, T.StructType([T.StructField("line", T.StringType())]))
    form = T.StructType([T.StructField("ledger", T.StringType()), T.StructField("row", ROWS[emit])])
    line = F.from_json("line", form, {"mode": "FAILFAST"})
    trips = text.select(line.alias("it"), "line").select("it.ledger", "it.row.*", "line")
    if emit != "trips":
        return trips
    offset = F.regexp_extract("started_at", r"([+-]\d\d:\d\d)$", 1)
    seconds = F.substring(offset, 2, 2).cast("int") * 3600 + F.substring(offset, 5, 2).cast("int") * 60
    return (
        trips
        .withColumn("started", F.to_timestamp("started_at"))
        .withColumn("ended", F.to_timestamp("ended_at"))
        .withColumn("day", F.to_date(F.substring("started_at", 1, 10)))
        .withColumn("month", F.substring("started_at", 1, 7))
        .withColumn("utc_offset_s", F.when(offset == "", 0).when(
            offset.startswith("-"), -seconds).otherwise(seconds).cast("int")))


COMPARED = ("status", "class", "started_at", "ended_at", "distance_m", "from", "to", "vehicle")


def compare(old, new):
    """Returns what differs between trips: group, trip, field, old, new; `trip` where one lacks it."""
    both = old.select("id", *(F.col(name).cast("string").alias(f"old_{name}")
                              for name in ("group", *COMPARED)), F.lit("there").alias("in_old"))
    both = both.join(
        new.select("id", *(F.col(name).cast("string").alias(f"new_{name}")
                           for name in ("group", *COMPARED)), F.lit("there").alias("in_new")),
        "id", "full_outer")
    field = [F.struct(F.lit(name).alias("field"), F.col(f"old_{name}").alias("old"),
                      F.col(f"new_{name}").alias("new")) for name in COMPARED]
    whole = F.array(F.struct(F.lit("trip").alias("field"), F.col("in_old").alias("old"),
                             F.col("in_new").alias("new")))
    is_same_trip = F.col("in_old").isNotNull() & F.col("in_new").isNotNull()
    changed = both.select(
        F.coalesce("new_group", "old_group", F.lit("")).alias("group"), F.col("id").alias("trip"),
        F.explode(F.when(is_same_trip, F.array(*field)).otherwise(whole)).alias("it"))
    return changed.select("group", "trip", "it.*").where(~F.col("old").eqNullSafe(F.col("new")))
