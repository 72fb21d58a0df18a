"""Answers that last, and how long they go on when their token or session is of no more use."""

import json
import re
import select
import subprocess
import time
from datetime import datetime, timedelta, timezone

from book import expect
from serving import read_to_end, status_of

# After that, nothing more may be seen, in seconds.
BAR = 1.0

ROUNDS = 5


class Lasting:
    """A stream and a wait for changes with one credential."""

    def __init__(self, served, field):
        cursor = json.loads(served.ask("/v1/changes/latest-cursor", field, token=False)[1])["cursor"]
        self.stream = served.connect()
        self.stream.sendall(served.head("/v1/stream", field, token=False))
        answer = b""
        while b"retry: 3000\n\n" not in answer:
            answer += self.stream.recv(1 << 16)
        self.wait = served.connect()
        self.wait.sendall(served.head(
            f"/v1/changes?wait=30&cursor={cursor}", field, "Connection: close", token=False))

    def goes_on(self):
        """Returns whether the stream has not ended, once all that has come is read."""
        while select.select([self.stream], [], [], 0)[0]:
            piece = self.stream.recv(1 << 16)
            if not piece or piece.endswith(b"0\r\n\r\n"):
                return False
        return True

    def ends(self, since, patience):
        """Returns when each ended, the stream by its end and the wait by its answer; and the answer."""
        ended = {}
        waiting = {self.stream: "stream", self.wait: "wait"}
        answer = b""
        while waiting and time.monotonic() < since + patience:
            for connection in select.select(list(waiting), [], [], 0.5)[0]:
                piece = connection.recv(1 << 16)
                if connection is self.wait:
                    answer += piece
                if not piece or connection is self.stream and piece.endswith(b"0\r\n\r\n"):
                    ended[waiting.pop(connection)] = time.monotonic() - since
        return ended, answer

    def seconds_to_end(self, since):
        """Returns when each ended, and expects that both do."""
        ended, answer = self.ends(since, 10)
        expect(len(ended) == 2, f"of both, these ended within 10 s: {list(ended)}")
        expect(status_of(answer) == 401, f"who waits is told why: {status_of(answer)}")
        return ended


def login(served):
    """Returns the cookie of a new session."""
    made = json.loads(served.ledger("token", "new", "eva", "--page", "--format", "json"))
    body = json.dumps({"code": made["token"]}).encode()
    with served.connect() as connection:
        connection.sendall(served.head(
            "/session", "Content-Type: application/json", f"Content-Length: {len(body)}",
            "Sec-Fetch-Site: same-origin", "Connection: close", method="POST", token=False) + body)
        answer = read_to_end(connection).decode()
    return "Cookie: " + re.search(r"(?i)set-cookie: ([^;\r]+)", answer).group(1)


def check(served, directory, arguments):
    print("\nAnswers that outlive what let them in\n", flush=True)
    # The control: its token stays, and it goes on.
    kept = Lasting(served, f"Authorization: Bearer {served.new_token('kept', 'read')}")
    latest = {}
    for number in range(ROUNDS):
        name = f"reader-{number}"
        lasting = Lasting(served, f"Authorization: Bearer {served.new_token(name, 'read')}")
        served.ledger("token", "revoke", name)
        latest.setdefault("revoked", []).append(lasting.seconds_to_end(time.monotonic()))

        cookie = login(served)
        lasting = Lasting(served, cookie)
        status, _ = served.ask("/session", cookie, "Sec-Fetch-Site: same-origin", method="DELETE",
                               token=False)
        expect(status == 204, f"a session is ended: {status}")
        latest.setdefault("logged out", []).append(lasting.seconds_to_end(time.monotonic()))

        seconds = 5
        end = datetime.now(timezone.utc) + timedelta(seconds=seconds)
        due = time.monotonic() + seconds
        made = json.loads(served.ledger(
            "token", "new", f"brief-{number}", "--scope", "read", "--expires",
            end.isoformat(timespec="milliseconds").replace("+00:00", "Z"), "--format", "json"))
        lasting = Lasting(served, f"Authorization: Bearer {made['token']}")
        latest.setdefault("expired", []).append(lasting.seconds_to_end(due))

    expect(kept.goes_on(), "a stream whose token stays goes on")
    # What is measured is not that everything ends: with a token that stays, nothing does.
    steady = Lasting(served, f"Authorization: Bearer {served.new_token('steady', 'read')}")
    ended, _ = steady.ends(time.monotonic(), 3 * BAR)
    expect(not ended, f"with a token that stays, these ended: {ended}")
    # All tokens go with their files.
    lasting = Lasting(served, f"Authorization: Bearer {served.new_token('moved', 'read')}")
    subprocess.run(["mv", served.path / "server", served.path / "server.away"], check=True)
    latest["files removed"] = [lasting.seconds_to_end(time.monotonic())]
    expect(served.ask("/v1/status")[0] == 401, "no token is known without its files")
    subprocess.run(["mv", served.path / "server.away", served.path / "server"], check=True)
    expect(served.ask("/v1/status")[0] == 200, "a token is known again with its files")

    for name, rounds in latest.items():
        for kind in ("stream", "wait"):
            seconds = [ended[kind] for ended in rounds if kind in ended]
            most = max(seconds, default=float("inf"))
            print(f"{name + ', ' + kind:<30}ended within {most:.2f} s (of {len(seconds)})")
            expect(most <= BAR, f"{name}, {kind}: {most:.2f} s, and not {BAR}")
