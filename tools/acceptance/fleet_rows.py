"""Fleets, part 12: rows of SQL are those of the ledger, whatever is decided and whenever the writer is killed."""

import json
import os
import random
import subprocess
import time
from pathlib import Path

import postgres

REPOSITORY = Path(__file__).resolve().parents[2]
DECISIONS, KILLS, DRIVERS, DAYS = 2_000, 20, 4, 10
QUERIES = REPOSITORY / "tools" / "fleet" / "sql" / "queries"
# The lists, by the tables that have their rows.
LISTS = {"trips": ("trips", "--all"), "visits": ("visits",), "places": ("place", "list"),
         "odometers": ("vehicle", "list")}


class Book:
    def __init__(self, ledger, path):
        self.ledger = str(ledger)
        self.path = path

    def run(self, *words, stdin=None, codes=(0,)):
        said = subprocess.run([self.ledger, "--ledger", str(self.path), *map(str, words)], input=stdin,
                              capture_output=True)
        assert said.returncode in codes, f"{words}: {said.stderr.decode().strip()}"
        return said.stdout

    def lines(self, *words):
        return [json.loads(line) for line in self.run(*words, "--format", "json").splitlines()]


def make(ledger, path):
    """Makes a ledger with some groups, two recorders of the same drives in one of them."""
    book = Book(ledger, path)
    book.run("init", "--time-zone", "Europe/Amsterdam")
    for number in range(DRIVERS):
        made = subprocess.run([book.ledger, "simulate", "driver", "--person", f"v{number:04d}",
                               "--vehicle", f"car{number}", "--days", str(DAYS)],
                              capture_output=True, check=True).stdout
        made = made.replace(b'"source":"manual"', b'"source":"manual-%d"' % number)
        book.run("append", "--group", number + 1, stdin=made)
        if number == 0:
            book.run("append", "--group", 1, stdin=made.replace(b'"source":"', b'"source":"box-'))
    return book


def decide(book, chance, trips, number):
    """Decides one thing at random; the ledger may refuse it."""
    trip = chance.choice(trips)["id"]
    other = chance.choice(trips)["id"]
    name = f"name {chance.randrange(8)}"
    kinds = (
        ("edit", trip, "--class", chance.choice(("business", "personal", "commute")), "-y"),
        ("edit", trip, "--purpose", f"o'purpose {number}", "--client", name, "-y"),
        ("edit", trip, "--vehicle", f"car{chance.randrange(DRIVERS)}", "-y"),
        ("void", trip, "--why", "at random"),
        ("restore", trip),
        ("adjust", trip, "--meters", chance.randrange(100_000), "--why", "at random"),
        ("merge", trip, other, "--why", "at random"),
        ("place", "save", name, "--at-trip-end", trip),
        ("place", "remove", name),
        ("vehicle", "register", name, "--plate", f"X-{number}"),
        ("vehicle", "register", f"car{chance.randrange(DRIVERS)}", "--driver", name),
        ("settings", "--driver", name, "--of-source", chance.choice(trips)["source"]),
    )
    book.run(*chance.choice(kinds), codes=(0, 1, 64, 65))


class Writer:
    """`ledger replicate --rows`, which is killed now and then."""

    def __init__(self, book, databases, log):
        self.command = [book.ledger, "--ledger", str(book.path), "replicate", "--to", "fleet",
                        "--rows"]
        self.environment = {**os.environ, "PGSERVICEFILE": str(databases.services)}
        self.log = log
        self.process = None

    def start(self, *more):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen([*self.command, *more], stdout=log, stderr=log,
                                            env=self.environment)

    def kill(self):
        self.process.kill()
        self.process.wait()


def differences(book, databases):
    """Returns why the rows of SQL are not those of the ledger; nothing if they are."""
    for table, words in LISTS.items():
        answer = databases.primary.ask(f"SELECT coalesce(jsonb_agg(row), '[]') FROM fleet.{table}")
        found, expected = (sorted(json.dumps(row, sort_keys=True) for row in rows)
                           for rows in (json.loads(answer), book.lines(*words)))
        if found != expected:
            only = [sorted(set(one) - set(other))[:1]
                    for one, other in ((found, expected), (expected, found))]
            return f"{len(found)} {table} for {len(expected)}: {only[0]} is not {only[1]}"
    answer = databases.primary.ask(
        "SELECT coalesce(jsonb_agg(jsonb_build_array(source, grp, events, phase)), '[]') "
        "FROM fleet.sources")
    found = sorted(json.loads(answer))
    expected = sorted([row["source"], row.get("group", ""), row["events"], row["phase"]]
                      for row in book.lines("status")[0]["sources"])
    if found != expected:
        return f"the sources {found} are not {expected}"
    total = book.lines("totals")[-1]
    sums = databases.primary.ask(
        "SELECT count(*), coalesce(sum(distance_mm), 0), coalesce(sum(gap_mm), 0), "
        "coalesce(sum(driving_ms), 0) FROM fleet.trips WHERE counts").split("|")
    expected = [total["trips"], *(round(value * 1_000) for value in (
        total["distance_m"], total["gaps"]["meters"], total["driving_s"]))]
    if list(map(int, sums)) != expected:
        return f"the sums {sums} are not {expected}"
    return None


def check_walls(databases):
    """A driver sees the rows of the own group alone, and writes nothing."""
    databases.primary.ask("CREATE ROLE a_driver IN ROLE fleet_driver; "
                  "INSERT INTO fleet.members VALUES ('a_driver', '2')")
    groups = databases.primary.ask(
        "SET ROLE a_driver; SELECT DISTINCT grp FROM fleet.trips UNION "
        "SELECT DISTINCT grp FROM fleet.visits UNION SELECT grp FROM fleet.totals_by_month").split()
    assert groups == ["2"], f"a driver sees the groups {groups}"
    for statement in ("INSERT INTO fleet.members VALUES ('a_driver', '1')", "DELETE FROM fleet.trips"):
        said = databases.primary.ask(f"SET ROLE a_driver; {statement}", check=False)
        assert "permission denied" in said, f"a driver may: {statement}"


def run(programs, scratch):
    """Runs the part with the program `programs["ledger"]`, beside which `ledger-replicate` stands."""
    directory = scratch / "rows"
    directory.mkdir()
    seed = random.randrange(1 << 32)
    chance = random.Random(seed)
    book = make(programs["ledger"], directory / "book")
    databases = postgres.Cluster(directory / "pg")
    writer = Writer(book, databases, directory / "replicate.log")
    begun = time.monotonic()
    try:
        writer.start("--init")
        trips = book.lines("trips", "--all")
        for number in range(DECISIONS):
            decide(book, chance, trips, number)
            if number % (DECISIONS // KILLS) == DECISIONS // KILLS - 1:
                writer.kill()
                writer.start()
        end = time.monotonic() + 60
        while (why := differences(book, databases)) and time.monotonic() < end:
            time.sleep(0.3)
        assert not why, f"seed {seed}: {why}\n{writer.log.read_text()[-1_000:]}"
        check_walls(databases)
        counts = [len(databases.primary.ask(path.read_text()).splitlines())
                  for path in sorted(QUERIES.glob("*.sql"))]
        assert len(counts) == 10, f"there are {len(counts)} queries"
        # Views that are made anew begin a feed anew: its rows take the place of the others.
        writer.kill()
        for path in sorted((book.path / "views").iterdir()):
            path.unlink()
        writer.start()
        end = time.monotonic() + 60
        while (why := differences(book, databases)) and time.monotonic() < end:
            time.sleep(0.3)
        assert not why, f"seed {seed}: after the views were lost: {why}"
        print(f"rows: {DECISIONS:,} decisions, the writer killed {KILLS} times: {len(trips):,} trips "
              f"and their sums are equal, to the millimetre; ten queries gave {sum(counts)} lines; "
              f"{time.monotonic() - begun:.0f} s (seed {seed})")
    finally:
        if writer.process:
            writer.kill()
        databases.end()
