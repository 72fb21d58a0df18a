import EventStore
import LMDB
import Platform

/// Decodes a stretch of the log batch by batch, on a thread of its own if that is worth one.
struct LogReader: Sendable {
    /// One is filled, one emptied, and one waits for the slower of both.
    private static let batchesOfThread = 3

    /// Fewer entries than this are read before a thread has got going.
    var fewestForThread: UInt64 = 1 << 14

    private let log: EventLog
    private let end: UInt64
    private var position: UInt64
    private var failure: (any Error)?

    /// Prepares to read the entries from `position` on, up to `end`.
    init(_ log: EventLog, from position: UInt64, upTo end: UInt64) {
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
    /// - Throws: What has ended the batch before.
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
            // What was read before is to be folded first: the earliest error is the one to tell.
            failure = error
        }
        let hasRead = batch.endPosition > position
        position = batch.endPosition
        return hasRead || failure != nil
    }
}
