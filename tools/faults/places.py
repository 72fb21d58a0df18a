"""Places where a ledger has it hard: small disks, file systems that cannot be written."""

import contextlib
import os
import shutil
import subprocess
import tempfile
import time

from ledgers import Skipped, has


def mount(*arguments):
    """Mounts something, or skips where this user or machine may not."""
    has("mount")
    done = subprocess.run(["mount", *map(str, arguments)], capture_output=True)
    if done.returncode != 0:
        raise Skipped(f"cannot mount: {done.stderr.decode().strip()}")


def unmount(place):
    """Unmounts a place, also if a process has only just left it."""
    for _ in range(50):
        if subprocess.run(["umount", str(place)], capture_output=True).returncode == 0:
            return
        time.sleep(0.1)
    subprocess.run(["umount", "--lazy", str(place)], check=True)


@contextlib.contextmanager
def memory_disk(place, kilobytes):
    """A small file system in memory."""
    place.mkdir()
    mount("-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", place)
    try:
        yield place
    finally:
        unmount(place)


@contextlib.contextmanager
def small_disk(place, kilobytes):
    """A small ext4 in a file."""
    has("mkfs.ext4")
    image = place.with_name(place.name + ".image")
    with image.open("wb") as file:
        file.truncate(kilobytes * 1024)
    subprocess.run(["mkfs.ext4", "-q", "-m", "0", "-O", "^has_journal", image], check=True)
    place.mkdir()
    mount("-o", "loop", image, place)
    try:
        yield place
    finally:
        unmount(place)
        image.unlink()


@contextlib.contextmanager
def read_only(place):
    """Makes a directory read-only by mounting it on itself."""
    mount("--bind", place, place)
    try:
        mount("-o", "remount,ro,bind", place)
        yield place
    finally:
        unmount(place)


def fill(place, spare_kilobytes):
    """Fills a disk but for some kilobytes; returns the file that does it."""
    filler = place / "filler"
    statistics = os.statvfs(place)
    left = statistics.f_bavail * statistics.f_frsize - spare_kilobytes * 1024
    with filler.open("wb") as file:
        try:
            while left > 0:
                left -= file.write(bytes(min(left, 65_536)))
                file.flush()
        except OSError:
            pass
    return filler


def another_user(directory, program):
    """Lets another user than root into a directory; returns the arguments that run as that user."""
    if os.geteuid() != 0:
        raise Skipped("only the superuser can become another user")
    has("setpriv")
    for parent in [directory, *directory.parents]:
        if str(parent) in (tempfile.gettempdir(), "/"):
            break
        parent.chmod(parent.stat().st_mode | 0o055)
    # The program may lie where only root can go.
    copy = directory.parent / "ledger-for-others"
    if not copy.exists():
        partial = copy.with_name(f"{copy.name}-{directory.name}")
        shutil.copy2(program.path, partial)
        partial.chmod(0o755)
        partial.rename(copy)
    return ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"], copy
