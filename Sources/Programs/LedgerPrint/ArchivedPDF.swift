import CZlib
import Papers

/// Converts a PDF file of Cairo into one that archives accept: PDF/A-2, level B (ISO 19005-2).
///
/// It adds a language, metadata, a colour profile, the scopes of table heads and the letter for
/// each glyph number of a font, none of which Cairo 1.16 writes. It packs small objects together,
/// of which a table has thousands: that halves the size of the file.
struct ArchivedPDF {
    /// The number of objects that are packed together.
    private static let packed = 200

    /// The beginning of an object of a tag, as Cairo writes it.
    private static let headCell = Array("<< /Type /StructElem\n   /S /TH\n".utf8)
    private static let streamEnd = Array("endstream".utf8)

    /// The marks of a font with numbered glyphs, and of the information about the file.
    private static let numberedFont = "/Subtype /CIDFontType2\n"
    private static let producerKey = "<< /Producer ("
    private static let lengthKey = Array("<< /Length ".utf8)

    private let cairo: CairoPDF

    /// The objects by their numbers, without the keywords around them.
    private var objects: [Int: [UInt8]]

    /// The number of the next new object.
    private var next: Int

    /// The bytes of the file so far.
    private var bytes: [UInt8]

    /// The entry of each object in the table: its kind and two figures.
    private var entries: [Int: (kind: UInt8, first: Int, second: Int)] = [:]

    /// Returns the file.
    ///
    /// - Parameters:
    ///   - file: The bytes that Cairo wrote.
    ///   - title: The title of the file.
    ///   - language: The language of its text (BCP 47); `nil` if it has none.
    /// - Returns: The file; unchanged if its form is not that of Cairo 1.16.
    static func bytes(of file: [UInt8], title: String, language: String?) -> [UInt8] {
        guard let cairo = CairoPDF(file) else { return file }
        var archived = ArchivedPDF(cairo)
        archived.describe(title: title, language: language)
        return archived.written()
    }

    private init(_ cairo: CairoPDF) {
        self.cairo = cairo
        objects = cairo.objects
        next = cairo.size
        // Packed objects need a later version of PDF than Cairo was asked for.
        bytes = Array("%PDF-1.7".utf8) + cairo.head.dropFirst(8)
    }

    // MARK: What is added

    private mutating func describe(title: String, language: String?) {
        let metadata = add(
            Self.stream("/Type /Metadata /Subtype /XML", Self.metadata(title, producer: producer))
        )
        let profile = add(Self.compressed("/N 3", ColorProfile.sRGB))
        let intent = add(
            Array(
                """
                << /Type /OutputIntent /S /GTS_PDFA1 /OutputConditionIdentifier (sRGB) \
                /Info (sRGB) /DestOutputProfile \(profile) 0 R >>
                """
                .utf8
            )
        )
        let tag = language.map { " /Lang (\($0))" } ?? ""
        extend(
            cairo.root,
            by: "/Metadata \(metadata) 0 R /OutputIntents [ \(intent) 0 R ] "
                + "/ViewerPreferences << /DisplayDocTitle true >>\(tag)"
        )
        for (number, object) in cairo.objects where object.starts(with: Self.headCell) {
            extend(number, by: "/A << /O /Table /Scope /Column >>")
        }
        for (number, object) in cairo.objects where Self.isNumberedFont(object) {
            // ISO 19005-2, 6.2.11.3.2: the numbers are those that the font itself gives.
            extend(number, by: "/CIDToGIDMap /Identity")
        }
    }

    /// The program that made the file, as Cairo names it in the information about the file.
    private var producer: String {
        let line = objects[cairo.info]?.prefix { $0 != UInt8(ascii: "\n") } ?? []
        guard line.starts(with: Self.producerKey.utf8), line.last == UInt8(ascii: ")") else {
            return ""
        }
        let name = line.dropFirst(Self.producerKey.utf8.count).dropLast()
        return String(decoding: name, as: UTF8.self)
    }

    private static func isNumberedFont(_ object: [UInt8]) -> Bool {
        // A dictionary of a few lines; streams and long objects are no fonts.
        object.starts(with: "<< /Type /Font\n".utf8)
            && String(decoding: object, as: UTF8.self).contains(numberedFont)
    }

    private mutating func add(_ object: [UInt8]) -> Int {
        objects[next] = object
        next += 1
        return next - 1
    }

    /// Adds members to an object that is a dictionary.
    private mutating func extend(_ number: Int, by members: String) {
        guard let object = objects[number] else { return }
        objects[number] = object.dropLast(2) + Array("\(members)\n>>".utf8)
    }

    /// The metadata as XMP (ISO 16684-1), which repeats the information about the file, and
    /// declares PDF/A-2.
    private static func metadata(_ title: String, producer: String) -> [UInt8] {
        var bytes = Array(
            """
            <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/">
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description rdf:about=""
            xmlns:dc="http://purl.org/dc/elements/1.1/"
            xmlns:xmp="http://ns.adobe.com/xap/1.0/"
            xmlns:pdf="http://ns.adobe.com/pdf/1.3/"
            xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">
            <dc:title><rdf:Alt><rdf:li xml:lang="x-default">
            """
            .utf8
        )
        XMLElement.append(text: title, to: &bytes)
        bytes += "</rdf:li></rdf:Alt></dc:title>\n<pdf:Producer>".utf8
        XMLElement.append(text: producer, to: &bytes)
        bytes +=
            """
            </pdf:Producer>
            <xmp:CreatorTool>ledger-print</xmp:CreatorTool>
            <pdfaid:part>2</pdfaid:part>
            <pdfaid:conformance>B</pdfaid:conformance>
            </rdf:Description>
            </rdf:RDF>
            </x:xmpmeta>
            <?xpacket end="r"?>
            """
            .utf8
        return bytes
    }

    // MARK: Writing

    private mutating func written() -> [UInt8] {
        var small: [Int] = []
        for number in objects.keys.sorted() {
            guard let object = objects[number] else { continue }
            if object.ends(with: Self.streamEnd) {
                write(number, withLength(object))
            } else if number == cairo.root {
                // The catalogue names language and metadata, which simple programs look for in
                // plain text.
                write(number, object)
            } else {
                small.append(number)
            }
        }
        var begin = 0
        while begin < small.count {
            let end = min(begin + Self.packed, small.count)
            pack(small[begin..<end])
            begin = end
        }
        writeTable()
        return bytes
    }

    private mutating func write(_ number: Int, _ object: [UInt8]) {
        entries[number] = (1, bytes.count, 0)
        bytes += "\(number) 0 obj\n".utf8
        bytes += object
        bytes += "\nendobj\n".utf8
    }

    /// Returns a stream that says its length itself, which Cairo leaves to another object.
    private func withLength(_ stream: [UInt8]) -> [UInt8] {
        guard stream.starts(with: Self.lengthKey) else { return stream }
        var rest = stream[Self.lengthKey.count...]
        guard let number = CairoPDF.number(from: &rest),
            rest.starts(with: " 0 R".utf8), var length = objects[number]?[...],
            let count = CairoPDF.number(from: &length)
        else { return stream }
        return Self.lengthKey + Array("\(count)".utf8) + rest.dropFirst(4)
    }

    /// Writes objects into one stream (ISO 32000-1, 7.5.7).
    private mutating func pack(_ numbers: ArraySlice<Int>) {
        var (places, content): ([UInt8], [UInt8]) = ([], [])
        for (index, number) in numbers.enumerated() {
            places += "\(number) \(content.count)\n".utf8
            content += objects[number] ?? []
            content.append(UInt8(ascii: "\n"))
            entries[number] = (2, next, index)
        }
        let members = "/Type /ObjStm /N \(numbers.count) /First \(places.count)"
        write(next, Self.compressed(members, places + content))
        next += 1
    }

    /// Writes the table of objects (ISO 32000-1, 7.5.8) and the end of the file.
    private mutating func writeTable() {
        let start = bytes.count
        entries[next] = (1, start, 0)
        var table: [UInt8] = []
        for number in 0...next {
            let entry = entries[number] ?? (0, 0, 65_535)
            table.append(entry.kind)
            for shift in [24, 16, 8, 0] {
                table.append(UInt8(truncatingIfNeeded: entry.first >> shift))
            }
            for shift in [8, 0] { table.append(UInt8(truncatingIfNeeded: entry.second >> shift)) }
        }
        let id = Self.id(of: bytes)
        write(
            next,
            Self.compressed(
                "/Type /XRef /Size \(next + 1) /W [ 1 4 2 ] /Root \(cairo.root) 0 R "
                    + "/Info \(cairo.info) 0 R /ID [ <\(id)> <\(id)> ]",
                table
            )
        )
        bytes += "startxref\n\(start)\n%%EOF\n".utf8
    }

    /// Returns a name for the file that follows from its bytes: two checksums (FNV-1a).
    private static func id(of bytes: [UInt8]) -> String {
        [0xCBF2_9CE4_8422_2325, 0x8422_2325_CBF2_9CE4 as UInt64]
            .map { basis in
                let hash = bytes.reduce(basis) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
                let digits = String(hash, radix: 16)
                return String(repeating: "0", count: 16 - digits.count) + digits
            }
            .joined()
    }

    private static func stream(_ members: String, _ content: [UInt8]) -> [UInt8] {
        Array("<< \(members) /Length \(content.count) >>\nstream\n".utf8) + content
            + Array("\nendstream".utf8)
    }

    private static func compressed(_ members: String, _ content: [UInt8]) -> [UInt8] {
        stream("\(members) /Filter /FlateDecode", content.deflated)
    }
}

/// The objects of a file that Cairo wrote, which come one after the other.
private struct CairoPDF {
    /// What stands before the first object.
    let head: [UInt8]

    /// The objects by their numbers, without the keywords around them.
    let objects: [Int: [UInt8]]

    /// The number after that of the last object.
    let size: Int

    /// The numbers of the catalogue, and of the information about the file.
    let root: Int
    let info: Int

    /// The length of an entry of the table (ISO 32000-1, 7.5.4).
    private static let entryLength = 20

    /// Reads a file; `nil` if it is not as Cairo writes it.
    init?(_ file: [UInt8]) {
        let end = file.suffix(64)
        guard let mark = end.lastRange(of: "startxref\n") else { return nil }
        var rest = file[mark.upperBound...]
        guard let table = Self.number(from: &rest), file.indices.contains(table),
            file[table...].starts(with: "xref\n0 ".utf8)
        else { return nil }
        rest = file[(table + 7)...]
        guard let size = Self.number(from: &rest) else { return nil }
        let first = rest.startIndex + 1
        guard first + size * Self.entryLength <= file.count else { return nil }
        let trailer = file[(first + size * Self.entryLength)...]
        guard let root = Self.reference("/Root ", in: trailer),
            let info = Self.reference("/Info ", in: trailer)
        else { return nil }
        var places: [(number: Int, offset: Int)] = []
        for number in 0..<size {
            var entry = file[(first + number * Self.entryLength)...].prefix(Self.entryLength)
            guard entry.dropFirst(17).first == UInt8(ascii: "n") else { continue }
            guard let offset = Self.number(from: &entry) else { return nil }
            places.append((number, offset))
        }
        places.sort { $0.offset < $1.offset }
        guard let begin = places.first?.offset, begin <= table else { return nil }
        var objects: [Int: [UInt8]] = [:]
        for (index, place) in places.enumerated() {
            let end = index + 1 < places.count ? places[index + 1].offset : table
            guard place.offset <= end, end <= file.count else { return nil }
            let object = file[place.offset..<end]
            let (before, after) = (Array("\(place.number) 0 obj\n".utf8), "\nendobj\n".utf8)
            guard object.starts(with: before), object.ends(with: Array(after)) else { return nil }
            objects[place.number] = Array(object.dropFirst(before.count).dropLast(after.count))
        }
        head = Array(file[..<begin])
        (self.objects, self.size, self.root, self.info) = (objects, size, root, info)
    }

    /// Reads digits after spaces, and leaves what follows them.
    static func number(from bytes: inout ArraySlice<UInt8>) -> Int? {
        bytes = bytes.drop { $0 == UInt8(ascii: " ") }
        let digits = bytes.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        bytes = bytes.dropFirst(digits.count)
        return Int(String(decoding: digits, as: UTF8.self))
    }

    private static func reference(_ key: String, in bytes: ArraySlice<UInt8>) -> Int? {
        guard let range = bytes.lastRange(of: key) else { return nil }
        var rest = bytes[range.upperBound...]
        return number(from: &rest)
    }
}

extension BidirectionalCollection<UInt8> {
    /// Whether these bytes are the last ones.
    fileprivate func ends(with bytes: [UInt8]) -> Bool { suffix(bytes.count).elementsEqual(bytes) }
}

extension ArraySlice<UInt8> {
    /// Returns where a text stands last.
    fileprivate func lastRange(of text: String) -> Range<Int>? {
        let bytes = Array(text.utf8)
        guard count >= bytes.count else { return nil }
        for start in (startIndex...endIndex - bytes.count).reversed()
        where self[start...].starts(with: bytes) {
            return start..<start + bytes.count
        }
        return nil
    }
}

extension [UInt8] {
    /// The bytes as zlib compresses them (RFC 1950).
    fileprivate var deflated: [UInt8] {
        let most = Int(compressBound(CUnsignedLong(count)))
        // zlib writes at most the number of bytes that it gave before, and returns their count.
        return unsafe [UInt8](unsafeUninitializedCapacity: most) { output, filled in
            var length = CUnsignedLong(most)
            // Both buffers outlive the call, and the output has room for every result.
            let status = unsafe withUnsafeBufferPointer { input in
                unsafe compress2(
                    output.baseAddress,
                    &length,
                    input.baseAddress,
                    CUnsignedLong(input.count),
                    Z_BEST_COMPRESSION
                )
            }
            precondition(status == Z_OK, "there is room for all of it")
            filled = Int(length)
        }
    }
}
