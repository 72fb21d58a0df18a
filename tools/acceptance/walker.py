"""A person at a terminal of so many columns, who types commands: they are counted, and timed."""

import fcntl
import json
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
import unicodedata
from pathlib import Path

ROWS = 50

# The most seconds that a command may take on a machine that does something else too.
PATIENCE = 120

# A root or a signature cannot be divided: people copy it.
LONG_WORD = 40

STYLES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]|\x1b\][^\x07]*\x07|.*\r(?=[^\n])")


class Walker:
    """Someone who types commands in a directory of their own, whose ledger is where it is by default."""

    def __init__(self, program, directory, name, columns):
        self.name = name
        self.columns = columns
        self.commands = 0
        self.seconds = 0
        self.slowest = (0, "")
        self.home = Path(directory) / f"{name.replace(' ', '-')}-{columns}"
        self.home.mkdir()
        # The neighbours of the program are found beside it.
        names = ("ledger", "ledger-serve", "ledger-print", "ledger-sync")
        (self.home / "bin").mkdir()
        for neighbour in names:
            found = program if neighbour == "ledger" else program.parent / neighbour
            if found.exists():
                (self.home / "bin" / neighbour).symlink_to(found)
        kept = {key: value for key, value in os.environ.items()
                if not key.startswith(("XDG_", "LEDGER_")) and key not in ("COLUMNS", "LINES")}
        self.environment = {
            **kept, "HOME": str(self.home), "TERM": "xterm", "LANG": "C.UTF-8", "NO_COLOR": "1",
            "PAGER": "cat", "PATH": f"{self.home / 'bin'}:{kept.get('PATH', '')}",
            "LEDGER_DIR": str(self.home / "book")}

    def type(self, line):
        """Types a command, and returns what is then on the screen."""
        start = time.monotonic()
        text = self.screen(line)
        seconds = time.monotonic() - start
        self.commands += 1
        self.seconds += seconds
        self.slowest = max(self.slowest, (seconds, line))
        return text

    def screen(self, line, keys=None):
        """Runs a command at a terminal, with keys that are pressed there: nothing is counted."""
        screen, other = pty.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, self.columns, 0, 0))
        process = subprocess.Popen(
            ["sh", "-c", line], cwd=self.home, env=self.environment,
            stdin=subprocess.DEVNULL if keys is None else other, stdout=other, stderr=other)
        os.close(other)
        if keys is not None:
            os.write(screen, keys.encode())
        pieces = []
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if not select.select([screen], [], [], 1)[0]:
                continue
            try:
                piece = os.read(screen, 1 << 16)
            except OSError:
                break
            if not piece:
                break
            pieces.append(piece)
        else:
            process.kill()
        os.close(screen)
        process.wait()
        text = b"".join(pieces).decode(errors="replace").replace("\r\n", "\n")
        return STYLES.sub("", text)

    def run(self, line, data=None):
        """Runs a command in a script: exit code, standard output and standard error."""
        result = subprocess.run(
            ["sh", "-c", line], cwd=self.home, env=self.environment, input=data,
            capture_output=True, text=True, timeout=PATIENCE)
        return result.returncode, result.stdout, result.stderr

    def said(self, line):
        """Returns both outputs of a command in a script."""
        _, output, errors = self.run(line)
        return output + errors

    def rows(self, line):
        """Returns what a question answers, as values."""
        return [json.loads(row) for row in self.run(f"{line} --format json")[1].splitlines()]

    def wide_lines(self, text):
        """Returns the lines that do not fit on the screen, but for JSON and for words that are so long."""
        return [line for line in text.splitlines()
                if width(line) > self.columns and not line.lstrip().startswith(("{", '"'))
                and max(map(width, line.split())) < LONG_WORD]


def width(line):
    """Returns how many columns a line takes."""
    return sum(
        0 if unicodedata.combining(letter) else
        2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in line)
