"""Says what in a file of PDF an archive would not take: PDF/A-2, level B (ISO 19005-2).

Run as a program it takes the names of files, prints what is wrong with each, and ends with 1 if
anything is. It shares nothing with ledger-print: qpdf reads the file (pikepdf), fontTools the fonts,
and Python's XML the metadata. What level A would ask for on top, and cannot be seen by machines
alone, such as texts in place of pictures, is not checked; that all is tagged, in a language, is.
"""

import io
import re
import sys
import xml.etree.ElementTree as XML
from pathlib import Path

import pikepdf
from fontTools.ttLib import TTFont

NAMES = {
    "dc": "http://purl.org/dc/elements/1.1/", "xmp": "http://ns.adobe.com/xap/1.0/",
    "pdf": "http://ns.adobe.com/pdf/1.3/", "pdfaid": "http://www.aiim.org/pdfa/ns/id/",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
}
# What may not be anywhere: programs, other files, media, and what differs with the device.
FORBIDDEN = ("/JS", "/JavaScript", "/AA", "/OpenAction", "/EmbeddedFiles", "/AcroForm", "/XFA", "/NeedsRendering",
             "/Encrypt", "/TR", "/HTP", "/Alternates", "/OPI", "/PS", "/Ref", "/Requirements", "/Collection", "/Perms")
FILTERS = {"/FlateDecode", "/DCTDecode"}
BLENDS = {"/Normal", "/Multiply", "/Screen", "/Overlay", "/Compatible"}
COLOURS_OF_PRINTERS = {"k", "K"}
TAGS = {"Document", "H", "H1", "H2", "H3", "P", "L", "LI", "Lbl", "LBody", "Table", "TR", "TH", "TD", "Figure",
        "Caption", "Sect", "Part", "Div", "Span", "THead", "TBody", "TFoot", "Artifact"}
LONGEST_STRING, LONGEST_NAME, DEEPEST, MOST_OBJECTS = 32_767, 127, 28, 8_388_607


class Archived:
    """A file, and what is wrong with it."""

    def __init__(self, path):
        self.bytes = Path(path).read_bytes()
        self.faults = []
        with pikepdf.open(path) as self.file:
            self.check_whole()
            self.check_catalogue()
            self.check_metadata()
            self.check_intent()
            for number, thing in enumerate(self.file.objects, 1):
                self.check_object(number, thing)
            for number, page in enumerate(self.file.pages, 1):
                self.check_page(number, page)

    def expect(self, holds, sentence):
        if not holds and sentence not in self.faults:
            self.faults.append(sentence)

    def check_whole(self):
        """6.1.2, 6.1.3, 6.1.13: the head, the trailer, limits."""
        self.expect(re.match(rb"%PDF-1\.[0-7]\n%[\x80-\xff]{4,}\n", self.bytes), "6.1.2: head and mark of binary")
        self.expect(self.bytes.rstrip(b"\r\n").endswith(b"%%EOF"), "6.1.3: bytes after the end")
        self.expect(len(self.file.trailer.get("/ID", [])) == 2, "6.1.3: no ID in the trailer")
        self.expect(not self.file.is_encrypted, "6.1.3: encrypted")
        self.expect(len(self.file.objects) <= MOST_OBJECTS, "6.1.13: too many objects")
        warnings = self.file.check_pdf_syntax()
        self.expect(not warnings, f"qpdf: {warnings}")

    def check_catalogue(self):
        """6.7: what level A asks for too, as far as machines see it; outlines lead to pages."""
        root = self.file.Root
        self.expect(root.get("/MarkInfo", {}).get("/Marked") is True, "6.7.2: not said to be tagged")
        self.expect("/StructTreeRoot" in root, "6.7.3: no tree of tags")
        if "/Lang" in root:
            self.expect(re.fullmatch(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*", str(root.Lang)),
                        "6.7.4: no tag of a language")
        self.expect(root.get("/ViewerPreferences", {}).get("/DisplayDocTitle") is True, "the title is not shown")

    def check_metadata(self):
        """6.6.2, 6.6.4: XMP says what the dictionary says, and which part and level is meant."""
        stream = self.file.Root.get("/Metadata")
        self.expect(stream is not None, "6.6.2: no metadata")
        if stream is None:
            return
        self.expect(stream.get("/Filter") is None, "metadata that simple programs do not find")
        text = stream.read_bytes().decode("utf-8")
        self.expect(re.match(r'<\?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"\?>', text), "6.6.2: head of XMP")
        tree = XML.fromstring(text)

        def said(path):
            found = tree.find(f".//{path}", NAMES)
            return None if found is None else found.text

        self.expect((said("pdfaid:part"), said("pdfaid:conformance")) == ("2", "B"), "6.6.4: not meant as PDF/A-2b")
        described = {"/Title": "dc:title/rdf:Alt/rdf:li", "/Creator": "xmp:CreatorTool", "/Producer": "pdf:Producer"}
        for name, value in self.file.docinfo.items():
            self.expect(name in described, f"{name} is not in the metadata")
            found = said(described.get(name, "rdf:nothing"))
            self.expect(found == str(value), f"{name} is {str(value)!r}, and {found!r} in the metadata")

    def check_intent(self):
        """6.2.3: one profile of colours for the whole file, of screens."""
        intents = [one for one in self.file.Root.get("/OutputIntents", []) if one.get("/S") == "/GTS_PDFA1"]
        self.expect(len(intents) == 1, "6.2.3: not one output intent")
        for intent in intents:
            profile = intent.DestOutputProfile.read_bytes()
            self.expect(intent.DestOutputProfile.N == 3, "6.2.3: not three colours")
            self.expect("/OutputConditionIdentifier" in intent, "6.2.3: no name of the condition")
            self.expect(int.from_bytes(profile[:4]) == len(profile), "ICC: its length")
            self.expect(profile[8] in (2, 4) and profile[36:40] == b"acsp", "ICC: its version and signature")
            self.expect(profile[12:20] in (b"mntrRGB ", b"prtrRGB "), "ICC: its class and colours")
            names = [profile[start:start + 4] for start in
                     range(132, 132 + 12 * int.from_bytes(profile[128:132]), 12)]
            wanted = {b"desc", b"cprt", b"wtpt", b"rXYZ", b"gXYZ", b"bXYZ", b"rTRC", b"gTRC", b"bTRC"}
            self.expect(wanted <= set(names), f"ICC: without {wanted - set(names)}")

    def check_object(self, number, thing):
        """6.1, 6.2, 6.5, 6.6.1, 6.8, 6.9: what no object may have."""
        if isinstance(thing, pikepdf.Stream):
            filters = thing.get("/Filter", [])
            names = [filters] if isinstance(filters, pikepdf.Name) else filters
            self.expect(all(str(name) in FILTERS for name in names), f"6.1.7: object {number} is packed otherwise")
            self.expect(not any(name in thing for name in ("/F", "/FFilter", "/FDecodeParms")),
                        f"6.1.7: object {number} is in another file")
        self.check_values(number, thing)

    def check_values(self, number, thing):
        if isinstance(thing, (pikepdf.Dictionary, pikepdf.Stream)):
            for name, value in thing.items():
                self.expect(name not in FORBIDDEN, f"object {number} has {name}")
                self.expect(len(name.encode()) <= LONGEST_NAME, f"6.1.13: a name in object {number}")
                self.check_state(number, name, value)
                if not getattr(value, "is_indirect", False):
                    self.check_values(number, value)
            if thing.get("/Subtype") == "/Image":
                self.expect(not thing.get("/Interpolate", False), f"6.2.8: image {number} is smoothed")
            if thing.get("/Type") == "/Font":
                self.check_font(number, thing)
        elif isinstance(thing, pikepdf.Array):
            for value in thing:
                if not getattr(value, "is_indirect", False):
                    self.check_values(number, value)
        elif isinstance(thing, pikepdf.String):
            self.expect(len(bytes(thing)) <= LONGEST_STRING, f"6.1.13: a string in object {number}")

    def check_state(self, number, name, value):
        """6.2.5, 6.2.10: how paint is mixed."""
        if name == "/BM":
            self.expect(str(value) in BLENDS, f"6.2.10: {value} in object {number}")
        elif name in ("/CA", "/ca"):
            self.expect(0 <= float(value) <= 1, f"6.2.10: {value} in object {number}")
        elif name in ("/CS", "/ColorSpace") and isinstance(value, pikepdf.Name):
            self.expect(value in ("/DeviceRGB", "/DeviceGray"), f"6.2.4: {value} in object {number}")

    # MARK: Fonts, 6.2.11

    def check_font(self, number, font):
        name = str(font.get("/BaseFont", number))
        if font.Subtype == "/Type3":
            return self.expect("/ToUnicode" in font, f"{name}: letters without characters")
        if font.Subtype in ("/Type0", "/TrueType", "/Type1"):
            self.check_characters(name, font)
        if font.Subtype == "/Type0":
            self.expect(font.Encoding in ("/Identity-H", "/Identity-V"), f"6.2.11.3: {name}: {font.Encoding}")
            return None
        descriptor = font.get("/FontDescriptor", {})
        files = [name for name in ("/FontFile", "/FontFile2", "/FontFile3") if name in descriptor]
        self.expect(len(files) == 1, f"6.2.11.4: {name} is not embedded")
        if font.Subtype == "/CIDFontType2":
            self.expect("/CIDToGIDMap" in font, f"6.2.11.3.2: {name} does not say which letter a number is")
            self.expect("/CIDSystemInfo" in font, f"6.2.11.3: {name}: CIDSystemInfo")
        if files == ["/FontFile2"]:
            program = TTFont(io.BytesIO(descriptor.FontFile2.read_bytes()))
            if font.Subtype == "/TrueType":
                self.check_simple(name, font, program)
            else:
                self.check_numbered(name, font, program)
        return None

    def check_characters(self, name, font):
        """Every letter says which character it is, and none that is no character (6.2.11.7)."""
        self.expect("/ToUnicode" in font, f"6.2.11.7: {name}: letters without characters")
        if "/ToUnicode" not in font:
            return
        said = re.findall(rb"<([0-9a-fA-F]+)>\s*\n", font.ToUnicode.read_bytes())
        self.expect(said, f"6.2.11.7: {name}: no characters")
        none = {value.lower() for value in said} & {b"0000", b"feff", b"fffe"}
        self.expect(not none, f"6.2.11.7: {name}: no character")

    def check_simple(self, name, font, program):
        """6.2.11.5, 6.2.11.6: letters are found by their codes, and are as wide as is said."""
        symbolic = int(font.FontDescriptor.Flags) & 4
        self.expect(symbolic or font.get("/Encoding") in ("/WinAnsiEncoding", "/MacRomanEncoding"),
                    f"6.2.11.6: {name}: {font.get('/Encoding')}")
        self.expect("cmap" in program and program["cmap"].tables, f"6.2.11.6: {name}: no table of characters")
        if "cmap" not in program:
            return
        letters = program.getBestCmap() or program["cmap"].tables[0].cmap
        em, first = program["head"].unitsPerEm, int(font.FirstChar)
        for code, width in enumerate(font.Widths, first):
            character = bytes([code]).decode("cp1252", "ignore")
            letter = letters.get(ord(character)) if character else None
            if letter and float(width):
                real = program["hmtx"][letter][0] * 1_000 / em
                self.expect(abs(real - float(width)) <= 1,
                            f"6.2.11.5: {name}: {character} is {real}, not {width}, wide")

    def check_numbered(self, name, font, program):
        em, widths = program["head"].unitsPerEm, list(font.get("/W", []))
        order = program.getGlyphOrder()
        while widths:
            first, second = int(widths.pop(0)), widths.pop(0)
            spans = list(enumerate(second, first)) if isinstance(second, pikepdf.Array) else [
                (number, widths[0]) for number in range(first, int(second) + 1)]
            if not isinstance(second, pikepdf.Array):
                widths.pop(0)
            for number, width in spans:
                real = program["hmtx"][order[number]][0] * 1_000 / em
                self.expect(abs(real - float(width)) <= 1, f"6.2.11.5: {name}: {number} is {real}, not {width}, wide")

    # MARK: Pages

    def check_page(self, number, page):
        box = [float(value) for value in page.mediabox]
        sides = (box[2] - box[0], box[3] - box[1])
        self.expect(all(3 <= side <= 14_400 for side in sides), f"6.1.13: page {number} is {sides}")
        self.expect("/Annots" not in page or not len(page.Annots), f"6.3: page {number} has annotations")
        depth, deepest, open_tags, font = 0, 0, 0, None
        for operands, operator in pikepdf.parse_content_stream(page):
            name = str(operator)
            depth += (name == "q") - (name == "Q")
            deepest = max(deepest, depth)
            open_tags += (name in ("BDC", "BMC")) - (name == "EMC")
            self.expect(name not in COLOURS_OF_PRINTERS, f"6.2.4: page {number} has colours of printers")
            if name in ("BDC", "BMC"):
                tag = str(operands[0])[1:]
                self.expect(tag in TAGS, f"6.7.3: page {number}: the tag {tag}")
            elif name == "Tf":
                font = page.Resources.Font[operands[0]]
            elif name in ("Tj", "TJ"):
                self.check_text(number, font, operands[0])
        self.expect(deepest <= DEEPEST, f"6.1.13: page {number} is {deepest} deep")
        self.expect(open_tags == 0, f"6.7: page {number} leaves tags open")

    def check_text(self, number, font, shown):
        """6.2.11.8: no letter is the one that stands for letters which are not there."""
        if font is None or font.Subtype != "/Type0":
            return
        for part in [shown] if isinstance(shown, pikepdf.String) else shown:
            if isinstance(part, pikepdf.String):
                codes = bytes(part)
                pairs = [codes[index:index + 2] for index in range(0, len(codes), 2)]
                self.expect(b"\0\0" not in pairs, f"6.2.11.8: page {number}: a letter that is not there")


def faults(path):
    """Returns what is wrong with a file, in sentences."""
    return Archived(path).faults


def main():
    failed = 0
    for path in sys.argv[1:]:
        found = faults(path)
        failed += bool(found)
        for fault in found:
            print(f"{Path(path).name}: {fault}")
    print(f"{len(sys.argv) - 1} files, {failed} with faults")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
