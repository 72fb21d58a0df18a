"""A simulated disk: what a power cut may leave of writes that were recorded.

Files keep what was flushed, and any of the sectors that were written after that. Names are a file
system's business: either it keeps them in order, as a journal does, or it knows of each directory
only what was flushed with it and perhaps a little more. Which of the two is drawn for each cut.
"""

import random
import re

SECTOR = 512
RECORD = re.compile(rb"([WDSTANMRXLUV]) (\d+) (\d+) ([^\n]*)\n")
NAME_KINDS = "NMRXLUV"


class Record:
    """Something that a process did: its kind as in recorder.c, where, with which bytes or name."""

    __slots__ = ("kind", "place", "content", "path")

    def __init__(self, kind, place, content, path):
        self.kind, self.place, self.content, self.path = kind, place, content, path


def parse(trace, root):
    """Reads a trace; paths become relative to `root`, and what is outside of it is left out."""
    prefix = root + b"/"
    offset = 0
    while offset < len(trace):
        match = RECORD.match(trace, offset)
        if not match:
            raise ValueError(f"the trace makes no sense at byte {offset}")
        kind, length, path = match[1].decode(), int(match[3]), match[4]
        content = trace[match.end():match.end() + length]
        offset = match.end() + length
        if kind == "A":
            yield Record(kind, 0, content, "")
        elif path.startswith(prefix) or path == root:
            if kind in "RXL":
                content = content.removeprefix(prefix).decode()
            yield Record(kind, int(match[2]), content, path.removeprefix(prefix).decode())


class File:
    """A file: its bytes on the disk, and the writes that the system may still keep in memory."""

    def __init__(self):
        self.durable = bytearray()
        self.volatile = []

    def put(self, place, content):
        end = place + len(content)
        if len(self.durable) < end:
            self.durable.extend(bytes(end - len(self.durable)))
        self.durable[place:end] = content

    def truncate(self, size):
        del self.durable[size:]
        self.put(size, b"")

    def flush(self):
        for place, content in self.volatile:
            if content is None:
                self.truncate(place)
            else:
                self.put(place, content)
        self.volatile = []

    def lose_some(self, chance, share, is_torn):
        """Keeps any sectors of what was not flushed; the last write may stop within a sector."""
        for number, (place, content) in enumerate(self.volatile):
            if content is None:
                if chance.random() < share:
                    self.truncate(place)
                continue
            tears = is_torn and number == len(self.volatile) - 1
            start = 0
            torn_at = chance.randrange(len(content)) if tears and content else None
            while start < len(content):
                stop = min(len(content), start + SECTOR - (place + start) % SECTOR)
                if torn_at is not None and start <= torn_at < stop:
                    self.put(place + start, content[start:torn_at])
                elif chance.random() < share:
                    self.put(place + start, content[start:stop])
                start = stop


class Disk:
    """Files and directories as processes see them, and as they are on the disk."""

    def __init__(self, is_ordered, forgets_flushes):
        self.is_ordered = is_ordered
        self.forgets_flushes = forgets_flushes
        # The user's own directory has always been there.
        home = {}
        self.root = {"home": home}
        # The names on the disk of each directory, by its identity as processes see it.
        self.durable = {id(self.root): {"home": home}, id(home): {}}
        self.pending = []

    def parent(self, path):
        """Returns the directory that holds a path's last name, and that name."""
        *parents, name = path.split("/")
        directory = self.root
        for parent in parents:
            directory = directory[parent]
        return directory, name

    def find(self, path):
        if not path or path.startswith("/"):
            return self.root
        try:
            directory, name = self.parent(path)
            return directory.get(name)
        except (KeyError, TypeError):
            return None  # Deleted, and still open.

    def do(self, record):
        """Does what a process did."""
        if record.kind in NAME_KINDS:
            self.name(record)
            return
        target = self.find(record.path)
        if target is None:
            return
        if record.kind == "S":
            self.flush(target)
        elif record.kind == "T":
            target.volatile.append((record.place, None))
        elif record.kind == "D" and not self.forgets_flushes:
            # Durable itself, and on the disk before what the system still keeps.
            target.put(record.place, record.content)
        elif record.kind in "WD":
            target.volatile.append((record.place, record.content))

    def flush(self, target):
        if isinstance(target, File):
            if not self.forgets_flushes:
                target.flush()
            if self.is_ordered:
                self.settle(self.pending)
                self.pending = []
            return
        wanted, chosen, rest = {id(target)}, [], []
        for change in reversed(self.pending):
            directories = {id(directory) for directory, _, _ in change}
            if self.is_ordered or directories & wanted:
                wanted |= directories
                chosen.insert(0, change)
            else:
                rest.insert(0, change)
        self.settle(chosen)
        self.pending = rest

    def settle(self, changes):
        for change in changes:
            for directory, name, target in change:
                names = self.durable[id(directory)]
                if target is None:
                    names.pop(name, None)
                else:
                    names[name] = target

    def name(self, record):
        directory, name = self.parent(record.path)
        if record.kind in "NM":
            made = File() if record.kind == "N" else {}
            if record.kind == "M":
                self.durable[id(made)] = {}
            change = [(directory, name, made)]
        elif record.kind in "UV":
            change = [(directory, name, None)]
        else:
            other, other_name = self.parent(record.content)
            change = [(other, other_name, directory[name])]
            if record.kind == "R":
                change.append((directory, name, None))
            elif record.kind == "X":
                change.append((directory, name, other[other_name]))
        for directory, name, target in change:
            if target is None:
                directory.pop(name, None)
            else:
                directory[name] = target
        self.pending.append(change)

    def cut(self, chance, share, in_flight):
        """Takes the power away; `in_flight` is what was being done."""
        torn = None
        if in_flight is not None and in_flight.kind in "WDT" + NAME_KINDS:
            if in_flight.kind == "D":
                target = self.find(in_flight.path)
                if target is not None:
                    target.volatile.append((in_flight.place, in_flight.content))
            else:
                self.do(in_flight)
                # A sector is whole or not there for those who wait for it, as LMDB does with its
                # first pages; of others, less may have been written.
                torn = self.find(in_flight.path) if in_flight.kind == "W" else None
        blocked = set()
        for change in self.pending:
            directories = {id(directory) for directory, _, _ in change}
            if self.is_ordered and blocked or directories & blocked or chance.random() >= share:
                blocked |= directories
            else:
                self.settle([change])
        tears = chance.random() < 0.5
        for path, file in self.tree():
            file.lose_some(chance, share, tears and file is torn)

    def tree(self):
        """Returns the files on the disk, each with its path, and each once."""
        seen, files = set(), []
        todo = [("", self.root)]
        while todo:
            path, target = todo.pop()
            if isinstance(target, File):
                if id(target) not in seen:
                    seen.add(id(target))
                    files.append((path, target))
                continue
            for name, entry in self.durable[id(target)].items():
                todo.append((f"{path}/{name}" if path else name, entry))
        return files

    def write(self, path):
        """Makes real files and directories of what is on the disk."""
        todo = [(path, self.root)]
        while todo:
            place, target = todo.pop()
            if isinstance(target, File):
                place.write_bytes(target.durable)
                place.chmod(0o600)
                continue
            place.mkdir(mode=0o700)
            todo += [(place / name, entry) for name, entry in self.durable[id(target)].items()]


def after_cut(records, end, path, seed, forgets_flushes):
    """Makes the files as a power cut during record `end` may leave them."""
    chance = random.Random(seed)
    disk = Disk(chance.random() < 0.5, forgets_flushes)
    for record in records[:end]:
        disk.do(record)
    in_flight = records[end] if end < len(records) else None
    disk.cut(chance, chance.choice([0.0, 0.1, 0.5, 0.9, 1.0]), in_flight)
    disk.write(path)
