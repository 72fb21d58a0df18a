package import Projections
package import TripEvents
import TripTracking
import TripsProjection

/// What can be decided about a trip now, and why the rest would be refused.
///
/// Every option that is offered has passed the same checks as a decision, and a refusal uses their
/// words.
package struct TripOptions: Sendable {
    /// The trip.
    package fileprivate(set) var booked: BookedTrip

    /// The trip before it from the same source, with which it may be merged.
    package fileprivate(set) var previous: Neighbour?

    /// The trip after it.
    package fileprivate(set) var next: Neighbour?

    /// When it can be split.
    package fileprivate(set) var split: Span

    /// The time of which the distance can be excluded.
    package fileprivate(set) var exclusion: Span

    /// What can be decided about it after its recorder has died.
    package fileprivate(set) var recoveries: [RecoveryDecision] = []

    /// The custom fields that it may have.
    package fileprivate(set) var fields: [FieldDefined]

    /// A trip with which another one may be merged.
    package struct Neighbour: Sendable {
        /// The trip.
        package let booked: BookedTrip

        /// How long the pause between both is, in milliseconds; negative if they overlap, and `nil`
        /// while the earlier one goes on.
        package let pauseMilliseconds: Int64?

        /// Why they cannot be merged; `nil` if they can.
        package let refusal: LedgerError?
    }

    /// The times for which something can be decided.
    package enum Span: Sendable {
        /// At every time after the first one, up to the second one.
        case open(after: EventTime, until: EventTime)

        /// At none.
        case refused(LedgerError)

        /// Why it cannot be decided; `nil` if it can.
        package var refusal: LedgerError? {
            switch self {
            case .open: nil
            case .refused(let refusal): refusal
            }
        }

        /// The times; `nil` if there are none.
        package var times: (after: EventTime, until: EventTime)? {
            switch self {
            case .open(let after, let until): (after, until)
            case .refused: nil
            }
        }
    }
}

extension TripOptions.Span {
    /// Takes the times for which something can be decided.
    fileprivate init(
        _ times: TripSpans.Times?,
        refused refusal: LedgerError?,
        else none: () -> LedgerError
    ) {
        if let refusal {
            self = .refused(refusal)
        } else if let times {
            self = .open(after: times.after, until: times.until)
        } else {
            self = .refused(none())
        }
    }
}

/// The times at which the fixes of a trip let it be cut: after the first one, up to the second one.
package struct TripSpans: Sendable {
    /// The ends of a span of time.
    package typealias Times = (after: EventTime, until: EventTime)

    /// When it can be split; `nil` if it can be at no time.
    package let split: Times?

    /// The time of which the distance can be excluded; `nil` if it has none.
    package let exclusion: Times?
}

extension Snapshot {
    /// How many trips of other sources are passed over in search of the next one of a source.
    private static let mostPassedOver = 10_000

    /// Returns what can be decided about a trip.
    ///
    /// - Parameters:
    ///   - reference: The trip.
    ///   - now: When it would be decided.
    ///   - group: The deciding person's group of sources; `nil` for the owner.
    /// - Returns: What can be decided.
    /// - Throws: `.notFound` or `.ambiguous` if that is not one trip; `.damaged`, `.inputOutput`.
    package func options(
        of reference: TripReference,
        now: Timestamp,
        for group: String?
    ) throws(LedgerError) -> TripOptions {
        try options(of: reference, now: now, for: group) {
            snapshot,
            trip throws(LedgerError) in
            try snapshot.spans(of: trip)
        }
    }

    /// Returns what can be decided about a trip, with its spans as they are known already.
    ///
    /// - Parameters:
    ///   - reference: The trip.
    ///   - now: When it would be decided.
    ///   - group: The deciding person's group of sources; `nil` for the owner.
    ///   - known: Returns what ``spans(of:)`` does; it is asked if that decides anything.
    /// - Returns: What can be decided.
    /// - Throws: `.notFound` or `.ambiguous` if that is not one trip; `.damaged`, `.inputOutput`.
    package func options(
        of reference: TripReference,
        now: Timestamp,
        for group: String?,
        _ known: (borrowing Snapshot, TripID) throws(LedgerError) -> TripSpans
    ) throws(LedgerError) -> TripOptions {
        let row = try trip(reference, for: group)
        let spans = try spans(of: row, known)
        var options = TripOptions(
            booked: row.booked,
            split: spans.split,
            exclusion: spans.exclusion,
            fields: try fields(for: row.trip.group).definitions
        )
        options.previous = try neighbour(of: row, isLater: false, now: now, for: group)
        options.next = try neighbour(of: row, isLater: true, now: now, for: group)
        if row.booked.status == .active {
            let recovery = LedgerDecision.recover(.save, .named(row.trip.id))
            let isOpen = try refusal(of: recovery, now: now, for: group) == nil
            options.recoveries = isOpen ? RecoveryDecision.allCases : []
        }
        return options
    }

    /// Returns why a decision would be refused; `nil` if it would not.
    private func refusal(
        of decision: LedgerDecision,
        now: Timestamp,
        for group: String?
    ) throws(LedgerError) -> LedgerError? {
        do throws(LedgerError) {
            _ = try resolve(decision, now: now, for: group)
            return nil
        } catch {
            guard error.isRefusal else { throw error }
            return error
        }
    }

    private func neighbour(
        of row: TripRow,
        isLater: Bool,
        now: Timestamp,
        for group: String?
    ) throws(LedgerError) -> TripOptions.Neighbour? {
        guard let other = try nearest(to: row, isLater: isLater) else { return nil }
        let (first, second) = isLater ? (row, other) : (other, row)
        let merge = LedgerDecision.merge([.named(first.trip.id), .named(second.trip.id)])
        return TripOptions.Neighbour(
            booked: other.booked,
            pauseMilliseconds: first.trip.endedAt.map {
                second.trip.startedAt.timestamp.milliseconds(since: $0.timestamp)
            },
            refusal: try refusal(of: merge, now: now, for: group)
        )
    }

    /// Returns the nearest trip of the same source that counts or goes on; `nil` if there is none
    /// near.
    private func nearest(to row: TripRow, isLater: Bool) throws(LedgerError) -> TripRow? {
        let source = row.trip.source
        return try asking {
            let key = row.orderKey
            let keys = isLater ? ViewKeyRange(from: key + [0]) : ViewKeyRange(upTo: key)
            var found: TripRow?
            var passedOver = 0
            try store.scanTrips(in: keys, isDescending: !isLater) { other in
                let isOfSource = other.trip.source.hasSameBytes(as: source)
                if isOfSource, other.booked.counts || other.booked.status == .active {
                    found = other
                }
                passedOver += 1
                return found == nil && passedOver < Self.mostPassedOver
            }
            return found
        }
    }

    /// Returns when a trip can be split, and of what time its distance can be excluded.
    private func spans(
        of row: TripRow,
        _ known: (borrowing Snapshot, TripID) throws(LedgerError) -> TripSpans
    ) throws(LedgerError) -> (split: TripOptions.Span, exclusion: TripOptions.Span) {
        let split = LedgerError(splitting: row.booked)
        let exclusion = LedgerError(excludingFrom: row.booked)
        if let split, let exclusion { return (.refused(split), .refused(exclusion)) }
        let spans = try known(self, row.trip.id)
        let (start, end) = told(row.trip)
        let elsewhere = DecisionObstacle.isElsewhere(at: start, start: start, end: end)
        return (
            TripOptions.Span(spans.split, refused: split) {
                LedgerError(elsewhere, about: row.trip.id, deciding: .tripSplit)
            },
            TripOptions.Span(spans.exclusion, refused: exclusion) {
                LedgerError(.hasNothingMeasured, about: row.trip.id, deciding: .stretchExcluded)
            }
        )
    }

    /// Returns the times at which the fixes of a measured trip let it be split, and let its
    /// distance be excluded, whatever else hinders that.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package func spans(of trip: TripID) throws(LedgerError) -> TripSpans {
        try asking {
            var explainer = TripExplainer(trackers(), upTo: head.size)
            guard let row = try store.tripRow(trip), let passed = try explainer.pass(row.trip)
            else { throw missing(trip) }
            return TripSpans(
                split: try splitSpan(of: passed, explainer),
                exclusion: try exclusionSpan(of: row, passed)
            )
        }
    }

    private func splitSpan(
        of passed: PassedTrip,
        _ explainer: TripExplainer
    ) throws -> TripSpans.Times? {
        let kept = passed.events.indices.filter { index in
            let event = passed.events[index]
            let hasMovedOn = passed.movedOnAt.map { event.happenedAt >= $0 } ?? true
            return hasMovedOn && event.verdict?.isKept ?? false
        }
        guard let first = kept.first.map({ passed.events[$0] }),
            let last = try lastSplit(of: passed, among: kept, explainer),
            first.happenedAt < last.happenedAt
        else { return nil }
        return (after: try time(of: first), until: try time(of: last))
    }

    /// Returns the last of some events, in their order, at which a trip can be split; `nil` if it
    /// can be at none.
    ///
    /// It can be as long as it moves on, which most trips do until their last fix: that is looked
    /// at first, and then half of those that are left each time.
    private func lastSplit(
        of passed: PassedTrip,
        among indices: [Int],
        _ explainer: TripExplainer
    ) throws -> PassedTrip.Event? {
        var (low, high) = (0, indices.count)
        var middle = high - 1
        while low < high {
            let instant = passed.events[indices[middle]].happenedAt
            if try explainer.canDivide(passed.course, at: instant) {
                low = middle + 1
            } else {
                high = middle
            }
            middle = (low + high) / 2
        }
        return low > 0 ? passed.events[indices[low - 1]] : nil
    }

    private func exclusionSpan(of row: TripRow, _ passed: PassedTrip) throws -> TripSpans.Times? {
        // In a trip that takes its distance from an odometer no event adds anything: there is no
        // part to leave out.
        let events = passed.events
        guard let first = events.first(where: \.adds), let last = events.last(where: \.adds) else {
            return nil
        }
        let before = events.last { $0.happenedAt < first.happenedAt }
        return (
            after: try before.map { try time(of: $0) } ?? row.trip.startedAt,
            until: try time(of: last)
        )
    }

    /// Returns when an event happened, with the offset from UTC that its device gave.
    private func time(of event: PassedTrip.Event) throws -> EventTime {
        let stored = try log.storedEvent(at: event.position)
        return EventTime(event.happenedAt, utcOffset: stored?.event.utcOffset)
    }
}
