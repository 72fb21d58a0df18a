"""The image, unpacked and started without a daemon, by a user that is not root, on a root that cannot be
written to."""

import json
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

from book import expect

PORT = 8787
# In namespaces of its own: no network but a loopback, a root that cannot be written to, and /data.
STAGE = """
ip link set lo up 2>/dev/null || true
mount --bind "$0" "$0" && mount --bind "$1" "$0/data" && mount --bind /proc "$0/proc" && mount -o remount,ro,bind "$0"
shift
exec setpriv --no-new-privs chroot --userspec=10001:10001 --groups= "$0" "$@"
"""


def blob(archive, digest):
    return archive.extractfile(f"blobs/{digest.replace(':', '/')}").read()


def unpacked(file, folder):
    """Unpacks the image; returns its settings."""
    with tarfile.open(file) as archive:
        index = json.load(archive.extractfile("index.json"))
        manifest = json.loads(blob(archive, index["manifests"][0]["digest"]))
        settings = json.loads(blob(archive, manifest["config"]["digest"]))
        for layer in manifest["layers"]:
            packed = Path(folder) / "layer.tar.gz"
            packed.write_bytes(blob(archive, layer["digest"]))
            root = Path(folder) / "root"
            root.mkdir(exist_ok=True)
            subprocess.run(["tar", "-xzpf", packed, "-C", root], check=True)
    return settings, root


def check(packages, arguments):
    """Starts the server as the image says, and asks whether it is well."""
    print("\nThe image\n", flush=True)
    file = next(packages.glob("trip-ledger-image-*.tar"))
    by_umoci(file)
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        settings, root = unpacked(file, folder)
        config = settings["config"]
        check_compose(packages / "compose.yaml", config)
        if os.geteuid() != 0:
            print("the image is not started: its root is changed by root alone")
            return
        if arguments.runtime:
            add_libraries(root)
        volume = Path(folder) / "data"
        volume.mkdir(mode=0o700)
        os.chown(volume, 10001, 10001)
        start(config, root, volume)


def add_libraries(root):
    """Libraries for programs that are not static."""
    libraries = set()
    for program in (root / "usr/bin").glob("trip-*"):
        listed = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
        libraries |= set(re.findall(r"(/\S+) \(0x", listed))
    for library in libraries:
        place = root / library.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(library, place)


def by_umoci(file):
    """Unpacks it with a program of others too, if that is there."""
    if not shutil.which("umoci"):
        print("umoci is not there: nobody else unpacks the image")
        return
    with tempfile.TemporaryDirectory() as folder:
        layout = Path(folder) / "layout"
        layout.mkdir()
        subprocess.run(["tar", "-xf", file, "-C", layout], check=True)
        result = subprocess.run(
            ["umoci", "unpack", "--rootless", "--image", f"{layout}:latest", f"{folder}/bundle"],
            capture_output=True, text=True, check=False)
        expect(result.returncode == 0, f"umoci unpacks the image: {result.stderr}")
        expect((Path(folder) / "bundle/rootfs/usr/bin/trip-ledger").is_file(), "the program is in it")


def check_compose(file, config):
    """The compose file says of the image what the image says of itself."""
    try:
        import yaml
    except ImportError:
        print("python3-yaml is not there: compose.yaml is not read")
        return
    compose = yaml.safe_load(file.read_text())
    ledger = compose["services"]["ledger"]
    expect(ledger["healthcheck"]["test"] == config["Healthcheck"]["Test"], "the health checks differ")
    expect(ledger["user"] == config["User"], "the users differ")
    expect([volume.partition(":")[2] for volume in ledger["volumes"]] == list(config["Volumes"]),
           "the volumes differ")
    expect(ledger["command"][:2] == config["Cmd"] and ledger["read_only"] is True,
           "the command or the root differ")
    named = {volume.partition(":")[0] for service in compose["services"].values()
             for volume in service.get("volumes", [])}
    expect(named == set(compose["volumes"]), "a volume is not declared")
    for tool in (["docker", "compose"], ["podman-compose"]):
        if answers(*tool, "version"):
            result = subprocess.run(
                [*tool, "-f", file, "config"], capture_output=True, text=True, check=False,
                env={**os.environ, "HOST_NAME": "ledger.example.org"})
            expect(result.returncode == 0, f"{' '.join(tool)} reads compose.yaml: {result.stderr}")


def answers(*words):
    """Whether a program is there and ends well."""
    try:
        return subprocess.run(words, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


def inside(pid, *words):
    """Runs a program in the namespaces of one that runs, as the health check does."""
    return subprocess.run(
        ["nsenter", "--target", str(pid), "--mount", "--net", "--root", "--setuid", "10001",
         "--setgid", "10001", *words], capture_output=True, text=True, check=False)


def start(config, root, volume):
    environment = dict(line.split("=", 1) for line in config["Env"])
    command = ["unshare", "--mount", "--net", "sh", "-ec", STAGE, str(root), str(volume),
               *config["Entrypoint"], *config["Cmd"]]
    server = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env={**environment, "PATH": os.environ["PATH"]})
    try:
        said = ""
        for line in server.stdout:
            said += line
            if "#login=" in line:
                break
        expect("#login=" in said, f"the image serves, and prints a link: {said}")
        health = config["Healthcheck"]["Test"][1:]
        result = inside(server.pid, *health)
        expect(result.returncode == 0, f"the health check passes: {result.stdout}{result.stderr}")
        result = inside(server.pid, "/usr/bin/trip-ledger", "--ledger", "/data/book", "status")
        expect(result.returncode == 0, f"a command works beside it: {result.stderr}")
        status = Path(f"/proc/{server.pid}/status").read_text()
        expect(re.search(r"^Uid:\t10001\t10001", status, re.M), "it is not root")
        written = inside(server.pid, "/usr/bin/trip-ledger", "--ledger", "/tmp/other", "init")
        expect(written.returncode != 0, "the root cannot be written to")
    finally:
        server.terminate()
        code = server.wait(timeout=30)
    expect(code == 0, f"SIGTERM ends it in order: {code}")
