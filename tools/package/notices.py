"""What the programs are linked with, from linked.toml: NOTICE and debian/copyright, and whether the
versions there are those of this machine."""

import json
import re
import subprocess
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent
LICENCES = HERE / "licences"
NOTICE = HERE / "NOTICE"
# What Debian's package base-files has, by the names of SPDX.
COMMON = {
    "Apache-2.0": "Apache-2.0", "LGPL-2.1-or-later": "LGPL-2.1", "LGPL-3.0-or-later": "LGPL-3",
    "GPL-2.0-or-later": "GPL-2", "GPL-3.0-or-later": "GPL-3",
}
EXCEPTIONS = {
    "Swift-exception": "swift-exception", "GCC-exception-3.1": None,
}


def parts():
    """Each thing that is linked, with its programs as a list."""
    linked = tomllib.loads((HERE / "linked.toml").read_text())
    found = linked["part"]
    for part in found:
        if isinstance(part["programs"], str):
            part["programs"] = linked[part["programs"]]
        for word in words_of(part["licence"]):
            known = word in COMMON or word in EXCEPTIONS or word == "public-domain"
            if not known and not (LICENCES / f"{word}.txt").is_file():
                raise SystemExit(
                    f"tools/package/linked.toml: {part['name']}: there is no text of {word}; put "
                    f"it into tools/package/licences/{word}.txt")
    return found


def words_of(licence):
    """The licences and exceptions that an expression names."""
    return [word for word in re.split(r"\s+|[()]", licence) if word not in
            ("", "AND", "OR", "WITH")]


def source_sentence(part):
    package = part["source"]
    return (f"Its source is Debian's source package {package} {part['version']}: "
            f"`apt-get source {package}={part['version']}`.")


def notice():
    """The file NOTICE."""
    lines = [
        "Trip Ledger", "Copyright 2025-2026 The Trip Ledger authors", "",
        "Licensed under the Apache License, Version 2.0: see LICENSE.", "",
        "This is what the programs have inside them. `ledger` and `ledger-serve` are static: all that",
        "they use is listed. The other programs have Swift's runtime inside them, and use the libraries",
        "of the system for the rest. The page of `ledger-serve` has Leaflet, maps have Natural Earth.",
        "",
        "Who wants to link them with another version of a library can build them from source, which is",
        "complete: see tools/package and tools/quickstart there.", "",
    ]
    found = parts()
    for part in found:
        programs = part["programs"]
        lines += ["-" * 80, f"{part['name']} {part['version']}",
                  f"In:        {', '.join(programs)}", f"Licence:   {part['licence']}"]
        lines += [f"Copyright: {part['copyright'][0]}"]
        lines += [f"           {holder}" for holder in part["copyright"][1:]]
        if "source" in part:
            lines += [source_sentence(part)]
    lines += ["-" * 80, ""]
    names = sorted({word for part in found for word in words_of(part["licence"])})
    common = [name for name in names if name in COMMON]
    lines += ["The texts of " + ", ".join(common), "stand in the folder licences beside the programs, and on "
              "Debian in /usr/share/common-licenses.", "GCC-exception-3.1 lets programs be linked with the "
              "runtime libraries of GCC under any licence.", ""]
    for name in names:
        file = LICENCES / f"{EXCEPTIONS.get(name) or name}.txt"
        if file.is_file():
            lines += ["=" * 80, name, "", file.read_text().rstrip(), ""]
    return "\n".join(lines)


def copyright_file():
    """The file debian/copyright, in Debian's machine-readable form."""
    lines = [
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/",
        "Upstream-Name: Trip Ledger",
        "Comment: The programs are static or carry Swift's runtime. What is inside them is named here",
        " as if it were a file of theirs, in a folder `linked` that is not there.", "",
        "Files: *", "Copyright: 2025-2026 The Trip Ledger authors", "License: Apache-2.0", "",
    ]
    found = parts()
    for part in found:
        folder = re.sub(r"[^a-z0-9]+", "-", part["name"].lower()).strip("-")
        comment = [f"{part['name']} {part['version']}, in {', '.join(part['programs'])}."]
        if "source" in part:
            comment += [source_sentence(part)]
        lines += [f"Files: linked/{folder}/*"]
        lines += [f"Copyright: {part['copyright'][0]}"]
        lines += [f" {holder}" for holder in part["copyright"][1:]]
        lines += [f"License: {debian_expression(part['licence'])}"]
        lines += [f"Comment: {comment[0]}"] + [f" {line}" for line in comment[1:]] + [""]
    expressions = {debian_word(word) for part in found
                   for word in re.split(r" AND | OR ", part["licence"])}
    for word in sorted(expressions | {"Apache-2.0"}):
        lines += [f"License: {word}"] + licence_text(word) + [""]
    return "\n".join(lines).rstrip() + "\n"


def debian_word(word):
    return word.replace(" WITH Swift-exception", " with Swift exception").replace(
        " WITH GCC-exception-3.1", " with GCC exception")


def debian_expression(licence):
    return debian_word(licence).replace(" AND ", " and ").replace(" OR ", " or ")


def licence_text(word):
    """The text of a licence as a field of debian/copyright has it."""
    base, _, exception = word.partition(" with ")
    text = []
    if base in COMMON:
        text += [f"The text is in /usr/share/common-licenses/{COMMON[base]}."]
    elif base == "public-domain":
        text += ["It is in the public domain: there is no licence to keep to."]
    else:
        text += (LICENCES / f"{base}.txt").read_text().rstrip().split("\n")
    if exception.startswith("Swift"):
        text += [""] + (LICENCES / "swift-exception.txt").read_text().rstrip().split("\n")
    elif exception:
        text += ["", "GCC's Runtime Library Exception, version 3.1, gives permission to convey a program",
                 "that is combined with these libraries under terms of its own choice."]
    return [f" {line}" if line.strip() else " ." for line in text]


def differences():
    """What linked.toml says otherwise than this machine, as sentences; what cannot be asked is not
    compared."""
    found = []
    resolved = {}
    file = REPOSITORY / "Package.resolved"
    if file.is_file():
        for pin in json.loads(file.read_text())["pins"]:
            resolved[pin["identity"]] = pin["state"].get("version")
    for part in parts():
        machine = None
        if "debian" in part:
            machine = said_by("dpkg-query", "-W", "-f=${source:Version}", part["debian"])
        elif "package" in part:
            machine = resolved.get(part["package"])
        elif part.get("toolchain"):
            answer = said_by("swift", "--version") or ""
            match = re.search(r"Swift version ([0-9.]+)", answer)
            machine = match and match[1]
        if machine and machine != part["version"]:
            found.append(f"{part['name']}: linked.toml says {part['version']}, this machine has "
                         f"{machine}")
    return found


def said_by(*command):
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return None
    return result.stdout.strip() if result.returncode == 0 else None
