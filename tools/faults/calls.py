"""System calls of a command: which there are, and a disturbance of one of them, both by strace."""

import collections
import re

from ledgers import LIMIT_SECONDS, Wrong, expect_work_goes_on, has

# Calls that change a disk, or hand over what was done.
STORING = ["openat", "open", "creat", "write", "writev", "pwrite64", "pwritev", "fdatasync",
           "fsync", "syncfs", "msync", "ftruncate", "fallocate", "rename", "renameat", "renameat2",
           "link", "linkat", "unlink", "unlinkat", "mkdir", "mkdirat", "rmdir", "flock", "fcntl",
           "mmap", "sendfile", "copy_file_range"]
READING = ["read", "pread64", "newfstatat", "getdents64", "fstatfs", "clone3", "pipe2"]
LINE = re.compile(r"(\d+) +(\w+)\((.*)")
# Calls before the program looks at its ledger, and calls for memory of its own.
ELSEWHERE = re.compile(r'"/(sys|proc|etc|usr|dev|lib)|MAP_ANONYMOUS|F_GETF|\.so[.\d]*[>"]')


class Call:
    """The `number`th call of its name in one process of a command."""

    def __init__(self, name, number, text):
        self.name, self.number, self.text = name, number, text

    def __str__(self):
        return f"{self.name} {self.number}"


def traced(scene, stage, directory, program, names):
    """Returns the calls of these names that an undisturbed command makes."""
    has("strace")
    book = scene.start(stage, directory, program)
    trace = directory / "trace"
    run = book.run(*scene.arguments,
                   wrapped=["strace", "-f", "-y", "-o", trace, "-e", f"trace={','.join(names)}"])
    if run.code != 0:
        raise Wrong(f"undisturbed, {run}")
    if not scene.is_done(stage, book):
        raise Wrong(f"undisturbed, {scene.name} did not do its work")
    found, counts = {}, collections.Counter()
    for line in trace.read_text(errors="replace").splitlines():
        match = LINE.match(line)
        if match and match[2] in names:
            counts[match[1], match[2]] += 1
            if not ELSEWHERE.search(match[3]):
                key = match[2], counts[match[1], match[2]]
                found.setdefault(key, Call(*key, match[3]))
    return list(found.values())


def disturb(scene, stage, directory, program, call, what):
    """Runs a command with one call disturbed; returns the ledger, and how the command ended."""
    book = scene.start(stage, directory, program)
    run = book.run(
        *scene.arguments, limit=LIMIT_SECONDS,
        wrapped=["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call.name}",
                 "-e", f"inject={call.name}:{what}:when={call.number}"])
    return book, run


def expect_recovery(scene, stage, book, run):
    """The oracle after a command that was disturbed, however it ended."""
    scene.expect(stage, book, run)
    is_done = scene.is_done(stage, book)
    if run.code == 0 and not is_done:
        raise Wrong(f"{scene.name} exits 0 and is not done")
    again = book.run(*scene.again(stage, book))
    if again.code != 0 and not is_done:
        raise Wrong(f"once more, {again}")
    if not scene.is_done(stage, book):
        raise Wrong(f"{scene.name} was done again and is not done: {again.said}")
    expect_work_goes_on(book, scene.name)
