"""The mileage log over a year of seven cars: 100,000 trips."""

import subprocess

from measuring import median_seconds, run
from table import Row

CARS = 7
DRIVES_PER_CAR = 14_286
FIXES_PER_DRIVE = 4
TRIPS = CARS * DRIVES_PER_CAR


def make_book(ledger, book):
    """Makes a ledger of 100,000 trips, with its views."""
    run([ledger, "--ledger", book, "init", "--time-zone", "Europe/Amsterdam"])
    for car in range(1, CARS + 1):
        drives = subprocess.Popen(
            [ledger, "simulate", "bulk", "--drives", str(DRIVES_PER_CAR), "--fixes",
             str(FIXES_PER_DRIVE), "--seed", str(car), "--source", f"car-{car}"],
            stdout=subprocess.PIPE)
        run([ledger, "--ledger", book, "append"], stdin=drives.stdout)
    run([ledger, "--ledger", book, "project"])


def measure(workshop, table):
    book = workshop.new_directory() / "book"
    make_book(workshop.ledger, book)
    report = [workshop.ledger, "--ledger", book, "report", "log", "--year", "2015", "--draft"]
    costs = workshop.launcher.costs(report, runs=workshop.rounds + 2)
    seconds = median_seconds(costs[1:])
    table.add(Row(
        "report", f"report log --draft over {TRIPS:,} trips", f"{seconds:.3f} s", "–", seconds, " s"))
