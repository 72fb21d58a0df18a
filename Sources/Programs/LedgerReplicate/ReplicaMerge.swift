import LedgerKeeping
import Platform
import TripEvents
import TripLedger

/// Joins small segments of a replica that are older than a day.
struct ReplicaMerge {
    /// How long the last entry of a segment must have been stored: one day, in milliseconds.
    private static let restMilliseconds: Int64 = 86_400_000

    private let options: ReplicateOptions

    /// Prepares to join.
    init(_ options: ReplicateOptions) {
        self.options = options
    }

    /// Joins them, and returns the report.
    ///
    /// - Throws: `LedgerError`, `PostgresFailure`, `ReplicaRefusal`.
    func run() throws -> String {
        let ledger = try Ledger(at: options.ledger, isReadOnly: true)
        defer { ledger.close() }
        let session = try PostgresSession(to: options.servers, mustWrite: true)
        let id = ledger.founding.ledger
        guard let replica = try Replica(of: id, over: session) else {
            throw ReplicaRefusal.unknown(id)
        }
        let end = try ReplicatedLog(of: ledger)
            .firstPosition(
                storedSince: WallClock.now.advanced(byMilliseconds: -Self.restMilliseconds)
            )
        var (before, after) = (0, 0)
        for run in Self.runs(of: try replica.sizes(upTo: end)) {
            try replica.join(run.range, ofSegments: run.count)
            before += run.count
            after += 1
        }
        return "Joined \(before) segments into \(after).\n"
    }

    /// Returns the runs of at least two segments that make one segment of at most a mebibyte.
    static func runs(
        of sizes: [(range: Range<UInt64>, bytes: Int)]
    ) -> [(range: Range<UInt64>, count: Int)] {
        var runs: [(range: Range<UInt64>, count: Int, bytes: Int)] = []
        for (range, bytes) in sizes {
            if let last = runs.last, last.range.upperBound == range.lowerBound,
                last.bytes + bytes <= SegmentBuilder.maximumByteCount
            {
                let joined = last.range.lowerBound..<range.upperBound
                runs[runs.count - 1] = (joined, last.count + 1, last.bytes + bytes)
            } else {
                runs.append((range, 1, bytes))
            }
        }
        return runs.filter { $0.count > 1 }.map { ($0.range, $0.count) }
    }
}
