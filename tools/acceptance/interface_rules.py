"""What schemathesis is to know of `ledger serve` beyond its description; it imports this itself."""

import json
import re

import schemathesis

# Values that may have the described form, and still be unknown to this ledger or this machine.
OF_THE_LEDGER = {"cursor", "to", "place", "trip", "expires_at", "name", "time_zone", "dense",
                 "jurisdiction", "key"}

# Paths that do one thing at a time, and say when to ask again.
IN_TURN = {"/v1/backups", "/v1/drops"}

# The most bytes of UTF-8 of a group's name: a schema counts characters.
GROUP_BYTES = 64

# Members that the feed client may not change on an existing trip, routine or field, that another
# member forbids, or that name custom fields which the ledger does not have.
OF_THE_CLIENT = {"end_date", "ended_at", "timestamp", "started_at", "id", "name", "key", "property_type", "options",
                 "properties"}


# Why a decision is refused that is not of the described form.
OF_THE_FORM = {"unknown_type", "unknown_field", "wrong_type"}


def problem(response):
    try:
        value = json.loads(response.content)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


@schemathesis.check
def only_behind_is_503(ctx, response, case):
    """503 is the only status from 500 on: for a size that the log has not reached, or out of turn."""
    if response.status_code < 500:
        return
    kind = problem(response).get("type")
    is_turn = kind == "urn:ledger:busy" and case.path in IN_TURN
    assert response.status_code == 503 and (kind == "urn:ledger:behind" or is_turn), f"it is {kind}"
    assert is_turn or "at_least" in (case.query or {}), "nothing was waited for"
    assert response.headers.get("retry-after"), "it does not say when to ask again"


@schemathesis.check
def what_is_described_is_taken(ctx, response, case):
    """A request of the described form is refused only if it is not of this ledger."""
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    status = response.status_code
    if status in (400, 410) and "created" not in problem(response):
        fields = {error.get("field") for error in problem(response).get("errors", [])}
        is_gone = status == 410 and case.path.endswith("/changes")
        is_of_peer = problem(response).get("title") == "This is not what a ledger sends"
        is_named = bool(fields) and fields <= OF_THE_LEDGER
        is_of_client = case.path.startswith("/api/v1/") and fields and fields <= OF_THE_CLIENT
        query = case.query or {}
        # No figure of a report depends on less than a millisecond, and no token was made in less.
        is_fine = len(fields) == 1 and fields <= {"as_of", "created_at"} and all(
            re.search(r"\.\d{4}", str(query.get(field))) for field in fields)
        is_long = fields == {"group"} and len(str(query.get("group")).encode()) > GROUP_BYTES
        # Tables of one country only are for a year that is said.
        is_of_country = fields == {"base_year"} and query.get("jurisdiction") != "ca"
        is_same = fields == {"then_by"} and query.get("then_by") == query.get("by")
        # The options of a report that do not go together are named, all of them.
        is_together = case.path.startswith("/v1/reports/") and len(fields) > 1
        # Drafts, and days without a first and a last one, are not handed out.
        is_no_issue = case.path == "/v1/reports/issued" and bool(fields)
        reasons = (is_gone, is_of_peer, is_named, is_of_client, is_fine, is_long, is_of_country, is_same, is_together,
                   is_no_issue)
        assert any(reasons), f"{status} for {fields or 'the body'}"
    is_reused = problem(response).get("type") == "urn:ledger:key-reused"
    # A decision of the described form may still be none that this ledger can follow: whether a field
    # has options depends on its type, which the ledger knows.
    is_refused = problem(response).get("type") == "urn:ledger:refused" and (
        problem(response).get("code") not in OF_THE_FORM or problem(response).get("field") == "options")
    assert is_reused or is_refused or status not in (405, 406, 415, 422, 431), f"{status} for what is described"


@schemathesis.serializer("application/x-ndjson")
def as_lines(ctx, value):
    """Values are lines."""
    items = value if isinstance(value, list) else [value]
    return "\n".join(json.dumps(item) for item in items).encode()


@schemathesis.serializer("application/cloudevents-batch+json", "application/cloudevents+json")
def as_json(ctx, value):
    return json.dumps(value).encode()
