"""What pages that follow a drive cost: many of them at once, and one for hours."""

import statistics
import time

from book import expect
from load_browser import cpu_seconds, memory

MINUTES, MOST_GROWTH = 10, 1.2
# How old an event may be when it is shown: a server that cannot follow is later each second.
LATEST_MILLISECONDS = 2000
# Runs before the page's own scripts: counts what it does, and lets its time pass faster.
WATCH = """(() => {
    const speed = SPEED;
    const { Date: Real, EventSource: Stream, setTimeout: later, setInterval: each, fetch: ask } = window;
    const start = Real.now();
    const now = () => start + (Real.now() - start) * speed;
    const load = { statuses: 0, ticks: 0, tracks: 0, delays: [] };
    window.load = load;
    if (speed > 1) {
        window.Date = class extends Real {
            constructor(...values) { if (values.length > 0) super(...values); else super(now()); }
            static now() { return now(); }
        };
        window.setTimeout = (run, wait = 0, ...values) => later(run, wait / speed, ...values);
    }
    window.setInterval = (run, wait, ...values) =>
        each((...given) => { load.ticks += 1; run(...given); }, wait / speed, ...values);
    window.fetch = (path, ...options) => {
        if (String(path).includes('/track')) load.tracks += 1;
        return ask(path, ...options);
    };
    window.EventSource = class extends Stream {
        addEventListener(name, take, ...options) {
            const deliver = (event) => {
                take(event);
                if (name !== 'status') return;
                load.statuses += 1;
                const { source, latest_at: at } = JSON.parse(event.data);
                if (source === 'load' && speed === 1) load.delays.push(Real.now() - Real.parse(at));
            };
            const spread = (event) => {
                const said = JSON.parse(event.data);
                for (let n = 0; n < speed; n += 1) {
                    if (said.distance_m !== undefined) said.distance_m += 0.25;
                    const data = JSON.stringify(said);
                    later(() => deliver(new MessageEvent(name, { data })), n * 1000 / speed);
                }
            };
            const isSpread = speed > 1 && (name === 'status' || name === 'change');
            super.addEventListener(name, isSpread ? spread : deliver, ...options);
        }
    };
})()"""
IS_LIVE = "document.querySelector('article.phase-tracking .figures') !== null && !document.hidden"
CLEAR = "Object.assign(window.load, { statuses: 0, ticks: 0, tracks: 0, delays: [] })"



def percent(value):
    return f"{100 * value:.1f} %"


def check_many(browser, served, count, seconds):
    """Many pages at once: the cost of each, and how late it is."""
    begun = time.monotonic()
    pages = [browser.open(served.link(f"page-{number}"), WATCH.replace("SPEED", "1")) for number in range(count)]
    for page in pages:
        page.until(IS_LIVE, "the running trip")
    print(f"  {count} pages are live after {time.monotonic() - begun:.0f} s")
    time.sleep(10)
    for page in pages:
        page.script(CLEAR)
    renderers = browser.processes("renderer")
    others = {kind: browser.processes(kind) for kind in ("browser", "GPU", "utility")}
    server = served.server_process()
    everyone = [*renderers, *(one for some in others.values() for one in some), server]
    before, at = {one: cpu_seconds(one) for one in everyone}, time.monotonic()
    time.sleep(seconds)
    passed = time.monotonic() - at
    used = {one: (cpu_seconds(one) - before[one]) / passed for one in everyone}
    told = [page.script("window.load") for page in pages]
    delays = sorted(delay for one in told for delay in one["delays"])
    pages_used = sorted((used[one] for one in renderers), reverse=True)[:count]
    print(f"  for {passed:.0f} s, in percent of a core:")
    print(f"    a page ({len(renderers)} processes): {percent(statistics.median(pages_used))}, "
          f"the busiest {percent(pages_used[0])}, all {percent(sum(pages_used))}")
    print("    the rest of the browser: " + ", ".join(
        f"{kind} {percent(sum(used[one] for one in some))}" for kind, some in others.items()))
    print(f"    the server: {percent(used[server])}; in memory {memory(server)[0] / 2**20:.0f} MB")
    least = min(one["statuses"] for one in told)
    late = delays[int(len(delays) * 0.99)]
    print(f"  statuses a page: {least} at least; an event is shown {statistics.median(delays):.0f} ms after it "
          f"(median), {late:.0f} ms (99 %), {delays[-1]:.0f} ms (latest)")
    expect(least >= 0.5 * passed, f"a page got {least} statuses in {passed:.0f} s")
    expect(len(renderers) >= count, f"{count} pages have {len(renderers)} processes")
    expect(late < LATEST_MILLISECONDS, f"an event is shown after {late:.0f} ms")


def expect_soon(begun, seconds):
    if time.monotonic() - begun > seconds:
        raise SystemExit(f"load: the page's time does not pass: {seconds:.0f} s")


def check_hours(browser, served, hours, speed):
    """One page for hours: what it holds after 10 minutes, and at the end."""
    page = browser.open(served.link("hours"), WATCH.replace("SPEED", str(speed)))
    page.until(IS_LIVE, "the running trip")
    page.script(CLEAR)
    begun = time.monotonic()
    read = {}
    for minutes in (MINUTES, 60, *(60 * hour for hour in range(2, hours + 1))):
        # Waits by the page's own ticks, one a second of its clock: a busy machine makes it longer,
        # not less.
        while page.script("window.load.ticks") < 60 * minutes:
            expect_soon(begun, 4 * minutes * 60 / speed + 60)
            time.sleep(0.5)
        told = page.heap()
        process = max(browser.processes("renderer"), key=lambda one: memory(one)[1])
        whole, own = memory(process)
        read[minutes] = {**told, "own": own}
        done = page.script("({ ...window.load, delays: 0 })")
        print(f"  after {minutes / 60:4.1f} h: objects {told['objects'] / 2**20:.2f} MB, compiled code "
              f"{told['code'] / 2**20:.2f} MB (the browser's count of both: {told['heap'] / 2**20:.2f} MB), "
              f"{told['nodes']} nodes, {told['listeners']} listeners; process {own / 2**20:.0f} MB of its own, "
              f"{whole / 2**20:.0f} MB in all; {done['statuses']} statuses, {done['ticks']} ticks, "
              f"{done['tracks']} ways read", flush=True)
    first, last = read[MINUTES], read[60 * hours]
    for what, words in (("objects", "what the page holds"), ("own", "the process's own memory")):
        growth = last[what] / first[what]
        print(f"  {words} after {hours} h is {growth:.2f} times that after {MINUTES} min")
        expect(growth <= MOST_GROWTH, f"{words} grows to {growth:.2f} times what it was")
    # At least as much must have happened as in these hours.
    expect(done["statuses"] > 0.5 * 3600 * hours, f"only {done['statuses']} statuses")
    expect(done["tracks"] > 30 * hours, f"only {done['tracks']} ways were read")
