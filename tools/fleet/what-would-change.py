#!/usr/bin/env python3
"""Says what other rules would change: of each group, trips and kilometres before and after.

    .build/fleet-python/bin/python3 tools/fleet/what-would-change.py \\
        --rules v2.jsonl --year 2026 shards/*.segments

Run tools/fleet/setup first. Only trips that are completed count. Nothing is stored.
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
    parser.add_argument("shards", nargs="+", help="files that `ledger export --as segments -` wrote")
    parser.add_argument("--rules", required=True, type=Path, help="lines of rules_adopted")
    parser.add_argument("--year", required=True, type=int, help="the year of the trips")
    parser.add_argument("--as-of", help="to when time passes (default: the end of the year)")
    parser.add_argument("--ledger", help="the program (default: ledger)")
    parser.add_argument("--master", default="local[*]", help="Spark's master (default: local[*])")
    return parser.parse_args()


def sums(trips, year, name):
    counted = trips.where((F.year("day") == year) & (F.col("status") == "completed"))
    return counted.groupBy(F.coalesce("group", F.lit("")).alias("group")).agg(
        F.count("*").alias(f"trips_{name}"), F.sum("distance_m").alias(f"meters_{name}"))


def main():
    arguments = parse_arguments()
    as_of = arguments.as_of or f"{arguments.year + 1}-01-01T00:00:00Z"
    spark = SparkSession.builder.master(arguments.master).appName("what-would-change").config(
        "spark.ui.showConsoleProgress", "false").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    found = []
    for name, rules in (("before", None), ("after", arguments.rules.resolve())):
        print(f"reading {len(arguments.shards)} shards: {name}", file=sys.stderr)
        trips = ledger_spark.rows(spark, arguments.shards, as_of, rules, program=arguments.ledger)
        found.append(sums(trips, arguments.year, name))
    table = found[0].join(found[1], "group", "full_outer").na.fill(0).orderBy("group")
    lines = csv.writer(sys.stdout, lineterminator="\n")
    lines.writerow(["group", "trips_before", "trips_after", "km_before", "km_after"])
    for row in table.collect():
        lines.writerow([row.group, row.trips_before, row.trips_after,
                        f"{row.meters_before / 1000:.3f}", f"{row.meters_after / 1000:.3f}"])
    spark.stop()


if __name__ == "__main__":
    main()
