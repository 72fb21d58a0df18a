import Projections
import Proofs
package import TripEvents
package import TripLedger

/// What is in an auditor's bundle, and what its reports were made from: `manifest.json`.
package struct BundleManifest: Hashable, Sendable {
    /// A report, and the words that make it again.
    package struct Report: Hashable, Sendable {
        /// Where it is in the bundle.
        package var file: String

        /// The command that makes it.
        package var name: String

        /// The options of that command, everything resolved.
        package var arguments: [String]

        /// Describes a report.
        package init(file: String, name: String, arguments: [String]) {
            self.file = file
            self.name = name
            self.arguments = arguments
        }
    }

    /// A file, by its path within the bundle.
    struct File: Hashable, Sendable {
        var path: String
        var byteCount: UInt64
        var hash: Digest
    }

    /// The version of the form.
    private static let version: UInt64 = 1

    /// The id of the ledger.
    package var ledger: String

    /// The entries that the reports were made from, which are the evidence.
    package var head: LedgerHead

    /// The first and the last day of the reports.
    package var days: ClosedRange<CivilDate>

    /// The version of the program that made the bundle.
    package var programVersion: String

    /// The table of rates whose rows are in the bundle, if the reports go by one.
    package var table: String?

    /// The reports.
    package var reports: [Report]

    /// Every other file than the manifest and what is about it, in order of their paths.
    var files: [File] = []

    /// The manifest as its file has it.
    var json: [UInt8] {
        var json = RowJSON()
        json.add("bundle", integer: Int64(Self.version))
        json.add("ledger", text: ledger)
        json.add("size", integer: Int64(head.size))
        json.add("root", text: head.root)
        json.add("first_day", text: days.lowerBound.description)
        json.add("last_day", text: days.upperBound.description)
        json.add("program_version", text: programVersion)
        if let table { json.add("table", text: table) }
        json.add(
            "reports",
            objects: reports.map { report in
                var json = RowJSON()
                json.add("file", text: report.file)
                json.add("report", text: report.name)
                json.add("arguments", texts: report.arguments)
                return json.object
            }
        )
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
    /// Reads a manifest, or returns `nil` if the bytes are not exactly what ``json`` writes, or if
    /// a report or rates are not among the bundle's files.
    init?(_ bytes: [UInt8]) {
        let end = max(0, bytes.count - 1)
        guard let json = try? JSONValue(bytes.span.extracting(first: end)),
            json["bundle"]?.number == Self.version,
            let ledger = json["ledger"]?.text, let size = json["size"]?.number,
            let root = json["root"]?.text,
            let first = json["first_day"]?.text.flatMap({ CivilDate($0) }),
            let last = json["last_day"]?.text.flatMap({ CivilDate($0) }), first <= last,
            let version = json["program_version"]?.text,
            let reports = json["reports"]?.elements?.compactMap(Report.init),
            let files = json["files"]?.elements?.compactMap(File.init)
        else { return nil }
        self.init(
            ledger: ledger,
            head: LedgerHead(size: size, root: root),
            days: first...last,
            programVersion: version,
            table: json["table"]?.text,
            reports: reports,
            files: files
        )
        let listed = Set(files.map(\.path))
        let named = reports.map(\.file) + (table.map { [BundleFiles.rates(of: $0)] } ?? [])
        guard self.json == bytes, listed.isSuperset(of: named) else { return nil }
    }
}

extension BundleManifest.Report {
    fileprivate init?(_ json: JSONValue) {
        guard let file = json["file"]?.text, let name = json["report"]?.text,
            let arguments = json["arguments"]?.elements
        else { return nil }
        self.init(file: file, name: name, arguments: arguments.compactMap(\.text))
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
