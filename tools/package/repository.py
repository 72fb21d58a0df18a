"""A folder that apt takes packages from."""

import email.utils
import hashlib
import io
import lzma
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

import archives

SUITE = "stable"


def control_of(package):
    """The control file in the bytes of a package."""
    place = 8
    while place < len(package):
        name = package[place:place + 16].decode().strip()
        size = int(package[place + 48:place + 58])
        if name == "control.tar.xz":
            data = lzma.decompress(package[place + 60:place + 60 + size])
            with tarfile.open(fileobj=io.BytesIO(data)) as archive:
                return archive.extractfile("./control").read().decode()
        place += 60 + size + size % 2
    raise SystemExit("a package has no control.tar.xz")


def index(packages):
    """The file Packages of packages by their paths."""
    stanzas = []
    for path, content in sorted(packages.items()):
        stanzas.append(
            control_of(content).rstrip() + f"\nFilename: {path}\nSize: {len(content)}\n"
            f"SHA256: {hashlib.sha256(content).hexdigest()}\n")
    return "\n".join(stanzas).encode()


def release(files, architectures, epoch):
    lines = [
        "Origin: Trip Ledger", "Label: Trip Ledger", f"Suite: {SUITE}", f"Codename: {SUITE}",
        f"Date: {email.utils.formatdate(epoch, usegmt=True).replace('GMT', 'UTC')}",
        f"Architectures: {' '.join(sorted(architectures))}", "Components: main",
        "Description: mileage as a provable book of events", "SHA256:"]
    lines += [f" {hashlib.sha256(content).hexdigest()} {len(content):8} {name}"
              for name, content in sorted(files.items())]
    return ("\n".join(lines) + "\n").encode()


def write(folder, packages, epoch, key=None):
    """Writes the repository; with a key of GnuPG its index is signed."""
    shutil.rmtree(folder, ignore_errors=True)
    pool = {f"pool/main/t/trip-ledger/{name}": content for name, content in packages.items()}
    architectures = sorted({name.rsplit("_", 1)[1].removesuffix(".deb") for name in packages})
    lists = {}
    for architecture in architectures:
        chosen = {path: content for path, content in pool.items()
                  if path.endswith(f"_{architecture}.deb")}
        content = index(chosen)
        place = f"main/binary-{architecture}/Packages"
        lists.update({place: content, f"{place}.gz": archives.gz(content),
                      f"{place}.xz": archives.xz(content)})
    dists = {f"dists/{SUITE}/{name}": content for name, content in lists.items()}
    dists[f"dists/{SUITE}/Release"] = release(lists, architectures, epoch)
    for path, content in {**pool, **dists}.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    if key:
        sign(folder / "dists" / SUITE, key, epoch)
        (folder / "trip-ledger.asc").write_bytes(public(key))
    address = "https://YOUR-SERVER/apt"
    (folder / "trip-ledger.sources").write_text(
        "# The file for /etc/apt/sources.list.d, with the address where this folder is served.\n"
        f"Types: deb\nURIs: {address}\nSuites: {SUITE}\nComponents: main\n"
        + ("Signed-By: /etc/apt/keyrings/trip-ledger.asc\n" if key else "Trusted: yes\n"))


def gpg(*arguments):
    result = subprocess.run(["gpg", "--batch", "--yes", *arguments], capture_output=True, check=False)
    if result.returncode != 0:
        raise SystemExit(f"gpg: {result.stderr.decode().strip()}\nThe key of --apt-key has to be in "
                         "your keyring (GNUPGHOME), without a passphrase or with an agent.")
    return result.stdout


def sign(folder, key, epoch):
    """Signs the index, at the time of the packages where the key is older than them."""
    created = int(gpg("--list-keys", "--with-colons", key).split(b"pub:")[1].split(b":")[4])
    time = ["--faked-system-time", f"{max(epoch, created)}!"]
    common = [*time, "--local-user", key, "--digest-algo", "SHA512", "--armor"]
    with tempfile.TemporaryDirectory() as scratch:
        for name, kind in (("InRelease", "--clearsign"), ("Release.gpg", "--detach-sign")):
            out = Path(scratch) / name
            gpg(*common, "--output", str(out), kind, str(folder / "Release"))
            shutil.copyfile(out, folder / name)


def public(key):
    return gpg("--armor", "--export-options", "export-minimal", "--export", key)
