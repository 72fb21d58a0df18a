import Geodesy
import RowCoding
import TripEvents

/// The stage of a tracker, with everything that it knows only during that stage.
///
/// ``TrackerPhase`` is its public form at one instant.
enum Stage: Hashable, Sendable {
    /// No trip is in progress.
    case betweenTrips(Kept<BetweenTrips>)

    /// A trip is in progress that has no position yet.
    case arming(Kept<ArmingTrip>)

    /// A trip is in progress and is measured from fix to fix.
    case underWay(Kept<PlacedTrip>)
}

/// A value that stands outside of its holder and is changed in place.
///
/// Swift changes the payload of an enumeration by moving it out and back in. With the 2 kB of a
/// trip as payload, a fix that comes alone takes 141 ns instead of 46, and one that may end a trip
/// 550 instead of 305; in runs of fixes it makes no difference.
struct Kept<Value: Hashable & Sendable>: Hashable, Sendable {
    /// Exactly one: an array copies its elements only if another holder has them too.
    private var storage: [Value]

    @inline(__always)
    init(_ value: Value) { storage = [value] }

    /// The value.
    @inline(__always)
    var value: Value {
        _read { yield storage[0] }
        _modify { yield &storage[0] }
    }
}

/// What a tracker knows between trips.
struct BetweenTrips: Hashable, Sendable {
    /// How long a silence in a trip is a gap, by the trips so far.
    var gapLimit = GapLimit()

    /// The trip that has ended and has no details yet.
    var awaitingDetails: TripID?

    /// When and where STOP was last pressed.
    var stop: Waypoint?

    /// The way since the last trip ended by itself.
    var crawl: Crawl?

    /// The latest fixes.
    var window = StartWindow()

    /// Measures the way since the last trip.
    var metric = LocalMetric()

    /// The first instant at which a trip can turn out to have begun.
    var earliestStart: Timestamp? {
        [window.entries.first, window.departure.first, crawl?.entries.first]
            .compactMap(\.?.fix.occurredAt).min()
    }
}

extension BetweenTrips {
    /// The fixes with which a trip starts that movement shows.
    struct Beginning {
        var fixes: ArraySlice<StartWindow.Entry>

        /// Where the source was before; `nil` if a crawl leads from where the last trip ended.
        var departedFrom: Coordinate?
    }

    /// Takes the next usable fix.
    ///
    /// - Returns: the fixes of the drive that it shows to have begun, with the crawl before it.
    mutating func take(
        _ next: StartWindow.Entry,
        rules: TrackingRules,
        intervals: inout GapLimit
    ) -> Beginning? {
        guard let drive = window.take(next, rules: rules, intervals: &intervals) else {
            if crawl?.take(next, rules: rules, metric: &metric) == false { crawl = nil }
            return nil
        }
        let fixes = crawl?.leading(drive) ?? drive
        let isLed = fixes.first?.position != drive.first?.position
        var beginning = Beginning(fixes: fixes, departedFrom: isLed ? nil : window.departedFrom)
        while let ping = beginning.fixes.first?.fix, isBeforeStart(beginning.fixes) {
            beginning.fixes.removeFirst()
            beginning.departedFrom = ping.coordinate
        }
        return beginning
    }

    /// Returns whether the first of the fixes of a drive was taken long before the drive began: at
    /// the pace of the drive, the way to the second one took only a part of the time between them.
    private mutating func isBeforeStart(_ fixes: ArraySlice<StartWindow.Entry>) -> Bool {
        guard fixes.count > 2 else { return false }
        let first = fixes[fixes.startIndex].fix
        let second = fixes[fixes.startIndex + 1].fix
        let third = fixes[fixes.startIndex + 2].fix
        let waited = second.occurredAt.milliseconds(since: first.occurredAt)
        guard waited > TrackingRules.longestDepartureMilliseconds else { return false }
        let way = metric.distance(from: first.coordinate, to: second.coordinate)
        let next = metric.distance(from: second.coordinate, to: third.coordinate)
        let elapsed = third.occurredAt.milliseconds(since: second.occurredAt)
        // Metres per second are millimetres per millisecond.
        let pace = max(1, Double(next.millimeters) / Double(max(1, elapsed)))
        let driven = Double(way.millimeters) / pace
        return Double(waited) - driven > Double(TrackingRules.longestDepartureMilliseconds)
    }
}

extension Stage {
    /// Whether a trip is in progress.
    @inline(__always)
    var isOpen: Bool {
        switch self {
        case .betweenTrips: false
        case .arming, .underWay: true
        }
    }

    /// What holds between trips; `nil` while there is one.
    var between: BetweenTrips? {
        switch self {
        case .betweenTrips(let between): between.value
        case .arming, .underWay: nil
        }
    }

    /// The trip in progress as far as it needs no position.
    var open: OpenTrip? {
        switch self {
        case .betweenTrips: nil
        case .arming(let arming): arming.value.open
        case .underWay(let placed): placed.value.open
        }
    }

    /// The trip in progress, if it has a position.
    var placed: PlacedTrip? {
        switch self {
        case .betweenTrips, .arming: nil
        case .underWay(let placed): placed.value
        }
    }

    /// The rules of the trip in progress.
    var rules: TrackingRules? {
        switch self {
        case .betweenTrips: nil
        case .arming(let arming): arming.value.open.rules
        case .underWay(let placed): placed.value.open.rules
        }
    }

    /// The last kept fix of the trip in progress.
    var latest: Waypoint? {
        switch self {
        case .betweenTrips, .arming: nil
        case .underWay(let placed): placed.value.latest
        }
    }

    /// The time since which the trip in progress has not moved away from where it is.
    var unmovedSince: Timestamp? {
        switch self {
        case .betweenTrips: nil
        case .arming(let arming): arming.value.open.trip.startedAt.timestamp
        case .underWay(let placed): placed.value.movement.since
        }
    }

    /// The trip in progress with the figures that are computed only when asked for.
    var measured: Trip? {
        switch self {
        case .betweenTrips: nil
        case .arming(let arming): arming.value.open.trip
        case .underWay(let placed): placed.value.measured
        }
    }

    /// How long a silence in a trip is a gap.
    var gapLimit: GapLimit {
        switch self {
        case .betweenTrips(let between): between.value.gapLimit
        case .arming(let arming): arming.value.open.gapLimit
        case .underWay(let placed): placed.value.open.gapLimit
        }
    }

    /// The first instant at which a trip that has not been opened yet can turn out to have begun.
    var earliestStart: Timestamp? {
        switch self {
        case .betweenTrips(let between): between.value.earliestStart
        case .arming: nil
        case .underWay(let placed): placed.value.earliestStartOfNext
        }
    }
}

extension Stage {
    /// Changes what holds between trips.
    ///
    /// - Returns: what the change returns; `nil` while there is a trip.
    @discardableResult
    mutating func changeBetween<Result>(
        _ change: (inout BetweenTrips) -> Result
    ) -> Result? {
        switch consume self {
        case .betweenTrips(var between):
            let result = change(&between.value)
            self = .betweenTrips(between)
            return result
        case .arming(let arming): self = .arming(arming)
        case .underWay(let placed): self = .underWay(placed)
        }
        return nil
    }

    /// Changes what holds of the trip in progress, whether it has a position or not.
    ///
    /// The change holds whether or not a jump turns out to be a spike.
    mutating func changeOpen(_ change: (inout OpenTrip) -> Void) {
        switch consume self {
        case .betweenTrips(let between): self = .betweenTrips(between)
        case .arming(var arming):
            change(&arming.value.open)
            self = .arming(arming)
        case .underWay(var placed):
            placed.value.changeWithJump { change(&$0.open) }
            self = .underWay(placed)
        }
    }

    /// Changes the trip in progress if it has a position.
    ///
    /// - Returns: what the change returns; `nil` without such a trip.
    @inline(__always) @discardableResult
    mutating func changePlaced<Result>(
        _ change: (inout PlacedTrip) -> Result
    ) -> Result? {
        switch consume self {
        case .underWay(var placed):
            let result = change(&placed.value)
            self = .underWay(placed)
            return result
        case .betweenTrips(let between): self = .betweenTrips(between)
        case .arming(let arming): self = .arming(arming)
        }
        return nil
    }

    /// Gives a fix to the trip in progress; one that confirms a start puts the trip under way.
    mutating func take(_ fix: Fix, stamp: EventStamp, journal: inout VerdictJournal?) {
        switch consume self {
        case .betweenTrips(let between): self = .betweenTrips(between)
        case .arming(var arming):
            if let placed = arming.value.take(fix, stamp: stamp, journal: &journal) {
                self = .underWay(Kept(placed))
            } else {
                self = .arming(arming)
            }
        case .underWay(var placed):
            placed.value.take(fix, stamp: stamp, journal: &journal)
            self = .underWay(placed)
        }
    }

    /// Settles everything in the trip in progress that waits for later fixes, as if none came.
    ///
    /// A start that was never confirmed becomes the start; without one, the approximate position
    /// does.
    mutating func settlePending(journal: inout VerdictJournal?) {
        switch consume self {
        case .betweenTrips(let between): self = .betweenTrips(between)
        case .arming(var arming):
            if let placed = arming.value.settlePending(journal: &journal) {
                self = .underWay(Kept(placed))
            } else {
                self = .arming(arming)
            }
        case .underWay(var placed):
            placed.value.settlePending(journal: &journal)
            self = .underWay(placed)
        }
    }

    /// Divides the trip in progress as soon as it moves on at a split or after it.
    mutating func expect(_ split: StandingSplit) {
        switch consume self {
        case .betweenTrips(let between): self = .betweenTrips(between)
        case .arming(var arming):
            let first = TripPart(arming.value.open.trip)
            arming.value.open.expect(split, after: first)
            self = .arming(arming)
        case .underWay(var placed):
            placed.value.changeWithJump { trip in
                let first = trip.part
                trip.open.expect(split, after: first)
            }
            self = .underWay(placed)
        }
    }
}
