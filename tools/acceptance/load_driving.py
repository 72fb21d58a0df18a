"""A ledger that is served while a phone drives: its positions come through a pipe, so many a second."""

import json
import subprocess
import tempfile
import threading
import time
from contextlib import contextmanager

from book import Book, expect, simulate
from page_served import serve

SOURCE = "load"


class Writer:
    """Drives: GO, and so many positions a second through a pipe until it is closed."""

    def __init__(self, book, rate):
        self.rate = rate
        self.sent = 0
        self.is_closed = False
        self.process = subprocess.Popen(
            [book.ledger, "--ledger", book.path, "append"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.send('"type":"go_pressed"', time.time())
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def send(self, members, at):
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at)) + f".{int(at * 1000) % 1000:03d}Z"
        line = f'{{{members},"source":"{SOURCE}","occurred_at":"{stamp}"}}\n'
        self.process.stdin.write(line.encode())

    def run(self):
        begun = time.time()
        while not self.is_closed:
            due = int((time.time() - begun) * self.rate)
            while self.sent < due:
                at = begun + self.sent / self.rate
                latitude = 51.9 + 15 * (at - begun) / 111_195
                self.send(f'"type":"fix_recorded","lat":{latitude:.7f},"lon":4.6,"accuracy":6,"speed":15', at)
                self.sent += 1
            self.process.stdin.flush()
            time.sleep(0.02)

    def end(self):
        """Ends it, and returns how many were sent and what the ledger says of them."""
        self.is_closed = True
        self.thread.join()
        self.process.stdin.close()
        lines = self.process.stdout.read().splitlines()
        self.process.wait()
        return self.sent + 1, json.loads(lines[-1])


@contextmanager
def driving(program, rate):
    """Serves a ledger with a week of drives, in which one goes on now."""
    with tempfile.TemporaryDirectory() as directory:
        book = Book(program, directory)
        book.append(b"\n".join(simulate(program, "--days", "7", "--places")) + b"\n")
        with serve(book, "--reads-per-minute", "0") as served:
            writer = Writer(book, rate)
            try:
                yield served
            finally:
                sent, told = writer.end()
                expect(told["appended"] == sent, f"of {sent} events {told['appended']} were taken")
                print(f"  {sent:,} events were written, all taken")
