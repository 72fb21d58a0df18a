"""The mileage log and a claim over a year of seven cars: 100,000 trips, also as journals."""

import shutil
import subprocess

from measuring import in_turns, median_seconds, run
from table import Row
from workshop import Missing

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
    directory = workshop.new_directory()
    book = directory / "book"
    make_book(workshop.ledger, book)

    def report(*arguments):
        return [workshop.ledger, "--ledger", book, "report", *arguments, "--year", "2015", "--draft"]

    ours = {
        "report": report("log"),
        "report-csv": report("log", "--format", "csv"),
        "claim": report("claim", "--jurisdiction", "nl"),
    }
    rivals = journals(workshop, table, book, directory)
    costs = in_turns(workshop.rounds, {
        name: lambda command=command: workshop.launcher.cost(command)
        for name, command in {**ours, **rivals}.items()})
    seconds = {name: median_seconds(of_name) for name, of_name in costs.items()}
    what = {"report": "report log", "report-csv": "report log --format csv", "claim": "report claim"}
    for name in ours:
        table.add(Row(
            name, f"{what[name]} --draft over {TRIPS:,} trips", f"{seconds[name]:.3f} s", "–",
            seconds[name], " s"))
    for rival, of_ours in (("hledger register", "report-csv"), ("hledger balance", "claim"), ("bean-query", "claim")):
        if rival in seconds:
            table.add(Row(
                f"{of_ours}-{rival.split()[0]}", f"{what[of_ours]}, beside {rival} of the same trips",
                f"{seconds[of_ours]:.3f} s", f"{seconds[rival]:.3f} s", seconds[rival] / seconds[of_ours]))


def journals(workshop, table, book, directory):
    """Writes the trips as journals, and returns the commands that read them."""
    commands = {}
    for program, form in (("hledger", "hledger"), ("bean-query", "beancount")):
        if not shutil.which(program):
            table.skip(program, Missing(f"{program} is missing; tools/acceptance/setup installs it"))
            continue
        path = directory / f"trips.{form}"
        path.write_bytes(run(
            [workshop.ledger, "--ledger", book, "trips", "--year", "2015", "--format", form]))
        if program == "hledger":
            commands["hledger register"] = ["hledger", "-f", path, "register", "-O", "csv"]
            commands["hledger balance"] = ["hledger", "-f", path, "balance"]
        else:
            # Beancount keeps what it parsed beside the journal, which is not measured.
            commands["bean-query"] = [
                "env", "BEANCOUNT_DISABLE_LOAD_CACHE=1", "bean-query", path,
                "select account, sum(position) group by account"]
    return commands
