"""What `ledger token show` says of each kind of token, and what every route answers to it."""

import json
import time

from book import expect

# A parameter that no route has: who may ask is told that (400), before anything is done.
NOTHING = "no-such-parameter=1"

# One of the words that stand in paths.
WORD = "0123456789abcdef0123456789abcdef"

KINDS = (
    [(f"only-{scope}", ["--scope", scope]) for scope in (
        "admin", "sync", "edit", "read", "audit", "live", "ingest")]
    + [(f"own-{scope}", ["--scope", scope, "--source", "phone"]) for scope in (
        "admin", "edit", "read", "live", "ingest")]
    + [(f"group-{scope}", ["--scope", scope, "--group", "7"]) for scope in (
        "edit", "read", "live", "ingest")]
    + [("both", ["--scope", "read", "--scope", "edit", "--source", "phone"]),
       ("auditor", ["--scope", "audit", "--scope", "read"]),
       ("button", ["--press", "--source", "phone", "--url", "https://ledger.example"])]
)


def powers(method, path):
    """Returns the powers of which one is enough for a route; none if it takes no token."""
    if path in ("/health", "/witness/add-checkpoint", "/openapi.json"):
        return None
    if path.startswith(("/live/", "/press/", "/reports/")):
        return None
    first = path.split("/")[2] if path.count("/") > 1 else path
    if path.startswith("/api/v1/"):
        if method == "get":
            return {"client"}
        # What a type of events is made of holds for the whole ledger.
        is_of_events = path.split("/")[3].startswith("event") and not path.endswith("/properties")
        return {"client-edit"} if is_of_events else {"client-own"}
    if path.startswith("/webhook/"):
        return {"deliver", "follow", "set_up"} if method == "get" else {"deliver", "set_up"}
    if path.startswith("/log/"):
        return {"audit"}
    if path == "/metrics":
        return {"whole-read"}
    if path == "/v1/reports":
        return {"read", "report"}
    if path.startswith("/v1/reports/"):
        return {"whole-edit"} if method == "post" else {"report"}
    if path.endswith("/proof"):
        return {"prove"}
    return {
        "events": {"append"}, "decisions": {"decide"}, "go": {"deliver", "set_up"},
        "stop": {"deliver", "set_up"}, "sync": {"exchange"}, "log": {"audit", "exchange"},
        "safekeeping": {"audit"}, "status": {"follow"}, "stream": {"follow"},
        "devices": {"read"} if method == "get" else {"set_up"},
        "buttons": {"set_up"}, "links": {"set_up"}, "tokens": {"govern"}, "backups": {"govern"},
        "rates": {"whole-read"} if method == "get" else {"govern"}, "rules": {"whole-read"},
        "exports": {"whole-read"}, "drops": {"whole-edit"},
        "shares": {"set_up"} if method == "delete" else {"share"},
    }.get(first, {"read"})


def meant(shown, wanted):
    """Whether what is shown of a token says that a route answers it."""
    can = set(shown["can"])
    # Figures of the whole ledger are for readers of it, but not for auditors, who have the log itself.
    if "whole-read" in wanted:
        return {"report", "read"} <= can
    # To add a file, or to hand a report out, takes the right to decide about everything.
    if "whole-edit" in wanted:
        return "share" in can and "group" not in shown and not shown["sources"]
    # The feed client's events are trips, which take the right to decide; the rest that of the owner.
    # Neither is for a token of a group.
    if "client-edit" in wanted:
        return "share" in can and "group" not in shown
    if "client-own" in wanted:
        return "set_up" in can and "group" not in shown
    return bool(can & wanted)


def check(served, directory, arguments):
    print("\nwhat is said of tokens, and what every route answers to them\n", flush=True)
    status, description = served.ask("/openapi.json")
    expect(status == 200, "the description is there")
    routes = [(method, path) for path, methods in json.loads(description)["paths"].items()
              for method in methods if method in ("get", "post", "put", "delete")]
    for name, options in KINDS:
        made = json.loads(served.ledger("token", "new", name, *options, "--format", "json"))
        shown = json.loads(served.ledger("token", "show", name, "--format", "json"))
        answered = 0
        for method, path in routes:
            wanted = powers(method, path)
            if wanted is None:
                continue
            answered += compare(served, name, made["token"], shown, method, path, wanted)
        doors(served, name, made["token"], shown)
        words = served.ledger("token", "show", name).decode()
        expect("It sees " in words, f"{name}: it says what it sees")
        print(f"{name:<16} {answered:>3} of {len(routes)} routes: {', '.join(shown['can'])}")
    served.ledger("token", "revoke", "only-read")
    shown = json.loads(served.ledger("token", "show", "only-read", "--format", "json"))
    expect(shown["can"] == [] and not shown["is_of_use"], "a revoked token can do nothing")


def compare(served, name, token, shown, method, path, wanted):
    """Asks a route; returns whether it answers, which is to be what was said."""
    address = "/".join(WORD if part.startswith("{") else part for part in path.split("/"))
    status, body = served.ask(
        f"{address}?{NOTHING}", f"Authorization: Bearer {token}",
        "Content-Type: application/json", method=method.upper(),
        body=b"{}" if method in ("post", "put") else b"", token=False)
    # To whom the log's tiles are not shown, nothing is there.
    is_answered = status not in (401, 403) and not (status == 404 and path.startswith("/log/"))
    expect(is_answered == meant(shown, wanted),
           f"{name}: {method} {path} is {status}, and it was said that it can "
           f"{', '.join(shown['can'])}: {body[:200]}")
    return is_answered


def doors(served, name, token, shown):
    """Tries to deliver and to press, with the token in the address as phones and buttons have it."""
    status, _ = served.ask(
        "/in/owntracks", f"Authorization: Bearer {token}", method="POST", body=b"[]", token=False)
    expect((status == 200) == ("deliver" in shown["can"]), f"{name}: a delivery is {status}")
    status, _ = served.ask(f"/press/{token}/stop?at={int(time.time())}", method="POST", token=False)
    expect((status == 200) == ("press" in shown["can"]), f"{name}: a press is {status}")
