"""The environment of the checks that need a broker or a mailbox, and programs that are run in it."""

import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

from book import REPOSITORY

PYTHON = REPOSITORY / ".build" / "mqtt-python"


def enter_environment(*modules):
    """Runs this program again where `tools/acceptance/setup mqtt` installed what it needs; exits 77
    if that cannot be installed."""
    if Path(sys.prefix).resolve() == PYTHON.resolve():
        return
    setup = REPOSITORY / "tools" / "acceptance" / "setup"
    done = subprocess.run([setup, "mqtt"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        print(f"skipped: {', '.join(modules)} cannot be installed: {done.stdout.decode()}",
              file=sys.stderr)
        sys.exit(77)
    python = PYTHON / "bin" / "python3"
    os.execv(python, [str(python), *sys.argv])


def built(*products):
    """Returns `ledger` of a release build; the other products stand beside it."""
    for product in ("ledger", *products):
        subprocess.run(
            ["swift", "build", "-c", "release", "--product", product], cwd=REPOSITORY, check=True)
    return REPOSITORY / ".build" / "release" / "ledger"


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def wait_for(condition, seconds, pause=0.1):
    """Waits until something holds, and returns whether it did in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(pause)
    return condition()


class Broker:
    """A mosquitto of our own, which keeps its queue over SIGTERM."""

    def __init__(self, directory):
        self.port = free_port()
        self.directory = Path(directory) / "broker"
        self.directory.mkdir()
        self.file = self.directory / "mosquitto.conf"
        self.file.write_text(
            f"listener {self.port} 127.0.0.1\nallow_anonymous true\npersistence true\n"
            f"persistence_location {self.directory}/\nautosave_interval 0\n"
            "max_queued_messages 0\n" + ("user root\n" if os.getuid() == 0 else ""))
        self.start()

    @property
    def address(self):
        return f"mqtt://127.0.0.1:{self.port}"

    def start(self):
        program = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
        self.process = subprocess.Popen(
            [program, "-c", self.file], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(self.answers, 10)

    def answers(self):
        with socket.socket() as connection:
            return connection.connect_ex(("127.0.0.1", self.port)) == 0

    def end(self):
        """Ends it as a system does that shuts down."""
        self.process.terminate()
        self.process.wait()
