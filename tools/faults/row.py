"""A row of faults: cases that follow from the seed, and controls that must fail."""

import collections
import concurrent.futures
import hashlib
import random
import shutil
import tempfile
import time
import traceback
from pathlib import Path

from ledgers import Program, Skipped, Wrong


class Case:
    """One fault: `check(directory, chance)` injects it in a new directory and raises `Wrong` if
    the ledger is not as it must be. It may return what it counted, by name."""

    def __init__(self, name, check):
        self.name, self.check = name, check


class Row:
    """A fault, the cases in which it is injected, and what is checked after each."""

    name = ""
    # The injected fault and the check after it: a few words for the table.
    fault = oracle = ""
    # How many cases at a time; 1 where they would be in each other's way.
    jobs = None

    def prepare(self, bench):
        """Makes what all cases need; raises `Skipped` if the machine does not allow the fault."""

    def cases(self, bench, chance):
        """Returns the cases; fewer of them if `bench.is_quick`."""
        raise NotImplementedError

    def controls(self, bench, chance):
        """Returns cases in which the oracle must raise `Wrong`: it would be none otherwise."""
        return []


class Outcome:
    """What became of a row."""

    def __init__(self, row):
        self.row, self.cases, self.controls = row, 0, 0
        self.counts, self.wrong, self.skipped, self.seconds = collections.Counter(), [], None, 0

    @property
    def verdict(self):
        if self.wrong:
            return "FAILED"
        return f"skipped: {self.skipped}" if self.skipped else "ok"

    def json(self):
        return {"row": self.row.name, "fault": self.row.fault, "oracle": self.row.oracle,
                "cases": self.cases, "controls": self.controls, "counts": dict(self.counts),
                "verdict": self.verdict, "wrong": self.wrong,
                "seconds": round(self.seconds, 1)}


class Bench:
    """What the rows work with: programs, a place, and a seed."""

    def __init__(self, ledger, dynamic, directory, seed, is_quick, jobs):
        self.ledger, self.dynamic = Program(ledger), dynamic and Program(dynamic)
        self.directory, self.seed, self.is_quick, self.jobs = directory, seed, is_quick, jobs

    def chance(self, *names):
        """Returns a source of chance that follows from the seed and from names."""
        text = ":".join([str(self.seed), *names])
        return random.Random(hashlib.sha256(text.encode()).digest())

    def preloadable(self):
        """Returns the program that a library can be loaded into."""
        if not self.dynamic:
            raise Skipped("there is no dynamically linked program (--dynamic)")
        return self.dynamic

    def sample(self, cases, count, chance):
        """Returns all cases, or some if little time is given."""
        return chance.sample(cases, min(count, len(cases))) if self.is_quick else cases

    def run(self, row, only_case=None):
        """Runs a row's cases, or those whose names contain a text."""
        outcome, started = Outcome(row), time.monotonic()
        try:
            row.prepare(self)
            chosen = [(case, False) for case in row.cases(self, self.chance(row.name))]
            chosen += [(case, True) for case in row.controls(self, self.chance(row.name))]
            if only_case is not None:
                chosen = [each for each in chosen if only_case == each[0].name]
            self.run_cases(row, chosen, outcome)
        except Skipped as skipped:
            outcome.skipped = str(skipped)
        except Wrong as wrong:
            outcome.wrong.append({"case": None, "what": str(wrong)})
        outcome.seconds = time.monotonic() - started
        return outcome

    def run_cases(self, row, chosen, outcome):
        def judge(each):
            case, is_control = each
            directory = Path(tempfile.mkdtemp(prefix="case-", dir=self.directory))
            try:
                counts = case.check(directory, self.chance(row.name, case.name))
                return "the oracle sees nothing wrong" if is_control else None, counts
            except Wrong as wrong:
                return (None if is_control else str(wrong)), None
            except Skipped as skipped:
                return None, {f"skipped {case.name}: {skipped}": 1}
            except Exception as error:  # Whatever it was: the fault was not judged.
                where = traceback.extract_tb(error.__traceback__)[-1]
                return f"not judged: {error!r} at {Path(where.filename).name}:{where.lineno}", None
            finally:
                shutil.rmtree(directory, ignore_errors=True)

        with concurrent.futures.ThreadPoolExecutor(row.jobs or self.jobs) as pool:
            for (case, is_control), (wrong, counts) in zip(chosen, pool.map(judge, chosen)):
                outcome.controls += is_control
                outcome.cases += not is_control
                outcome.counts.update(counts or {})
                if wrong:
                    outcome.wrong.append({"case": case.name, "what": wrong})
