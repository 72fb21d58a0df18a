"""Packages as a user of Debian meets them: installed, used, upgraded, removed, beside another `ledger`."""

import http.client
import json
import re
import time

from book import expect
from packages_chroot import LEDGER, Chroot

MOST_SECONDS = 120
USER = 1234
HOME = "/srv/driver"
DRIVE_START = 1_741_000_000


def page_request(address, method, path, body, cookie=None):
    """What the page sends: a request of its own origin; returns status, cookie and answer."""
    connection = http.client.HTTPConnection(address, timeout=30)
    headers = {"Origin": f"http://{address}", "Sec-Fetch-Site": "same-origin",
               "Content-Type": "application/json"}
    if cookie:
        headers["Cookie"] = cookie
    connection.request(method, path, json.dumps(body) if body is not None else None, headers)
    answer = connection.getresponse()
    content = answer.read()
    cookie = (answer.getheader("Set-Cookie") or "").partition(";")[0]
    connection.close()
    return answer.status, cookie, content


def drive():
    """The events of a drive as a page that records sends them."""
    def at(seconds):
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(DRIVE_START + seconds))
    events = [{"type": "go_pressed", "source": "page", "occurred_at": at(0)}]
    events += [{"type": "fix_recorded", "source": "page", "occurred_at": at(30 * step),
                "lat": 51.92 + 0.004 * step, "lon": 4.4, "accuracy": 8} for step in range(1, 12)]
    return {"events": [*events, {"type": "stop_pressed", "source": "page", "occurred_at": at(360)}]}


def check(suite, before, now, arguments):
    """All of it, in one system after the other."""
    print(f"\nDebian {suite}\n", flush=True)
    for part in (first_minutes, upgrade_and_purge, running_services, beside_ours, beside_theirs):
        chroot = Chroot(suite, before if part is upgrade_and_purge else now, arguments.runtime)
        try:
            result = chroot.apt("update")
            expect(result.returncode == 0, f"apt reads the repository: {result.stderr}")
            part(chroot, now)
        finally:
            chroot.remove()


def installed(chroot, *packages):
    result = chroot.apt("install", *packages)
    expect(result.returncode == 0, f"{packages} are installed: {result.stdout} {result.stderr}")
    return result


def first_minutes(chroot, _):
    """From `apt install` to a mileage log as PDF, by what is printed alone."""
    started = time.monotonic()
    result = installed(chroot, "trip-ledger", "trip-ledger-extras")
    expect("trip-ledger serve --setup" in result.stderr, "installing says how to begin")
    after_install = time.monotonic() - started
    chroot.run("useradd", "--create-home", f"--home-dir={HOME}", f"--uid={USER}", "driver")
    home = {"HOME": HOME, "TZ": "Europe/Amsterdam"}
    server = chroot.start("trip-ledger", "serve", "--setup", "--port", "0", user=USER, **home)
    try:
        link = None
        for line in server.stdout:
            found = re.search(r"http://(127\.0\.0\.1:\d+)/#login=(\S+)", line)
            if found:
                link = found
                break
        if link is None:
            expect(False, "`serve --setup` makes a ledger and prints a link")
            return
        address, code = link.groups()
        status, cookie, _ = page_request(address, "POST", "/session", {"code": code})
        expect(status in (200, 204) and cookie, f"the link lets in: {status}")
        _, _, page = page_request(address, "GET", "/", None)
        for name in sorted(set(re.findall(r'(?:src|href)="(/assets/[^"]+)"', page.decode()))):
            status, _, _ = page_request(address, "GET", name, None)
            expect(status == 200, f"the page has its file {name}: {status}")
        status, _, answer = page_request(address, "POST", "/v1/events", drive(), cookie)
        expect(status == 200, f"the page delivers a drive: {status} {answer}")
        status, _, answer = page_request(address, "GET", "/v1/trips", None, cookie)
        trips = json.loads(answer).get("items", []) if status == 200 else []
        expect(len(trips) == 1, f"the drive is one trip: {status} {len(trips)}")
        port = address.rpartition(":")[2]
        health = chroot.run("trip-ledger-serve", "--health", port, user=USER, **home)
        expect(health.returncode == 0, f"it is well: {health.stderr}")
        report = chroot.run(
            "trip-ledger", "report", "log", "--year", "2025", "-o", f"{HOME}/log.pdf",
            user=USER, **home)
        file = chroot.folder / HOME.lstrip("/") / "log.pdf"
        expect(file.is_file() and file.read_bytes().startswith(b"%PDF"),
               f"the log is printed: {report.stderr}")
    finally:
        server.terminate()
        server.wait(timeout=30)
    seconds = time.monotonic() - started
    print(f"apt install {after_install:.0f} s, to a printed log {seconds:.0f} s", flush=True)
    expect(seconds <= MOST_SECONDS, f"it takes {seconds:.0f} s, more than {MOST_SECONDS}")
    health = chroot.run("trip-ledger-serve", "--health", port, user=USER, **home)
    expect(health.returncode == 1, "a server that has ended is not well")
    for words in (["ledger", "--version"], ["trip-ledger", "--licences"],
                  ["trip-ledger-service", "--help"]):
        expect(chroot.run(*words).returncode == 0, f"{' '.join(words)} does not work")
    licences = chroot.run("trip-ledger", "--licences").stdout
    expect("LMDB" in licences and "glibc" in licences, "--licences names what is linked")
    version = chroot.run("trip-ledger", "--version").stdout
    for name in ("serve", "print", "sync", "mqtt", "replicate"):
        for word, said in (("--version", version), ("--licences", licences)):
            expect(chroot.run(f"trip-ledger-{name}", word).stdout == said,
                   f"trip-ledger-{name} {word} says something else")


def make_service_ledger(chroot):
    """A ledger where the service has it."""
    made = chroot.run("trip-ledger", "--ledger", LEDGER, "init", "--time-zone", "Europe/Berlin")
    expect(made.returncode == 0, f"the service's ledger is made: {made.stderr}")
    drive_lines = chroot.run("trip-ledger", "simulate", "home-to-office").stdout
    appended = chroot.run("trip-ledger", "--ledger", LEDGER, "append", data=drive_lines)
    expect('"appended":7' in appended.stdout, f"a drive is appended: {appended.stderr}")


def head(chroot):
    result = chroot.run("trip-ledger", "--ledger", LEDGER, "head", "--format", "json")
    return json.loads(result.stdout) if result.returncode == 0 else result.stderr


def upgrade_and_purge(chroot, now):
    """An older package, its ledger, the newer package, removal, and purging in both answers."""
    installed(chroot, "trip-ledger")
    old = chroot.run("dpkg-query", "-W", "-f=${Version}", "trip-ledger").stdout
    make_service_ledger(chroot)
    (chroot.folder / "etc/default/trip-ledger").write_text('OPTIONS="--port 9000"\n')
    before = head(chroot)
    chroot.use(now)
    chroot.apt("update")
    installed(chroot, "trip-ledger")
    new = chroot.run("dpkg-query", "-W", "-f=${Version}", "trip-ledger").stdout
    expect(old != new and chroot.run("dpkg", "--compare-versions", old, "lt", new).returncode == 0,
           f"{old} is upgraded to {new}")
    expect(head(chroot) == before, f"the ledger stays as it was: {before}, {head(chroot)}")
    verified = chroot.run("trip-ledger", "--ledger", LEDGER, "verify")
    expect(verified.returncode == 0, f"the new version verifies it: {verified.stdout}")
    expect("9000" in (chroot.folder / "etc/default/trip-ledger").read_text(),
           "options that were set stay")
    log = chroot.folder / LEDGER.lstrip("/") / "log"
    chroot.apt("remove", "trip-ledger")
    expect(not (chroot.folder / "usr/bin/ledger").is_symlink(), "the link goes with the package")
    expect(log.exists(), "removing leaves the ledger")
    result = chroot.apt("purge", "trip-ledger")
    expect(result.returncode == 0 and log.exists(), f"purging without a word leaves it: {result.stderr}")
    expect("stays in /var/lib/ledger" in result.stderr + result.stdout, "and says so")
    installed(chroot, "trip-ledger")
    chroot.run("debconf-set-selections",
               data="trip-ledger trip-ledger/remove-data boolean true\n")
    result = chroot.apt("purge", "trip-ledger")
    expect(result.returncode == 0 and not log.exists(),
           f"purging removes it where a person says so: {result.stderr}")


def running_services(chroot, _):
    """Services that run, as programs in the place of systemd's say: what is asked of these."""
    packages = {"trip-ledger": "trip-ledger-serve.service",
                "trip-ledger-extras": "trip-ledger-mqtt.service"}
    installed(chroot, *packages)
    (chroot.folder / "run/systemd/system").mkdir(parents=True, exist_ok=True)
    asked = chroot.folder / "asked"
    for name in ("systemctl", "deb-systemd-invoke"):
        program = chroot.folder / "usr/local/sbin" / name
        program.write_text('#!/bin/sh\necho "$@" >>/asked\n')
        program.chmod(0o755)
    chroot.apt("install", "--reinstall", *packages)
    for unit in packages.values():
        expect(f"restart {unit}\n" in asked.read_text(), f"{unit} goes on with the new program")
    asked.write_text("")
    chroot.apt("remove", *packages)
    stopped = [word for line in asked.read_text().splitlines() if line.startswith("stop ")
               for word in line.split()]
    masks = {unit: chroot.folder / "etc/systemd/system" / unit for unit in packages.values()}
    for unit, mask in masks.items():
        expect(unit in stopped, f"{unit} ends with its package")
        expect(mask.is_symlink(), f"{unit} cannot be started without its package")
    installed(chroot, *packages)
    for unit, mask in masks.items():
        expect(not mask.is_symlink(), f"{unit} can be started when its package is there again")


def which_ledger(chroot):
    """Ours, the other package's, or nothing."""
    file = chroot.folder / "usr/bin/ledger"
    if file.is_symlink():
        return str(file.readlink())
    return chroot.owner("/usr/bin/ledger") if file.exists() else None


def beside_ours(chroot, _):
    """Ours first, then Debian's `ledger`, which goes again."""
    installed(chroot, "trip-ledger")
    expect(which_ledger(chroot) == "trip-ledger", "`ledger` is a link where nothing else has it")
    installed(chroot, "ledger")
    expect(which_ledger(chroot) == "ledger", "Debian's `ledger` takes the name")
    expect(chroot.run("trip-ledger", "--version").returncode == 0, "ours goes on as trip-ledger")
    chroot.apt("install", "--reinstall", "trip-ledger")
    expect(which_ledger(chroot) == "ledger", "installing ours again leaves theirs alone")
    chroot.apt("remove", "ledger")
    expect(which_ledger(chroot) == "trip-ledger", "the link is there again when theirs has gone")


def beside_theirs(chroot, _):
    """Debian's `ledger` first, then ours, which goes again."""
    installed(chroot, "ledger")
    installed(chroot, "trip-ledger")
    expect(which_ledger(chroot) == "ledger", "ours leaves a `ledger` that is there alone")
    said = chroot.run("trip-ledger", "help", "trips").stdout
    expect("trip-ledger trips" in said, "its help names it as it is called there")
    chroot.apt("purge", "trip-ledger")
    expect(which_ledger(chroot) == "ledger", "theirs stays when ours goes")
    expect(chroot.status("ledger") == "ii", "and is whole")
