"""One token that keeps the server busy, and those of others beside it.

A phone delivers a position 20 times a second while another token holds bodies back, sends bodies of
very many members or drop by drop, follows the stream and waits for changes as often as it may, or asks
for reports; and while others only connect, without a token.
The controls: nothing at all, and a server that is stopped again and again, which the phone notices. An
attack that takes places is in force: the one who holds them gets no further one.
Of each attack: how long the phone's deliveries take, how many are refused, and whether a page with a
third token gets a stream and a report.
"""

import json
import os
import resource
import select
import signal
import threading
import time
from contextlib import contextmanager

from book import expect
from serving import read_to_end, status_of

# How long 99 of 100 deliveries of the phone take at most, in seconds.
MOST = 0.250

SECONDS = 20
MEMBERS = 88_000


class Phone(threading.Thread):
    """Delivers a position 20 times a second, each on a connection of its own."""

    def __init__(self, served, token):
        super().__init__(daemon=True)
        self.served, self.token = served, token
        self.seconds, self.statuses = [], {}
        self.is_over = threading.Event()

    def run(self):
        number = 0
        while not self.is_over.wait(0.05):
            number += 1
            fix = {"_type": "location", "lat": 51.9, "lon": 4.3, "acc": 5,
                   "tst": int(time.time()), "alt": number % 1000}
            started = time.monotonic()
            try:
                status, _ = self.served.ask(
                    f"/in/{self.token}/owntracks", "Content-Type: application/json",
                    method="POST", body=json.dumps(fix).encode(), token=False)
            except OSError as error:
                status = type(error).__name__
            self.seconds.append(time.monotonic() - started)
            self.statuses[status] = self.statuses.get(status, 0) + 1

    def end(self):
        self.is_over.set()
        self.join()
        ordered = sorted(self.seconds)
        return ordered[len(ordered) // 2], ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)]


def bearer(token):
    return f"Authorization: Bearer {token}"


@contextmanager
def nothing(served, token):
    yield


@contextmanager
def pauses(served, token):
    """The control: a server that stands still for longer than a delivery may take."""
    is_over = threading.Event()

    def stop():
        while not is_over.wait(0.5):
            os.kill(served.server_process(), signal.SIGSTOP)
            try:
                time.sleep(2 * MOST)
            finally:
                os.kill(served.server_process(), signal.SIGCONT)

    with many(stop, 1, is_over):
        yield


@contextmanager
def held_bodies(served, token):
    """Two bodies of 16 MiB that lack a byte; new ones when the server ends them."""
    is_over = threading.Event()

    def hold():
        while not is_over.is_set():
            try:
                with served.connect() as connection:
                    connection.sendall(served.head(
                        f"/in/{token}/owntracks", f"Content-Length: {16 << 20}", method="POST",
                        token=False))
                    connection.sendall(b" " * ((16 << 20) - 1))
                    connection.settimeout(1)
                    while not is_over.is_set():
                        try:
                            if not connection.recv(1 << 16):
                                break
                        except TimeoutError:
                            continue
            except OSError:
                pass
            is_over.wait(0.1)

    with many(hold, 2, is_over):
        yield


@contextmanager
def many_members(served, token):
    """Four clients that send objects of very many members, wherever objects are taken."""
    is_over = threading.Event()
    members = {f"m{number}": number for number in range(MEMBERS)}
    event = dict(members, type="fix_recorded", source="members", lat=51.9, lon=4.3)
    trip = {"event_type_id": "x", "timestamp": "2026-03-14T08:00:00Z",
            "properties": {name: {"type": "number", "value": 1} for name in members}}
    form = "&".join(f"m{number}=1" for number in range(MEMBERS)).encode()
    requests = [
        ("/v1/events", "application/json", json.dumps(event).encode()),
        ("/api/v1/events", "application/json", json.dumps(trip).encode()),
        ("/v1/decisions", "application/json", json.dumps(members).encode()),
        ("/in/osmand", "application/x-www-form-urlencoded", form),
        ("/in/owntracks", "application/json", json.dumps(members).encode()),
    ]

    def send():
        while not is_over.is_set():
            for path, media, body in requests:
                if is_over.is_set():
                    return
                try:
                    served.ask(path, bearer(token), f"Content-Type: {media}", method="POST",
                               body=body, token=False)
                except OSError:
                    pass

    with many(send, 4, is_over):
        yield


@contextmanager
def all_places(served, token, path):
    """Followers and waiting requests fill all places of the server."""
    connections = []
    for _ in range(512):
        connection = served.connect()
        connection.sendall(served.head(path, bearer(token), token=False))
        connections.append(connection)
    try:
        yield
    finally:
        for connection in connections:
            connection.close()


def streams(served, token):
    return all_places(served, token, "/v1/stream")


def waits(served, token):
    answer = served.ask("/v1/changes/latest-cursor", bearer(token), token=False)[1]
    return all_places(served, token, f"/v1/changes?wait=30&cursor={json.loads(answer)['cursor']}")


@contextmanager
def reports(served, token):
    """16 clients that ask for a year's report, again and again."""
    is_over = threading.Event()

    def ask():
        while not is_over.is_set():
            try:
                served.ask("/v1/reports/log?format=csv&year=2026", bearer(token), token=False)
            except OSError:
                pass
            is_over.wait(0.05)

    with many(ask, 16, is_over):
        yield


@contextmanager
def drops(served, token):
    """64 bodies of which a byte comes each second: none may last longer than its patience allows."""
    is_over, lasted = threading.Event(), []

    def send():
        with served.connect() as connection:
            started = time.monotonic()
            connection.sendall(served.head(
                f"/in/{token}/owntracks", "Content-Length: 1000", method="POST", token=False))
            try:
                while not is_over.wait(1):
                    connection.sendall(b" ")
                    if select.select([connection], [], [], 0)[0] and not connection.recv(1):
                        break
            except OSError:
                pass
            lasted.append(time.monotonic() - started)

    with many(send, 64, is_over):
        yield
    longest = max(lasted)
    expect(longest <= 15 + 3, f"a body that comes drop by drop lasts {longest:.0f} s")


@contextmanager
def silence(served, token):
    """1,100 connections without a word, half of them in the middle of a head; new ones for those that end."""
    is_over = threading.Event()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))

    def connect():
        connections = []
        try:
            while not is_over.wait(0.01):
                for _ in range(min(8, 1_100 - len(connections))):
                    connection = served.connect()
                    if len(connections) % 2:
                        connection.sendall(b"GET / HTTP/1.1\r\nX-A: b")
                    connections.append(connection)
                poll = select.poll()
                for connection in connections:
                    poll.register(connection, select.POLLIN | select.POLLHUP)
                ended = {number for number, _ in poll.poll(0)}
                for connection in connections:
                    if connection.fileno() in ended:
                        connection.close()
                connections = [one for one in connections if one.fileno() >= 0]
        except OSError:
            pass
        finally:
            for connection in connections:
                connection.close()

    with many(connect, 1, is_over):
        yield


@contextmanager
def many(body, count, is_over):
    threads = [threading.Thread(target=body, daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        is_over.set()
        for thread in threads:
            thread.join(timeout=60)


def page(served, token):
    """Returns what a page with a token of its own is answered: for the stream, and for a report."""
    with served.connect() as connection:
        connection.sendall(served.head("/v1/stream", bearer(token), token=False))
        stream = status_of(read_to_end(connection, most=1))
    with served.connect() as connection:
        connection.settimeout(60)
        connection.sendall(served.head("/v1/reports/log?format=csv&year=2026", bearer(token),
                                       "Connection: close", token=False))
        report = status_of(read_to_end(connection))
    return stream, report


def is_in_force(served, token, attack):
    """Whether the one who holds all of his places is refused a further one; nothing of other attacks."""
    if attack is streams:
        asked = served.head("/v1/stream", bearer(token), token=False)
    elif attack is held_bodies:
        body = b" " * 1024
        asked = served.head(f"/in/{token}/owntracks", f"Content-Length: {len(body)}", method="POST",
                            token=False) + body
    else:
        return True
    with served.connect() as connection:
        connection.sendall(asked)
        return status_of(read_to_end(connection, most=1)) in (429, 503)


def check(served, directory, arguments):
    print("\nOne token, and those of others beside it\n", flush=True)
    phone_token = served.new_token("phone", "ingest")
    page_token = served.new_token("page", "read")
    hostile = served.new_token("hostile", "ingest", "edit", "read")
    for attack in (nothing, pauses, held_bodies, many_members, drops, streams, waits, reports, silence):
        with attack(served, hostile):
            # The part that is held back is to be there first.
            time.sleep(2)
            phone = Phone(served, phone_token)
            phone.start()
            stream, report = page(served, page_token)
            expect(is_in_force(served, hostile, attack), f"{attack.__name__}: it takes no places")
            time.sleep(SECONDS)
            median, late = phone.end()
        name = attack.__name__.replace("_", " ")
        print(f"{name:<16}{len(phone.seconds):>5} deliveries: median {median * 1000:6.1f} ms, p99 "
              f"{late * 1000:7.1f} ms; {phone.statuses}; page: stream {stream}, report {report}",
              flush=True)
        if attack is pauses:
            expect(late > MOST, f"a server that stands still is noticed: {late * 1000:.0f} ms")
            served.expect_alive(name)
            continue
        expect(late <= MOST, f"{name}: p99 of the phone is {late * 1000:.0f} ms")
        expect(set(phone.statuses) == {200}, f"{name}: the phone is answered {phone.statuses}")
        expect(stream == 200, f"{name}: a page follows the stream: {stream}")
        expect(report == 200, f"{name}: a page has a report made: {report}")
        served.expect_alive(name)
