"""The library of shim.c, and how it is loaded into a ledger."""

import os
import subprocess
from pathlib import Path

from ledgers import has

SOURCE = Path(__file__).with_name("shim.c")


def build(directory):
    """Builds the library; returns its path."""
    has("cc")
    library = directory / "shim.so"
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, SOURCE, "-ldl"], check=True)
    return library


def variables(library, fault=None, seconds=None):
    """Returns the variables with which a command meets a fault, or another time of day."""
    found = {"LD_PRELOAD": str(library), "LEDGER_SHIM_CALLER": str(os.getpid())}
    if fault:
        found["LEDGER_SHIM"] = fault
    if seconds is not None:
        found["LEDGER_SHIM_SECONDS"] = str(seconds)
    return found
