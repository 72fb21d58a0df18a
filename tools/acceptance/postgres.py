"""Two PostgreSQL servers of the acceptance's own, one of them a synchronous standby."""

import glob
import os
import pwd
import shutil
import signal
import socket
import struct
import subprocess
import threading
import time

LIST = "ANY 1 (a, b)"


def binaries():
    """Returns the directory of PostgreSQL's programs; None if it is not installed."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
    return os.path.dirname(found[-1]) if found else None


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Node:
    """A server with its directory, started and ended by its own user: it refuses to be root."""

    def __init__(self, name, directory, user):
        self.name, self.data, self.user = name, directory / name, user
        self.log, self.port = directory / f"{name}.log", free_port()

    def run(self, program, *arguments, check=True):
        command = [f"{binaries()}/{program}", *map(str, arguments)]
        if os.getuid() == 0:
            command = ["setpriv", f"--reuid={self.user}", f"--regid={self.user}",
                       "--init-groups", *command]
        result = subprocess.run(command, capture_output=True, text=True, cwd="/",
                                env={**os.environ, "LC_ALL": "C"})
        assert not check or result.returncode == 0, f"{program}: {result.stderr or result.stdout}"
        return result

    def configure(self, names=LIST):
        with open(self.data / "postgresql.auto.conf", "a") as file:
            file.write(
                f"port = {self.port}\nlisten_addresses = '127.0.0.1'\n"
                f"unix_socket_directories = ''\nsynchronous_standby_names = '{names}'\n"
                f"cluster_name = '{self.name}'\nwal_keep_size = '1GB'\nmax_connections = 50\n"
                "shared_buffers = 32MB\nfsync = on\n")

    def start(self):
        # pg_ctl's pipes would stay open in the server.
        command = ["-D", self.data, "-w", "-t", "60", "-l", self.log, "start"]
        self.run("pg_ctl", *command)

    def ask(self, question, check=True):
        result = self.run("psql", "-h", "127.0.0.1", "-p", self.port, "-U", "postgres", "-d",
                          "postgres", "-AtXq", "-v", "ON_ERROR_STOP=1", "-v",
                          "VERBOSITY=verbose", "-c", question, check=check)
        return result.stdout.strip() if check else (result.stdout + result.stderr).strip()

    def postmaster(self):
        try:
            return int((self.data / "postmaster.pid").read_text().split()[0])
        except (OSError, ValueError):
            return None

    def signal(self, number):
        """Sends a signal to the server and all of its processes, found by their directory."""
        for folder in glob.glob("/proc/[0-9]*"):
            try:
                if os.readlink(f"{folder}/cwd") == str(self.data):
                    os.kill(int(folder.rsplit("/", 1)[1]), number)
            except OSError:
                continue

    def kill(self):
        self.signal(signal.SIGKILL)
        (self.data / "postmaster.pid").unlink(missing_ok=True)

    def end(self):
        self.signal(signal.SIGCONT)
        self.run("pg_ctl", "-D", self.data, "-m", "immediate", "-w", "stop", check=False)


class Cluster:
    """A primary with a standby, and the service `fleet` that names both."""

    def __init__(self, directory):
        directory.mkdir(parents=True)
        user = "postgres" if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name
        if os.getuid() == 0:
            shutil.chown(directory, user, user)
            for parent in [directory, *directory.parents]:
                if parent.stat().st_uid != 0 and parent != directory:
                    break
                parent.chmod(parent.stat().st_mode | 0o011)
        self.nodes = {name: Node(name, directory, user) for name in "ab"}
        self.primary, self.standby = self.nodes["a"], self.nodes["b"]
        self.primary.run("initdb", "-D", self.primary.data, "-A", "trust", "-U", "postgres",
                         "-E", "UTF8", "--no-locale", "--no-sync")
        self.primary.configure()
        self.primary.start()
        self.clone()
        self.services = directory / "pg_service.conf"
        ports = ",".join(str(node.port) for node in self.nodes.values())
        self.services.write_text(
            f"[fleet]\nhost=127.0.0.1,127.0.0.1\nport={ports}\nuser=postgres\ndbname=postgres\n")
        self.services.chmod(0o644)

    def clone(self, names=LIST):
        """Makes the standby anew from the primary, and starts it."""
        shutil.rmtree(self.standby.data, ignore_errors=True)
        place = (f"host=127.0.0.1 port={self.primary.port} user=postgres "
                 f"application_name={self.standby.name}")
        self.primary.run("pg_basebackup", "-D", self.standby.data, "-d", place, "-R", "-X",
                         "stream", "-c", "fast", "--no-sync")
        self.standby.configure(names)
        self.standby.start()

    def fail_over(self, clone=True):
        """Kills the primary and promotes the standby, which gets a new standby."""
        self.primary.kill()
        self.standby.run("pg_ctl", "-D", self.standby.data, "-w", "promote")
        self.primary, self.standby = self.standby, self.primary
        if clone:
            self.clone()

    def wait_until_even(self):
        for _ in range(200):
            if self.primary.ask("SELECT pg_current_wal_lsn()") == \
                    self.standby.ask("SELECT pg_last_wal_replay_lsn()"):
                return
            time.sleep(0.05)
        raise AssertionError("the standby does not follow")

    def end(self):
        for node in self.nodes.values():
            node.end()


class OldServer(threading.Thread):
    """What answers one client as PostgreSQL 14 does, and keeps what it is asked."""

    def __init__(self):
        super().__init__(daemon=True)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port, self.asked = self.listener.getsockname()[1], []
        self.start()

    def run(self):
        stream = self.listener.accept()[0].makefile("rwb")
        while True:
            length, code = struct.unpack("!II", stream.read(8))
            stream.read(length - 8)
            if code == 196_608:
                break
            # Neither TLS nor GSSAPI.
            stream.write(b"N")
            stream.flush()
        self.say(stream, (b"R", struct.pack("!I", 0)), *(
            (b"S", name + b"\0" + value + b"\0") for name, value in (
                (b"server_version", b"14.11"), (b"in_hot_standby", b"off"),
                (b"default_transaction_read_only", b"off"))), (b"Z", b"I"))
        while len(head := stream.read(5)) == 5 and head[:1] != b"X":
            text = stream.read(struct.unpack("!I", head[1:])[0] - 4)
            if head[:1] in b"PQ":
                self.asked.append(text)
            if head[:1] == b"Q":
                self.say(stream, (b"C", b"SET\0"), (b"Z", b"I"))
            elif head[:1] == b"S":
                self.answer(stream)

    def answer(self, stream):
        """Answers each question with a number, its version's if it is asked for that, and a text."""
        values = (struct.pack("!I", 140_011), b"14.11")
        if b"server_version_num" not in self.asked[-1]:
            values = values[1:]
        columns = b"".join(b"?\0" + struct.pack("!IHIhih", 0, 0, 25, -1, -1, 1) for _ in values)
        row = b"".join(struct.pack("!I", len(value)) + value for value in values)
        count = struct.pack("!H", len(values))
        self.say(stream, (b"1", b""), (b"2", b""), (b"T", count + columns), (b"D", count + row),
                 (b"C", b"SELECT 1\0"), (b"Z", b"I"))

    @staticmethod
    def say(stream, *messages):
        for kind, payload in messages:
            stream.write(kind + struct.pack("!I", len(payload) + 4) + payload)
        stream.flush()
