import Platform
import Projections
import Proofs
import SystemPackage
package import TripEvents
package import TripLedger

/// What an auditor's bundle was made from and for, and its files: `manifest.json`.
package struct BundleManifest: Sendable {
    /// A file, by its path within the bundle.
    struct File: Hashable, Sendable {
        var path: String
        var byteCount: UInt64
        var hash: Digest
    }

    /// The most bytes of the name of a version.
    private static let mostVersionBytes = 40

    /// The most bytes of a manifest that are read.
    private static let maximumByteCount = 1 << 24

    /// The id of the ledger.
    package var ledger: String

    /// The entries that the reports were made from, which are the evidence.
    package var head: LedgerHead

    /// What the reports were made for.
    package var question: BundleQuestion

    /// The first and the last day of the reports.
    package var days: ClosedRange<CivilDate>

    /// The version of the program that made the bundle.
    package var programVersion: String

    /// The table of rates whose rows are in the bundle, if the reports go by one.
    package var table: String?

    /// All files but the manifest and those about it, in the order of their paths.
    var files: [File] = []

    /// The manifest as its file has it.
    var json: [UInt8] {
        var json = RowJSON()
        json.add("bundle", integer: Int64(BundleQuestion.version))
        json.add("ledger", text: ledger)
        json.add("size", integer: Int64(head.size))
        json.add("root", text: head.root)
        json.add("year", integer: Int64(question.year))
        if let jurisdiction = question.jurisdiction { json.add("jurisdiction", text: jurisdiction) }
        if let selection = question.group {
            if let group = selection.group {
                json.add("group", text: group)
            } else {
                json.add("group", boolean: false)
            }
        }
        if let vehicle = question.vehicle { json.add("vehicle", text: vehicle) }
        json.add("as_of", text: RFC3339.text(question.asOf))
        json.add("language", text: question.language.rawValue)
        json.add("paper", text: question.paper.rawValue)
        json.add("first_day", text: days.lowerBound.description)
        json.add("last_day", text: days.upperBound.description)
        json.add("program_version", text: programVersion)
        if let table { json.add("table", text: table) }
        json.add(
            "files",
            objects: files.map { file in
                var json = RowJSON()
                json.add("path", text: file.path)
                json.add("bytes", integer: Int64(file.byteCount))
                json.add("sha256", text: file.hash.description)
                return json.object
            }
        )
        return json.object + [UInt8(ascii: "\n")]
    }
}

extension BundleManifest {
    /// Whether the bundle itself says that its owner signed it.
    var isSigned: Bool { files.contains { $0.path == BundleFiles.key } }

    /// The files that a bundle for that question has besides the manifest and prints.
    var expectedFiles: Set<String> {
        var files = Set(question.reportFiles)
        files.formUnion([BundleFiles.readMe, BundleFiles.evidenceLines])
        if let table { files.insert(BundleFiles.rates(of: table)) }
        if isSigned { files.formUnion(BundleFiles.ofKey) }
        return files
    }
}

extension BundleManifest {
    /// Reads a manifest, or returns `nil` if the bytes are not exactly what ``json`` writes.
    init?(_ bytes: [UInt8]) {
        guard let json = Self.value(bytes), json["bundle"]?.number == BundleQuestion.version,
            let ledger = json["ledger"]?.text, let size = json["size"]?.number,
            let root = json["root"]?.text,
            let first = json["first_day"]?.text.flatMap({ CivilDate($0) }),
            let last = json["last_day"]?.text.flatMap({ CivilDate($0) }), first <= last,
            let question = BundleQuestion(json),
            let version = json["program_version"]?.text, Self.isVersion(version),
            let files = json["files"]?.elements?.compactMap(File.init)
        else { return nil }
        self.init(
            ledger: ledger,
            head: LedgerHead(size: size, root: root),
            question: question,
            days: first...last,
            programVersion: version,
            table: json["table"]?.text,
            files: files
        )
        let paths = files.map(\.path)
        guard self.json == bytes, Set(paths).count == paths.count, table.map(Self.isName) ?? true
        else { return nil }
    }

    /// Returns the version that the bytes name if this program does not know it; `nil` if it is the
    /// program's own version, or if the bytes name none.
    static func foreignVersion(_ bytes: [UInt8]) -> UInt64? {
        guard let version = value(bytes)?["bundle"]?.number, version != BundleQuestion.version
        else { return nil }
        return version
    }

    /// Reads the id of the ledger that the manifest of a bundle names, whatever its version.
    ///
    /// - Parameter folder: The bundle's directory.
    /// - Returns: The id; `nil` if there is no bundle, or if its manifest names no ledger.
    /// - Throws: `Errno`.
    static func ledger(inBundle folder: FilePath) throws -> String? {
        let file = folder.appending(BundleFiles.manifest)
        guard try Directory.holds(file) else { return nil }
        let bytes = try WholeFile.read(file, maximumByteCount: maximumByteCount)
        return value(bytes)?["ledger"]?.text
    }

    private static func value(_ bytes: [UInt8]) -> JSONValue? {
        try? JSONValue(bytes.span.extracting(first: max(0, bytes.count - 1)))
    }

    /// Whether a text is a version and nothing else, because `README.txt` shows it.
    private static func isVersion(_ text: String) -> Bool {
        text.utf8.count <= mostVersionBytes && consists(text, ofLettersAnd: ".-+")
    }

    /// Whether a text is the name of a table, which is also that of a file.
    private static func isName(_ text: String) -> Bool { consists(text, ofLettersAnd: "-_") }

    /// Whether a text consists of ASCII letters, digits and some marks.
    private static func consists(_ text: String, ofLettersAnd marks: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "A")...UInt8(ascii: "Z"):
                    true
                default: marks.utf8.contains(byte)
                }
            }
    }
}

extension BundleQuestion {
    fileprivate init?(_ json: JSONValue) {
        guard let year = json["year"]?.number.flatMap({ Int(exactly: $0) }),
            Self.years.contains(year),
            let asOf = json["as_of"]?.text.flatMap({ RFC3339.time($0)?.timestamp }),
            let language = json["language"]?.text.flatMap(Language.init),
            let paper = json["paper"]?.text.flatMap(PaperSize.init)
        else { return nil }
        let jurisdiction = json["jurisdiction"]?.text
        guard jurisdiction == jurisdiction?.lowercased() else { return nil }
        self.init(
            year: year,
            jurisdiction: jurisdiction,
            group: json["group"].map { GroupSelection($0.text) },
            vehicle: json["vehicle"]?.text,
            asOf: asOf,
            language: language,
            paper: paper
        )
    }
}

extension BundleManifest.File {
    fileprivate init?(_ json: JSONValue) {
        guard let path = json["path"]?.text, let byteCount = json["bytes"]?.number,
            let hash = json["sha256"]?.text.flatMap({ Digest(hexadecimal: $0) })
        else { return nil }
        self.init(path: path, byteCount: byteCount, hash: hash)
    }
}
