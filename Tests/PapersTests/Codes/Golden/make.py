#!/usr/bin/env python3
"""Makes codes.v1.json with qrcode (from PyPI), an independent encoder of QR codes."""

import json
from pathlib import Path

import qrcode
from qrcode.util import MODE_8BIT_BYTE, QRData

TEXTS = [
    "a",
    "HTTPS://EXAMPLE.COM",
    "fourteen bytes",
    "zwölf Kilometer für Anna Müller",
    "x" * 100,
    "The quick brown fox jumps over the lazy dog. " * 4,
    "example.com/book\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n"
    "\u2014 example.com/book wXYZaBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789+/AbCdEfGhIjKlMnOpQrStUvWxYz"
    "0123456789+/AbCdEfGhIjKlMnOpQrStUvWxYz012345=\n",
    "".join(chr(33 + i * 7 % 90) for i in range(700)),
    "y" * 2331,
]


# The standard's rules for choosing a mask can be read in two ways, and here it matters.
MASKS = {"fourteen bytes": 0}


def code(text):
    qr = qrcode.QRCode(
        error_correction=qrcode.constants.ERROR_CORRECT_M, border=0, mask_pattern=MASKS.get(text))
    qr.add_data(QRData(text.encode(), mode=MODE_8BIT_BYTE))
    qr.make(fit=True)
    rows = ["".join(str(int(module)) for module in row) for row in qr.get_matrix()]
    return {"text": text, "version": qr.version, "rows": rows}


lines = ",\n".join(json.dumps(code(text), ensure_ascii=False) for text in TEXTS)
Path(__file__).with_name("codes.v1.json").write_text("[\n" + lines + "\n]\n")
