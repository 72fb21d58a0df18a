"""Shards of simulated drivers, and their streams of segments, for the acceptance of fleets."""

import subprocess
from concurrent.futures import ThreadPoolExecutor

AS_OF = "2027-01-01T00:00:00Z"


def output_of(*command, stdin=None):
    result = subprocess.run([str(part) for part in command], stdin=stdin, capture_output=True)
    assert result.returncode == 0, f"{command[:3]}: {result.stderr.decode().strip()}"
    return result.stdout


def make(ledger, directory, shards, drivers, days):
    """Makes ledgers, each of some drivers, and returns their directories."""
    def shard(number):
        path = directory / f"s{number:03d}"
        output_of(ledger, "--ledger", path, "init", "--time-zone", "Europe/Amsterdam")
        for driver in range(number * drivers, (number + 1) * drivers):
            name = f"w{driver:04d}"
            lines = directory / f"{name}.jsonl"
            with open(lines, "wb") as file:
                subprocess.run([ledger, "simulate", "driver", "--person", name, "--vehicle",
                                f"{name}-car", "--days", str(days)], check=True, stdout=file)
            with open(lines, "rb") as file:
                subprocess.run([ledger, "--ledger", path, "append"], stdin=file, check=True,
                               stdout=subprocess.DEVNULL)
            lines.unlink()
        return path

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(shard, range(shards)))


def stream_of(ledger, book):
    """Returns the file of a ledger's stream of segments."""
    path = book.parent / f"{book.name}.segments"
    with open(path, "wb") as file:
        subprocess.run([ledger, "--ledger", book, "export", "--as", "segments", "-"], check=True,
                       stdout=file)
    return path


def trips_of(ledger, book):
    """Returns the lines that a worker has to make of a ledger."""
    return output_of(
        ledger, "--ledger", book, "trips", "--all", "--as-of", AS_OF, "--format", "json")
