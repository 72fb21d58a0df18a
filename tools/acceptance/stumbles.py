"""What four newcomers once stumbled over, S1 to S39: each is tried again, and what is said is judged.

The ways were tried at revision 3070b2ea; the driver's, the consultant's, the author's and the auditor's
books are those of the four walks.
"""

import json
import re
import shutil
import signal
import subprocess
import urllib.error
import urllib.request
from dataclasses import dataclass

from book import REPOSITORY
from walker import Walker

STUMBLES = {}

PAGE = REPOSITORY / "Sources" / "Programs" / "LedgerServer" / "Page" / "web"
MANUAL = REPOSITORY / "Sources" / "Ledger" / "TripLedger" / "TripLedger.docc"

# What `report *`, `visits` and `map --month` may take, in seconds of the processor.
MOST_SECONDS = 0.2


@dataclass
class Walks:
    """Who went the four walks, and has their books."""

    driver: Walker
    consultant: Walker
    author: Walker
    auditor: Walker


def stumble(number, once):
    """Adds what was stumbled over: the check returns whether it is right, and what is said now."""

    def add(check):
        STUMBLES[number] = (once, check)
        return check

    return add


def line_with(text, *words):
    """Returns the first line with all words, and whether there is one."""
    for line in text.splitlines():
        if all(word in line for word in words):
            return True, line
    return False, text


def without(text, *words):
    """Returns whether none of the words stands in a text."""
    return not any(word in text for word in words)


@stumble("S1", "Google Timeline gives no trips and says nothing")
def timeline(walks):
    walker = walks.driver
    said = walker.said("ledger --ledger s1 init > /dev/null; ledger --ledger s1 append Zeitachse.json; "
                       "ledger --ledger s1 status; ledger --ledger s1 trips")
    return all(word in said for word in ("--make-trips", "no measurement", "inferences")), \
        line_with(said, "--make-trips")[1]


@stumble("S2", "The program's own CSV cannot be taken in")
def own_csv(walks):
    walker = walks.driver
    said = walker.said(
        "ledger inferences --kind activity --format csv > ways.csv; "
        "ledger --ledger s2 init --time-zone Europe/Berlin > /dev/null; "
        "ledger --ledger s2 append ways.csv --suggest-map; ledger --ledger s2 append ways.csv; "
        "ledger --ledger s2 inferences --make-trips > /dev/null")
    trips = walker.rows("ledger --ledger s2 trips")
    is_right = len(trips) > 200 and "No column looks like" not in said
    return is_right, f"{len(trips)} trips; " + line_with(said, "needs no map")[1]


@stumble("S3", "Reported trips know no places")
def reported_places(walks):
    walker = walks.driver
    walker.run("ledger report-trip --from 2024-02-01T08:00 --to 2024-02-01T08:30 --km 12,5 "
               "--origin Zuhause --destination Büro")
    found = walker.rows("ledger trips --year 2024 --from-place Zuhause --to-place Büro")
    code, said, errors = walker.run(
        "ledger edit --year 2024 --text Büro --destination 'Kunde A' -y")
    moved = walker.rows("ledger trips --year 2024 --to-place 'Kunde A'")
    return code == 0 and len(found) == 1 and len(moved) == 1, said + errors


@stumble("S4", "Parking and tolls of MileIQ count nowhere")
def parking(walks):
    kinds = {row["kind"] for row in walks.consultant.rows("ledger expense list")}
    claim = walks.consultant.said("ledger report claim --year 2025")
    is_there, line = line_with(claim, "parking")
    return is_there and {"parking", "toll", "fuel"} <= kinds, line


@stumble("S5", "No licence plate, make, driver or company on the mileage log")
def plate(walks):
    log = walks.driver.said("ledger report log --year 2025")
    return "Erika Muster" in log and "VW Golf" in log and "FÜ-MW 12" in log, \
        line_with(log, "FÜ-MW 12")[1]


@stumble("S6", "German log: KENNZEICHEN holds late_entry, reported")
def flags(walks):
    log = walks.driver.said("ledger report log --year 2025")
    is_there, line = line_with(log, "MERKMALE", "DATUM")
    return is_there and "spät eingetragen" in log and without(log, "late_entry", "KENNZEICHEN  "), line


@stumble("S7", "One trip, two times")
def one_time(walks):
    walker = walks.driver
    trip = walker.rows("ledger trips --month 2025-12 --limit 1")[0]
    start = re.search(r"\d\d:\d\d", walker.said("ledger trips --month 2025-12 --limit 1").split("\n", 1)[1])
    texts = [walker.said(f"ledger {what} {trip['id']}") for what in ("trip", "explain")]
    texts.append(walker.said("ledger status"))
    routines = walker.said("ledger routine list")
    is_right = all("UTC" not in text for text in texts) and all(
        start.group() in text for text in texts[:2]) and "Times in Europe/Berlin" in routines
    return is_right, line_with(texts[0], "Started")[1]


@stumble("S8", "CSV ends lines with CR LF: a pipe fails for an invisible reason")
def line_ends(walks):
    code, output, errors = walks.driver.run(
        "ledger trips --month 2025-12 --format csv --columns id | tail -n+2 | "
        "xargs ledger edit --notes pipe -y")
    ids = walks.driver.run("ledger trips --limit 1 --format ids")[1]
    return code == 0 and "\r" not in ids, (output + errors).splitlines()[0]


@stumble("S9", "“number of the line from memory, not verified” on tax forms")
def form_lines(walks):
    summary = walks.consultant.said("ledger report summary --year 2025")
    is_there, line = line_with(summary, "45–47b")
    return is_there and without(summary, "from memory", "not verified"), line


@stumble("S10", "VERIFIED for what nobody vouches for")
def vouching(walks):
    code, output, _ = walks.auditor.run("ledger verify for-the-accountant")
    return code == 2 and output.startswith("CONSISTENT"), output.splitlines()[0]


@stumble("S11", "Wrong “met”: the purpose within seven days")
def within_seven_days(walks):
    report = walks.driver.said("ledger report completeness --year 2025")
    is_there, line = line_with(report, "Zweck", "sieben Tagen")
    return is_there and "fehlt" in line and "erfüllt" not in line, line


@stumble("S12", "Voided trips are invisible on the printed log")
def voided(walks):
    walker = walks.driver
    trip = walker.rows("ledger trips --month 2025-11 --limit 1")[0]["id"]
    walker.run(f"ledger void {trip} --why 'not mine'")
    is_there, line = line_with(walker.said("ledger report log --year 2025"), "Nicht gezählt")
    walker.run(f"ledger restore {trip}")
    return is_there and "1" in line, line


@stumble("S13", "HTML log, printed from a browser, breaks words anywhere")
def broken_words(walks):
    page = (walks.driver.home / "Fahrtenbuch-2025.html").read_text()
    cells = re.search(r"td[^{}]*\{[^}]*\}", page)
    return "overflow-wrap:break-word" in page and "word-break:break-all" not in page, \
        cells.group() if cells else page[:100]


@stumble("S14", "The event schema says no units; README shows no event line")
def units(walks):
    schema = walks.author.said("ledger schema event fix_recorded")
    is_there, line = line_with(schema, '"speed"', "metres per second")
    return is_there and '{"type":"fix_recorded"' in (REPOSITORY / "README.md").read_text(), line


@stumble("S15", "Misspelt members are silently kept")
def misspelt(walks):
    event = {"type": "trip_reported", "source": "x", "occurred_at": "2025-03-01T10:00:00Z",
             "started_at": "2025-03-01T09:00:00Z", "ended_at": "2025-03-01T10:00:00Z",
             "distance_m": 1000, "origin": "A", "destination": "B"}
    _, output, errors = walks.author.run("ledger append", json.dumps(event))
    is_there, line = line_with(errors, "origin", "did you mean")
    _, _, time = walks.author.run(
        "ledger append", '{"type":"fix_recorded","source":"x","time":"2025-03-01T10:00:00Z"}')
    _, _, kind = walks.author.run("ledger append", '{"type":"fix","source":"x"}')
    return is_there and '"time" was meant' in time and "fix_recorded was meant" in kind, line


@stumble("S16", "HTTP says nothing of fixes without a trip")
def over_http(walks):
    walker = walks.author
    token = json.loads(walker.run("ledger token new phone --format json")[1])["token"]
    lines = "".join(
        json.dumps({"type": "fix_recorded", "source": "phone", "accuracy": 10,
                    "occurred_at": f"2025-04-01T08:{minute:02d}:00Z", "lat": 51.9 + minute / 200,
                    "lon": 4.4}) + "\n" for minute in range(40))
    server = subprocess.Popen(
        [walker.home / "bin" / "ledger", "serve", "--port", "0"], stdout=subprocess.PIPE, text=True,
        env=walker.environment, cwd=walker.home)
    try:
        port = re.search(r"127\.0\.0\.1:(\d+)", server.stdout.readline()).group(1)
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/v1/events", data=lines.encode(), method="POST",
            headers={"Authorization": f"Bearer {token}", "Content-Type": "application/x-ndjson"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            text = answer.read().decode()
    except urllib.error.URLError as error:
        return False, f"{error}"
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(30)
    summary = json.loads(text.splitlines()[-1])
    notes = [note for note in summary.get("notes", []) if "trip" in note["text"]]
    return bool(notes), notes[0]["text"] if notes else text.splitlines()[-1]


@stumble("S17", "-o - makes a file called “-”")
def standard_output(walks):
    code, output, _ = walks.driver.run("ledger report log --month 2025-12 -o -")
    drawn = walks.driver.run("ledger map last -o - --format svg")[1]
    return code == 0 and not (walks.driver.home / "-").exists() and "<svg" in drawn, output


@stumble("S18", "-o x.xlsx writes plain text")
def unknown_ending(walks):
    code, _, errors = walks.driver.run("ledger report log --year 2025 -o x.xlsx")
    return code == 64 and not (walks.driver.home / "x.xlsx").exists(), errors


@stumble("S19", "The same option does something else, or is not there")
def same_options(walks):
    lines = [
        "chart -o c.svg", "calendar --year 2025 -o c2.svg", "report claim --month 2025-03 --jurisdiction de",
        "history --all --limit 1", "inbox --list --limit 1", "rules show --source owntracks/erika/pixel",
        "bundle --year 2025 --language en --paper letter -o english", "trips --as-of 2025-11-01 --limit 1",
        "odometer Golf --list", "rules preset --help"]
    wrong = [line for line in lines if walks.driver.run(f"ledger {line}")[0] != 0]
    return not wrong, f"not so: {wrong[0]}" if wrong else f"{len(lines)} commands take them"


@stumble("S20", "Dates of humans are refused")
def dates(walks):
    taken = ["trips --day yesterday", "trips --day today", "trips --month last", "trips --month 2025-4",
             "trips --from 01.04.2025 --limit 1", "visits --day 24.12.2025"]
    wrong = [line for line in taken if walks.driver.run(f"ledger {line}")[0] != 0]
    _, _, slashes = walks.driver.run("ledger trips --from 04/01/2025")
    _, _, number = walks.driver.run(
        "ledger report-trip --from 2024-03-01T08:00 --to 2024-03-01T09:00 --km 1,234")
    is_right = not wrong and "2025-01-04" in slashes and "2025-04-01" in slashes and "1234" in number
    return is_right, wrong[0] if wrong else slashes


@stumble("S21", "Expenses only one by one: a bank's table is proposed as trips")
def bank(walks):
    proposal = (walks.consultant.home / "columns.json").read_text()
    rows = walks.consultant.rows("ledger expense list --year 2025")
    fuel = [row for row in rows if row["kind"] == "fuel"]
    return json.loads(proposal)["rows"] == "expenses" and len(fuel) == 12, proposal


@stumble("S22", "--columns does not take what its help says")
def columns(walks):
    code, output, errors = walks.driver.run("ledger trips --columns STARTED,km --limit 1")
    return code == 0 and output.startswith("STARTED"), output + errors


@stumble("S23", "The same error 20 times")
def same_error(walks):
    _, _, errors = walks.consultant.run(
        "ledger --ledger s23 init > /dev/null; ledger --ledger s23 append mileiq.csv")
    lines = errors.splitlines()
    is_there, line = line_with(errors, "time zone")
    return is_there and len(lines) <= 4 and "schema event" not in errors, line


@stumble("S24", "JSON as the answer to a driver")
def answer(walks):
    screen = walks.driver.screen(
        "ledger --ledger s24 init > /dev/null; ledger --ledger s24 append pixel.rec")
    is_there, line = line_with(screen, "trips", "Next: ledger")
    return is_there and '"read"' not in screen, line


@stumble("S25", "status forgets the inbox")
def inbox(walks):
    walks.driver.run("ledger report-trip --from 2024-05-01T08:00 --to 2024-05-01T08:30 --km 10")
    return line_with(walks.driver.said("ledger status"), "Inbox", "ledger inbox")


@stumble("S26", "One label for two jobs: the address of a place")
def address(walks):
    log = walks.driver.said("ledger report log --month 2025-12")
    trips = walks.driver.said("ledger trips --month 2025-12")
    is_there, line = line_with(log, "Büro Weber GmbH")
    return is_there and "Weber" not in trips and "Büro" in trips, line


@stumble("S27", "The terminal's inbox is weaker than the page's")
def terminal_inbox(walks):
    walker = walks.driver
    for hour in (8, 10, 12):
        walker.run(f"ledger report-trip --from 2024-06-03T{hour:02d}:00 --to 2024-06-03T{hour:02d}:30 "
                   "--km 10 --origin Lager --destination Werft")
    text = " ".join(walker.screen("ledger inbox --day 2024-06-03", "p\n?\nq\n").split())
    wanted = ("2 alike", "undo", "same way", "client", "goes back")
    return all(word in text for word in wanted), text[text.find("[b]usiness"):]


@stumble("S28", "Riddles: “within a day of 0”, “DAYS”, a root without a purpose")
def riddles(walks):
    log = walks.driver.said("ledger report log --year 2025")
    sheet = (walks.driver.home / "Fahrtenbuch-2025.html").read_text()
    is_there, line = line_with(log, "eines Tages", "sieben Tagen")
    status = walks.driver.said("ledger status")
    explains = "dass keiner der" in sheet and "Merkmale:" in log and "Tage:" in log
    return is_there and explains and "1980-01-06" not in status, line


@stumble("S29", "Start is expensive: no package, no word on a Pi")
def start(walks):
    page = (MANUAL / "Installing.md").read_text()
    is_there, line = line_with(page, "arm64")
    return is_there and (REPOSITORY / "tools" / "package").exists(), line


@stumble("S30", "`import`, `undo`, `delete` are what one types first")
def first_words(walks):
    said = walks.driver.said(
        "ledger import Zeitachse.json; ledger undo; ledger delete last; "
        "ledger import audit-2025 --ledger s30")
    is_there, line = line_with(said, "ledger append Zeitachse.json")
    return is_there and "'restore'" in said and "'void'" in said and "Imported" in said, line


@stumble("S31", "The auditor's paper has two spellings of one number")
def two_spellings(walks):
    sheet = (walks.driver.home / "Fahrtenbuch-2025.html").read_text()
    head = walks.auditor.said("ledger head")
    short = walks.auditor.said("ledger verify audit-2025 13:6b47b3")
    key = walks.auditor.said("ledger verify audit-2025 --key eva.example+a439258d+ARlY0WiekdehV3cfm6al")
    is_right = ("Im Code:" in sheet and "In notes" in head and "is too short" in short
                and "No such file" not in short + key)
    return is_right, line_with(head, "In notes")[1]


@stumble("S32", "A dropped line accuses all later ones")
def dropped_line(walks):
    home = walks.auditor.home
    shutil.copytree(home / "for-the-accountant", home / "dropped")
    path = home / "dropped" / "entries.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:5] + lines[6:]))
    code, output, _ = walks.auditor.run("ledger verify dropped")
    missing = [line for line in output.splitlines() if "is missing" in line]
    return code == 1 and len(missing) == 1 and output.count("wrong") == 1, missing[0] if missing else output


@stumble("S33", "The bundle: not in the auditor's part, no index, two excerpts that are the same")
def bundle(walks):
    home = walks.driver.home
    page = (MANUAL / "Auditing.md").read_text()
    is_first = "ledger bundle" in page.replace("--ledger book ", "") and \
        page.index("bundle --year") < page.index("key new")
    folder = home / "audit-2025"
    text = (folder / "README.txt").read_text()
    shutil.copytree(folder, home / "changed")
    log = home / "changed" / "reports" / "log.html"
    log.write_text(log.read_text().replace("6,99", "9,69", 1))
    _, output, _ = walks.driver.run("ledger verify changed")
    is_there, line = line_with(output, "9,69", "6,99")
    return is_there and is_first and (folder / "prints" / "index.html").exists() \
        and 'cat key.txt' not in text, line


@stumble("S34", "A merge makes nine kilometres of commute a hundred on business, and says nothing")
def merge(walks):
    walker = walks.driver
    ids = walker.run("ledger trips --day 2025-12-30 --format ids")[1].split()
    said = walker.said(f"ledger merge {' '.join(ids)}")
    walker.run(f"ledger restore {ids[-1]}")
    return line_with(said, "had the class", "now all")


@stumble("S35", "GO and STOP without fixes: “no trips” right after “trip ends”")
def without_fixes(walks):
    said = walks.driver.said("ledger go --source manual; ledger stop --source manual")
    return line_with(said, "counts nowhere", "ledger report-trip")


@stumble("S36", "Speed: visits, maps and reports take seconds")
def speed(walks):
    slow = []
    lines = ["visits", "map --month 2025-12 -o schnell.html --replace", "report log --year 2025",
             "report summary --year 2025", "report completeness --year 2025", "report changes --year 2025"]
    for line in lines:
        _, _, errors = walks.driver.run(f"bash -c 'TIMEFORMAT=%U; time ledger {line} > /dev/null'")
        seconds = float(errors.split()[-1])
        if seconds > MOST_SECONDS:
            slow.append(f"{line}: {seconds} s")
    return not slow, "; ".join(slow) or f"each of {len(lines)} takes at most {MOST_SECONDS} s"


@stumble("S37", "Page and reports have other words for the same")
def vocabulary(walks):
    page = (PAGE / "texts" / "de.js").read_text()
    log = walks.driver.said("ledger report log --year 2025")
    missing = [word for word in ("geschäftlich", "nicht eingeordnet")
               if word not in page or word not in log]
    summary = walks.consultant.said("ledger report summary --year 2025").splitlines()[0]
    return not missing and "kilometres" not in summary, f"not in both: {missing}" if missing else summary


@stumble("S38", "No odometer help for Germany")
def odometer(walks):
    report = walks.driver.said("ledger report completeness --year 2025")
    is_met, line = line_with(report, "Kilometerstand", "erfüllt")
    says_how, command = line_with(report, "Kilometerstand", "ledger odometer")
    # Between two readings the log has what was computed, and says so.
    is_computed = "abgeglichen" in walks.driver.said("ledger report log --year 2025")
    filled = walks.driver.said("ledger odometer --help")
    return (is_met and is_computed or says_how) and "between" in filled, line if is_met else command


@stumble("S39", "No upload on the page")
def upload(walks):
    for path in sorted(PAGE.rglob("*")):
        if path.suffix in (".js", ".html"):
            found = re.search(
                r"""type['"]?\s*[:=,]\s*['"]file['"]|dataTransfer\.(files|items)""", path.read_text())
            if found:
                return True, f"{path.name}: {found.group()}"
    return False, "no page takes a file"
