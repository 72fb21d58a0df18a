"""Runs the law that no text turns what stands beside it on the page, page_direction.mjs, by Node."""

import json
import subprocess
from pathlib import Path

from book import expect
from page_texts import PAGE

LAW = Path(__file__).with_name("page_direction.mjs")


def check_direction():
    """Checks that the page's elements show marks of direction and do not obey them."""
    run = subprocess.run(["node", LAW, PAGE / "dom.js"], capture_output=True, text=True)
    expect(run.returncode == 0, f"direction: node ends with {run.returncode}: {run.stderr[:300]}")
    wrong = json.loads(run.stdout) if run.returncode == 0 else []
    expect(not wrong, f"direction: {'; '.join(wrong[:5])}")
