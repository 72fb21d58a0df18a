"""The four walks: what each person types, one command after the other, and then sees."""

from driver_files import PLACES, PRIVATE, german_days, write_mileiq, write_recorder, write_timeline


def driver(walker):
    """A Timeline, an OwnTracks recorder and one car, up to a German logbook and its folder."""
    drives = list(german_days())
    write_timeline(walker.home / "Zeitachse.json", [drive for drive in drives if drive[0].month < 10])
    write_recorder(walker.home / "pixel.rec", [drive for drive in drives if drive[0].month >= 10])
    lines = [
        "ledger init --time-zone Europe/Berlin",
        'ledger settings --language de --country de --keeper "Erika Muster"',
        'ledger vehicle register Golf --plate "FÜ-MW 12" --make VW --model Golf',
        "ledger append Zeitachse.json pixel.rec --vehicle Golf --format text",
        "ledger inferences --make-trips --vehicle Golf",
        *(f'ledger place save "{name}" --lat {latitude} --lon {longitude} --radius 250'
          + (' --address "Büro Weber GmbH, Äußere Sulzbacher Straße 1, 90491 Nürnberg"'
             if name == "Büro" else "")
          for name, (latitude, longitude) in PLACES.items()),
        "ledger routine save Arbeitsweg --from-place Zuhause --to-place Büro --both-ways "
        "--class commute --since 2025-01-01",
        "ledger routine list",
        *(f'ledger edit --place "{name}" --class business --client "{name}" --purpose Besprechung -y'
          for name in ("Kunde A", "Kunde B", "Kunde C")),
        "ledger edit " + " ".join(f"--place {name}" for name in PRIVATE) + " --class personal -y",
        "ledger odometer Golf 21000 --at 2025-01-01",
        "ledger odometer Golf 30000 --at 2025-12-31",
        "ledger status",
        "ledger inbox --list",
        "ledger trips --month 2025-10",
        "ledger trips --from 24.12.2025",
        "ledger explain last",
        "ledger visits --month 2025-12",
        "ledger map --month 2025-12 -o dezember.html",
        "ledger calendar --year 2025",
        "ledger report completeness --year 2025",
        "ledger report log --year 2025",
        "ledger report log --year 2025 -o Fahrtenbuch-2025.html",
        "ledger bundle --year 2025",
    ]
    for line in lines:
        yield line, walker.type(line)


def consultant(walker):
    """MileIQ's table of two cars and a bank's table, up to what a tax return asks for."""
    write_mileiq(walker.home / "mileiq.csv")
    (walker.home / "bank.csv").write_text(
        "Date,Vendor,Amount,Currency,Category,Vehicle\n"
        + "".join(f"2025-{month:02d}-15,Shell,41.50,USD,Fuel,Honda\n" for month in range(1, 13)))
    lines = [
        "ledger init --time-zone America/Chicago --units mi",
        "ledger settings --country us",
        "ledger vehicle register Honda --plate ABC123 --make Honda --model Civic",
        "ledger vehicle register Ford --plate XYZ789 --make Ford --model Focus",
        "ledger append mileiq.csv --format text",
        "ledger append bank.csv --suggest-map > columns.json",
        "ledger append bank.csv --map columns.json --format text",
        "ledger report claim --year 2025",
        "ledger report methods --year 2025",
        "ledger report summary --year 2025",
        "ledger report log --year 2025 --class business",
        "ledger totals --month last",
        "ledger totals --year 2025 --by vehicle",
        "ledger expense list --year 2025 --limit 5",
    ]
    for line in lines:
        yield line, walker.type(line)


def author(walker):
    """A script that hands over events: receipts, repeats, mistakes, and what became of it."""
    script = """
        import datetime, json
        start = datetime.datetime.fromisoformat("2025-03-03T08:30:00+01:00")
        def line(kind, second, **members):
            time = (start + datetime.timedelta(seconds=second)).isoformat()
            print(json.dumps({"type": kind, "source": "car", "occurred_at": time, **members}))
        line("go_pressed", 0)
        for step in range(60):
            line("fix_recorded", 10 + 10 * step, lat=51.927 + step * 1e-3, lon=4.362, accuracy=10, speed=11)
        line("stop_pressed", 620)
    """
    text = "\n".join(row[8:] for row in script.splitlines())
    (walker.home / "drive.py").write_text(text)
    lines = [
        "ledger init --time-zone Europe/Amsterdam",
        "ledger schema event fix_recorded",
        "python3 drive.py > drive.jsonl",
        "ledger append drive.jsonl",
        "ledger append drive.jsonl",
        "head -n 3 drive.jsonl | ledger append --receipts",
        "sed 's/\"lat\": 51/\"lat\": 91/' drive.jsonl | ledger append -",
        "ledger trips --format json",
        "ledger watch --since 1 --once --format json",
        "ledger head --format json",
        "ledger status",
    ]
    for line in lines:
        yield line, walker.type(line)


def auditor(walker):
    """A driver's folder of a year and an export, checked on a machine without a ledger."""
    lines = [
        "ledger init --time-zone Europe/Amsterdam",
        "ledger simulate --days 20 --places | ledger append --format text",
        "ledger edit --from 2025-01-01 --class business --purpose 'Client visit' -y",
        "ledger key new --name eva.example --output eva.key | tee key.txt",
        "ledger head --sign --key eva.key | tee paper.note",
        "ledger bundle --year 2025 --key eva.key",
        "ledger verify audit-2025 paper.note --key key.txt",
        "ledger edit last --purpose 'Client visit, and lunch' --actor Eva",
        "ledger head --sign --key eva.key",
        "ledger export for-the-accountant",
        "ledger verify for-the-accountant paper.note --key key.txt",
        "ledger import for-the-accountant --ledger now",
        "ledger --ledger now changes --since paper.note",
        "ledger --ledger now report log --month 2025-01",
    ]
    for line in lines:
        yield line, walker.type(line)


WALKS = {"driver": driver, "consultant": consultant, "author": author, "auditor": auditor}
