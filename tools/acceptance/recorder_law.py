"""Runs the law of the recorder's queue, recorder_law.js, in the browser."""

from pathlib import Path

LAW = Path(__file__).with_name("recorder_law.js")

# The page's policy lets no script be made of text; a script of the driver does not belong to the
# page.
RUN = """const [seed, lives, kind, done] = arguments;
    const base = document.querySelector('script[type=module]').src.replace('record.js', '');
    Promise.all(['queue.js', 'store.js'].map((name) => import(`${base}${name}`)))
        .then(([queue, { DatabaseStore }]) => {
            const stores = { memory: undefined, database: (dies) => databaseStore(DatabaseStore, dies) };
            return run(queue, seed, lives, stores[kind]);
        }).then(done, (error) => done({ wrong: [String(error.stack ?? error)], handed: 1, refused: 1 }));"""


def run(browser, book, seed, kind, lives):
    """Runs so many lives of recorders; returns what does not hold, and how much happened."""
    browser.get(f"{book.url}/record")
    browser.set_script_timeout(600)
    code = LAW.read_text().replace("export ", "")
    return browser.execute_async_script(code + RUN, seed, lives, kind)
