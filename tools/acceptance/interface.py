"""What `/openapi.json` says of the server, and what the server does: schemathesis asks."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.request import Request, urlopen

from book import REPOSITORY, expect

# A stream has no end that it could be compared by; what follows it is checked in followers.py. And
# a request that waits 30 s for a change each time would say little more than one that does not.
LEFT_OUT = {"/v1/stream", "/live/{link}/stream"}
LEFT_OUT_PARAMETERS = {"wait"}

# Lists that may be empty, or have one row, so that nothing goes on in them.
SHORT = {"/v1/refused", "/v1/shares", "/v1/reports/issued", "/v1/vehicles", "/v1/routines", "/v1/fields",
         "/v1/devices"}

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
    """The description as the server gives it, with the schemas that it names in their places."""

    def __init__(self, served):
        request = Request(f"{served.url}/openapi.json", headers={
            "Authorization": f"Bearer {served.token}"})
        with urlopen(request) as answer:
            self.document = json.load(answer)
        self.served = served
        self.schemas = {}
        self.hidden = [path for path, methods in self.document["paths"].items()
                       if "nothing seems to be here" in methods.get("get", {}).get("description", "")]
        expect(self.hidden, "some paths are hidden")
        self.complete(self.document["paths"])
        for path, methods in self.document["paths"].items():
            for operation in methods.values():
                if "parameters" in operation:
                    operation["parameters"] = [
                        parameter for parameter in operation["parameters"]
                        if parameter["name"] not in LEFT_OUT_PARAMETERS
                        and (parameter["name"] != "at_least" or path == WAITS)]
                self.know(path, operation.get("parameters", []))
        for path in LEFT_OUT:
            expect(path in self.document["paths"], f"{path} is described")
            del self.document["paths"][path]
        self.document["components"]["schemas"] = self.schemas

    def complete(self, part):
        """Puts schemas where the description only names them."""
        if isinstance(part, list):
            for item in part:
                self.complete(item)
        if not isinstance(part, dict):
            return
        if "requestBody" in part:
            self.take(part["requestBody"])
        if "content" in part and "required" not in part:
            names = re.findall(r"`ledger schema ([a-z-]+)`", part["description"])
            for media, content in part["content"].items():
                # If there are several answers, the first is one object, and the others are lines.
                if not names or not media.endswith("json") or media.endswith(("x-ndjson", "problem+json")):
                    continue
                own = re.findall(r"`ledger schema ([a-z-]+)`", content.get("schema", {}).get("description", ""))
                if own:
                    content["schema"] = self.reference(own[0])
                elif content.get("schema", {}).get("type") == "array":
                    content["schema"]["items"] = self.reference(names[0])
                else:
                    content["schema"] = self.of(names[:1] if "on each line" in
                                                part["description"] else names)
        for value in part.values():
            self.complete(value)

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

    def take(self, body):
        """Puts the schemas where what a body may be only names them, sentence by sentence."""
        for media, content in body["content"].items():
            sentence = next((sentence for sentence in body.get("description", "").split(". ")
                             if sentence.startswith(media + ":")), "")
            names = re.findall(r"`ledger schema ([a-z-]+)`", sentence)
            one = [self.reference(name) for name in names]
            schema = {"anyOf": one} if one else content.get("schema", {"type": "object"})
            if media.endswith("x-ndjson"):
                schema = {"type": "array", "items": schema, "minItems": 1, "maxItems": 20}
            content["schema"] = schema

    def of(self, names):
        """Returns the schema of an answer: of several names the last is that of a page."""
        if names[-1] != "page":
            return self.reference(names[0])
        return {"allOf": [self.reference("page"), {
            "properties": {"items": {"items": self.reference(names[0])}}}]}

    def reference(self, name):
        if name not in self.schemas:
            self.schemas[name] = {}
            text = self.served.ledger("schema", name)
            self.schemas[name] = self.moved(json.loads(text), name)
        return {"$ref": f"#/components/schemas/{name}"}

    def moved(self, part, name):
        """Returns a part of a schema as it stands within the description."""
        if isinstance(part, list):
            return [self.moved(item, name) for item in part]
        if not isinstance(part, dict):
            return part
        moved = {}
        for key, value in part.items():
            if key in ("$id", "$schema"):
                continue
            if key != "$ref" or not isinstance(value, str):
                moved[key] = self.moved(value, name)
                continue
            file, _, place = value.partition("#")
            other = file.removesuffix(".v1.schema.json") if file else name
            moved[key] = self.reference(other)["$ref"] + place
        return moved


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
