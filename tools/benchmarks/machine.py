"""What a run has to say about the machine, in general terms, and about versions."""

import os
import platform
import re
import subprocess
from datetime import datetime, timezone


def first_line(*command):
    """Returns the first line that a program prints, or nothing if there is no such program."""
    try:
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except OSError:
        return ""
    return result.stdout.decode(errors="replace").partition("\n")[0].strip()


def processor():
    with open("/proc/cpuinfo") as lines:
        names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def memory_gigabytes():
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / (1 << 30)


def file_system(directory):
    """Returns the type of the file system that a directory is on."""
    best, kind = "", "unknown"
    with open("/proc/mounts") as mounts:
        for place, name in (line.split()[1:3] for line in mounts):
            inside = os.path.commonpath([place, directory]) == place
            if inside and len(place) >= len(best):
                best, kind = place, name
    return kind


def library_version(name):
    try:
        result = subprocess.run(["pkg-config", "--modversion", name], capture_output=True)
    except OSError:
        return ""
    return result.stdout.decode().strip() if result.returncode == 0 else ""


def versions(ledger):
    """Returns the versions of everything that took part, as far as they are known."""
    swift = re.search(r"Swift version (\S+)", first_line("swift", "--version"))
    found = {
        "ledger": first_line(ledger, "--version"),
        "Swift": swift.group(1) if swift else "",
        "C compiler": first_line("cc", "--version"),
        "LMDB": library_version("lmdb"),
        "OpenSSL": library_version("libcrypto"),
        "SQLite": library_version("sqlite3"),
        "RocksDB": library_version("rocksdb"),
        "Python": platform.python_version(),
    }
    return {
        name: text for name, text in found.items()
        if text and not text.startswith("Traceback") and "Error" not in text
    }


def description(directory, ledger):
    """Returns when and where a run takes place, as a dictionary."""
    return {
        "date": datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "processor": f"{processor()}, {os.cpu_count()} cores",
        "memory": f"{memory_gigabytes():.0f} GiB",
        "kernel": f"{platform.system()} {platform.release()}",
        "file system": file_system(str(directory)),
        "versions": ", ".join(f"{name} {text}" for name, text in versions(ledger).items()),
    }
