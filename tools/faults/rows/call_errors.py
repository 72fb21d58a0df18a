"""Lets one system call of a command fail, whichever it is."""

from calls import READING, STORING, disturb, expect_recovery, traced
from ledgers import Wrong
from row import Case, Row
from stage import SCENES, Stage

# The errors of a call; calls that hand data over or make names may find the disk full.
DISK = ["EIO", "ENOSPC"]
ERRORS = {
    "write": DISK, "writev": DISK, "pwrite64": DISK, "pwritev": DISK, "fsync": DISK,
    "fdatasync": DISK, "syncfs": DISK, "ftruncate": DISK, "fallocate": DISK, "rename": DISK,
    "renameat2": DISK, "link": DISK, "mkdir": DISK, "openat": ["EIO", "EMFILE"], "mmap": ["ENOMEM"],
    "fcntl": ["ENOLCK"], "flock": ["ENOLCK"], "clone3": ["EAGAIN"], "pipe2": ["EMFILE"],
}
FLUSHES = ["fsync", "fdatasync", "syncfs"]


class CallErrors(Row):
    name = "call-errors"
    fault = "EIO, ENOSPC, ENOMEM, EMFILE … from each call of a command"
    oracle = "it says so or did its work; the log is what it was or more; work goes on"

    def prepare(self, bench):
        self.stage = Stage(bench.ledger, bench.directory / self.name, bench.seed % 1000)

    def cases(self, bench, chance):
        found = []
        for number, scene in enumerate(bench.sample(SCENES, 4, chance)):
            directory = bench.directory / f"{self.name}-{number}"
            directory.mkdir()
            calls = traced(scene, self.stage, directory, bench.ledger, STORING + READING)
            cases = [Case(f"{scene.name}: {call} {error}", self.fail(bench, scene, call, error))
                     for call in calls for error in ERRORS.get(call.name, ["EIO"])]
            found += bench.sample(cases, 2, chance)
        return found

    def fail(self, bench, scene, call, error):
        def check(directory, chance):
            book, run = disturb(
                scene, self.stage, directory, bench.ledger, call, f"error={error}")
            if run.code < 0:
                raise Wrong(f"{scene.name} crashed with signal {-run.code}: {run.said}")
            # Views are made anew when they are needed; nothing hangs on them.
            if run.code == 0 and call.name in FLUSHES and "/views" not in call.text:
                raise Wrong(f"{scene.name} exits 0, and {call.name}({call.text} had failed")
            # The write that failed may have been the word itself.
            if run.code != 0 and not run.said and call.name != "write":
                raise Wrong(f"{scene.name} exits {run.code} without a word")
            expect_recovery(scene, self.stage, book, run)
            return {f"exit {run.code}": 1}
        return check

    def controls(self, bench, chance):
        def unstored(directory, _):
            # The answer of a command whose work was lost, as if no error had been looked at.
            scene = SCENES[0]
            book = scene.start(self.stage, directory, bench.ledger)
            run = book.must(*scene.arguments)
            self.stage.copy(directory)
            expect_recovery(scene, self.stage, book, run)
        return [Case("control: an error that nobody looked at", unstored)]
