"""Many who follow the stream, and one who writes: what each is told, how late, and what it costs."""

import re
import select
import statistics
import time

from book import expect
from serving import status_of

# In memory that no file holds, with all of them.
MOST_MEMORY = 64 << 20

# How long after its answer a change is told to the last of them, in seconds.
LATEST = 10

WRITES = 20

# How many may follow with one token.
EACH = 64


class Follower:
    """A connection to the stream, of which nothing but what comes is kept."""

    def __init__(self, served, token):
        self.connection = served.connect()
        field = f"Authorization: Bearer {token}"
        self.connection.sendall(served.head("/v1/stream", field, token=False))
        self.text = b""
        self.changes = 0

    def take(self):
        """Reads what has come; returns whether it goes on."""
        piece = self.connection.recv(1 << 16)
        # Messages that were counted are not kept.
        *whole, self.text = (self.text + piece).split(b"\n\n")
        self.changes += sum(b"event: change" in event for event in whole)
        return bool(piece)


def begin(served, count):
    """Lets so many follow, and returns them once each has the head of its answer."""
    followers = []
    tokens = [served.new_token(f"wall {number}", "read") for number in range(-(-count // EACH))]
    for number in range(count):
        follower = Follower(served, tokens[number // EACH])
        while b"retry: 3000\n\n" not in follower.text:
            piece = follower.connection.recv(1 << 16)
            if not piece:
                break
            follower.text += piece
        status = status_of(follower.text)
        if status != 200:
            expect(False, f"follower {number + 1} of {count}: {status}")
            break
        follower.text = follower.text.partition(b"retry: 3000\n\n")[2]
        follower.connection.setblocking(False)
        followers.append(follower)
    return followers


def listen(poll, followers, until):
    """Reads what comes until a time."""
    while time.monotonic() < until:
        for number, _ in poll.poll(max(0, until - time.monotonic())):
            expect(followers[number].take(), "a stream goes on")


def cpu_seconds(served):
    fields = open(f"/proc/{served.server_process()}/stat").read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def check(served, directory, arguments):
    count = arguments.readers
    print(f"\n{count} who follow the stream\n", flush=True)
    before = served.memory()
    started = time.monotonic()
    all_of_them = begin(served, count)
    seconds = time.monotonic() - started
    followers = {follower.connection.fileno(): follower for follower in all_of_them}
    poll = select.epoll()
    for number in followers:
        poll.register(number, select.EPOLLIN)
    print(f"{len(followers)} follow within {seconds:.1f} s")
    expect(len(followers) == count, f"{count} can follow at a time")
    metrics = served.ask("/metrics")[1].decode()
    expect(f"\nledger_subscribers {count}\n" in metrics, "the server counts them")
    # At rest: nothing changes, and each is looked after once a second.
    cpu = cpu_seconds(served)
    listen(poll, followers, time.monotonic() + 20)
    idle = (cpu_seconds(served) - cpu) / 20
    most = served.memory()
    print(f"at rest: {most[0] / 2**20:.1f} MiB, {most[1] / 2**20:.1f} MiB of it anonymous (before: "
          f"{before[1] / 2**20:.1f}); {idle:.2f} s of a core a second")
    lateness, answers = [], []
    for write in range(WRITES):
        told = {number: follower.changes for number, follower in followers.items()}
        asked = time.monotonic()
        status = served.press(f"button-{write}")
        answered = time.monotonic()
        answers.append(answered - asked)
        expect(status == 200, f"write {write} is answered: {status}")
        waiting = set(followers)
        while waiting and time.monotonic() < answered + LATEST:
            for number, _ in poll.poll(0.1):
                expect(followers[number].take(), "a stream goes on")
                if followers[number].changes > told[number]:
                    waiting.discard(number)
        lateness.append(time.monotonic() - answered)
        expect(not waiting, f"write {write} is told to all: {len(waiting)} do not know it")
        most = max(most, served.memory(), key=lambda memory: memory[1])
    print(f"{WRITES} writes: answered in {statistics.median(answers):.3f} s (median; at most "
          f"{max(answers):.3f}), told to the last of all {statistics.median(lateness):.2f} s later "
          f"(at most {max(lateness):.2f})")
    print(f"at most {most[0] / 2**20:.1f} MiB, {most[1] / 2**20:.1f} MiB of it anonymous")
    expect(most[1] <= MOST_MEMORY, f"{most[1]:,} bytes that no file holds, of {MOST_MEMORY:,}")
    served.expect_alive(f"{count} who follow")
    # They go without a word.
    poll.close()
    for follower in all_of_them:
        follower.connection.close()
    end = time.monotonic() + 30
    left = None
    while left != "0" and time.monotonic() < end:
        left = re.search(r"^ledger_subscribers (\d+)$", served.ask("/metrics")[1].decode(),
                         re.MULTILINE).group(1)
        time.sleep(0.2)
    expect(left == "0", f"all who went are forgotten: {left} are not")
    print(f"after they went: {served.memory()[1] / 2**20:.1f} MiB anonymous")
