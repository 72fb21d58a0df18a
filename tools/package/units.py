"""Units for systemd: those of tools/service under the names of the packages, and timers that take care
of the service's ledger, with the same walls around them."""

import re
from pathlib import Path

SERVICE = Path(__file__).resolve().parent.parent / "service"
PROGRAM = "/usr/bin/trip-ledger"
BOOK = "${STATE_DIRECTORY}/book"
# Options that the owner sets, and where the key and the copies of heads are.
SETTINGS = ("EnvironmentFile=-/etc/default/trip-ledger\n"
            "Environment=XDG_CONFIG_HOME=%S/ledger/config XDG_STATE_HOME=%S/ledger/state")

# What is done for the ledger, when, and by which commands; the last one may take long.
CARE = {
    "backup": (
        "Back up the ledger", "*-*-* 02:20:00",
        [f"{PROGRAM} backup --ledger {BOOK} ${{STATE_DIRECTORY}}/backups --keep 30 --rehearse"]),
    "head": (
        "Sign the head of the ledger", "*-*-* 03:10:00",
        [f"{PROGRAM} --ledger {BOOK} head --sign $HEAD_OPTIONS"]),
    "scrub": (
        "Read every entry of the ledger again", "Sun *-*-* 03:40:00",
        [f"{PROGRAM} --ledger {BOOK} scrub",
         f"{PROGRAM} --ledger {BOOK} doctor"]),
    "monthly": (
        # A month that is done stays as it is, so that what could not be told is told a day later.
        "Issue last month's report of the ledger", "*-*-03..28 05:00:00",
        [f"{PROGRAM} --ledger {BOOK} monthly -o ${{STATE_DIRECTORY}}/kept $MONTHLY_OPTIONS"]),
}
# Before the commands. Without a ledger the unit does not start.
BEFORE = {
    "backup": ["/bin/mkdir -p ${STATE_DIRECTORY}/backups"],
    "head": [f"/bin/sh -c '{PROGRAM} --ledger {BOOK} key show >/dev/null 2>&1 || "
             f"exec {PROGRAM} --ledger {BOOK} key new'"],
}
# What tells others by post or mail may reach them.
SPEAKS = {"monthly", "head"}


def renamed(text):
    """A unit of tools/service as the packages install it."""
    text = text.replace("/usr/local/bin/ledger", PROGRAM)
    text = text.replace("ledger-serve.service", "trip-ledger-serve.service")
    return text.replace("/etc/ledger-mqtt.json", "/etc/trip-ledger-mqtt.json")


def without_head(text):
    """A unit without the comment that says how it is installed by hand."""
    return text[text.index("[Unit]"):]


def walls():
    """The lines of the server's unit that say what a service cannot do."""
    unit = (SERVICE / "ledger-serve.service").read_text()
    return unit[unit.index("\nUser=ledger\n") + 1:unit.index("[Install]")].rstrip()


def serve():
    text = without_head(renamed((SERVICE / "ledger-serve.service").read_text()))
    text, count = re.subn(
        r"Environment=HOST_NAME=localhost\n(ExecStart=\S+ --ledger \S+ serve --setup) .*\n",
        f"{SETTINGS}\n\\1 $OPTIONS\n", text)
    if count != 1:
        raise SystemExit("tools/service/ledger-serve.service is not as tools/package/units.py reads it")
    return text.replace("[Unit]\n", "[Unit]\nDocumentation=man:trip-ledger-serve(1)\n")


def broker():
    return without_head(renamed((SERVICE / "ledger-mqtt.service").read_text())).replace(
        "[Unit]\n", "[Unit]\nDocumentation=man:trip-ledger-mqtt(1)\n"
        "ConditionPathExists=/etc/trip-ledger-mqtt.json\n")


def care_service(name):
    title, _, commands = CARE[name]
    around = walls()
    if name in SPEAKS:
        around = re.sub(r"IPAddress.*\n", "", around)
    # The link is there as soon as the service has run once.
    lines = ["[Unit]", f"Description={title}", "Documentation=man:trip-ledger(1)",
             "ConditionPathExists=/var/lib/ledger/book/log", "", "[Service]", "Type=oneshot",
             SETTINGS, "Nice=10", "IOSchedulingClass=idle"]
    lines += [f"ExecStartPre={command}" for command in BEFORE.get(name, [])]
    lines += [f"ExecStart={command}" for command in commands]
    return "\n".join([*lines, "", around]) + "\n"


def care_timer(name):
    title, when, _ = CARE[name]
    return "\n".join([
        "[Unit]", f"Description={title}, from time to time", "Documentation=man:trip-ledger(1)", "",
        "[Timer]", f"OnCalendar={when}", "RandomizedDelaySec=30min", "Persistent=true", "",
        "[Install]", "WantedBy=timers.target"]) + "\n"


def cared_for(pages):
    """What the programs can do for the ledger: each has a command of its name, which has a page."""
    return [name for name in CARE if f"trip-ledger-{name}.1" in pages]


def timers(pages):
    return [f"trip-ledger-{name}.timer" for name in cared_for(pages)]


def units(pages):
    """The units of the package trip-ledger, by their names."""
    result = {"trip-ledger-serve.service": serve()}
    for name in cared_for(pages):
        result[f"trip-ledger-{name}.service"] = care_service(name)
        result[f"trip-ledger-{name}.timer"] = care_timer(name)
    return result
