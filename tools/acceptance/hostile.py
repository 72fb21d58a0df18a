"""Clients that are slow, that send too much, or that send what no client sends.

Each gets a line: what it was answered, how long until the connection ended, and how many bytes the
server took and gave. A connection may take as long as its limit says (ConnectionLimits.swift) and
some seconds more, for the machine may do something else too.
"""

import resource
import select
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from book import expect
from serving import read_to_end, status_of

# The limits of the server in seconds: for a head, or nothing at all; a body that hardly moves; a client
# to read.
HEAD, BODY, READING = 30, 15, 30

# How much later a connection may end, and how long one may take that ends at once.
SLACK, AT_ONCE = 15, 10

# After an answer the server takes 64 KiB more; the rest is in buffers of the system.
MOST_TAKEN = 16 << 20

# In memory that no file holds, after all that.
MOST_MEMORY = 64 << 20

CONNECTIONS = 10_000


class Line:
    """The result of a client."""

    def __init__(self, name):
        self.name = name
        self.started = time.monotonic()
        self.sent = 0
        self.answer = b""

    def end(self):
        self.seconds = time.monotonic() - self.started
        return self

    def check(self, statuses, least, most, most_sent=None):
        status = status_of(self.answer)
        print(f"{self.name:<44}{str(status or 'none'):>8}{self.seconds:>9.1f} s"
              f"{self.sent:>13,} sent{len(self.answer):>13,} read", flush=True)
        expect(status in statuses, f"{self.name}: {status}, and not one of {statuses}")
        expect(least <= self.seconds <= most,
               f"{self.name}: ended after {self.seconds:.1f} s, and not {least} to {most} s")
        if most_sent is not None:
            expect(self.sent <= most_sent, f"{self.name}: {self.sent:,} bytes were taken")


def send_all(line, connection, data):
    """Sends data as far as the other side takes it, and reads what it says meanwhile."""
    connection.setblocking(False)
    view = memoryview(data)
    deadline = time.monotonic() + 120
    while len(view) and time.monotonic() < deadline:
        readable, writable, _ = select.select([connection], [connection], [], 5)
        try:
            if readable:
                piece = connection.recv(1 << 16)
                if not piece:
                    break
                line.answer += piece
            if writable:
                count = connection.send(view[:1 << 18])
                line.sent += count
                view = view[count:]
        except BlockingIOError:
            continue
        except ConnectionError:
            break
    connection.settimeout(30)


def drip(served, name, beginning):
    """Sends a beginning, and then a byte a second until the server ends it."""
    line = Line(name)
    with served.connect() as connection:
        connection.sendall(beginning)
        line.sent = len(beginning)
        while time.monotonic() - line.started < 150:
            readable, _, _ = select.select([connection], [], [], 1)
            try:
                if readable:
                    piece = connection.recv(1 << 16)
                    if not piece:
                        break
                    line.answer += piece
                line.sent += connection.send(b"a")
            except ConnectionError:
                break
    return line.end()


def say_nothing(served):
    line = Line("says nothing")
    with served.connect() as connection:
        connection.settimeout(150)
        line.answer = read_to_end(connection)
    return line.end()


def never_read(served):
    """Asks for much, again and again, and reads nothing before the server ends it."""
    line = Line("asks for 100 MB and reads nothing")
    data = served.head("/v1/log?limit=1000") * 400
    with served.connect(receive_buffer=1 << 16) as connection:
        connection.sendall(data)
        line.sent = len(data)
        # The end of the connection comes after bytes that were not read: only the system knows it.
        while served.has(connection) and time.monotonic() - line.started < 150:
            time.sleep(0.2)
        line.end()
        connection.settimeout(5)
        line.answer = read_to_end(connection)
    return line


def check_slow(served):
    """All of them at once, for each takes as long as it may."""
    head = served.head("/v1/events", "Content-Type: application/x-ndjson",
                       "Content-Length: 100000", method="POST")
    clients = [
        (lambda: say_nothing(served), (None,), HEAD - 5, HEAD + SLACK),
        (lambda: drip(served, "a byte of a head a second", b"GET /health HTTP/1.1\r\nX: "),
         (None, 408), 1, HEAD + SLACK),
        (lambda: drip(served, "a byte of a body a second", head), (None, 408), BODY - 5,
         BODY + SLACK),
        (lambda: never_read(served), (200, None), 5, READING + 2 * SLACK),
    ]
    with ThreadPoolExecutor(len(clients)) as pool:
        lines = [(pool.submit(client), *limits) for client, *limits in clients]
        for line, statuses, least, most in lines:
            line.result().check(statuses, least, most)


def exchange(served, name, data):
    """Sends something at once, and reads until the server ends it."""
    line = Line(name)
    with served.connect() as connection:
        send_all(line, connection, data)
        line.answer += read_to_end(connection)
    return line.end()


def check_too_much(served):
    big = b"x" * (100 << 20)
    fields = ("Content-Type: application/x-ndjson",)
    head = served.head("/v1/events", *fields, f"Content-Length: {len(big)}", method="POST",
                       token=False)
    exchange(served, "100 MB to a 401", head + big).check((401,), 0, AT_ONCE, MOST_TAKEN)
    head = served.head("/v1/events", *fields, f"Content-Length: {len(big)}", method="POST")
    exchange(served, "100 MB, and it said so", head + big).check((413,), 0, AT_ONCE, MOST_TAKEN)
    head = served.head("/v1/events", *fields, "Transfer-Encoding: chunked", method="POST")
    piece = b"100000\r\n" + big[:1 << 20] + b"\r\n"
    exchange(served, "100 MB in pieces", head + piece * 100).check(
        (413,), 0, 3 * AT_ONCE, 2 * MOST_TAKEN + MOST_TAKEN)
    head = served.head("/v1/nothing", "Connection: close", "X: " + "a" * (9 << 10))
    exchange(served, "a field of 9 KiB", head).check((400, 431), 0, AT_ONCE)
    many = [f"X-{number}: {'a' * 400}" for number in range(50)]
    exchange(served, "20 KB of fields", served.head("/health", "Connection: close", *many)).check(
        (400, 431), 0, AT_ONCE)
    many = [f"X-{number}: a" for number in range(70)]
    exchange(served, "70 fields", served.head("/health", "Connection: close", *many)).check(
        (400, 431), 0, AT_ONCE)
    endless = b"GET /" + b"a" * (1 << 20) + b" HTTP/1.1\r\n\r\n"
    exchange(served, "a target of 1 MiB", endless).check((400, 414, 431, None), 0, AT_ONCE)


def check_wrong(served):
    port = served.port
    close = "Connection: close"

    def get(*fields):
        return "\r\n".join(["GET /health HTTP/1.1", close, *fields, "", ""]).encode()

    for name, data, status in [
        ("its own Host", get(f"Host: localhost:{port}"), 200),
        ("no Host", get(), 421),
        ("two Hosts", get(f"Host: localhost:{port}", "Host: evil.example"), 421),
        ("two Hosts, the same", get(*[f"Host: localhost:{port}"] * 2), 421),
        ("Host of a rebound name", get(f"Host: evil.example:{port}"), 421),
        ("Host that begins like an own one", get(f"Host: localhost.evil.example:{port}"), 421),
        ("Host with another port", get(f"Host: localhost:{port % 65_535 + 1}"), 421),
        ("two lengths", get(f"Host: localhost:{port}", "Content-Length: 1",
                            "Content-Length: 2"), 400),
        ("a length and pieces", get(f"Host: localhost:{port}", "Content-Length: 1",
                                    "Transfer-Encoding: chunked"), 400),
        ("no HTTP", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400),
    ]:
        exchange(served, name, data).check((status,), 0, AT_ONCE)


def check_waiting(served):
    """One that sends its body when it is told to, and one that is told that it may not."""
    line = Line("waits to be told to send")
    fields = ("Content-Type: application/json", "Expect: 100-continue", "Connection: close")
    body = b'{"source":"waiting"}'
    with served.connect() as connection:
        connection.sendall(served.head("/v1/go", *fields, f"Content-Length: {len(body)}",
                                       method="POST"))
        told = read_to_end(connection, most=len("HTTP/1.1 100 Continue\r\n\r\n"))
        expect(status_of(told) == 100, f"one that waits is told: {told[:40]}")
        connection.sendall(body)
        line.sent, line.answer = len(body), read_to_end(connection)
    line.end().check((200,), 0, AT_ONCE)
    # The control: one that is refused is not asked for 100 MB first.
    head = served.head("/v1/events", *fields, f"Content-Length: {100 << 20}", method="POST")
    exchange(served, "waits with 100 MB", head).check((413,), 0, AT_ONCE)


def check_many(served):
    """Many connections that say nothing; a client then gets its answer when they have gone."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < CONNECTIONS + 100:
        return expect(False, f"so many connections need `ulimit -n {CONNECTIONS + 100}`")
    resource.setrlimit(resource.RLIMIT_NOFILE, (CONNECTIONS + 100, hard))
    started = time.monotonic()
    poll = select.epoll()
    connections = {}
    for _ in range(CONNECTIONS):
        connection = socket.socket()
        connection.setblocking(False)
        connection.connect_ex(("127.0.0.1", served.port))
        connections[connection.fileno()] = connection
        poll.register(connection, select.EPOLLOUT | select.EPOLLRDHUP)
    established, ended = set(), set()
    peak = (0, 0)
    while time.monotonic() - started < HEAD + SLACK:
        for number, event in poll.poll(0.5):
            if event & (select.EPOLLRDHUP | select.EPOLLHUP | select.EPOLLERR):
                ended.add(number)
                poll.unregister(number)
            else:
                established.add(number)
                poll.modify(number, select.EPOLLRDHUP)
        peak = max(peak, served.memory())
    for connection in connections.values():
        connection.close()
    poll.close()
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    closed = time.monotonic()
    alive = served.expect_alive(f"{CONNECTIONS:,} connections")
    print(f"{f'{CONNECTIONS:,} connections':<44}{len(established):>8,} open{len(ended):>9,} ended"
          f" within {closed - started:.0f} s; at most {peak[0] >> 20} MiB, {peak[1] >> 20} MiB of it"
          f" anonymous; then answered in {alive:.1f} s", flush=True)
    expect(len(established) >= 512, "at least as many are open as may be")
    expect(len(ended) >= 100, "connections that say nothing are ended")
    expect(peak[1] <= MOST_MEMORY, f"{CONNECTIONS:,} connections: {peak[1]:,} bytes of memory")


def check(served, directory, arguments):
    print("\nSlow and hostile clients\n", flush=True)
    before = served.memory()
    watcher = Watcher(served)
    check_slow(served)
    served.expect_alive("slow clients")
    check_too_much(served)
    served.expect_alive("too much")
    check_wrong(served)
    served.expect_alive("what no client sends")
    check_waiting(served)
    check_many(served)
    most = watcher.end()
    after = served.memory()
    for name, index in (("VmRSS", 0), ("RssAnon", 1)):
        print(f"{name}: {before[index] / 2**20:.1f} MiB before, at most {most[index] / 2**20:.1f},"
              f" {after[index] / 2**20:.1f} after")
    expect(most[1] <= MOST_MEMORY, f"{most[1]:,} bytes of memory that no file holds")


class Watcher:
    """Looks at the memory of the server four times a second."""

    def __init__(self, served):
        self.served = served
        self.most = served.memory()
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        while not self.is_over.wait(0.25):
            self.most = tuple(max(pair) for pair in zip(self.most, self.served.memory()))

    def end(self):
        self.is_over.set()
        self.thread.join()
        return self.most
