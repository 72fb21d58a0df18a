import EventStore
import TripEvents

/// The fixes of a source that arrived late, in order of time, a page of them in memory.
struct LateFixes {
    private static let pageCount = 4_096

    private let source: UInt32
    private let end: UInt64
    let log: EventLog
    private var last: LateEntry?
    private var page: ArraySlice<StoredFix> = []
    private var isExhausted = false

    /// Begins with the earliest one.
    ///
    /// - Parameters:
    ///   - source: The source's number.
    ///   - end: Entries at this position and after it are left out.
    ///   - log: The log.
    init(of source: UInt32, upTo end: UInt64, in log: EventLog) throws {
        self.source = source
        self.end = end
        self.log = log
        try fill()
    }

    /// The next fix; `nil` after the last one.
    var next: StoredFix? { page.first }

    /// Goes on to the fix after the next.
    mutating func removeFirst() throws {
        page.removeFirst()
        try fill()
    }

    private mutating func fill() throws {
        while page.isEmpty, !isExhausted {
            let entries = try log.lateEntries(of: source, after: last, limit: Self.pageCount)
            last = entries.last
            isExhausted = entries.count < Self.pageCount
            var fixes: [StoredFix] = []
            let positions = entries.map(\.position).filter { $0 < end }
            try log.read(positions) { entry, position in
                if let fix = StoredFix(entry, at: position) { fixes.append(fix) }
                return true
            }
            page = fixes[...]
        }
    }
}
