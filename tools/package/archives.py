"""Archives whose bytes follow from what is in them: in order, of root, at one time."""

import gzip
import io
import lzma
import tarfile
from dataclasses import dataclass


@dataclass
class Entry:
    """A file, a folder or a link in an archive."""
    content: bytes = b""
    mode: int = 0o644
    link: str = ""
    owner: int = 0
    is_folder: bool = False


def with_folders(files):
    """The files with the folders that they are in."""
    result = dict(files)
    for name in files:
        parts = name.split("/")[:-1]
        for count in range(1, len(parts) + 1):
            result.setdefault("/".join(parts[:count]), Entry(mode=0o755, is_folder=True))
    return result


def tar(files, epoch, prefix=""):
    """A tar archive of files by their names."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name, entry in sorted(with_folders(files).items(), key=lambda item: item[0].split("/")):
            info = tarfile.TarInfo(prefix + name)
            info.mtime = epoch
            info.mode = entry.mode
            info.uid = info.gid = entry.owner
            if entry.owner == 0:
                info.uname = info.gname = "root"
            if entry.is_folder:
                info.type = tarfile.DIRTYPE
            elif entry.link:
                info.type = tarfile.SYMTYPE
                info.linkname = entry.link
                info.mode = 0o777
            else:
                info.size = len(entry.content)
            archive.addfile(info, io.BytesIO(entry.content) if info.isreg() else None)
    return out.getvalue()


def gz(data, is_trial=False):
    """Compressed without a name or a time; what is tried out, quickly."""
    return gzip.compress(data, compresslevel=1 if is_trial else 9, mtime=0)


def xz(data, is_trial=False):
    """Compressed by one thread, so that the bytes do not depend on how many there are; what is tried
    out, quickly."""
    return lzma.compress(data, preset=0 if is_trial else 6)


def ar(members, epoch):
    """An archive as Debian's packages are: names have at most 16 letters."""
    out = bytearray(b"!<arch>\n")
    for name, data in members:
        out += f"{name:<16}{epoch:<12}{0:<6}{0:<6}{'100644':<8}{len(data):<10}`\n".encode()
        out += data + (b"\n" if len(data) % 2 else b"")
    return bytes(out)
