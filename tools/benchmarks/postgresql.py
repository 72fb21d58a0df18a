"""A PostgreSQL of our own: a new cluster in the scratch directory, on a socket of its own."""

import os
import pwd
import shutil
import subprocess
from pathlib import Path

from workshop import Missing

# PostgreSQL does not run as root.
OTHER_USERS = ("postgres", "nobody")


class Cluster:
    def __init__(self, scratch):
        self.programs = self.find_programs()
        self.user = self.find_user()
        self.home = scratch / "postgresql"
        self.home.mkdir()
        if self.user:
            # The way to it has to be open for that user, and only the way.
            scratch.chmod(0o711)
            shutil.chown(self.home, self.user)
        self.data = self.home / "data"
        self.call("initdb", "--auth=trust", "--username=benchmark", "-D", self.data)
        self.call(
            "pg_ctl", "-D", self.data, "-w", "-l", self.home / "log", "-o",
            f"-c listen_addresses='' -c unix_socket_directories='{self.home}'", "start")
        self.connection = f"host={self.home} user=benchmark dbname=postgres"

    @staticmethod
    def find_programs():
        places = [*Path("/usr/lib/postgresql").glob("*/bin"), Path("/usr/bin")]
        found = [place for place in places if (place / "pg_ctl").exists()]
        if not found:
            raise Missing("no PostgreSQL server is installed; tools/benchmarks/setup does it")
        return found[0]

    @staticmethod
    def find_user():
        if os.geteuid() != 0:
            return None
        names = {entry.pw_name for entry in pwd.getpwall()}
        for name in OTHER_USERS:
            if name in names:
                return name
        raise Missing("PostgreSQL does not run as root, and there is no user to run it as")

    def call(self, program, *arguments):
        result = subprocess.run(
            [self.programs / program, *map(str, arguments)], user=self.user, cwd=self.home,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        if result.returncode != 0:
            text = result.stdout.decode(errors="replace").strip().splitlines() or ["no word"]
            raise Missing(f"{program} failed: {text[-1]}")

    def stop(self):
        self.call("pg_ctl", "-D", self.data, "-m", "fast", "-w", "stop")
