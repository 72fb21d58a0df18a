"""The table that a run prints: what was measured, beside which rival, and which bar it has to take.

The bars are the project's aims and are always shown; what a change must not fall behind are the
thresholds. Both are committed in thresholds.json.
"""

import json
import operator
from dataclasses import dataclass, field
from pathlib import Path

THRESHOLDS = Path(__file__).with_name("thresholds.json")
COLUMNS = ("what", "ours", "rival", "ratio or figure", "bar", "")


@dataclass(frozen=True)
class Limit:
    """Something like `≥ 0.95`."""

    text: str

    def is_met_by(self, figure):
        sign, number = self.text.split()
        compare = {"≥": operator.ge, "≤": operator.le}[sign]
        return compare(figure, float(number))


@dataclass
class Row:
    """One figure. What it is compared with goes by its name, see thresholds.json."""

    name: str
    what: str
    ours: str
    rival: str
    figure: float
    unit: str = "×"

    def shown_figure(self):
        digits = 2 if self.figure < 100 else 0
        return f"{self.figure:,.{digits}f}{self.unit}"


@dataclass
class Table:
    """The rows so far."""

    is_quick: bool
    limits: dict = field(default_factory=lambda: json.loads(THRESHOLDS.read_text()))
    rows: list = field(default_factory=list)
    skipped: list = field(default_factory=list)

    def add(self, row):
        self.rows.append(row)

    def skip(self, what, why):
        """Leaves something out, and says so."""
        self.skipped.append((what, why))
        print(f"skipped: {what}: {why}", flush=True)

    def limit(self, row, kind):
        """Returns a row's `bar` or `threshold`; in a quick run the threshold may be another."""
        limits = self.limits.get(row.name, {})
        text = limits.get(kind)
        if kind == "threshold" and self.is_quick:
            text = limits.get("quick", text)
        return Limit(text) if text else None

    def verdict(self, row):
        threshold, bar = self.limit(row, "threshold"), self.limit(row, "bar")
        if threshold and not threshold.is_met_by(row.figure):
            return f"FALLEN BEHIND ({threshold.text})"
        if bar:
            return "met" if bar.is_met_by(row.figure) else "bar missed"
        return ""

    def fallen_behind(self):
        return [row for row in self.rows if self.verdict(row).startswith("FALLEN")]

    def cells(self):
        for row in self.rows:
            bar = self.limit(row, "bar")
            shown_bar = f"{bar.text}{row.unit}" if bar else ""
            yield (
                row.what, row.ours, row.rival, row.shown_figure(), shown_bar, self.verdict(row))

    def text(self):
        lines = [COLUMNS, *self.cells()]
        widths = [max(len(line[index]) for line in lines) for index in range(len(COLUMNS))]
        shown = [
            "  ".join(
                cell.rjust(width) if index == 3 else cell.ljust(width)
                for index, (cell, width) in enumerate(zip(line, widths))).rstrip()
            for line in lines
        ]
        return "\n".join([shown[0], "-" * len(shown[0]), *shown[1:]])

    def markdown(self):
        lines = [COLUMNS, ("---", "---", "---", "---:", "---", "---"), *self.cells()]
        table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        skipped = "".join(f"\nSkipped: {what}: {why}.\n" for what, why in self.skipped)
        return f"{table}\n{skipped}"

    def json(self):
        return {
            "rows": [
                {
                    "name": row.name, "what": row.what, "ours": row.ours, "rival": row.rival,
                    "figure": row.figure, "unit": row.unit.strip(),
                    "bar": getattr(self.limit(row, "bar"), "text", None),
                    "threshold": getattr(self.limit(row, "threshold"), "text", None),
                    "verdict": self.verdict(row),
                }
                for row in self.rows
            ],
            "skipped": [{"what": what, "why": str(why)} for what, why in self.skipped],
        }
