"""The mileage log and a claim over a year of seven cars: 100,000 trips, also as journals; and what a
driver of two years looks at every day."""

import shutil
import subprocess

from measuring import in_turns, median_seconds, run
from rows.replay import fold_in_c
from table import Row
from workshop import EVENTS_PER_DRIVE, Missing

CARS = 7
DRIVES_PER_CAR = 14_286
FIXES_PER_DRIVE = 4

# The days of the driver whose everyday commands are measured, and those of a quick run.
DAYS, QUICK_DAYS = 731, 73
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


def everyday_commands(directory):
    """Returns what a driver looks at, by its name."""
    reports = ("log", "summary", "completeness", "changes", "reconcile")
    return {
        "visits": ["visits"],
        "map": ["map", "--month", "2024-02", "-o", directory / "map.html", "--replace"],
        **{f"report-{kind}": ["report", kind, "--year", "2024"] for kind in reports},
        "report-claim": ["report", "claim", "--year", "2024", "--jurisdiction", "nl"],
        "report-methods": ["report", "methods", "--year", "2024", "--jurisdiction", "us"],
    }


def measure_everyday(workshop, table):
    """Two years of one driver: each command beside the fold in C of as many events."""
    directory = workshop.new_directory()
    book = directory / "book"
    days = QUICK_DAYS if workshop.is_quick else DAYS
    run([workshop.ledger, "--ledger", book, "init", "--time-zone", "Europe/Amsterdam"])
    lines = run([workshop.ledger, "simulate", "--start", "2024-01-01", "--days", str(days), "--places"])
    events = lines.count(b"\n")
    run([workshop.ledger, "--ledger", book, "append"], input=lines)
    run([workshop.ledger, "--ledger", book, "project"])
    fold = workshop.rival("fold_log")
    folded = workshop.book_of(workshop.lines(round(events / EVENTS_PER_DRIVE)))
    commands = everyday_commands(directory)
    costs = in_turns(workshop.rounds, {
        "fold": lambda: fold_in_c(workshop, fold, folded / "log"),
        **{name: lambda command=command: workshop.launcher.cost(
            [workshop.ledger, "--ledger", book, *command]) for name, command in commands.items()}})
    seconds = {name: median_seconds(of_name) for name, of_name in costs.items()}
    for name, command in commands.items():
        said = " ".join(str(word) for word in command[:2]) if name != "visits" else "visits"
        table.add(Row(
            f"everyday-{name}", f"{said} in a ledger of {events:,} events", f"{seconds[name]:.3f} s",
            f"the fold in C of as many: {seconds['fold']:.3f} s", seconds[name] / seconds["fold"]))
    slowest = max(commands, key=seconds.get)
    table.add(Row(
        "everyday", f"the slowest of these {len(commands)}: {slowest}", f"{seconds[slowest]:.3f} s", "–",
        seconds[slowest], " s"))


def measure(workshop, table):
    measure_everyday(workshop, table)
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
