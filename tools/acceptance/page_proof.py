"""Has the browser verify the log by itself: whole, changed on the way, and against an older head; and the
signatures of the head, with the keys of its owner and a witness."""

import base64
import json
import random
import time

from book import SHARED, expect
from page_checks import check_page

# One byte of an answer becomes another, as on a faulty disk; every other answer stays.
FAULT = """window.faithful ??= window.fetch;
    window.fetch = async (path, options) => {
        const answer = await window.faithful(path, options);
        if (!String(path).includes('/tile/entries/003')) return answer;
        const bytes = new Uint8Array(await answer.arrayBuffer());
        bytes[bytes.length - 7] ^= 1;
        return new Response(bytes, { status: answer.status, headers: answer.headers });
    };"""
# A server that is far away, so that there is time to press Stop.
SLOW = """window.faithful ??= window.fetch; window.fetch = async (path, options) => {
        if (String(path).includes('/tile/entries/')) await new Promise((go) => { setTimeout(go, 300); });
        return window.faithful(path, options);
    };"""
SAID = "return document.querySelector('.verify [role=status]').textContent"
SUM = "return document.querySelector('.signatures [data-sum]')?.dataset.sum ?? null"
SINCE = "return document.querySelector('.since').textContent"


# What the page's own module says of notes and keys: the verdicts of each, or null if it is no note.
CHECK_NOTES = """const [cases, done] = arguments;
    const app = document.querySelector('script[type=module]').src;
    import(app.replace('app.js', 'signatures.js')).then(async (module) => {
        const found = [];
        for (const { note, keys } of cases) {
            const read = (await Promise.all(keys.map(module.parseKey))).filter(Boolean);
            const parts = module.parseNote(note);
            const verdicts = parts && (await module.checkSignatures(parts, read)).map(({ verdict }) => verdict);
            found.push({ verdicts, keys: read.length });
        }
        done(found);
    }, (error) => done(String(error)));"""


def check_proof(page, heads, keys):
    """Verifies all that is under the signed head, and compares an older head with it."""
    page.shape(1280, 800, False)
    page.go("proof", ".verify")
    if keys:
        check_signatures(page, heads, keys)
        check_law(page, heads[-1], keys)
        check_vectors(page)
        page.go("trips", ".trip-row")
        page.go("proof", ".verify")
    page.script(FAULT)
    verify(page)
    page.until(lambda: "entry 1,023" in page.script(SAID),
               f"a changed byte of entry 1023 is not found: {page.script(SAID)}")
    page.script(SLOW)
    page.press(".verify button")
    page.until(lambda: page.find(".verify button").text == "Stop", "it cannot be stopped")
    page.press(".verify button")
    page.until(lambda: "Stopped" in page.script(SAID), "it does not stop")
    page.script("window.fetch = window.faithful")
    began = time.monotonic()
    verify(page)
    # It goes on while something else is shown.
    page.go("trips", ".trip-row")
    page.go("proof", ".verify")
    page.until(lambda: "root computed here is the same" in page.script(SAID),
               f"the log is not verified: {page.script(SAID)}", 600)
    print(f"proof: {page.script(SAID).split()[1]} entries verified in {time.monotonic() - began:.1f} s")
    if keys:
        expect("has signed it" in page.script(SAID), "it is not said who has signed what was verified")
    check_page(page.browser, "proof, verified")
    compare_heads(page, heads)


def give(page, *keys):
    """Gives keys to the page, and has it check the signatures; returns what it makes of them."""
    page.script("document.querySelector('.signatures textarea').value = arguments[0]", "\n".join(keys))
    page.script("document.querySelector('.signatures [data-sum]')?.remove()")
    page.press(".signatures form button.main")
    page.until(lambda: page.script(SUM) or "not a verifier key" in page.find(".signatures").text
               or "without a key" in page.find(".signatures").text, "the signatures are not checked")
    return page.script(SUM)


def check_signatures(page, heads, keys):
    """Gives right, other, wrong and no keys."""
    owner, witness = keys
    # The id of a key is part of it, so this one is of the same name and another.
    other = "example.com/page+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
    foreign = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
    for given, wanted in (
            ((owner,), "right"), ((owner, witness), "right"), ((witness,), "others"), ((foreign,), "none"),
            ((other,), None), ((), None)):
        found = give(page, *given)
        expect(found == wanted, f"with {given or 'no key'}, the signatures are {found}")
    give(page, owner, witness)
    rows = page.script("return [...document.querySelectorAll('.signatures tbody tr')].map((r) => r.innerText)")
    expect(len(rows) == 2 and all("right" in row for row in rows), f"the signatures are {rows}")
    check_page(page.browser, "proof, signatures")
    # The keys stay in the browser; a head that is changed on the way is found out.
    page.script("""window.faithful ??= window.fetch; window.fetch = async (path, options) => {
        const answer = await window.faithful(path, options);
        if (!String(path).includes('/log/checkpoint')) return answer;
        const text = await answer.text();
        return new Response(text.replace(/\\n([0-9]+)\\n/, (_, size) => `\\n${size - 1}\\n`),
            { status: 200, headers: answer.headers });
    };""")
    page.go("trips", ".trip-row")
    page.go("proof", ".verify")
    page.until(lambda: page.script(SUM) == "wrong", f"a changed head is {page.script(SUM)}")
    check_page(page.browser, "proof, a wrong signature")
    page.script("window.fetch = window.faithful")


def ask(page, cases):
    found = page.browser.execute_async_script(CHECK_NOTES, cases)
    expect(isinstance(found, list), f"the page checks no notes: {found}")
    return found


def check_law(page, note, keys, seed=None):
    """No signature over a note or a key is right after any change in it."""
    seed = seed or random.randrange(1_000_000)
    source = random.Random(seed)
    end = note.rindex("\n\n") + 1
    cases = [{"note": note, "keys": keys}]
    for _ in range(300):
        if source.random() < 0.5:
            at = source.randrange(end - 1)
            changed = note[:at] + chr(source.choice([33, 48, 57, 65, 122, 233])) + note[at + 1:]
            cases.append({"note": changed, "keys": keys})
        else:
            at = source.randrange(len(keys[0]))
            key = keys[0][:at] + source.choice("AZaz09+/=.") + keys[0][at + 1:]
            cases.append({"note": note, "keys": [key]})
    found = ask(page, cases)
    expect(found[0]["verdicts"] == ["right", "right"], f"the note itself is {found[0]}")
    for case, one in zip(cases[1:], found[1:]):
        if case in ({"note": note, "keys": keys}, {"note": note, "keys": keys[:1]}):
            continue
        is_taken = one["verdicts"] is not None and "right" in one["verdicts"]
        expect(not is_taken, f"seed {seed}: taken as right: {case}")
    print(f"signatures: seed {seed}, {len(cases)} notes and keys")


def check_vectors(page):
    """The notes and keys of others, where they are there: C2SP's and Go's."""
    folder = SHARED / "tlog" / "note"
    if not folder.is_dir():
        print("signatures: skipped: no shared data")
        return
    notes = json.loads((folder / "signed-note.json").read_text())
    found = ask(page, [{"note": one["note"], "keys": one["vkeys"]} for one in notes])
    for one, result in zip(notes, found):
        verdicts = result["verdicts"] or []
        counts = (verdicts.count("right"), verdicts.count("unknown"), verdicts.count("wrong"))
        wanted = (one["verified"], one["unverified"], 0) if one["ok"] else (0, counts[1], counts[2])
        expect(counts == wanted, f"{one['case']}: {counts}")
    keys = json.loads((folder / "vkeys.json").read_text())
    found = ask(page, [{"note": "a\n\n", "keys": [one["vkey"]]} for one in keys])
    for one, result in zip(keys, found):
        expect((result["keys"] == 1) == one["ok"], f"the key {one['vkey']} is taken: {result['keys'] == 1}")
    print(f"signatures: {len(notes)} notes and {len(keys)} keys of others")


def verify(page):
    page.script("document.getElementById('toasts').replaceChildren()")
    page.press(".verify button")
    page.until(lambda: any(word in page.script(SAID) for word in ("%", "entry", "computed here")),
               "no progress is shown")


def compare(page, text, wanted):
    page.script("document.querySelector('main form.since-head textarea').value = arguments[0]", text)
    page.press("main form.since-head button.main")
    page.until(lambda: wanted in page.script(SINCE), f"of {text} it says {page.script(SINCE)[:200]}")


def compare_heads(page, heads):
    size = 1000
    if heads:
        _, size, root = heads[0].split("\n")[:3]
        size, root = int(size), base64.b64decode(root).hex()
        compare(page, f"{size}:{root}", "has only grown since")
        other = ("0" if root[0] != "0" else "1") + root[1:]
        compare(page, f"{size}:{other}", "are not those of that head")
    if heads:
        compare(page, heads[0], "has only grown since")
    compare(page, str(size), "computed from the tiles")
    expect(page.script("return document.querySelectorAll('.since tbody tr').length") > 0,
           "what changed since is not listed")
    compare(page, "999999999", "has only")
    compare(page, "no head", "This is not a head")
    check_page(page.browser, "proof, compared")
