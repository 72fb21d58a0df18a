"""Signs and cosigns heads of a book, as its owner and a witness do, with keys of their own."""

import json
import os
import subprocess
from pathlib import Path


class Signers:
    """An owner and a witness, whose keys are in a directory."""

    def __init__(self, program, book, directory):
        self.program = program
        self.book = book
        self.directory = Path(directory)
        self.key = self.directory / "owner.key"
        self.environment = {**os.environ, "HOME": directory, "XDG_STATE_HOME": directory}
        self.run("--ledger", book.path, "key", "new", "--name", "example.com/page", "-o", self.key)
        self.run("witness", "init", "accountant.example")
        shown = [self.run("--ledger", book.path, "key", "show", "--key", self.key, "--format", "json"),
                 self.run("witness", "show", "--format", "json")]
        # The verifier keys of the owner and the witness.
        self.verifiers = [self.verifier(json.loads(text.splitlines()[0])) for text in shown]

    @staticmethod
    def verifier(shown):
        return shown.get("verifier_key") or shown["key"]["verifier_key"]

    def run(self, *arguments):
        made = subprocess.run([self.program, *arguments], check=True, capture_output=True,
                              env=self.environment)
        return made.stdout.decode()

    def sign(self):
        """Signs the head of the book; returns the note."""
        return self.run("--ledger", self.book.path, "head", "--sign", "--key", self.key)

    def cosign(self, note):
        """Has the witness cosign a head, and the book keep it; returns the note."""
        head, cosigned = self.directory / "head.note", self.directory / "cosigned.note"
        head.write_text(note)
        cosigned.write_text(self.run("witness", "cosign", head, "--key", self.verifiers[0]))
        self.run("--ledger", self.book.path, "head", "--keep", cosigned)
        return cosigned.read_text()
