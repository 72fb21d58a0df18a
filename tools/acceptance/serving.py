"""A ledger that `ledger serve` serves, of a simulated driver, and requests to it byte by byte."""

import json
import os
import re
import signal
import socket
import subprocess
import time
from pathlib import Path

from book import expect

# One token asks everything; what quotas do, the program's own tests try.
NO_QUOTAS = ("--reads-per-minute", "0", "--writes-per-minute", "0")

# The most seconds of a request that is answered at once, on a machine that does something else too.
PATIENCE = 30


class Served:
    """A ledger with drives and places, served on a port that is free."""

    def __init__(self, program, directory):
        self.program = program
        self.path = Path(directory) / "book"
        # The notes that a ledger keeps beside itself belong to this one alone.
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
        self.environment["HOME"] = str(directory)
        self.ledger("init", "--time-zone", "Europe/Amsterdam")
        drives = self.ledger("simulate", "--days", "5", "--places")
        self.ledger("append", data=drives)
        # A proof leads to a head that was signed.
        key = Path(directory) / "owner.key"
        self.ledger("key", "new", "--name", "example.com/served", "-o", str(key))
        self.ledger("head", "--sign", "--key", str(key))
        self.token = self.new_token("everything", "admin", "audit", "sync", "live")
        self.process = subprocess.Popen(
            [program, "--ledger", self.path, "serve", "--port", "0", *NO_QUOTAS],
            stdout=subprocess.PIPE, text=True, env=self.environment)
        line = self.process.stdout.readline()
        self.port = int(re.search(r"127\.0\.0\.1:(\d+)", line).group(1))
        self.url = f"http://127.0.0.1:{self.port}"

    def ledger(self, *arguments, data=b""):
        result = subprocess.run(
            [self.program, *arguments, "--ledger", self.path], input=data, capture_output=True,
            env=self.environment)
        if result.returncode not in (0, 1):
            raise SystemExit(f"ledger {' '.join(arguments)}: {result.stderr.decode()}")
        return result.stdout

    def new_token(self, name, *scopes):
        options = [option for scope in scopes for option in ("--scope", scope)]
        made = self.ledger("token", "new", name, *options, "--format", "json")
        return json.loads(made)["token"]

    def memory(self):
        """Returns what is in memory, and what of it no file holds, in bytes."""
        text = Path(f"/proc/{self.server_process()}/status").read_text()
        return tuple(
            int(re.search(rf"^{name}:\s+(\d+) kB$", text, re.MULTILINE).group(1)) << 10
            for name in ("VmRSS", "RssAnon"))

    def server_process(self):
        """Returns the number of the process that answers: `ledger` becomes it, or starts it."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return int((children.split() or [self.process.pid])[0])

    def connect(self, receive_buffer=None):
        connection = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if receive_buffer:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        connection.settimeout(PATIENCE)
        connection.connect(("127.0.0.1", self.port))
        return connection

    def has(self, connection):
        """Returns whether the server's side of a connection is open, as the system says."""
        ours = connection.getsockname()[1]
        for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
            fields = line.split()
            ports = [int(field.partition(":")[2], 16) for field in fields[1:3]]
            if ports == [self.port, ours]:
                return fields[3] == "01"
        return False

    def head(self, path, *fields, method="GET", host=None, token=True):
        """Returns the head of a request."""
        lines = [f"{method} {path} HTTP/1.1", f"Host: {host or f'127.0.0.1:{self.port}'}"]
        if token:
            lines.append(f"Authorization: Bearer {self.token}")
        return ("\r\n".join([*lines, *fields]) + "\r\n\r\n").encode()

    def ask(self, path, *fields, method="GET", body=b"", **options):
        """Sends a request on a connection of its own; returns status and body."""
        fields = [*fields, "Connection: close"]
        if body:
            fields.append(f"Content-Length: {len(body)}")
        with self.connect() as connection:
            connection.sendall(self.head(path, *fields, method=method, **options) + body)
            answer = read_to_end(connection)
        return status_of(answer), answer.partition(b"\r\n\r\n")[2]

    def expect_alive(self, after):
        """Whether a reader, a writer and one without a token still get what they should."""
        started = time.monotonic()
        expect(self.ask("/health", token=False)[0] == 200, f"it is healthy after {after}")
        expect(self.ask("/v1/trips?limit=1")[0] == 200, f"it is read after {after}")
        expect(self.press("alive") == 200, f"it is written to after {after}")
        return time.monotonic() - started

    def press(self, source):
        body = json.dumps({"source": source}).encode()
        return self.ask("/v1/go", "Content-Type: application/json", method="POST", body=body)[0]

    def end(self):
        """Ends it as a system does, and returns how it ended."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return None


def read_to_end(connection, most=None):
    """Returns what comes until the other side ends it, however it does."""
    answer = b""
    while most is None or len(answer) < most:
        try:
            piece = connection.recv(1 << 16)
        except (ConnectionError, TimeoutError):
            break
        if not piece:
            break
        answer += piece
    return answer


def status_of(answer):
    """Returns the status of an answer; `None` if there is none."""
    found = re.match(rb"HTTP/1\.1 (\d{3}) ", answer)
    return int(found.group(1)) if found else None
