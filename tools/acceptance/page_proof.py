"""Has the browser verify the log by itself: whole, changed on the way, and against an older head."""

import base64

from book import expect
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
SAID = "return document.querySelector('.verify [role=status]').textContent"
SINCE = "return document.querySelector('.since').textContent"


def check_proof(page, heads):
    """Verifies all that is under the signed head, and compares an older head with it."""
    page.shape(1280, 800, False)
    page.go("proof", ".verify")
    page.script(FAULT)
    verify(page)
    page.until(lambda: "entry 1,023" in page.script(SAID),
               f"a changed byte of entry 1023 is not found: {page.script(SAID)}")
    page.script("window.fetch = window.faithful")
    page.find(".verify button").click()
    page.until(lambda: page.find(".verify button").text == "Stop", "it cannot be stopped")
    page.find(".verify button").click()
    page.until(lambda: "Stopped" in page.script(SAID), "it does not stop")
    verify(page)
    # It goes on while something else is shown.
    page.go("trips", ".trip-row")
    page.go("proof", ".verify")
    page.until(lambda: "computed here is its root" in page.script(SAID),
               f"the log is not verified: {page.script(SAID)}", 600)
    check_page(page.browser, "proof, verified")
    compare_heads(page, heads)


def verify(page):
    page.find(".verify button").click()
    page.until(lambda: "%" in page.script(SAID) or "entry" in page.script(SAID), "no progress is shown")


def compare(page, text, wanted):
    page.script("document.querySelector('main form input').value = arguments[0]", text)
    page.press("main form button.main")
    page.until(lambda: wanted in page.script(SINCE), f"of {text} it says {page.script(SINCE)[:200]}")


def compare_heads(page, heads):
    size = 1000
    if heads:
        _, size, root = heads[0].split("\n")[:3]
        size, root = int(size), base64.b64decode(root).hex()
        compare(page, f"{size}:{root}", "has only grown since")
        other = ("0" if root[0] != "0" else "1") + root[1:]
        compare(page, f"{size}:{other}", "are not those of that head")
    compare(page, str(size), "computed from the tiles")
    expect(page.script("return document.querySelectorAll('.since tbody tr').length") > 0,
           "what changed since is not listed")
    compare(page, "999999999", "has only")
    compare(page, "no head", "This is no head")
    check_page(page.browser, "proof, compared")
