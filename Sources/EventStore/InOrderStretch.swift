/// The in-order entries of one source from one of them on, as far as they have been read.
///
/// Their times ascend, so that there is at most one of each and it is known when to stop reading.
struct InOrderStretch {
    /// What is remembered of one entry.
    private struct Seen {
        let occurredAt: Int64
        let position: UInt64
        let kind: UInt8
        let form: UInt8
        let payload: Range<Int>
    }

    /// The position of the first entry.
    let start: UInt64

    /// The position up to which the log has been read.
    private(set) var end: UInt64

    private var seen: [Seen] = []
    private var payloads: [UInt8] = []

    /// Creates a stretch of which nothing has been read.
    init(from start: UInt64) {
        self.start = start
        end = start
    }

    /// How much memory the stretch takes, in bytes.
    var byteCount: Int {
        MemoryLayout<Self>.size + MemoryLayout<Seen>.size * seen.count + payloads.count
    }

    /// Whether everything in order at this time or before it, back to the start, has been read.
    func reaches(_ occurredAt: Int64) -> Bool {
        seen.last.map { occurredAt <= $0.occurredAt } ?? false
    }

    /// Whether an in-order event of this time would be among those that have been read.
    func covers(_ occurredAt: Int64) -> Bool {
        reaches(occurredAt) && seen.first.map { $0.occurredAt <= occurredAt } ?? false
    }

    /// Returns the position of the entry with the time and content of an event without an id, or
    /// `nil` if none that has been read is that.
    func position(of candidate: EntryBatch.Candidate) -> UInt64? {
        let index = firstIndex(notBefore: candidate.occurredAt)
        guard index < seen.count else { return nil }
        let entry = seen[index]
        guard entry.occurredAt == candidate.occurredAt, entry.kind == candidate.kind,
            entry.form == candidate.form,
            payloads.span.extracting(entry.payload).hasSameBytes(as: candidate.payload)
        else { return nil }
        return entry.position
    }

    private func firstIndex(notBefore occurredAt: Int64) -> Int {
        var range = 0..<seen.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if seen[middle].occurredAt < occurredAt {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        return range.lowerBound
    }

    /// Reads on in a block, to its end.
    mutating func read(_ entries: EntryIterator, of source: UInt32) throws(EventLogError) {
        var entries = entries
        while true {
            let position = entries.position
            guard let entry = try entries.next() else { return }
            guard position >= end else { continue }
            end = position + 1
            guard entry.source == source, !entry.isTombstone, !reaches(entry.occurredAt)
            else { continue }
            let payload = payloads.count..<payloads.count + entry.payload.count
            payloads.append(contentsOf: entry.payload)
            seen.append(
                Seen(
                    occurredAt: entry.occurredAt,
                    position: position,
                    kind: entry.kind,
                    form: entry.form,
                    payload: payload
                )
            )
        }
    }
}
