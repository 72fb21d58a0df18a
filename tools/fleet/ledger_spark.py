"""Trips of many ledgers as a DataFrame of Spark: one task reads one shard with `ledger worker`.

    rows(spark, ["s001.segments", "s002.segments"], "2026-01-01T00:00:00Z")

A shard is a file that `ledger export --as segments -` wrote, where every executor can read it; the
program is `ledger`, or what LEDGER_PROGRAM names. Python moves blocks and never reads an entry. A worker
that fails, or ends without saying that it is complete, fails its task, and Spark tries that again.
"""

import hashlib
import json
import os
import subprocess
import threading

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

LINE = T.StructType([
    T.StructField("kind", T.StringType()), T.StructField("ledger", T.StringType()),
    T.StructField("row", TRIP)])


class WorkerFailed(Exception):
    """A worker did not make all rows of its shard."""


def _feed(source, stdin):
    try:
        while block := source.read(BLOCK):
            stdin.write(block)
    except BrokenPipeError:
        pass  # The worker has said why, or its exit code does.
    finally:
        try:
            stdin.close()
        except BrokenPipeError:
            pass


def _drain(stream, said):
    while block := stream.read(BLOCK):
        said.append(block[:MOST_SAID - sum(map(len, said))])


def lines_of(shard, arguments, program):
    """Yields the lines of a shard's trips, and raises at the end unless they are complete."""
    digest, count, ends, said = hashlib.sha256(), 0, 0, []
    with open(shard, "rb") as source, subprocess.Popen(
            [program, "worker", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE) as worker:
        threads = [threading.Thread(target=_feed, args=(source, worker.stdin), daemon=True),
                   threading.Thread(target=_drain, args=(worker.stderr, said), daemon=True)]
        for thread in threads:
            thread.start()
        try:
            for line in worker.stdout:
                if not line.startswith(b'{"kind":"end"'):
                    digest.update(line)
                    count += 1
                    yield line.decode()
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


def rows(spark, shards, as_of, rules=None, emit="trips", program=None):
    """Returns the trips of shards as a DataFrame, one row for each.

    as_of is the moment to which time passes, as RFC 3339; rules is a file of `rules_adopted` that
    stand in the place of those in the logs. All sums are exact: distances are decimals.
    """
    if emit != "trips":
        raise ValueError(f"a worker makes trips, not {emit}")
    program = program or os.environ.get("LEDGER_PROGRAM", "ledger")
    arguments = ["--as-of", as_of] + (["--rules", str(rules)] if rules else [])
    # The largest first, so that no long task begins last.
    shards = sorted(map(str, shards), key=os.path.getsize, reverse=True)
    texts = spark.sparkContext.parallelize(shards, max(1, len(shards))).flatMap(
        lambda shard: ((line,) for line in lines_of(shard, arguments, program)))
    text = spark.createDataFrame(texts, T.StructType([T.StructField("line", T.StringType())]))
    line = F.from_json("line", LINE, {"mode": "FAILFAST"})
    trips = text.select(line.alias("it"), "line").select("it.ledger", "it.row.*", "line")
    offset = F.regexp_extract("started_at", r"([+-]\d\d:\d\d)$", 1)
    seconds = (F.substring(offset, 2, 2).cast("int") * 3600
               + F.substring(offset, 5, 2).cast("int") * 60)
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
    """Returns what differs between two DataFrames of trips: group, trip, field, old, new.

    A trip that one of them lacks differs in the field `trip`.
    """
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
