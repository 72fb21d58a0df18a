/// Entries were made of the records of a file in another format; written by the ledger in the
/// transaction that stores them, after them.
///
/// In this way fixes keep their narrow frame, and their origin is hashed and provable as they are.
public struct RecordsImported: Hashable, Sendable {
    /// The file's name without its directory; `-` for standard input.
    public var file: String

    /// The path of the records inside the file, if that is an archive.
    public var filePart: String?

    /// The format, as `ledger append --as` names it.
    public var format: String

    /// How many bytes the file has; `nil` if it came through a pipe.
    public var fileSize: UInt64?

    /// SHA-256 of the file as it was given, in 64 hexadecimal digits; `nil` if it came through a
    /// pipe.
    public var fileHash: String?

    /// The records that the entries right before this one were made of.
    public var records: RecordRuns

    /// Creates the content of the event.
    public init(
        file: String,
        filePart: String? = nil,
        format: String,
        fileSize: UInt64? = nil,
        fileHash: String? = nil,
        records: RecordRuns
    ) {
        self.file = file
        self.filePart = filePart
        self.format = format
        self.fileSize = fileSize
        self.fileHash = fileHash
        self.records = records
    }
}

extension RecordsImported: EventPayload {
    static var blank: RecordsImported {
        RecordsImported(file: .blank, format: .blank, records: .blank)
    }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.required(.file, &file)
        try visitor.optional(.filePart, &filePart)
        try visitor.required(.format, &format)
        try visitor.optional(.fileSize, &fileSize)
        try visitor.optional(.fileHash, &fileHash)
        try visitor.required(.records, &records)
    }
}

/// The records of a file that the entries right before an entry were made of, run by run.
///
/// As a text, the oldest entry first: `7` is one entry of record 7, `7-9` three of records 7, 8 and
/// 9, `7-13/3` three of records 7, 10 and 13, `7*2` two of record 7, and `~2` two entries that were
/// made of no record of the file, such as one that registers a source. The last run ends at the
/// entry before the one that says this.
public struct RecordRuns: Hashable, Sendable {
    /// The most entries that one event covers, so that an entry is always near the event that
    /// covers it.
    public static let maximumEntries: UInt64 = 4_096

    /// The most bytes that the text may have.
    public static let maximumTextBytes = 4_000

    /// Entries that follow one another.
    private struct Run: Hashable, Sendable {
        /// The record of the first; `nil` if they are of none.
        var first: UInt64?

        /// The difference between the record of each entry and that of the entry before it.
        var step: UInt64 = 0

        /// How many entries there are.
        var count: UInt64 = 1

        /// The record of the last.
        var last: UInt64? { first.map { $0 + step * (count - 1) } }
    }

    private var runs: [Run] = []

    /// How many entries there are.
    public private(set) var entryCount: UInt64 = 0

    /// The length in bytes of the text of all runs but the last.
    private var textByteCount = 0

    /// Creates runs of no entries.
    public init() {}

    /// Whether there is no room for one more entry.
    public var isFull: Bool {
        entryCount >= Self.maximumEntries
            || textByteCount + 3 * Self.longestRun > Self.maximumTextBytes
    }

    /// The most bytes of a run with its comma: three numbers of at most 20 digits.
    private static let longestRun = 64

    /// Adds entries that were made of no record.
    public mutating func addOthers(_ count: UInt64) {
        guard count > 0 else { return }
        entryCount += count
        begin(Run(first: nil, count: count))
    }

    /// Adds the entry that was made of a record.
    public mutating func add(_ record: UInt64) {
        entryCount += 1
        guard var run = runs.last, let first = run.first, let last = run.last, record >= last
        else { return begin(Run(first: record)) }
        let step = record - last
        if run.count == 1 || step == run.step {
            run = Run(first: first, step: step, count: run.count + 1)
            runs[runs.count - 1] = run
        } else if run.count == 2, run.step > 1 {
            // Two entries show no pattern yet: the second may begin a run with the new one.
            runs[runs.count - 1] = Run(first: first)
            begin(Run(first: last, step: step, count: 2))
        } else {
            begin(Run(first: record))
        }
    }

    private mutating func begin(_ run: Run) {
        if let last = runs.last { textByteCount += Self.text(of: last).utf8.count + 1 }
        runs.append(run)
    }

    /// The record of the last entry that has one.
    public var lastRecord: UInt64? { runs.last { $0.first != nil }?.last }

    /// Returns the record from which an entry was made.
    ///
    /// - Parameter distance: How many positions before the event the entry stands, from 1.
    /// - Returns: The record; `nil` if it was made from none of the file.
    public func record(ofEntryBefore distance: UInt64) -> UInt64? {
        guard (1...max(entryCount, 1)).contains(distance), entryCount > 0 else { return nil }
        var index = entryCount - distance
        for run in runs {
            if index < run.count { return run.first.map { $0 + run.step * index } }
            index -= run.count
        }
        return nil
    }
}

extension RecordRuns: CustomStringConvertible {
    /// Reads a text, or returns `nil` if it is not exactly what ``description`` writes.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.maximumTextBytes else { return nil }
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let run = Self.run(part), Self.text(of: run) == part else { return nil }
            let (count, isOver) = entryCount.addingReportingOverflow(run.count)
            guard !isOver, count <= Self.maximumEntries else { return nil }
            entryCount = count
            begin(run)
        }
    }

    /// The runs as a text, such as `~1,2-40`.
    public var description: String {
        runs.map(Self.text).joined(separator: ",")
    }

    private static func text(of run: Run) -> String {
        guard let first = run.first, let last = run.last else { return "~\(run.count)" }
        guard run.count > 1 else { return "\(first)" }
        switch run.step {
        case 0: return "\(first)*\(run.count)"
        case 1: return "\(first)-\(last)"
        default: return "\(first)-\(last)/\(run.step)"
        }
    }

    private static func run(_ text: Substring) -> Run? {
        if text.first == "~" {
            return UInt64(text.dropFirst()).flatMap { $0 > 0 ? Run(first: nil, count: $0) : nil }
        }
        let same = text.split(separator: "*", omittingEmptySubsequences: false)
        if same.count == 2 {
            guard let first = UInt64(same[0]), let count = UInt64(same[1]), count > 1 else {
                return nil
            }
            return Run(first: first, step: 0, count: count)
        }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count <= 2, ends.count <= 2, let first = UInt64(ends[0]) else { return nil }
        guard ends.count == 2 else { return parts.count == 1 ? Run(first: first) : nil }
        guard let last = UInt64(ends[1]), last > first,
            let step = parts.count == 2 ? UInt64(parts[1]) : 1, step > 0,
            (last - first) % step == 0, (last - first) / step < maximumEntries
        else { return nil }
        return Run(first: first, step: step, count: (last - first) / step + 1)
    }
}
