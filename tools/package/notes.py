"""Signed notes as the ledger's heads are: C2SP signed-note, by Ed25519 and openssl."""

import base64
import hashlib
import subprocess
import tempfile
from pathlib import Path

KIND = b"\x01"
SECRET_HEAD = bytes.fromhex("302e020100300506032b657004220420")
PUBLIC_HEAD = bytes.fromhex("302a300506032b6570032100")


def openssl(*arguments, data=b"", check=True):
    result = subprocess.run(["openssl", *arguments], input=data, capture_output=True, check=False)
    if check and result.returncode != 0:
        raise SystemExit(f"openssl {arguments[0]}: {result.stderr.decode().strip()}")
    return result


def key_id(name, public):
    return hashlib.sha256(name.encode() + b"\n" + KIND + public).digest()[:4]


class Signer:
    """The key of a file that `ledger key new --name NAME -o FILE` has made."""

    def __init__(self, file):
        parts = Path(file).read_text().strip().split("+", 4)
        if parts[:2] != ["PRIVATE", "KEY"] or len(parts) != 5:
            raise SystemExit(f"{file}: this is not a key that `ledger key new` has made")
        self.name = parts[2]
        secret = base64.b64decode(parts[4])
        self.secret = SECRET_HEAD + secret[1:]
        public = openssl("pkey", "-inform", "DER", "-pubout", "-outform", "DER", data=self.secret)
        self.public = public.stdout[len(PUBLIC_HEAD):]
        if secret[:1] != KIND or key_id(self.name, self.public).hex() != parts[3]:
            raise SystemExit(f"{file}: the key does not belong to its name")

    @property
    def verifier(self):
        words = base64.b64encode(KIND + self.public).decode()
        return f"{self.name}+{key_id(self.name, self.public).hex()}+{words}"

    def note(self, text):
        """The text with its signature."""
        with tempfile.TemporaryDirectory() as folder:
            key, message = Path(folder) / "key", Path(folder) / "text"
            key.touch(0o600)
            key.write_bytes(self.secret)
            message.write_bytes(text.encode())
            signature = openssl("pkeyutl", "-sign", "-rawin", "-keyform", "DER", "-inkey", str(key),
                                "-in", str(message)).stdout
        words = base64.b64encode(key_id(self.name, self.public) + signature).decode()
        return f"{text}\n— {self.name} {words}\n"


def opened(note, verifier):
    """The text of a note that the owner of a verifier key has signed; None if nobody did."""
    name, identifier, words = verifier.strip().split("+", 2)
    public = base64.b64decode(words)
    if public[:1] != KIND or key_id(name, public[1:]).hex() != identifier:
        raise SystemExit(f"{verifier}: this is not a verifier key")
    text, _, signatures = note.rpartition("\n\n")
    text += "\n"
    for line in signatures.split("\n"):
        if not line.startswith(f"— {name} "):
            continue
        signature = base64.b64decode(line.rsplit(" ", 1)[1])
        if signature[:4].hex() != identifier:
            continue
        with tempfile.TemporaryDirectory() as folder:
            key, message, bytes_ = (Path(folder) / part for part in ("key", "text", "signature"))
            key.write_bytes(PUBLIC_HEAD + public[1:])
            message.write_bytes(text.encode())
            bytes_.write_bytes(signature[4:])
            verified = openssl(
                "pkeyutl", "-verify", "-rawin", "-pubin", "-keyform", "DER", "-inkey", str(key),
                "-in", str(message), "-sigfile", str(bytes_), check=False)
        if verified.returncode == 0:
            return text
    return None
