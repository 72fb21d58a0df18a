"""Manual pages and completions, made from what the programs say of themselves."""

import os
import re
import subprocess
import tempfile
from pathlib import Path

HEADING = re.compile(r"^([A-Z][A-Z ]*[A-Z])( SUBCOMMANDS)?:$")
ITEM = re.compile(r"^  (\S.*?)(?:  +(\S.*))?$")


class Help:
    """What a program of a folder says, under the name that packages install it by."""

    def __init__(self, programs):
        self.folder = tempfile.TemporaryDirectory()
        self.home = Path(self.folder.name)
        for program in programs:
            (self.home / f"trip-{program.name}").symlink_to(program.resolve())

    def of(self, name, *arguments):
        environment = {"PATH": os.defpath, "HOME": str(self.home), "LC_ALL": "C.UTF-8", "TZ": "UTC"}
        if "LD_LIBRARY_PATH" in os.environ:
            environment["LD_LIBRARY_PATH"] = os.environ["LD_LIBRARY_PATH"]
        result = subprocess.run(
            [name, *arguments], executable=str(self.home / name), env=environment, cwd=self.home,
            stdin=subprocess.DEVNULL, capture_output=True, check=False)
        if result.returncode != 0:
            raise SystemExit(
                f"{name} {' '.join(arguments)} ends with {result.returncode}: "
                f"{result.stderr.decode(errors='replace').strip()}\nPackages are made on a machine "
                "that can run the programs: for another architecture, give --help-from a folder "
                "with the same programs for this one.")
        return result.stdout.decode()


def escaped(text):
    """A line of text as troff takes it."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def preformatted(lines):
    return [".nf", *(escaped(line) for line in lines), ".fi"]


def flowing(lines):
    """Paragraphs; those with indented lines stay as they are."""
    result = []
    for paragraph in paragraphs_of(lines):
        result.append(".PP")
        if any(line.startswith(" ") for line in paragraph):
            result += preformatted(paragraph)
        else:
            result += [escaped(line) for line in paragraph]
    return result


def paragraphs_of(lines):
    found = [[]]
    for line in lines:
        if line.strip():
            found[-1].append(line)
        elif found[-1]:
            found.append([])
    return [paragraph for paragraph in found if paragraph]


def items(lines):
    """Options or commands, each with what it means."""
    result = []
    for line in lines:
        item = ITEM.match(line)
        if item:
            result += [".TP", f"\\fB{escaped(item[1])}\\fR"]
            if item[2]:
                result.append(escaped(item[2]))
        elif line.strip():
            result.append(escaped(line.strip()))
    return result


def head(name, section, version, date):
    """The first lines of a page."""
    return (f'.TH "{name.upper()}" "{section}" "{date}" "trip\\-ledger {version}" '
            '"Trip Ledger"\n.nh\n.ad l')


def page_of_command(words, text, others, heading):
    """The page of a command from its help: what it is, examples, what it does, options."""
    name = "-".join(words)
    body = text.split("\n")
    usage = next((i for i, line in enumerate(body) if line.startswith("USAGE: ")), len(body))
    paragraphs = paragraphs_of(body[:usage])
    abstract = " ".join(paragraphs[0]).removeprefix("OVERVIEW: ")
    examples = [p for p in paragraphs[1:] if p[0].rstrip(":") in ("Example", "Examples")]
    rest = [p for p in paragraphs[1:] if p not in examples]
    lines = [heading(name, 1), ".SH NAME", f"{escaped(name)} \\- {escaped(abstract.rstrip('.'))}"]
    synopsis = []
    tail = []
    for index, line in enumerate(body[usage:]):
        (synopsis if not tail and (index == 0 or line.startswith(" ")) else tail).append(line)
    lines += [".SH SYNOPSIS", *preformatted([" ".join(
        line.strip().removeprefix("USAGE: ") for line in synopsis)])]
    if examples:
        lines += [".SH EXAMPLES"]
        for paragraph in examples:
            lines += preformatted(line.removeprefix("  ") for line in paragraph[1:])
    if rest:
        lines += [".SH DESCRIPTION"]
        for paragraph in rest:
            lines += flowing(paragraph)
    section = []
    for line in [*tail, "END:"]:
        heading = HEADING.match(line) or line == "END:"
        if not heading:
            if not line.startswith("  See '"):
                section.append(line)
            continue
        lines += items(section)
        section = []
        if line != "END:":
            title = line.rstrip(":").replace("SUBCOMMANDS", "COMMANDS")
            lines += [f".SH {title}"]
    if others:
        lines += [".SH SEE ALSO", ",\n".join(f".BR {escaped(other)} (1)" for other in others)
                  .replace(",\n", " ,\n")]
    return "\n".join(lines) + "\n"


def page_of_topic(name, text, heading):
    body = paragraphs_of(text.split("\n"))
    lines = [heading(name, 7), ".SH NAME",
             f"{escaped(name)} \\- {escaped(' '.join(body[0]).rstrip('.'))}", ".SH DESCRIPTION"]
    for paragraph in body[1:]:
        lines += flowing(paragraph)
    return "\n".join(lines + [".SH SEE ALSO", ".BR trip\\-ledger (1)"]) + "\n"


def page_of_program(name, text, section, heading):
    """The page of a program that explains itself in one text, which begins with how it is called."""
    text = re.sub(r"(?<![\w/.-])(ledger-(?:serve|print|sync|mqtt|replicate))\b", r"trip-\1", text)
    text = re.sub(r"`ledger ", "`trip-ledger ", text)
    body = paragraphs_of(text.split("\n"))
    calls = [p for p in body if p[0].startswith("Usage:")]
    rest = [p for p in body if p not in calls]
    first = next((" ".join(p) for p in rest if not p[0].startswith(" ")), name)
    abstract = re.split(r"(?<=[a-z)])[.:](?: |$)", first)[0]
    lines = [heading(name, section), ".SH NAME", f"{escaped(name)} \\- {escaped(abstract)}",
             ".SH SYNOPSIS"]
    for paragraph in calls:
        lines += [".PP", *preformatted(
            line.removeprefix("Usage:").removeprefix(" ").removeprefix("      ")
            for line in paragraph)]
    lines += [".SH DESCRIPTION"]
    for paragraph in rest:
        lines += flowing(paragraph)
    return "\n".join(lines + [".SH SEE ALSO", ".BR trip\\-ledger (1)"]) + "\n"


def pages(programs, version, date):
    """All pages, by the names of their files, and the program that each belongs to."""
    said = Help(programs)

    def heading(name, section):
        return head(name, section, version, date)

    result = {}
    chapters = re.split(r"^# (trip-ledger.*)\n", said.of("trip-ledger", "help", "all"), flags=re.M)
    texts = dict(zip(chapters[1::2], chapters[2::2]))
    if len(texts) < 2:
        raise SystemExit("`trip-ledger help all` has no pages as tools/package/manual.py reads them")
    for title, text in texts.items():
        words = title.split(" ")
        if words[1:2] == ["help"]:
            name = f"trip-ledger-{words[2]}"
            result[f"{name}.7"] = ("ledger", page_of_topic(name, text, heading))
            continue
        inner = [other.replace(" ", "-") for other in texts
                 if other.startswith(title + " ") and " help " not in other
                 and " " not in other[len(title) + 1:]]
        others = ([" ".join(words[:-1]).replace(" ", "-")] if len(words) > 1 else []) + inner
        result[f"{'-'.join(words)}.1"] = ("ledger", page_of_command(words, text, others, heading))
    for program in programs:
        if program.name == "ledger":
            continue
        name = f"trip-{program.name}"
        # A command has the same name where the program is what does it.
        section = 8 if f"{name}.1" in result else 1
        text = said.of(name, "--help")
        result[f"{name}.{section}"] = (program.name, page_of_program(name, text, section, heading))
    return result


def completions(programs):
    """The scripts for shells, by the shell."""
    said = Help(programs)
    return {shell: said.of("trip-ledger", "--generate-completion-script", shell)
            .removeprefix("#!/bin/bash\n") for shell in ("bash", "zsh", "fish")}
