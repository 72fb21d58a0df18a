"""What schemathesis is to know of `ledger serve` beyond its description; it imports this itself."""

import json

import schemathesis

# What may be of the form that is described, and yet be none of this ledger's.
OF_THE_LEDGER = {"cursor", "to", "place"}


def problem(response):
    try:
        return json.loads(response.content)
    except ValueError:
        return {}


@schemathesis.check
def only_behind_is_503(ctx, response, case):
    """Of statuses from 500 on, there is 503 for a size that the log has not reached."""
    if response.status_code < 500:
        return
    kind = problem(response).get("type")
    assert response.status_code == 503 and kind == "urn:ledger:behind", f"it is {kind}"
    assert "at_least" in (case.query or {}), "nothing was waited for"
    assert response.headers.get("retry-after"), "it does not say when to ask again"


@schemathesis.check
def what_is_described_is_taken(ctx, response, case):
    """What has the form that is described is refused only if it is not of this ledger."""
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    status = response.status_code
    if status in (400, 410):
        fields = {error["field"] for error in problem(response).get("errors", [])}
        is_gone = status == 410 and case.path.startswith("/v1/changes")
        is_of_peer = problem(response).get("title") == "This is not what a ledger sends"
        is_named = bool(fields) and fields <= OF_THE_LEDGER
        assert is_gone or is_of_peer or is_named, f"{status} for {fields or 'the body'}"
    assert status not in (405, 406, 415, 422, 431), f"{status} for what is described"


@schemathesis.serializer("application/x-ndjson")
def as_lines(ctx, value):
    """Values are lines."""
    items = value if isinstance(value, list) else [value]
    return "\n".join(json.dumps(item) for item in items).encode()


@schemathesis.serializer("application/cloudevents-batch+json", "application/cloudevents+json")
def as_json(ctx, value):
    return json.dumps(value).encode()
