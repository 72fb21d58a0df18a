import Importers
import Testing

/// Texts in other encodings than UTF-8, and what makes a text no XML without touching a position.
@Suite struct EncodingTests {
    /// A track of one point, whose name is given in bytes.
    private func gpx(_ encoding: String, _ name: [UInt8]) -> [UInt8] {
        let head = encoding.isEmpty ? "" : " encoding=\"\(encoding)\""
        return Array("<?xml version=\"1.0\"\(head)?><gpx><trk><name>".utf8) + name
            + Array(
                ("</name><trkseg><trkpt lat=\"52.1\" lon=\"4.3\"><time>2024-03-01T07:00:00Z</time>"
                    + "</trkpt></trkseg></trk></gpx>")
                    .utf8
            )
    }

    private static let fix =
        #"{"type":"fix_recorded","source":"gpx","occurred_at":"2024-03-01T07:00:00.000Z","#
        + #""lat":52.1,"lon":4.3}"#

    private func expectFix(_ bytes: [UInt8], _ what: String) throws {
        #expect(ImportFormat.recognized(in: bytes.span) == .gpx, "\(what)")
        let imported = try Imported(bytes, as: .gpx)
        #expect(imported.events == [Self.fix] && imported.rejected.isEmpty, "\(what): \(imported)")
    }

    @Test(arguments: [
        "windows-1250", "windows-1252", "CP1257", "ISO-8859-1", "iso-8859-15", "latin2", "utf8",
        "ANSI", "KOI8-R", "macintosh", "Shift_JIS", "GBK", "x-nothing-known", "UTF-16", "",
    ])
    func `whatever a file says of its encoding, its positions are read`(name: String) throws {
        for bytes: [UInt8] in [[0xE9], [0xC3, 0xA9], [0x80, 0xFF], [0x83, 0x41, 0xE9], []] {
            try expectFix(gpx(name, bytes), "\(name) \(bytes)")
        }
    }

    @Test func `marks may be twice, and UTF-16 needs none`() throws {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        try expectFix(mark + gpx("UTF-8", [0xC3, 0xA9]), "one mark")
        try expectFix(mark + mark + gpx("", []), "two marks")
        let units = String(decoding: gpx("UTF-16", []), as: UTF8.self).utf16
        let little = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        for (bytes, mark) in [(little, [0xFF, 0xFE]), (big, [0xFE, 0xFF])] as [([UInt8], [UInt8])] {
            try expectFix(bytes, "UTF-16 without a mark")
            try expectFix(mark + bytes, "UTF-16 with a mark")
        }
    }

    @Test(arguments: [
        "Ca&ntilde;on", "Tom & Jerry", "&#0;", "&#x1F;", "&#xFFFF;", "a&b;c", "&", "\u{1}\u{B}",
        "&amp; &#228; &#xE4;",
    ])
    func `what stands for nothing costs the name at most`(name: String) throws {
        let bytes = gpx("UTF-8", Array(name.utf8))
        try expectFix(bytes, name)
        for step in [1, 3, 64] {
            let cuts = Array(stride(from: step, to: bytes.count, by: step))
            #expect(try Imported(bytes, as: .gpx, cuts: cuts).events == [Self.fix], "\(name)")
        }
    }

    /// Python 3: `bytes([0xA4, 0xE4, 0x80]).decode(…)`; the first byte begins no character of
    /// UTF-8.
    @Test(arguments: [
        ("windows-1252", "¤ä€"), ("windows-1251", "¤дЂ"), ("iso-8859-15", "€ä\u{80}"),
        ("koi8-r", "╓Д─"), ("windows-1253", "¤δ€"),
    ])
    func `a byte is the character that its encoding has there`(name: String, text: String) throws {
        let tracker = Array("<?xml version='1.0' encoding='\(name)'?>".utf8)
        // A name that is kept: what cannot be read is.
        let bytes =
            tracker
            + Array("<gpx><trk><trkseg><trkpt lat='52.1' lon='4.3'><ele>".utf8)
            + [0xA4, 0xE4, 0x80]
            + Array("</ele><time>2024-03-01T07:00:00Z</time></trkpt></trkseg></trk></gpx>".utf8)
        let imported = try Imported(bytes, as: .gpx)
        #expect(imported.events.first?.contains("\"altitude\":\"\(text)\"") == true, "\(imported)")
    }

    @Test(arguments: ["gpx", "kml", "TrainingCenterDatabase"])
    func `a root is known by its name, whatever stands before it`(name: String) {
        let expected: [String: ImportFormat] = [
            "gpx": .gpx, "kml": .kml, "TrainingCenterDatabase": .tcx,
        ]
        for text in [
            "<\(name)>", "<ns2:\(name) xmlns=\"x\">", "<?xml version='1.0'?>\n<t:\(name)/>",
            "<!-- <html> --><\(name)\n>", "<?xml version='1.0'?><!-- > --><a:\(name)>",
        ] {
            let bytes = Array(text.utf8)
            #expect(ImportFormat.recognized(in: bytes.span) == expected[name], "\(text)")
        }
        for text in ["<html><\(name)>", "<x\(name)>", "<!-- <\(name)> -->"] {
            let bytes = Array(text.utf8)
            #expect(ImportFormat.recognized(in: bytes.span) == nil, "\(text)")
        }
    }

    @Test func `what is no format is told by what it looks like`() {
        func look(_ text: String) -> UnknownInput? {
            let bytes = Array(text.utf8)
            return UnknownInput(bytes.span)
        }
        #expect(look("") == .empty && look(" \n") == .empty)
        #expect(look("<!DOCTYPE html><html>") == .webPage)
        #expect(look("\n<html lang=en>") == .webPage)
        #expect(look("%PDF-1.7") == .pdf)
        #expect(look("BEGIN:VCALENDAR\nVERSION:2.0") == .calendar)
        #expect(look("AFLA001\r\nHFDTE010324\r\nB0700005206000N00418000EA0000000000") == .flightLog)
        #expect(look("SQLite format 3\0") == .database)
        #expect(look("<svg/>") == .otherXML)
        #expect(look("a\0b") == .binary)
        #expect(look("{\n \"a\": 1\n}\n") == .otherJSON)
        #expect(look("BEGIN:VCARD\nVERSION:3.0") == .contacts)
        #expect(look("GIF89a") == .picture && look("\0\0\0\u{18}ftypmp42") == .film)
        for text in ["hello", "a: 1\nb: 2\n", "From: a\n\nhi", "a,b,c\n1,2,3"] {
            #expect(look(text) == .text, "\(text)")
        }
        let units: [UInt8] = [0xFF, 0xFE] + "a,b,c\n1,2,3".utf8.flatMap { [$0, 0] }
        #expect(UnknownInput(units.span) == .text)
        #expect(look("{\\rtf1 a}") == .officeDocument)
        for text in ["[]", " [ ]\n", "{\"locations\":[]}", "{ \"a\" : [\n] }"] {
            #expect(look(text) == .emptyList, "\(text)")
        }
        for name in ["[Content_Types].xml", "mimetype", "doc.kml", "Takeout/a.json"] {
            let isOffice = !name.contains(".kml") && !name.contains("/")
            #expect((UnknownInput(firstFile: name) == .officeDocument) == isOffice, "\(name)")
        }
        for text in ["hello\n{\"type\":1}", "{}", "{\"type\":1}\n{}", "[1]\n[2]\n"] {
            #expect(look(text) == nil, "\(text)")
        }
    }
}
