import EventStore
import LMDB
import TripsProjection

/// Reads trips on a thread of its own, which makes batches of them for the one that asked.
struct TripReader<Batch: Sendable>: Sendable {
    /// Hands over the trips in order until it is told to stop.
    typealias Scan = @Sendable (_ take: (TripRow) throws -> Bool) throws -> Void

    private static var tripsPerBatch: Int { 512 }
    private static var batches: Int { 4 }

    private let empty: Batch
    private let scan: Scan

    init(_ empty: Batch, _ scan: @escaping Scan) {
        self.empty = empty
        self.scan = scan
    }

    /// Hands over batches in order until `body` returns `false`.
    func read(
        adding add: @escaping @Sendable (TripRow, inout Batch) -> Void,
        _ body: (inout Batch) throws -> Bool
    ) throws {
        let exchange = BatchExchange(empty: Array(repeating: empty, count: Self.batches))
        guard let reading = ThreadedWork({ [self] in fill(exchange, adding: add) }) else {
            return try readAlone(adding: add, body)
        }
        defer {
            exchange.cancel()
            reading.end()
        }
        while var batch = try exchange.takeFilled() {
            guard try body(&batch) else { return }
            exchange.giveBack(batch)
        }
    }

    /// Fills batches for the other thread until it wants no more.
    private func fill(
        _ exchange: BatchExchange<Batch>,
        adding add: (TripRow, inout Batch) -> Void
    ) {
        do {
            guard var batch = exchange.takeEmpty() else { return }
            var count = 0
            try scan { row in
                add(row, &batch)
                count += 1
                guard count == Self.tripsPerBatch else { return true }
                exchange.put(batch)
                count = 0
                guard let next = exchange.takeEmpty() else { return false }
                batch = next
                return true
            }
            exchange.put(batch)
            exchange.finish(nil)
        } catch {
            exchange.finish(error)
        }
    }

    /// Does without another thread, where the system has none left.
    private func readAlone(
        adding add: (TripRow, inout Batch) -> Void,
        _ body: (inout Batch) throws -> Bool
    ) throws {
        var batch = empty
        try scan { row in
            add(row, &batch)
            return try body(&batch)
        }
    }
}
