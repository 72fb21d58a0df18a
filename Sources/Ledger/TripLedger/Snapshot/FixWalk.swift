import EventStore
import TripEvents
import TripTracking

/// Finds the fixes of one source in event order, an hour of them at a time, each with what the
/// rules made of it.
struct FixWalk {
    private static let step: Int64 = 3_600_000

    private var explainer: TripExplainer
    private let source: UInt32
    private let period: LocalPeriod?
    private let end: Timestamp

    /// The time from which on fixes are still to be found.
    private var from: Timestamp

    /// The trips that are not computed again yet.
    private var trips: ArraySlice<TripSpan>

    /// The fixes of the others that are not found yet, by their positions.
    private var explained: [UInt64: TrackedFix] = [:]

    /// Prepares to find fixes.
    ///
    /// - Parameters:
    ///   - explainer: Computes trips again.
    ///   - source: The number of the source.
    ///   - trips: The source's measured trips and parts of trips, in order of their starts.
    ///   - period: The local days of the fixes; `nil` for all.
    init(
        _ explainer: TripExplainer,
        of source: UInt32,
        _ trips: [TripSpan],
        in period: LocalPeriod?
    ) {
        self.explainer = explainer
        self.source = source
        self.trips = trips[...]
        self.period = period
        from = period?.instants.lowerBound ?? RFC3339.writable.lowerBound
        end = period?.instants.upperBound ?? RFC3339.writable.upperBound
    }

    /// Returns the next fixes, of which there may be none; `nil` after the last ones.
    mutating func next() throws -> [TrackedFix]? {
        guard let first = try firstInstant() else { return nil }
        let last = min(first.advanced(byMilliseconds: Self.step - 1), end)
        while let span = trips.first, span.trip.startedAt.timestamp <= last {
            trips.removeFirst()
            for fix in try explainer.fixes(of: span.trip, as: span.whole) {
                explained[fix.stored.position] = fix
            }
        }
        from = last.advanced(byMilliseconds: 1)
        return try explainer.fixes(of: source, in: first...last)
            .compactMap { fix in
                let known = explained.removeValue(forKey: fix.stored.position)
                return period?.contains(fix.time) ?? true ? known ?? fix : nil
            }
    }

    /// Returns when the next event happened.
    ///
    /// While it finds none, it looks twice as far each time.
    private mutating func firstInstant() throws -> Timestamp? {
        var start = from
        var length = Self.step
        while start <= end {
            let room = end.milliseconds(since: start)
            let last = start.advanced(byMilliseconds: min(length - 1, room))
            if let found = try explainer.firstInstant(of: source, in: start...last) { return found }
            guard length <= room else { return nil }
            start = start.advanced(byMilliseconds: length)
            length *= 2
        }
        return nil
    }
}

/// When a measured trip, or a part of one, went on.
struct TripSpan {
    let trip: Trip

    /// The trip that counts: the one that it was merged into, or itself.
    let whole: TripID
}

extension TripExplainer {
    /// Returns the fixes of a trip or a part of one, in event order.
    ///
    /// - Parameters:
    ///   - trip: The trip or the part.
    ///   - whole: The trip that counts.
    /// - Returns: The fixes; none of a trip that a person reported.
    /// - Throws: The errors of reading the log and the views.
    mutating func fixes(of trip: Trip, as whole: TripID) throws -> [TrackedFix] {
        guard trip.startedBy != .report, let explained = try explain(trip) else { return [] }
        var fixes = explained.events.compactMap { TrackedFix($0, of: whole) }
        if let first = fixes.firstIndex(where: \.counts) { fixes[first].setAfterBreak() }
        return fixes
    }
}
