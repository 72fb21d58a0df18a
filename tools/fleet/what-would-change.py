#!/usr/bin/env python3
"""Says what other rules would change: of each group, trips, kilometres and claim before and after.

    .build/fleet-python/bin/python3 tools/fleet/what-would-change.py \\
        --rules v2.jsonl --year 2026 --jurisdiction nl shards/*.segments

Run tools/fleet/setup first. Only trips that are completed count. The claim is the total of `ledger report
claim`, in each currency; it takes a --jurisdiction. Nothing is stored.
"""

import argparse
import csv
import sys
from pathlib import Path

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

sys.path.insert(0, str(Path(__file__).resolve().parent))

import ledger_spark  # noqa: E402


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shards", nargs="+", help="what `ledger export` wrote: segments or directories")
    parser.add_argument("--rules", required=True, type=Path, help="lines of rules_adopted")
    parser.add_argument("--year", required=True, type=int, help="the year of the trips")
    parser.add_argument("--jurisdiction", help="whose rates the claim goes by (default: no claim)")
    parser.add_argument("--as-of", help="to when time passes (default: the end of the year)")
    parser.add_argument("--ledger", help="the program (default: ledger)")
    parser.add_argument("--master", default="local[*]", help="Spark's master (default: local[*])")
    return parser.parse_args()


def sums(trips, year, name):
    counted = trips.where((F.year("day") == year) & (F.col("status") == "completed"))
    return counted.groupBy(F.coalesce("group", F.lit("")).alias("group")).agg(
        F.count("*").alias(f"trips_{name}"), F.sum("distance_m").alias(f"meters_{name}"))


def claims(rows):
    """Returns what is claimed of each group: amounts with their currencies."""
    group = F.get_json_object("line", "$.group").alias("group")
    amounts = rows.where(F.col("kind") == "total").select(group, F.explode("amounts").alias("it"))
    sums = amounts.groupBy("group", "it.currency").agg(F.sum("it.amount").alias("amount"))
    found = {}
    for row in sums.orderBy("group", "currency").collect():
        found.setdefault(row.group, []).append(f"{row.amount:.2f} {row.currency}")
    return {group: " + ".join(texts) for group, texts in found.items()}


def main():
    arguments = parse_arguments()
    as_of = arguments.as_of or f"{arguments.year + 1}-01-01T00:00:00Z"
    spark = SparkSession.builder.master(arguments.master).appName("what-would-change").config(
        "spark.ui.showConsoleProgress", "false").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    found, claimed = [], []
    for name, rules in (("before", None), ("after", arguments.rules.resolve())):
        def read(emit, *more):
            return ledger_spark.rows(spark, arguments.shards, as_of, rules, emit, arguments.ledger, more)

        print(f"reading {len(arguments.shards)} shards: {name}", file=sys.stderr)
        found.append(sums(read("trips"), arguments.year, name))
        options = ("--year", str(arguments.year), "--jurisdiction", arguments.jurisdiction)
        claimed.append(claims(read("claims", *options)) if arguments.jurisdiction else {})
    table = found[0].join(found[1], "group", "full_outer").na.fill(0).orderBy("group")
    lines = csv.writer(sys.stdout, lineterminator="\n")
    lines.writerow(["group", "trips_before", "trips_after", "km_before", "km_after", "claim_before",
                    "claim_after"])
    for row in table.collect():
        lines.writerow([row.group, row.trips_before, row.trips_after,
                        f"{row.meters_before / 1000:.3f}", f"{row.meters_after / 1000:.3f}",
                        *(claim.get(row.group, "") for claim in claimed)])
    spark.stop()


if __name__ == "__main__":
    main()
