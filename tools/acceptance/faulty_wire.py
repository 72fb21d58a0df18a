"""A network between programs on this machine that is slow, and breaks off."""

import random
import selectors
import socket
import threading
import time


class FaultyWire:
    """Passes connections on to `port`, with a delay for every piece, and cuts some off.

    `loss` is the chance that a connection is cut at a random place of the first `reach` bytes, in either
    direction; `seconds` the longest delay of a piece. With `after`, every connection is cut after so
    many pieces, and `on_cut` is called.
    """

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.name = f"127.0.0.1:{self.listener.getsockname()[1]}"
        self.port = None
        self.be_good()
        threading.Thread(target=self._accept, daemon=True).start()

    def be_good(self):
        """Has no faults from now on."""
        self.loss, self.seconds, self.reach = 0.0, 0.0, 20_000
        self.after, self.on_cut = None, lambda: None
        self.cuts = 0

    def _accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            is_cut = self.random.random() < self.loss
            rest = self.random.randrange(1, self.reach) if is_cut else None
            threading.Thread(target=self._pass, args=(near, rest), daemon=True).start()

    def _pass(self, near, rest):
        try:
            far = socket.create_connection(("127.0.0.1", self.port))
        except OSError:
            near.close()
            return
        pieces = 0
        with near, far, selectors.DefaultSelector() as ready:
            ready.register(near, selectors.EVENT_READ, far)
            ready.register(far, selectors.EVENT_READ, near)
            try:
                while True:
                    for key, _ in ready.select():
                        piece = key.fileobj.recv(65_536)
                        if not piece:
                            return
                        if self.seconds:
                            time.sleep(self.random.uniform(0, self.seconds))
                        if self.after is not None and pieces >= self.after:
                            self.cuts += 1
                            self.on_cut()
                            return
                        if rest is not None and len(piece) >= rest:
                            # A part of it still gets through.
                            key.data.sendall(piece[:rest - 1])
                            self.cuts += 1
                            return
                        key.data.sendall(piece)
                        pieces += 1
                        rest = rest and rest - len(piece)
            except OSError:
                return
