import Platform
import SystemPackage

/// What was done to keep a ledger safe, oldest first: the file `history.jsonl` in its directory.
struct SafekeepingHistory {
    private static let announcement = "restored.json"
    private static let maximumByteCount = 1 << 16

    private let path: FilePath
    private let announced: FilePath

    /// Takes the history of the ledger in `directory`.
    init(of directory: FilePath) {
        path = directory.appending("history.jsonl")
        announced = directory.appending("log").appending(Self.announcement)
    }

    /// Lays a record beside a log that is about to get its place, so that both are there in the
    /// same moment; ``settle()`` takes it over.
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
        let heads = records[start...].filter { $0.deed != .scrub || $0.findings == 0 }.map(\.head)
        return heads.enumerated().filter { !heads[..<$0].contains($1) }.map(\.element).suffix(100)
    }

    /// The records; lines that are none, such as one that was cut off, are passed over.
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
        let stream = try InputStream(at: path)
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
