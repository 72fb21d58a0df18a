"""A Debian of its own in a folder, in which packages are installed as a user does."""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from book import REPOSITORY

MIRROR = os.environ.get("DEBIAN_MIRROR", "http://deb.debian.org/debian")
BASES = REPOSITORY / ".build" / "chroots"
LEDGER = "/var/lib/ledger/book"
# apt leaves out /usr/local of its own accord, where programs of the checks stand in the place of others.
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def base(suite):
    """The folder of a fresh system, which is made once; None if it cannot be had."""
    folder = BASES / suite
    if (folder / "made").is_file():
        return folder
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        return None
    BASES.mkdir(parents=True, exist_ok=True)
    print(f"fetching Debian {suite} …", flush=True)
    result = subprocess.run(
        ["debootstrap", "--variant=minbase", suite, folder, MIRROR], capture_output=True,
        text=True, check=False)
    if result.returncode != 0:
        print(result.stdout[-2000:])
        shutil.rmtree(folder, ignore_errors=True)
        return None
    (folder / "made").touch()
    return folder


class Chroot:
    """A copy of such a system, with a repository of packages that apt knows."""

    def __init__(self, suite, repository, runtime=None):
        self.folder = Path(tempfile.mkdtemp(prefix=f"ledger-{suite}-"))
        subprocess.run(
            ["cp", "-a", "--reflink=auto", f"{base(suite)}/.", self.folder], check=True)
        if runtime:
            place = self.folder / str(runtime).lstrip("/")
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copytree(runtime, place, symlinks=True)
        # No service is begun in a chroot, whoever asks.
        (self.folder / "usr/sbin/policy-rc.d").write_text("#!/bin/sh\nexit 101\n")
        (self.folder / "usr/sbin/policy-rc.d").chmod(0o755)
        shutil.copy("/etc/resolv.conf", self.folder / "etc/resolv.conf")
        self.use(repository)

    def use(self, repository):
        """Puts another repository in the place of the one that apt knows."""
        shutil.rmtree(self.folder / "repository", ignore_errors=True)
        shutil.copytree(repository, self.folder / "repository")
        keys = self.folder / "etc/apt/keyrings"
        keys.mkdir(parents=True, exist_ok=True)
        shutil.copy(Path(repository) / "trip-ledger.asc", keys / "trip-ledger.asc")
        text = (Path(repository) / "trip-ledger.sources").read_text()
        text = re.sub(r"^URIs: .*$", "URIs: file:/repository", text, flags=re.M)
        (self.folder / "etc/apt/sources.list.d/trip-ledger.sources").write_text(text)

    def command(self, *words, user=None):
        """The words by which a program is run there. What is mounted for it goes with it; numbers of
        processes are those of all, for LMDB tells readers of one ledger apart by them."""
        as_user = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"] if user else []
        inner = 'mount --bind /proc "$0/proc" && mount --bind /dev "$0/dev" && exec chroot "$0" "$@"'
        return ["unshare", "--mount", "sh", "-c", inner, str(self.folder), *as_user, *words]

    def environment(self, **values):
        return {"PATH": PATH, "LC_ALL": "C.UTF-8",
                "DEBIAN_FRONTEND": "noninteractive", "HOME": "/root", **values}

    def run(self, *words, user=None, data=None, **values):
        return subprocess.run(
            self.command(*words, user=user), input=data, capture_output=True, text=True,
            env=self.environment(**values), check=False)

    def start(self, *words, user=None, **values):
        return subprocess.Popen(
            self.command(*words, user=user), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, env=self.environment(**values))

    def apt(self, *words):
        return self.run("apt-get", "--quiet", "--yes", "--no-install-recommends",
                        "-o", "Dpkg::Use-Pty=0", "-o", f"DPkg::Path={PATH}", *words)

    def owner(self, path):
        """The package that a file belongs to; empty if none says that it is its own."""
        return self.run("dpkg-query", "-S", path).stdout.partition(":")[0]

    def status(self, package):
        return self.run("dpkg-query", "-W", "-f=${db:Status-Abbrev}", package).stdout.strip()

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)
