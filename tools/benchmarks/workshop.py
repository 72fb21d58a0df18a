"""What the rows work with: rivals that are compiled, drives that are simulated, ledgers of them."""

import functools
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from measuring import Launcher, run

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
SHARED = Path(os.environ.get("LEDGER_SHARED_DATA", REPOSITORY.parent / "shared" / "data"))

FIXES_PER_DRIVE = 1_250
EVENTS_PER_DRIVE = FIXES_PER_DRIVE + 2

# The libraries that each C program has to be linked with.
LIBRARIES = {
    "launch": [],
    "verify_log": ["-llmdb", "-lcrypto"],
    "fold_log": ["-llmdb", "-lcrypto", "-lm"],
    "fold_sqlite": ["-lsqlite3", "-llmdb", "-lcrypto", "-lm"],
    "append_lmdb": ["-llmdb", "-lcrypto"],
    "append_sqlite": ["-lsqlite3"],
    "append_rocksdb": ["-lrocksdb"],
}


def release_build():
    """Returns the release build of `ledger`, which the quickstart makes."""
    print("Building .build/ledger …", file=sys.stderr)
    result = subprocess.run(
        [REPOSITORY / "tools" / "quickstart"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if result.returncode != 0:
        sys.stderr.buffer.write(result.stdout)
        sys.exit("benchmarks: the release build failed")
    return REPOSITORY / ".build" / "ledger"


class Missing(Exception):
    """Something that a figure needs is not on this machine."""


class Workshop:
    """A scratch directory with everything that the rows share; each thing is made when it is
    first asked for."""

    def __init__(self, directory, ledger, arguments, library=None, is_library_built=True):
        self.directory = directory
        self.ledger = ledger
        self.is_quick = arguments.quick
        self.rounds = arguments.rounds or (3 if arguments.quick else 5)
        self.given_book = arguments.book
        self.given_library = library
        self.is_library_built = is_library_built
        self.launcher = Launcher(self.rival("launch"))

    @functools.cache
    def rival(self, name):
        """Compiles a program in C and returns it."""
        if not shutil.which("cc"):
            raise Missing("there is no C compiler; tools/benchmarks/setup installs one")
        program = self.directory / name
        # No multiplication and addition in one: distances have to have the ledger's bits.
        result = subprocess.run(
            ["cc", "-O2", "-ffp-contract=off", "-o", program, HERE / "rivals" / f"{name}.c",
             *LIBRARIES[name]],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if result.returncode != 0:
            first = result.stdout.decode(errors="replace").partition("\n")[0]
            raise Missing(
                f"{name}.c cannot be compiled ({first}); tools/benchmarks/setup installs what is "
                "missing")
        return program

    def python_rival(self, name, module=None):
        """Returns the command of a program in Python."""
        interpreter = Path(REPOSITORY, ".build", "benchmarks-python", "bin", "python3")
        if module is None or importlib.util.find_spec(module):
            interpreter = Path(sys.executable)
        elif not interpreter.exists():
            raise Missing(
                f"the Python package {module} is missing; tools/benchmarks/setup installs it")
        return [interpreter, HERE / "rivals" / f"{name}.py"]

    @functools.cached_property
    def library_program(self):
        """The program that appends through the library."""
        if self.given_library:
            return self.given_library.resolve()
        if not self.is_library_built:
            raise Missing("--before-library names the earlier program that appends by batch")
        if self.is_quick:
            raise Missing("a quick run does not build the library; --library names the program")
        if not shutil.which("swift"):
            raise Missing("there is no Swift toolchain to build the library with")
        print("Building tools/benchmarks with the library …", file=sys.stderr, flush=True)
        build = [
            "swift", "build", "--configuration", "release", "--package-path", HERE,
            "--scratch-path", REPOSITORY / ".build" / "benchmarks", "-Xswiftc",
            "-static-executable", "-Xswiftc", "-Xfrontend", "-Xswiftc",
            "-disable-concrete-type-metadata-mangled-name-accessors"]
        run(build)
        return Path(run([*build, "--show-bin-path"]).decode().strip()) / "AppendByBatch"

    # Events

    @functools.cache
    def lines(self, drives, seed=1):
        """Simulates drives; returns a file of lines, which have `EVENTS_PER_DRIVE` for each."""
        path = self.directory / f"drives-{drives}-{seed}.jsonl"
        with open(path, "wb") as output:
            subprocess.run(
                [self.ledger, "simulate", "bulk", "--drives", str(drives), "--fixes",
                 str(FIXES_PER_DRIVE), "--seed", str(seed)], check=True, stdout=output)
        return path

    def rewritten(self, lines, name, change):
        """Returns a file of lines with a change to each: a function of its number and itself."""
        path = self.directory / name
        if not path.exists():
            with open(lines, "rb") as source, open(path, "wb") as output:
                output.writelines(change(number, line) for number, line in enumerate(source))
        return path

    def later_lines(self, lines, year, month=None):
        """Returns the same drives, but in another year; a month only for those of January."""
        if month is None:
            old, new, name = b':"2015-', b':"%d-' % year, f"{lines.stem}-{year}.jsonl"
        else:
            old, new = b':"2015-01-', b':"%d-%02d-' % (year, month)
            name = f"{lines.stem}-{year}-{month}.jsonl"
        return self.rewritten(lines, name, lambda _, line: line.replace(old, new))

    # Ledgers

    def empty_book(self):
        """Returns a ledger that holds nothing, in a new directory."""
        book = Path(tempfile.mkdtemp(dir=self.directory)) / "book"
        run([self.ledger, "--ledger", book, "init"])
        return book

    def book_of(self, lines):
        """Returns a ledger that holds the events of a file."""
        book = self.empty_book()
        with open(lines, "rb") as source:
            run([self.ledger, "--ledger", book, "append"], stdin=source)
        return book

    @functools.cached_property
    def drives(self):
        """How many drives the large ledger has: ten million fixes, or one in a quick run."""
        return 800 if self.is_quick else 8_000

    @functools.cached_property
    def large_book(self):
        """A ledger of ten million fixes, one million in a quick run, with its views."""
        book = self.directory / "large" / "book"
        if self.given_book:
            shutil.copytree(self.given_book, book)
        else:
            print(f"Simulating {self.drives * FIXES_PER_DRIVE:,} fixes …", file=sys.stderr)
            book.parent.mkdir()
            run([self.ledger, "--ledger", book, "init"])
            simulation = subprocess.Popen(
                [self.ledger, "simulate", "bulk", "--drives", str(self.drives), "--fixes",
                 str(FIXES_PER_DRIVE)], stdout=subprocess.PIPE)
            run([self.ledger, "--ledger", book, "append"], stdin=simulation.stdout)
            if simulation.wait() != 0:
                sys.exit("benchmarks: the simulation failed")
        run([self.ledger, "--ledger", book, "project"])
        return book

    def new_directory(self):
        return Path(tempfile.mkdtemp(dir=self.directory))
