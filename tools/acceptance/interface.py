"""What `/openapi.json` says of the server, and what the server does: schemathesis asks."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

from book import REPOSITORY, expect

# A stream has no end that it could be compared by; what follows it is checked in followers.py. And
# a request that waits 30 s for a change each time would say little more than one that does not.
LEFT_OUT = {"/v1/stream", "/live/{link}/stream"}
LEFT_OUT_PARAMETERS = {"wait"}

# Lists that may be empty, or have one row, so that nothing goes on in them.
SHORT = {"/v1/refused", "/v1/shares", "/v1/reports/issued", "/v1/vehicles", "/v1/routines", "/v1/fields",
         "/v1/devices", "/v1/stops", "/v1/tokens", "/v1/expenses"}

# A client that waits for entries that do not come waits for 2 s, which one path stands for.
WAITS = "/v1/places"

# Beside its own checks there are those of interface_rules.py, which know what a cursor is, and that
# 503 answers a client that waits for entries that do not come. A malformed event does not make a
# request wrong: each event has an answer of its own.
CONFIGURATION = """
[[operations]]
include-method = "POST"
checks.negative_data_rejection.enabled = false
"""

# Paths that are hidden without a token answer 404, and not 401.
HIDDEN = """
[[operations]]
include-path = "{path}"
checks.ignored_auth.enabled = false
checks.missing_required_header.enabled = false
"""


class Description:
    """The description as the server gives it, with what there is in the ledger."""

    def __init__(self, served):
        with urlopen(f"{served.url}/openapi.json") as answer:
            self.document = json.load(answer)
        self.served = served
        self.hidden = [path for path, methods in self.document["paths"].items()
                       if "nothing seems to be here" in methods.get("get", {}).get("description", "")]
        expect(self.hidden, "some paths are hidden")
        for path, methods in self.document["paths"].items():
            for operation in methods.values():
                self.limit(operation.get("requestBody", {}).get("content", {}))
                if "parameters" in operation:
                    operation["parameters"] = [
                        parameter for parameter in operation["parameters"]
                        if parameter["name"] not in LEFT_OUT_PARAMETERS
                        and (parameter["name"] != "at_least" or path == WAITS)]
                self.know(path, operation.get("parameters", []))
        for path in LEFT_OUT:
            expect(path in self.document["paths"], f"{path} is described")
            del self.document["paths"][path]

    def limit(self, content):
        """Keeps bodies of many lines or events short."""
        for media, body in content.items():
            if media.endswith("x-ndjson"):
                body["schema"].update(minItems=1, maxItems=20)
            elif media.endswith("-batch+json"):
                # schemathesis makes no lists of this keyword.
                schema = body["schema"]
                schema["items"] = schema.pop("unevaluatedItems")

    def know(self, path, parameters):
        """Adds to what parameters may be what there is of it in the ledger."""
        for parameter in parameters:
            name, place = parameter["name"], parameter["in"]
            if place == "path":
                found = [row["id"] for row in self.rows("/v1/trips?limit=5")]
            elif name == "cursor":
                pages = [self.page(f"{path}?limit={limit}") for limit in (1, 2)]
                found = [page["next_cursor"] for page in pages if page.get("next_cursor")]
            elif name in ("vehicle", "place"):
                found = [row[name] for row in self.rows(f"/v1/{name}s")]
            elif name == "X-Ledger-Settings":
                # Not of its pattern: schemathesis 4.32.5 puts 0 there while it looks at others.
                parameter["schema"] = {"enum": ["Europe/Amsterdam;km;v1", "Europe/Paris;mi;v1"]}
                continue
            else:
                continue
            expect(found or path in SHORT, f"there is a {name} for {path}")
            if found:
                parameter["schema"] = {"anyOf": [{"enum": found}, parameter["schema"]]}

    def page(self, path):
        return json.loads(self.served.ask(path)[1])

    def rows(self, path):
        return self.page(path)["items"]


def check(served, directory, arguments):
    print("\nWhat the description says, and what is answered\n", flush=True)
    file = Path(directory) / "openapi.json"
    description = Description(served)
    file.write_text(json.dumps(description.document))
    for path in description.hidden:
        status = served.ask(re.sub(r"{\w+}", "0/000", path), token=False)[0]
        expect(status == 404, f"{path} is hidden without a token, and not {status}")
    configuration = Path(directory) / "schemathesis.toml"
    configuration.write_text(
        CONFIGURATION + "".join(HIDDEN.format(path=path) for path in description.hidden))
    environment = dict(os.environ, SCHEMATHESIS_HOOKS="interface_rules",
                       PYTHONPATH=str(Path(__file__).parent))
    command = [
        str(Path(sys.executable).with_name("schemathesis")),
        "--config-file", str(configuration), "run", str(file),
        "--url", served.url, "--header", f"Authorization:Bearer {served.token}",
        "--exclude-checks", "not_a_server_error,positive_data_acceptance",
        "--continue-on-failure", "--workers", "1",
        "--max-examples", str(arguments.examples), "--seed", str(arguments.seed),
        "--request-timeout", "40", "--generation-database", "none", "--no-color",
        "--suppress-health-check", "all",
    ]
    result = subprocess.run(command, cwd=directory, env=environment,
                            capture_output=True, text=True)
    (REPOSITORY / ".build" / "schemathesis.log").write_text(result.stdout + result.stderr)
    summary = result.stdout[result.stdout.rfind("= SUMMARY ="):]
    print("\n".join(line for line in summary.splitlines()[1:] if line.strip()))
    if result.returncode != 0:
        print(f"What was found is in {REPOSITORY / '.build' / 'schemathesis.log'}.")
    expect(result.returncode == 0, "schemathesis has no finding")
    served.expect_alive("schemathesis")
