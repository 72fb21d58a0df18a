"""An OCI image, written without a daemon: static files, zones, and nothing else."""

import hashlib
import json
import os
from datetime import datetime, timezone
from pathlib import Path

import archives
from archives import Entry

USER = 10001
ZONES = Path("/usr/share/zoneinfo")
PASSWD = f"root:x:0:0:root:/nonexistent:/none\nledger:x:{USER}:{USER}:Trip Ledger:/data:/none\n"
# Zones that count leap seconds are nothing for people's clocks, and `posix` has what is above it.
LEFT_OUT = ("right", "posix", "localtime", "posixrules")
HEALTH = ["/usr/bin/trip-ledger-serve", "--health", "8787"]


def zones():
    """The zones of this machine, each name of a zone as a file or a link of its own."""
    result = {}
    for folder, _, names in os.walk(ZONES):
        for name in names:
            path = Path(folder) / name
            place = path.relative_to(ZONES)
            if place.parts[0] in LEFT_OUT:
                continue
            if path.is_symlink() and path.resolve().is_relative_to(ZONES):
                result[f"usr/share/zoneinfo/{place}"] = Entry(link=os.readlink(path))
            else:
                result[f"usr/share/zoneinfo/{place}"] = Entry(path.read_bytes())
    return result


def files(build):
    """The one layer."""
    content = dict(zones())
    for program in build.programs:
        if program.name in ("ledger", "ledger-serve"):
            if build.is_dynamic(program) and not build.is_trial:
                raise SystemExit(f"{program}: an image without a system needs a static file: build "
                                 "with -static-executable, as tools/package/run does")
            content[f"usr/bin/trip-{program.name}"] = Entry(build.stripped(program), 0o755)
    content["usr/bin/ledger"] = Entry(link="trip-ledger")
    content["etc/passwd"] = Entry(PASSWD.encode())
    content["etc/group"] = Entry(f"root:x:0:\nledger:x:{USER}:\n".encode())
    # What runtimes mount there; they cannot make folders on a root that is not written to.
    for name in ("dev", "proc", "run", "sys"):
        content[name] = Entry(mode=0o755, is_folder=True)
    content["tmp"] = Entry(mode=0o1777, is_folder=True)
    content["data"] = Entry(mode=0o700, owner=USER, is_folder=True)
    content.update(build.licence_files("usr/share/doc/trip-ledger"))
    return content


def config(build, diff, created):
    return {
        "created": created, "architecture": build.architecture, "os": "linux",
        "config": {
            "User": f"{USER}:{USER}",
            "Env": ["PATH=/usr/bin", "LEDGER_DIR=/data/book", "HOME=/data"],
            "Entrypoint": ["/usr/bin/trip-ledger"],
            "Cmd": ["serve", "--setup"],
            "Volumes": {"/data": {}},
            "WorkingDir": "/data",
            "StopSignal": "SIGTERM",
            # Docker's word: OCI has none, and compose.yaml has it too.
            "Healthcheck": {"Test": ["CMD", *HEALTH], "Interval": 60_000_000_000,
                            "Timeout": 10_000_000_000, "StartPeriod": 10_000_000_000},
            "Labels": {
                "org.opencontainers.image.title": "Trip Ledger",
                "org.opencontainers.image.version": build.version,
                "org.opencontainers.image.licenses": "Apache-2.0",
            },
        },
        "rootfs": {"type": "layers", "diff_ids": [diff]},
        "history": [{"created": created, "created_by": "tools/package"}],
    }


def digest(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()


def image(build):
    """The image as one archive (OCI image layout), which podman, docker and skopeo load."""
    layer = archives.tar(files(build), build.epoch)
    packed = archives.gz(layer, build.is_trial)
    created = datetime.fromtimestamp(build.epoch, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    blobs = {}

    def stored(data, kind):
        blobs[f"blobs/sha256/{hashlib.sha256(data).hexdigest()}"] = Entry(data)
        return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": digest(data),
                "size": len(data)}

    def json_of(value):
        return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()

    settings = stored(json_of(config(build, digest(layer), created)), "config.v1+json")
    manifest = stored(json_of({
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": settings, "layers": [stored(packed, "layer.v1.tar+gzip")]}), "manifest.v1+json")
    manifest["annotations"] = {
        "org.opencontainers.image.ref.name": "latest", "io.containerd.image.name":
        "localhost/trip-ledger:latest"}
    manifest["platform"] = {"architecture": build.architecture, "os": "linux"}
    blobs["index.json"] = Entry(json_of({
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json",
        "manifests": [manifest]}))
    blobs["oci-layout"] = Entry(json_of({"imageLayoutVersion": "1.0.0"}))
    return archives.tar(blobs, build.epoch)
