import LedgerHTTP
import LedgerRows
import Platform
import ServiceLifecycle
import Synchronization
import TripEvents
import TripLedger

/// A cache of results that need every fix of a long trip.
///
/// Each result is kept with its ``TripBasis``, and used again only if the snapshot of the request
/// confirms that basis. A result that is not confirmed, for example after an erasure, is forgotten
/// within seconds.
///
/// The lines of long trips are made soon after these have ended, or after the server has begun:
/// with a million fixes that takes seconds, while confirming a result takes milliseconds.
final class KnownWays: Service {
    /// The subject of a result.
    private struct Subject: Hashable, Sendable {
        let trip: TripID

        /// The most points, if it is a line.
        var mostPoints: Int?
    }

    private enum Result: Sendable {
        case line([UInt8])
        case spans(TripSpans)
    }

    private struct Known: Sendable {
        let subject: Subject
        let result: Result
        var basis: TripBasis
    }

    /// The default number of points of a line; longer lines are not kept.
    static let usualPoints = 2_000

    /// The fewest fixes of a trip whose result is kept: a shorter trip takes only milliseconds.
    private static let fewestFixes: Int64 = 10_000

    /// The fewest fixes of a trip whose line is made in advance.
    private static let fewestPreparedFixes: Int64 = 50_000

    /// The most results: at 0.2 MB a line, 13 MB.
    private static let mostKnown = 64

    /// How many of the latest trips are looked through for long ones, and how many lines are made
    /// at once.
    private static let (mostRows, mostPrepared) = (1_000, 8)

    private static let pause = Duration.seconds(2)

    private let reader: LedgerReader

    /// The results, from the least to the most recently used.
    private let known = Mutex<[Known]>([])

    /// Whether a result was added since the last review: its snapshot may be older than an erasure.
    private let hasNew = Atomic(false)

    /// Begins without results.
    init(of reader: LedgerReader) {
        self.reader = reader
    }

    /// Makes the lines of long trips until the server is to end.
    func run() async throws {
        var prepared: Set<TripID> = []
        var size: UInt64?
        while (try? await cancelWhenGracefulShutdown({ try await Task.sleep(for: Self.pause) }))
            != nil
        {
            let hasNew = hasNew.exchange(false, ordering: .acquiringAndReleasing)
            // Errors are reported to those who ask.
            guard let now = await reader.look({ try $0.head().size }), now != size || hasNew,
                let trips = await reader.look({ [self] in try review($0) })
            else { continue }
            size = now
            for trip in trips.filter({ !prepared.contains($0) })
            where !Task.isShuttingDownGracefully {
                prepared.insert(trip)
                await reader.look { [self] ledger in
                    try ledger.read(asOf: WallClock.now) { snapshot in
                        _ = try line(of: trip, mostPoints: Self.usualPoints, in: snapshot)
                    }
                }
            }
        }
    }

    /// Forgets what is not confirmed any more, and returns the latest long trips that are over.
    private func review(_ ledger: Ledger) throws -> [TripID] {
        try ledger.read(asOf: WallClock.now) { snapshot in
            for found in known.withLock({ $0 }) {
                _ = try result(of: found.subject, in: snapshot)
            }
            let rows = try snapshot.trips(TripFilter(limit: Self.mostRows))
            return rows.lazy
                .filter { row in
                    row.trip.endedAt != nil && row.trip.fixes.total >= Self.fewestPreparedFixes
                }
                .prefix(Self.mostPrepared).map(\.trip.id)
        }
    }

    /// Returns the line of a trip (`trip-line.v1.schema.json`).
    ///
    /// - Parameters:
    ///   - trip: The trip, which is seen.
    ///   - mostPoints: The most points, at least 2.
    ///   - snapshot: Where it is read.
    /// - Returns: The line.
    /// - Throws: `LedgerError`.
    func line(
        of trip: TripID,
        mostPoints: Int,
        in snapshot: borrowing Snapshot
    ) throws(LedgerError) -> [UInt8] {
        let subject = Subject(trip: trip, mostPoints: mostPoints)
        if case .line(let line) = try result(of: subject, in: snapshot) { return line }
        var line: [UInt8] = []
        try TripLine(of: trip, mostPoints: mostPoints, in: snapshot).write(to: &line)
        if mostPoints <= Self.usualPoints { try keep(.line(line), of: subject, in: snapshot) }
        return line
    }

    /// Returns the times at which the fixes of a trip permit a cut.
    ///
    /// - Parameters:
    ///   - trip: The trip, which is seen.
    ///   - snapshot: Where it is read.
    /// - Returns: The times.
    /// - Throws: `LedgerError`.
    func spans(
        of trip: TripID,
        in snapshot: borrowing Snapshot
    ) throws(LedgerError) -> TripSpans {
        let subject = Subject(trip: trip)
        if case .spans(let spans) = try result(of: subject, in: snapshot) { return spans }
        let spans = try snapshot.spans(of: trip)
        try keep(.spans(spans), of: subject, in: snapshot)
        return spans
    }

    /// Returns a kept result that a snapshot confirms; a result that it does not confirm is
    /// forgotten.
    private func result(
        of subject: Subject,
        in snapshot: borrowing Snapshot
    ) throws(LedgerError) -> Result? {
        guard snapshot.sight.isEverything,
            var found = known.withLock({ known in known.first { $0.subject == subject } })
        else { return nil }
        guard let basis = try snapshot.confirming(found.basis, of: subject.trip) else {
            known.withLock { known in known.removeAll { $0.subject == subject } }
            return nil
        }
        found.basis = basis
        note(found)
        return found.result
    }

    /// Keeps a result that was computed from a snapshot.
    private func keep(
        _ result: Result,
        of subject: Subject,
        in snapshot: borrowing Snapshot
    ) throws(LedgerError) {
        guard snapshot.sight.isEverything,
            let basis = try snapshot.basis(of: subject.trip, fewestFixes: Self.fewestFixes)
        else { return }
        note(Known(subject: subject, result: result, basis: basis))
        hasNew.store(true, ordering: .releasing)
    }

    private func note(_ found: Known) {
        known.withLock { known in
            known.removeAll { $0.subject == found.subject }
            known.append(found)
            known.removeFirst(max(0, known.count - Self.mostKnown))
        }
    }
}
