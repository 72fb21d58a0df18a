"""Debian's packages, made of files by their names."""

import hashlib
import re
import subprocess
import tempfile
import textwrap
from pathlib import Path

import archives
import manual
import notices
import units
from archives import Entry

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent
TEMPLATES = HERE / "debian"
BASE = ("ledger", "ledger-serve")
EXTRAS = ("ledger-print", "ledger-sync", "ledger-mqtt", "ledger-replicate")


def filled(name, values):
    """A template with its places filled."""
    text = (TEMPLATES / name).read_text()
    for key, value in values.items():
        text = text.replace(f"@{key}@", str(value))
    left = re.search(r"@[A-Z]+@", text)
    if left:
        raise SystemExit(f"tools/package/debian/{name}: nothing fills {left[0]}")
    return text


def manual_files(build, programs):
    names = [program.name for program in programs]
    result = {}
    for file, (program, text) in build.pages.items():
        if program in names:
            result[f"usr/share/man/man{file[-1]}/{file}.gz"] = Entry(archives.gz(text.encode()))
    return result


def common_files(package, build):
    """What every package has to say of itself."""
    folder = f"usr/share/doc/{package}"
    return {
        f"{folder}/copyright": Entry(notices.copyright_file().encode()),
        f"{folder}/changelog.gz": Entry(archives.gz(changelog(build).encode())),
        f"usr/share/lintian/overrides/{package}": Entry(
            filled("lintian-overrides", {"PACKAGE": package}).encode()),
    }


def changelog(build):
    """CHANGELOG.md's section of this version, in the form of Debian's changelogs."""
    text = (REPOSITORY / "CHANGELOG.md").read_text()
    items = re.search(r"^## .*?\n\n(.*?)(?=^## |\Z)", text, re.M | re.S)[1].rstrip()
    items = re.split(r"^- ", items.replace("`", "").replace("**", ""), flags=re.M)[1:]
    body = "\n".join(
        textwrap.fill(item, 78, initial_indent="  * ", subsequent_indent="    ",
                      break_long_words=False, break_on_hyphens=False) for item in items)
    return (f"trip-ledger ({build.version}) unstable; urgency=medium\n\n{body}\n\n"
            f" -- {build.maintainer}  {build.rfc_date}\n")


def base_files(build, programs):
    """The files of the package trip-ledger."""
    files = {f"usr/bin/trip-{program.name}": Entry(build.stripped(program), 0o755)
             for program in programs}
    scripts = build.completions
    files["usr/share/bash-completion/completions/trip-ledger"] = Entry(scripts["bash"].encode())
    files["usr/share/zsh/vendor-completions/_trip-ledger"] = Entry(scripts["zsh"].encode())
    files["usr/share/fish/vendor_completions.d/trip-ledger.fish"] = Entry(scripts["fish"].encode())
    for schema in sorted((REPOSITORY / "Schemas").rglob("*.json*")):
        name = schema.relative_to(REPOSITORY / "Schemas")
        files[f"usr/share/trip-ledger/schemas/{name}"] = Entry(schema.read_bytes())
    for name, text in units.units(build.pages).items():
        files[f"usr/lib/systemd/system/{name}"] = Entry(text.encode())
    examples = "usr/share/doc/trip-ledger/examples"
    for name in ("Caddyfile", "nginx.conf"):
        files[f"{examples}/{name}"] = Entry((units.SERVICE / name).read_bytes())
    files[f"{examples}/compose.yaml"] = Entry((HERE / "compose.yaml").read_bytes())
    files["usr/share/doc/trip-ledger/NOTICE"] = Entry(notices.NOTICE.read_bytes())
    files["etc/default/trip-ledger"] = Entry((TEMPLATES / "trip-ledger.default").read_bytes())
    files["usr/sbin/trip-ledger-service"] = Entry((HERE / "trip-ledger-service").read_bytes(), 0o755)
    page = manual.page_of_program(
        "trip-ledger-service", service_help(), 8, build.head)
    files["usr/share/man/man8/trip-ledger-service.8.gz"] = Entry(archives.gz(page.encode()))
    return files


def service_help():
    return subprocess.run(
        [HERE / "trip-ledger-service", "--help"], capture_output=True, text=True,
        check=True).stdout


def extra_files(build, programs):
    """The files of the package trip-ledger-extras."""
    files = {f"usr/bin/trip-{program.name}": Entry(build.stripped(program), 0o755)
             for program in programs}
    if any(program.name == "ledger-mqtt" for program in programs):
        files["usr/lib/systemd/system/trip-ledger-mqtt.service"] = Entry(units.broker().encode())
    return files


def dependencies(build, programs):
    """The packages whose libraries programs load, as dpkg-shlibdeps finds them."""
    dynamic = [program for program in programs if build.is_dynamic(program)]
    if not dynamic:
        return []
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "debian").mkdir()
        (Path(folder) / "debian" / "control").write_text(
            "Source: trip-ledger\n\nPackage: x\nArchitecture: any\n")
        command = ["dpkg-shlibdeps", "-O"] + (["--ignore-missing-info"] if build.is_trial else [])
        command += [f"-e{program.resolve()}" for program in dynamic]
        result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise SystemExit(
            f"dpkg-shlibdeps: {result.stderr.strip()}\nA library that is in no package of Debian's "
            "cannot be depended on: build with -static-stdlib (tools/package/run does), or try "
            "the packages out with --trial.")
    found = re.search(r"^shlibs:Depends=(.*)$", result.stdout, re.M)
    return found[1].split(", ") if found else []


def package(name, files, depends, build, scripts=()):
    """The bytes of a package."""
    files = {**files, **common_files(name, build)}
    size = sum(-(-len(entry.content) // 1024) or 1 for entry in archives.with_folders(files).values())
    control = {"control": Entry(filled(f"{name}.control", {
        "VERSION": build.version, "ARCHITECTURE": build.architecture, "SIZE": size,
        "MAINTAINER": build.maintainer, "DEPENDS": ", ".join(depends)}).encode())}
    control["md5sums"] = Entry("".join(
        f"{hashlib.md5(files[path].content).hexdigest()}  {path}\n"
        for path in sorted(files) if not files[path].link and not path.startswith("etc/")).encode())
    conffiles = [path for path in sorted(files) if path.startswith("etc/")]
    if conffiles:
        control["conffiles"] = Entry("".join(f"/{path}\n" for path in conffiles).encode())
    for script in scripts:
        is_script = script in ("postinst", "prerm", "postrm")
        control[script] = Entry(
            filled(f"{name}.{script}", {"TIMERS": " ".join(units.timers(build.pages))}).encode(),
            0o755 if is_script else 0o644)
    members = [("debian-binary", b"2.0\n")]
    for member, content in (("control", control), ("data", files)):
        rooted = {"./" + path: entry for path, entry in archives.with_folders(content).items()}
        rooted["."] = Entry(mode=0o755, is_folder=True)
        members.append((f"{member}.tar.xz", archives.xz(
            archives.tar(rooted, build.epoch), build.is_trial)))
    return archives.ar(members, build.epoch)


def packages(build):
    """The packages by the names of their files."""
    result = {}
    base = [program for program in build.programs if program.name in BASE]
    extras = [program for program in build.programs if program.name in EXTRAS]
    file = f"{{}}_{build.version}_{build.architecture}.deb"
    result[file.format("trip-ledger")] = package(
        "trip-ledger", {**base_files(build, base), **manual_files(build, base)},
        [*dependencies(build, base), "tzdata", "debconf (>= 0.5) | debconf-2.0"], build,
        ["postinst", "prerm", "postrm", "templates", "triggers"])
    if extras:
        files = extra_files(build, extras)
        # What the scripts do is for the one unit of the package.
        has_unit = any(path.endswith(".service") for path in files)
        fonts = ["fonts-dejavu-core"] if any(p.name == "ledger-print" for p in extras) else []
        result[file.format("trip-ledger-extras")] = package(
            "trip-ledger-extras", {**files, **manual_files(build, extras)},
            [f"trip-ledger (= {build.version})", *dependencies(build, extras), *fonts], build,
            ["postinst", "prerm", "postrm"] if has_unit else [])
    return result
