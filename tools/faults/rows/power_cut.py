"""Power cuts, by tools/faults/power-cut."""

import re
import subprocess
import sys
from pathlib import Path

from ledgers import Wrong, has
from row import Case, Row

SCRIPT = Path(__file__).resolve().parents[1] / "power-cut"


class PowerCut(Row):
    name = "power-cut"
    fault = "a recorded life on a simulated disk, cut between and within writes"
    oracle = "acknowledged is there; verify, append, project work; with flushes forgotten, seen"

    def prepare(self, bench):
        bench.preloadable()
        has("cc")

    def cases(self, bench, chance):
        states = 8 if bench.is_quick else 100
        return [Case(f"{states} cuts", self.cut(bench, states))]

    def cut(self, bench, states):
        def check(directory, chance):
            seed = chance.randrange(1 << 32)
            done = subprocess.run(
                [sys.executable, SCRIPT, "--ledger", bench.dynamic.path, "--states", str(states),
                 "--events", "200" if bench.is_quick else "2000", "--seed", str(seed)],
                capture_output=True, text=True)
            if done.returncode != 0:
                raise Wrong(f"tools/faults/power-cut --seed {seed} --states {states}: "
                            + (done.stdout + done.stderr)[-2000:])
            control = re.search(r"(\d+) of (\d+) cuts are seen", done.stdout)
            return {"cuts": states, "seen where flushes are forgotten": int(control[1])}
        return check
