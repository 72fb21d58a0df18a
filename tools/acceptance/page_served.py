"""A ledger that `ledger serve` serves while its page is tried, and links that sign in."""

import re
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path


class Served:
    """The address of a served ledger, and who answers there."""

    def __init__(self, book, process, origin):
        self.book = book
        self.process = process
        self.origin = origin

    def server_process(self):
        """Returns the number of the process that answers: `ledger` becomes it, or starts it."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return int((children.split() or [self.process.pid])[0])

    def link(self, name):
        """Returns a link that signs a browser in, once."""
        made = self.book.run("token", "new", name, "--page", "--url", self.origin)
        link = re.search(r"http://\S+#login=\S+", made.stdout.decode())
        if link is None:
            sys.exit(f"page: there is no link to sign in with: {made.stderr.decode()}")
        return link.group()


@contextmanager
def serve(book, *options):
    """Serves a ledger at a port that is free."""
    command = [book.ledger, "--ledger", book.path, "serve", "--port", "0", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        address = re.search(r"http://127\.0\.0\.1:\d+", process.stdout.readline())
        if address is None:
            sys.exit("page: the server does not say where it is")
        yield Served(book, process, address.group())
    finally:
        process.terminate()
        process.wait()
