"""Kills commands at every call that stores something."""

from calls import STORING, disturb, expect_recovery, traced
from row import Case, Row
from stage import SCENES, Stage


class StorageCalls(Row):
    name = "storage-calls"
    fault = "kill -9 at each storage call of a command"
    oracle = "the log is what it was or more; the command done again is done; work goes on"

    def prepare(self, bench):
        self.stage = Stage(bench.ledger, bench.directory / self.name, bench.seed % 1000)

    def cases(self, bench, chance):
        found = []
        for number, scene in enumerate(bench.sample(SCENES, 4, chance)):
            directory = bench.directory / f"{self.name}-{number}"
            directory.mkdir()
            calls = traced(scene, self.stage, directory, bench.ledger, STORING)
            for call in bench.sample(calls, 2, chance):
                found.append(Case(f"{scene.name}: {call}", self.kill(bench, scene, call)))
        return found

    def kill(self, bench, scene, call):
        def check(directory, chance):
            book, run = disturb(
                scene, self.stage, directory, bench.ledger, call, "signal=KILL")
            expect_recovery(scene, self.stage, book, run)
            # A process that does not get to a call this time ends well.
            return {"killed" if run.code else "ended before": 1}
        return check

    def controls(self, bench, chance):
        def lost(directory, _):
            # The ledger of before is put in the place of what was acknowledged.
            scene = SCENES[0]
            book = scene.start(self.stage, directory, bench.ledger)
            run = book.must(*scene.arguments)
            self.stage.copy(directory)
            expect_recovery(scene, self.stage, book, run)
        return [Case("control: the acknowledged is taken away", lost)]
