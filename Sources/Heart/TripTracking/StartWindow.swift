import Geodesy
import RowCoding
import TripEvents

/// The usable fixes between trips: enough of them to see that a drive has begun, and where.
struct StartWindow: Hashable, Sendable {
    /// A fix with what a trip needs to know of it.
    struct Entry: Hashable, Sendable {
        var fix: Fix
        var recordedAt: Timestamp

        /// Where the fix stands in the log.
        var position: UInt64

        /// When the fix was taken and stored.
        var stamp: EventStamp {
            EventStamp(occurredAt: fix.occurredAt, recordedAt: recordedAt, position: position)
        }
    }

    /// How long the confirmation of a drive may take, in milliseconds, unless the source reports
    /// less often than that.
    private static let longestConfirmation: Int64 = 120_000

    /// How far the fixes of a stay lie from the first of them, in metres.
    private static let stayMeters = 15.0

    /// The number of parts into which the window is divided; one fix of each is kept, which bounds
    /// the memory.
    private static let parts: Int64 = 60

    /// The fixes, oldest first, at most two more than there are parts.
    private(set) var entries: [Entry] = []

    /// When the latest usable fix was taken, since the last trip.
    private(set) var latestAt: Timestamp?

    /// The fixes of a drive that seems to have begun, until another fix confirms it: one outlier
    /// starts nothing.
    private(set) var departure: [Entry] = []

    /// Where the source was before the first of these fixes, since the last trip.
    private(set) var origin: Coordinate?

    /// Where the source was before the first fix of `departure`.
    private(set) var departedFrom: Coordinate?

    private var metric = LocalMetric()

    init() {}

    /// Creates a window in a stored state.
    private init(
        entries: [Entry],
        departure: [Entry],
        latestAt: Timestamp?,
        origin: Coordinate?,
        departedFrom: Coordinate?
    ) {
        self.entries = entries
        self.departure = departure
        self.latestAt = latestAt
        self.origin = origin
        self.departedFrom = departedFrom
    }

    /// Where the source was last, since the last trip.
    var lastSeen: Coordinate? { entries.last?.fix.coordinate ?? origin }

    /// Takes the next usable fix.
    ///
    /// - Parameters:
    ///   - next: the fix.
    ///   - rules: the rules in force.
    ///   - intervals: the latest intervals between usable fixes while there is no trip.
    /// - Returns: the fixes of the drive that it shows to have begun, or `nil`. They begin with the
    ///   last one that stood: idling before it is not driving.
    mutating func take(
        _ next: Entry,
        rules: TrackingRules,
        intervals: inout GapLimit
    ) -> ArraySlice<Entry>? {
        let now = next.fix.occurredAt
        if let latestAt {
            guard now > latestAt else { return nil }
            intervals.record(now.milliseconds(since: latestAt))
        }
        latestAt = now
        // One and a half median intervals, if the source is so slow.
        let span = max(rules.startWindowMilliseconds, (intervals.twiceMedian ?? 0) * 3 / 4)
        let first = entries.firstIndex { now.milliseconds(since: $0.fix.occurredAt) <= span }
        let past = first ?? entries.count
        if past > 0 { origin = entries[past - 1].fix.coordinate }
        entries.removeFirst(past)
        if let first = departure.first {
            let limit = max(Self.longestConfirmation, 2 * span)
            if now.milliseconds(since: departure[departure.count - 1].fix.occurredAt) <= limit,
                metric.distance(from: first.fix.coordinate, to: next.fix.coordinate)
                    >= rules.startDisplacement
            {
                return departure[...] + [next]
            }
            departure = []
        }
        if let far = entries.lastIndex(where: { isDrive(from: $0.fix, to: next.fix, rules) }) {
            let start = beginning(before: far, rules: rules)
            departedFrom = start > 0 ? entries[start - 1].fix.coordinate : origin
            departure = entries[start...] + [next]
            // The outlier must not begin a drive back to where the source has been all the time.
            return nil
        }
        let latest = entries.last?.fix.occurredAt
        if latest.map({ now.milliseconds(since: $0) >= span / Self.parts }) ?? true {
            entries.append(next)
        }
        return nil
    }

    /// Returns where the movement that had reached the fix at `index` began.
    private mutating func beginning(before index: Int, rules: TrackingRules) -> Int {
        var index = index
        while index > 0, !stands(at: entries[index].fix, after: entries[index - 1].fix, rules) {
            index -= 1
        }
        return min(index, edgeOfStay)
    }

    /// The last of the fixes that lie where the oldest does, if that one stands: a short stop after
    /// leaving is part of the drive.
    private var edgeOfStay: Int {
        guard entries.count > 1 else { return 0 }
        var metric = metric
        let first = entries[0].fix.coordinate
        var index = 0
        while index + 1 < entries.count,
            metric.geodesicMeters(from: first, to: entries[index + 1].fix.coordinate)
                <= Self.stayMeters
        { index += 1 }
        return index > 0 ? index : entries.count
    }

    /// Returns whether the source stands at a fix: by its reported speed, else by the way from the
    /// fix before, in which there is noise.
    private mutating func stands(at fix: Fix, after last: Fix, _ rules: TrackingRules) -> Bool {
        if let speed = fix.speedMetersPerSecond {
            return speed < rules.jitterSpeedMetersPerSecond
        }
        let way = metric.distance(from: last.coordinate, to: fix.coordinate)
        return way < rules.jitterRadius
    }

    private mutating func isDrive(from start: Fix, to end: Fix, _ rules: TrackingRules) -> Bool {
        let way = metric.distance(from: start.coordinate, to: end.coordinate)
        let milliseconds = end.occurredAt.milliseconds(since: start.occurredAt)
        return way >= rules.startDisplacement && rules.allows(way, inMilliseconds: milliseconds)
            && rules.isDriving(way, inMilliseconds: milliseconds)
    }
}

extension StartWindow {
    /// Writes the window.
    ///
    /// - Parameters:
    ///   - writer: receives the bytes.
    ///   - intervals: the latest intervals between usable fixes while there is no trip.
    func write(to writer: inout RowEncoder, intervals: GapLimit) {
        for fixes in [entries, departure] {
            writer.write(UInt64(fixes.count))
            for entry in fixes {
                entry.write(to: &writer)
            }
        }
        intervals.write(to: &writer)
        writer.write(latestAt) { $0.write($1) }
        writer.write(origin) { $0.write($1) }
        writer.write(departedFrom) { $0.write($1) }
    }

    /// Reads a window.
    ///
    /// - Parameters:
    ///   - reader: stands before it.
    ///   - intervals: receives the latest intervals between usable fixes while there is no trip.
    /// - Throws: why the bytes are not one.
    init(
        from reader: inout RowDecoder,
        intervals: inout GapLimit
    ) throws(RowCodingError) {
        var fixes: [[Entry]] = [[], []]
        for index in fixes.indices {
            for _ in 0..<(try reader.readUInt64()) {
                fixes[index].append(try Entry(from: &reader))
            }
        }
        intervals = try GapLimit(from: &reader)
        self.init(
            entries: fixes[0],
            departure: fixes[1],
            latestAt: try reader.readOptionalTimestamp(),
            origin: try reader.readBool() ? try reader.readCoordinate() : nil,
            departedFrom: try reader.readBool() ? try reader.readCoordinate() : nil
        )
    }
}

extension StartWindow.Entry {
    func write(to writer: inout RowEncoder) {
        writer.write(fix)
        writer.write(recordedAt)
        writer.write(position)
    }

    init(from reader: inout RowDecoder) throws(RowCodingError) {
        self.init(
            fix: try reader.readFix(),
            recordedAt: try reader.readTimestamp(),
            position: try reader.readUInt64()
        )
    }
}

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

    /// The later of the two.
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

/// A GO that no STOP has answered yet.
///
/// If the trip that it started ends for want of movement, what is driven before STOP belongs to the
/// same vehicle.
struct Press: Hashable, Sendable {
    /// How long after a GO another one is a double press, in milliseconds.
    private static let doubleMilliseconds: Int64 = 120_000

    /// How long a car must have stood for another GO to begin another trip, in milliseconds.
    private static let standingMilliseconds: Int64 = 300_000

    /// When GO was pressed.
    var at: Timestamp

    /// The vehicle that the driver named.
    var vehicle: String?

    /// The routine that the driver named.
    var routine: String?

    /// Who drives, as the press says it.
    var driver: String?

    init(_ press: GoPressed, at instant: Timestamp) {
        at = instant
        vehicle = press.vehicle
        routine = press.routine
        driver = press.driver
    }

    /// Returns whether another GO means another trip, and not the same one once more.
    func isAnswered(by next: Press, in stage: Stage) -> Bool {
        guard next.at.milliseconds(since: at) > Self.doubleMilliseconds,
            let unmovedSince = stage.unmovedSince, unmovedSince > at
        else { return false }
        let isOther =
            next.vehicle != nil && !next.vehicle.hasSameBytes(as: stage.open?.trip.vehicle)
            || next.routine != nil && !next.routine.hasSameBytes(as: routine)
        guard !isOther else { return true }
        guard let rest = stage.placed?.pace.rest else { return false }
        return next.at.milliseconds(since: rest.place.at) >= Self.standingMilliseconds
    }
}

extension Press {
    func write(to writer: inout RowEncoder) {
        writer.write(at)
        writer.write(vehicle) { $0.write($1) }
        writer.write(routine) { $0.write($1) }
        writer.write(driver) { $0.write($1) }
    }

    init(from reader: inout RowDecoder) throws(RowCodingError) {
        at = try reader.readTimestamp()
        vehicle = try reader.readOptionalText()
        routine = try reader.readOptionalText()
        driver = try reader.readOptionalText()
    }
}
