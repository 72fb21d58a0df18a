import EventStore
import LMDB
import Platform
import TripEvents
import TripTracking

/// Decodes a stretch of the log batch by batch, on a thread of its own if that is worth one.
struct LogReader: Sendable {
    /// One is filled, one emptied, and one waits for the slower of both.
    private static let batchesOfThread = 3

    /// Fewer entries than this are read before a thread has got going.
    var fewestForThread: UInt64 = 1 << 14

    private let log: ReadableLog
    private let end: UInt64
    private var position: UInt64
    private var failure: (any Error)?

    /// Prepares to read the entries from `position` on, up to `end`.
    init(_ log: ReadableLog, from position: UInt64, upTo end: UInt64) {
        self.log = log
        self.position = position
        self.end = end
    }

    /// Hands over all entries, batch by batch in order of position, until `body` returns `false`.
    ///
    /// No read of the log is open while `body` runs.
    ///
    /// - Throws: `EventLogError.damaged` after the entries before the damage, `LMDBError`, and what
    ///   `body` throws.
    func forEachBatch(_ body: (DecodedEntries) throws -> Bool) throws {
        // A snapshot is of one thread.
        let isWorthThread = !log.isSnapshot && end - min(position, end) >= fewestForThread
        let queue = BoundedQueue(
            empty: Array(repeating: DecodedEntries(), count: Self.batchesOfThread)
        )
        guard isWorthThread, let reading = WorkerThread({ [self] in fill(queue) }) else {
            return try readAlong(body)
        }
        defer {
            queue.cancel()
            reading.join()
        }
        while let batch = try queue.dequeue() {
            guard try body(batch) else { return }
            queue.recycle(batch)
        }
    }

    /// Does without another thread.
    private func readAlong(_ body: (DecodedEntries) throws -> Bool) throws {
        var reader = self
        var batch = DecodedEntries()
        while try reader.read(into: &batch) {
            guard try body(batch) else { return }
        }
    }

    /// Fills batches for another thread until it wants no more.
    private func fill(_ queue: BoundedQueue<DecodedEntries>) {
        var reader = self
        do {
            while var batch = queue.nextEmpty(), try reader.read(into: &batch) {
                queue.enqueue(batch)
            }
            queue.finish()
        } catch {
            queue.finish(throwing: error)
        }
    }

    /// Reads the next entries, or returns `false` if there are no more.
    ///
    /// - Throws: The error that ended the batch before.
    private mutating func read(into batch: inout DecodedEntries) throws -> Bool {
        if let failure { throw failure }
        guard position < end else { return false }
        batch.restart(at: position)
        do {
            try log.scan(from: position) { block in
                try batch.append(block, upTo: end)
                return block.endPosition < end && !batch.isFull
            }
        } catch {
            // The entries read before are folded first: the earliest error is the one to report.
            failure = error
        }
        let hasRead = batch.endPosition > position
        position = batch.endPosition
        return hasRead || failure != nil
    }
}

/// Entries of the log one after the other, decoded as far as that needs no knowledge of the entries
/// before them, so that another thread can do it.
struct DecodedEntries: Sendable {
    /// Entries that are folded in one go.
    enum Run: Sendable {
        /// Fixes of one source, each later than the one before it.
        case fixes(FixRun)

        /// One entry of another kind, or a fix that is to be looked at more closely: where its
        /// bytes are.
        case entry(Range<Int>)
    }

    /// The number of fixes, or of bytes of other entries, that are enough for a batch: it has to
    /// stay in the processor's cache.
    private static let fixesPerBatch = 2_560
    private static let bytesPerBatch = 1 << 18

    /// The position of the first entry.
    private(set) var firstPosition: UInt64 = 0

    /// The position after the last entry.
    private(set) var endPosition: UInt64 = 0

    /// The entries, in order of position.
    private(set) var runs: [Run] = []

    /// The fixes to which runs of fixes refer.
    private(set) var fixes: [RecordedFix] = []

    /// The senders' counters that runs of fixes refer to.
    private(set) var sequences: [UInt64] = []

    /// The bytes to which runs of one entry refer.
    private(set) var bytes: [UInt8] = []

    /// Whether there should be no more entries in this batch.
    var isFull: Bool {
        fixes.count >= Self.fixesPerBatch || bytes.count >= Self.bytesPerBatch
    }

    /// Forgets all entries; the next one is that at `position`.
    mutating func restart(at position: UInt64) {
        firstPosition = position
        endPosition = position
        runs.removeAll(keepingCapacity: true)
        fixes.removeAll(keepingCapacity: true)
        sequences.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
    }

    /// Takes the entries of a block that follow those that are here, up to a position.
    ///
    /// - Throws: `EventLogError.damaged`; what comes before the damage is here then.
    mutating func append(_ block: BlockView, upTo end: UInt64) throws(EventLogError) {
        var run = FixRun(startingAt: fixes.count)
        defer { close(run) }
        var lastAt = Timestamp(milliseconds: .min)
        var entries = block.entries
        while entries.position < end, let entry = try entries.next() {
            guard entries.position > endPosition else { continue }
            endPosition = entries.position
            let form = PayloadForm(rawValue: entry.form)
            guard let decoded = Self.decode(entry, form) else {
                close(run)
                let start = bytes.count
                bytes += [UInt8](copying: entry.bytes)
                runs.append(.entry(start..<bytes.count))
                run = FixRun(startingAt: fixes.count)
                continue
            }
            if entry.source != run.source || decoded.fix.occurredAt <= lastAt
                || form.hasSequence != (run.firstSequence != nil)
            {
                close(run)
                run = FixRun(startingAt: fixes.count)
                run.source = entry.source
                run.firstSequence = form.hasSequence ? sequences.count : nil
            }
            lastAt = decoded.fix.occurredAt
            fixes.append(decoded)
            if form.hasSequence, let prefix = PayloadPrefix(entry.payload, form: form) {
                sequences.append(prefix.sequence ?? 0)
            }
        }
    }

    /// Returns where a fix of a run stands in its source's event order.
    func mark(of index: Int, in run: FixRun, at position: UInt64) -> EventMark {
        EventMark(
            occurredAt: fixes[index].fix.occurredAt,
            rank: EventKind.fixRecorded.rank,
            sequence: run.firstSequence.map { sequences[$0 + index - run.start] },
            position: position
        )
    }

    private mutating func close(_ run: FixRun) {
        guard run.start < fixes.count else { return }
        var run = run
        run.end = fixes.count
        runs.append(.fixes(run))
    }

    /// Returns the fix that an entry holds, or `nil` if it is to be looked at more closely.
    @inline(__always)
    private static func decode(_ entry: EntryView, _ form: PayloadForm) -> RecordedFix? {
        let occurredAt = Timestamp(milliseconds: entry.occurredAt)
        let recordedAt = Timestamp(milliseconds: entry.recordedAt)
        guard entry.kind == EventKind.fixRecorded.rawValue, entry.source != 0,
            // A forger's clock must not stop the sums.
            RFC3339.writable.contains(occurredAt), RFC3339.writable.contains(recordedAt),
            let fix = Fix(payload: entry.payload, form: form, occurredAt: occurredAt)
        else { return nil }
        return RecordedFix(fix: fix, recordedAt: recordedAt)
    }
}

/// Fixes of one source that stand one after the other in the log and among ``DecodedEntries``, each
/// later than the one before it.
struct FixRun: Sendable {
    /// The index of the first one.
    let start: Int

    /// The index after the last one.
    var end: Int

    /// The source's number; 0, which has no fixes, while there are none.
    var source: UInt32 = 0

    /// The index of the first of the senders' counters; `nil` if the fixes have none.
    var firstSequence: Int?

    init(startingAt start: Int) {
        self.start = start
        end = start
    }
}
