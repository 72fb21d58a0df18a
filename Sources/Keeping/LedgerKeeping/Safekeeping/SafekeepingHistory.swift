import Platform
import Projections
import SystemPackage
public import TripEvents
public import TripLedger

/// Something that was done to keep a ledger safe: a line of the file `history.jsonl` in its
/// directory (Formats, *The history of a ledger's directory*).
public struct SafekeepingRecord: Hashable, Sendable {
    /// The deed.
    public enum Deed: String, Sendable {
        /// A copy was made and verified.
        case backup

        /// Every entry was read again.
        case scrub

        /// The head was signed.
        case signed

        /// A copy was restored elsewhere, to see that it can be.
        case rehearsed

        /// The report of a month was made and is about to be issued, to be kept.
        case issuing

        /// A month was issued and kept, or found to be kept.
        case monthly

        /// The log came from a copy.
        case restored

        /// The log was saved from a damaged file.
        case rescued
    }

    /// The deed.
    public var deed: Deed

    /// When.
    public var at: Timestamp

    /// The head that the log, or its copy, had then.
    public var head: LedgerHead

    /// The copy's file, the folder of a month, or the new path of the ledger that was there before;
    /// empty if there is none.
    public var file = ""

    /// The SHA-256 of the copy's file, or of the report; or empty.
    public var fileDigest = ""

    /// The new paths of signed heads that a restored log does not have.
    public var headsSetAside: [String] = []

    /// The number of findings of a scrub.
    public var findings: UInt64 = 0

    /// Creates a record.
    public init(_ deed: Deed, at: Timestamp, head: LedgerHead) {
        self.deed = deed
        self.at = at
        self.head = head
    }

    /// Reads a line, or returns `nil` if it is no record.
    init?(line: Span<UInt8>) {
        guard let members = JSONMembers(line),
            let deed = members.text("did").flatMap(Deed.init(rawValue:)),
            let at = members.text("at").flatMap(RFC3339.time),
            let size = members.number("size"), let root = members.text("root")
        else { return nil }
        self.init(deed, at: at.timestamp, head: LedgerHead(size: size, root: root))
        file = members.text("file") ?? ""
        fileDigest = members.text("sha256") ?? ""
        headsSetAside = members.texts("heads_set_aside") ?? []
        findings = members.number("findings") ?? 0
    }

    /// The record as a line without its line feed.
    var line: [UInt8] {
        var json = RowJSON()
        json.add("did", text: deed.rawValue)
        json.add("at", time: EventTime(at))
        json.add("size", integer: Int64(clamping: head.size))
        json.add("root", text: head.root)
        if !file.isEmpty { json.add("file", text: file) }
        if !fileDigest.isEmpty { json.add("sha256", text: fileDigest) }
        if !headsSetAside.isEmpty { json.add("heads_set_aside", texts: headsSetAside) }
        if deed == .scrub { json.add("findings", integer: Int64(clamping: findings)) }
        return json.object
    }
}

/// The deeds that kept a ledger safe, oldest first: the file `history.jsonl` in its directory.
struct SafekeepingHistory {
    private static let announcement = "restored.json"
    private static let maximumByteCount = 1 << 16

    /// More than a deed each minute of some years: a longer file is no history.
    private static let maximumHistoryByteCount: Int64 = 1 << 28

    private let path: FilePath
    private let announced: FilePath

    /// Takes the history of the ledger in `directory`.
    init(of directory: FilePath) {
        path = directory.appending("history.jsonl")
        announced = directory.appending("log").appending(Self.announcement)
    }

    /// Puts a record beside a log that is about to be moved to its place, so that both arrive at
    /// the same moment; ``settle()`` adds it to the history.
    ///
    /// - Throws: `Errno`.
    static func announce(_ record: SafekeepingRecord, with log: FilePath) throws {
        try DurableFile.write(record.line, to: log.appending(announcement))
    }

    /// Adds the record that came with the log, if there is one that was not added yet.
    ///
    /// - Throws: `Errno`.
    func settle() throws {
        guard try Directory.holds(announced) else { return }
        if let record = try announcement(besides: written()) {
            try DurableFile.append(line: record.line, to: path)
        }
        try Directory.remove(announced)
    }

    /// Adds a record; it is durable when this returns.
    ///
    /// - Throws: `Errno`.
    func append(_ record: SafekeepingRecord) throws {
        try settle()
        try DurableFile.append(line: record.line, to: path)
    }

    /// The heads that the log is known to have had since it was last put there; the latest
    /// hundred.
    ///
    /// - Throws: `Errno`.
    func knownHeads() throws -> [LedgerHead] {
        let records = try records()
        let start = records.lastIndex { $0.deed == .restored || $0.deed == .rescued } ?? 0
        // Signed heads are kept elsewhere, and checked by themselves; so are those of months.
        let heads = records[start...]
            .filter { $0.deed != .signed && $0.deed != .issuing && $0.deed != .monthly }
            .filter { $0.deed != .scrub || $0.findings == 0 }
            .map(\.head)
        return heads.enumerated().filter { !heads[..<$0].contains($1) }.map(\.element).suffix(100)
    }

    /// The records; other lines, such as one that was cut off, are skipped.
    ///
    /// - Throws: `Errno`.
    func records() throws -> [SafekeepingRecord] {
        let records = try written()
        return try records + [announcement(besides: records)].compactMap(\.self)
    }

    private func announcement(besides records: [SafekeepingRecord]) throws -> SafekeepingRecord? {
        guard try Directory.holds(announced) else { return nil }
        let line = try WholeFile.read(announced, maximumByteCount: Self.maximumByteCount)
        let record = SafekeepingRecord(line: line.span)
        return record.flatMap { records.contains($0) ? nil : $0 }
    }

    private func written() throws -> [SafekeepingRecord] {
        guard try Directory.holds(path) else { return [] }
        let stream = try InputStream(atFile: path)
        guard stream.fileByteCount ?? 0 <= Self.maximumHistoryByteCount else {
            throw LedgerError(
                .damaged,
                at: path.string,
                cause: "it is longer than any history of a ledger",
                hint: "Move it aside; what it knew of older copies is lost"
            )
        }
        var lines = LineBuffer()
        var records: [SafekeepingRecord] = []
        while true {
            switch lines.next() {
            case .line(let range):
                let line = Array(lines.bytes[range])
                if let record = SafekeepingRecord(line: line.span) { records.append(record) }
            case .overlong: continue
            case .incomplete: _ = try lines.fill(from: stream)
            case .end: return records
            }
        }
    }
}

extension Ledger {
    /// Returns what was done to keep the ledger safe, oldest first.
    ///
    /// - Throws: `.damaged` if the file is not a history, `.inputOutput`.
    package func safekeeping() throws(LedgerError) -> [SafekeepingRecord] {
        try LedgerError.translating(at: path) { try SafekeepingHistory(of: path).records() }
    }
}
