import Geodesy
import RowCoding
import TripEvents

/// The search for the start of a trip: the first usable fix that a later one confirms.
///
/// One bad fix before a real drive would otherwise make every later one impossible.
struct Arming: Hashable, Sendable {
    /// What a usable fix means for the search.
    struct Outcome: Hashable {
        /// A fix with which neither of the two after it agrees.
        var dropped: PendingFix?

        /// The start, if it has been confirmed.
        var start: PendingFix?

        /// A fix after the start that the rules have yet to judge.
        var between: PendingFix?
    }

    /// A position from a fix with poor accuracy, for want of a better one.
    struct Approximation: Hashable {
        var coordinate: Coordinate
        var accuracyMeters: Double
    }

    /// How slow a receiver says it is that has kept an old position, in metres per second.
    private static let standingMetersPerSecond = 2.0

    /// How fast it would have got from there to the next fix at least, in metres per second.
    private static let leapMetersPerSecond = 10.0

    /// The oldest usable fix that has not been confirmed.
    var oldest: PendingFix?

    /// The one after it, which does not agree with it.
    var newest: PendingFix?

    /// The last of both.
    var latest: PendingFix? { newest ?? oldest }

    /// When the first fix was taken that has a position at all.
    var firstFixAt: Timestamp?

    /// The best of the poor fixes that came soon after the first.
    var approximation: Approximation?

    /// Takes a fix whose accuracy is too poor for anything but an approximate start.
    mutating func takePoor(_ fix: Fix, accuracyMeters: Double, rules: TrackingRules) {
        let first = firstFixAt ?? fix.occurredAt
        firstFixAt = first
        let best = approximation?.accuracyMeters ?? .infinity
        if accuracyMeters < best, isSoon(fix.occurredAt, after: first, rules: rules) {
            approximation = Approximation(
                coordinate: fix.coordinate,
                accuracyMeters: accuracyMeters
            )
        }
    }

    /// Takes a usable fix; it confirms the oldest pending one that it agrees with.
    mutating func take(_ next: PendingFix, rules: TrackingRules) -> Outcome {
        firstFixAt = firstFixAt ?? next.fix.occurredAt
        guard let first = oldest else {
            oldest = next
            return Outcome()
        }
        if rules.agree(first.fix, next.fix), !Self.contradicts(first.fix, next.fix) {
            return Outcome(start: first, between: newest)
        }
        guard let second = newest else {
            newest = next
            return Outcome()
        }
        if rules.agree(second.fix, next.fix) {
            return Outcome(dropped: first, start: second)
        }
        oldest = second
        newest = next
        return Outcome(dropped: first)
    }

    /// Returns whether a fix, by its own speed, cannot have come from the one before it: that one
    /// is an old position that the receiver had kept.
    private static func contradicts(_ first: Fix, _ next: Fix) -> Bool {
        guard let before = first.speedMetersPerSecond, let after = next.speedMetersPerSecond else {
            return false
        }
        let milliseconds = next.occurredAt.milliseconds(since: first.occurredAt)
        let meters = first.coordinate.distance(to: next.coordinate)
        let implied = Double(meters.millimeters) / Double(milliseconds)
        return before < Self.standingMetersPerSecond && implied >= Self.leapMetersPerSecond
            && implied >= 1.5 * after
    }

    /// Returns the approximate position of a trip whose first good fix is `start`, or `nil` if that
    /// fix came soon enough to be the start itself; without a good fix there is nothing better.
    func approximatePosition(before start: Fix?, rules: TrackingRules) -> Coordinate? {
        if let start, let firstFixAt, isSoon(start.occurredAt, after: firstFixAt, rules: rules) {
            return nil
        }
        return approximation?.coordinate
    }

    private func isSoon(
        _ instant: Timestamp,
        after first: Timestamp,
        rules: TrackingRules
    ) -> Bool {
        instant.milliseconds(since: first) <= rules.approximateStartMilliseconds
    }
}

/// A trip in progress that has no position yet.
struct ArmingTrip: Hashable, Sendable {
    /// What holds of every trip in progress.
    var open: OpenTrip

    /// The search for its start.
    var search = Arming()

    /// Takes the next fix in event order.
    ///
    /// - Returns: the trip under way, if the fix confirms a start.
    mutating func take(
        _ fix: Fix,
        stamp: EventStamp,
        journal: inout VerdictJournal?
    ) -> PlacedTrip? {
        let next = PendingFix(fix: fix, position: stamp.position)
        if let flaw = FixFilter.flaw(of: fix, rules: open.rules, isCoarse: open.isCoarse) {
            if flaw == .poorAccuracy, let accuracy = fix.accuracyMeters {
                search.takePoor(fix, accuracyMeters: accuracy, rules: open.rules)
            }
            open.pass(next, as: flaw, journal: &journal)
        } else if var placed = take(next, journal: &journal) {
            placed.finish(fix, stamp: stamp)
            return placed
        }
        open.include(stamp)
        return nil
    }

    /// Looks for the start with a usable fix.
    private mutating func take(
        _ next: PendingFix,
        journal: inout VerdictJournal?
    ) -> PlacedTrip? {
        if let latest = search.latest, next.fix.occurredAt <= latest.fix.occurredAt {
            open.pass(next, as: .stale, journal: &journal)
            return nil
        }
        let outcome = search.take(next, rules: open.rules)
        if let dropped = outcome.dropped {
            open.pass(dropped, as: .impossibleSpeed, journal: &journal)
        }
        guard let start = outcome.start else { return nil }
        var placed = begin(at: start, journal: &journal)
        if let between = outcome.between {
            placed.follow(between, journal: &journal)
        }
        placed.follow(next, journal: &journal)
        return placed
    }

    /// Returns the trip under way from a fix on.
    private mutating func begin(
        at first: PendingFix,
        journal: inout VerdictJournal?
    ) -> PlacedTrip {
        setStart(first.fix)
        var placed = PlacedTrip(open, at: first)
        placed.begin(at: first, journal: &journal)
        return placed
    }

    private mutating func setStart(_ first: Fix?) {
        if let approximate = search.approximatePosition(before: first, rules: open.rules) {
            open.trip.start = approximate
            open.trip.flags.insert(.approximateStart)
        } else {
            open.trip.start = first?.coordinate
        }
    }

    /// Settles everything that waits for later fixes.
    ///
    /// - Returns: the trip under way, if a fix may have been its start that none has confirmed;
    ///   otherwise it has an approximate position at most.
    mutating func settlePending(journal: inout VerdictJournal?) -> PlacedTrip? {
        open.division = .none
        guard let first = search.oldest else {
            setStart(nil)
            return nil
        }
        var placed = begin(at: first, journal: &journal)
        if let next = search.newest {
            placed.follow(next, journal: &journal)
        }
        placed.settlePending(journal: &journal)
        return placed
    }

    /// Returns when the trip has its first position if it takes a fix; `nil` if it has none with
    /// that fix either.
    func firstPosition(with next: PendingFix) -> Timestamp? {
        guard FixFilter.flaw(of: next.fix, rules: open.rules, isCoarse: open.isCoarse) == nil
        else { return nil }
        if let latest = search.latest, next.fix.occurredAt <= latest.fix.occurredAt {
            return search.oldest?.fix.occurredAt
        }
        var search = search
        let outcome = search.take(next, rules: open.rules)
        return (outcome.start ?? search.oldest)?.fix.occurredAt
    }
}

extension ArmingTrip {
    /// Writes the trip.
    func write(to writer: inout RowEncoder) { open.write(to: &writer, search: search) }
}

extension Arming {
    func write(to writer: inout RowEncoder) {
        writer.write(oldest) { $1.write(to: &$0) }
        writer.write(newest) { $1.write(to: &$0) }
        writer.write(firstFixAt) { $0.write($1) }
        writer.write(approximation) {
            $0.write($1.coordinate)
            $0.write($1.accuracyMeters)
        }
    }

    init(from reader: inout RowDecoder) throws(RowCodingError) {
        oldest = try reader.readOptional(PendingFix.init(from:))
        newest = try reader.readOptional(PendingFix.init(from:))
        firstFixAt = try reader.readOptionalTimestamp()
        approximation = try reader.readOptional { reader throws(RowCodingError) in
            Approximation(
                coordinate: try reader.readCoordinate(),
                accuracyMeters: try reader.readDouble()
            )
        }
    }
}
