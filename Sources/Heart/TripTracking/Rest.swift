import Geodesy
import RowCoding
import TripEvents

/// The rest of a trip that no longer drives: since when, and what the trip becomes if it turns out
/// to have ended there.
///
/// It begins with the first kept fix below driving speed, and is over when the trip has driven away
/// from there. What lies between is the car standing, or its driver walking.
struct Rest: Hashable, Sendable {
    /// The shortest leg, in metres, that shows a car driving away and not a position that hops.
    private static let drivenMeters = 40.0

    /// How many times its accuracy a fix must be away from where the trip rests.
    private static let accuraciesAway = 1.5

    /// How long a walker stands at most, in milliseconds, as at a crossing.
    private static let longestPause: Int64 = 45_000

    /// The trip when it last drove, kept out of `PlacedTrip`, which is changed by every fix.
    private indirect enum Beginning: Hashable {
        case at(TripAtPlace)
    }

    private var beginning: Beginning

    /// How long it has lasted, in milliseconds; of a silence, only the part that is not a gap.
    var milliseconds: Int64 = 0

    /// The way since, with which the next trip may begin.
    var crawl: Crawl?

    /// How long its fixes have gone steadily at walking pace, in milliseconds.
    var walkedMilliseconds: Int64 = 0

    /// How long of that they have stood since, in milliseconds.
    var pausedMilliseconds: Int64 = 0

    init(began: TripAtPlace) {
        beginning = .at(began)
        crawl = Crawl(from: began.place)
    }

    /// The trip when it last drove.
    var began: TripAtPlace {
        get {
            switch beginning {
            case .at(let began): began
            }
        }
        set { beginning = .at(newValue) }
    }

    /// Where it last drove.
    var place: Coordinate {
        switch beginning {
        case .at(let began): began.place.coordinate
        }
    }

    /// Includes the fix at which the rest began in the times at which the trip was recorded.
    mutating func include(_ stamp: EventStamp) {
        guard milliseconds == 0 else { return }
        var trip = began
        guard trip.place.position == stamp.position else { return }
        trip.trip.recorded.include(stamp.recordedAt)
        began = trip
    }

    /// Takes a leg, and returns whether it shows that the trip has driven on.
    mutating func isOver(
        with leg: Leg,
        at fix: Fix,
        rules: TrackingRules,
        metric: inout LocalMetric
    ) -> Bool {
        let blur = fix.accuracyMeters ?? 0
        let pace = leg.metersPerSecond - blur * 1_000 / Double(leg.milliseconds)
        if pace >= rules.drivingSpeedMetersPerSecond {
            let away = metric.distance(from: place, to: fix.coordinate)
            if leg.meters >= max(Self.drivenMeters, blur),
                away.meters > max(rules.parkedRadius.meters, Self.accuraciesAway * blur)
            {
                return true
            }
            walkedMilliseconds = 0
            pausedMilliseconds = 0
        } else if leg.metersPerSecond >= ModeEvidence.walkingPace {
            walkedMilliseconds += leg.milliseconds + pausedMilliseconds
            pausedMilliseconds = 0
        } else {
            pausedMilliseconds += leg.milliseconds
            if pausedMilliseconds > Self.longestPause {
                walkedMilliseconds = 0
            }
        }
        return false
    }
}

extension Rest {
    func write(to writer: inout RowEncoder) {
        began.write(to: &writer)
        writer.write(crawl) { $1.write(to: &$0) }
        writer.write(milliseconds)
        writer.write(walkedMilliseconds)
        writer.write(pausedMilliseconds)
    }

    init(from reader: inout RowDecoder) throws(RowCodingError) {
        self.init(began: try TripAtPlace(from: &reader))
        crawl = try reader.readOptional(Crawl.init(from:))
        milliseconds = try reader.readAmount()
        walkedMilliseconds = try reader.readAmount()
        pausedMilliseconds = try reader.readAmount()
    }
}

/// A circle that the trip has not left since some instant.
struct Stay: Hashable, Sendable {
    /// More than the rounding of the distances between two measurements can add up to.
    private static let margin = Distance(millimeters: 1_000)

    /// The centre; `nil` until the first fix.
    var center: Coordinate?

    /// When the trip entered the circle.
    var since: Timestamp

    /// The distance travelled, gaps included, up to which the trip cannot have left the circle, so
    /// that no fix need be measured.
    var safeUntil = Distance.zero

    /// Takes a fix that moves the anchor.
    ///
    /// - Parameters:
    ///   - fix: the fix.
    ///   - travelled: how far the trip has got with it, gaps included.
    ///   - radius: the radius of the circle.
    ///   - metric: measures the fix.
    /// - Returns: whether it is farther than `radius` from the centre and so begins another stay.
    @inline(__always)
    mutating func isLeft(
        by fix: Fix,
        travelled: Distance,
        radius: Distance,
        metric: inout LocalMetric
    ) -> Bool {
        travelled >= safeUntil
            && measure(fix, travelled: travelled, radius: radius, metric: &metric)
    }

    @inline(never)
    private mutating func measure(
        _ fix: Fix,
        travelled: Distance,
        radius: Distance,
        metric: inout LocalMetric
    ) -> Bool {
        let way = center.map { metric.distance(from: $0, to: fix.coordinate) }
        if let way, way <= radius {
            safeUntil = travelled + radius - way - Self.margin
            return false
        }
        center = fix.coordinate
        since = fix.occurredAt
        safeUntil = travelled + radius - Self.margin
        return true
    }
}

extension Stay {
    func write(to writer: inout RowEncoder) {
        writer.write(center) { $0.write($1) }
        writer.write(since)
        writer.write(safeUntil.millimeters)
    }

    init(from reader: inout RowDecoder) throws(RowCodingError) {
        center = try reader.readOptional { reader throws(RowCodingError) in
            try reader.readCoordinate()
        }
        since = try reader.readTimestamp()
        safeUntil = Distance(millimeters: try reader.readInt64())
    }
}

/// The way since the last trip ended by itself, which may be the beginning of the next trip: a car
/// leaves a jam at walking pace.
///
/// It leads from where the car stood. A driver who stays anywhere else on the way, or is seen
/// walking by the motion sensor, has left the car.
struct Crawl: Hashable, Sendable {
    /// How many fixes are kept; of more, every second one is forgotten.
    private static let most = 120

    /// How long a crawl lasts at most, in milliseconds.
    private static let longestMilliseconds: Int64 = 2_700_000

    /// The shortest stay elsewhere that shows that the car was left, in milliseconds.
    private static let stayMilliseconds: Int64 = 300_000

    /// How long an engine may run before the car moves, in milliseconds.
    private static let idleMilliseconds: Int64 = 150_000

    /// How far fixes lie at most from the car while the engine idles, in metres.
    private static let stayMeters = 50.0

    /// Where the car stood.
    private(set) var place: Coordinate

    /// The fixes since it left, oldest first; before that, the latest fix there.
    private(set) var entries: [StartWindow.Entry] = []

    /// Whether a fix has left the place.
    private var hasLeft = false

    /// How far apart the kept fixes are at least, in milliseconds.
    private var stride: Int64 = 1

    /// The place that the latest fixes have not left.
    private var stay: Stay

    /// Creates the crawl away from where a trip ended.
    init(from place: Waypoint) {
        self.place = place.coordinate
        stay = Stay(since: place.at)
    }

    /// Takes the next usable fix, and returns whether the car may still be on the way.
    mutating func take(
        _ next: StartWindow.Entry,
        rules: TrackingRules,
        metric: inout LocalMetric
    ) -> Bool {
        let fix = next.fix
        guard let last = entries.last else {
            // A recording that begins elsewhere does not show the way from where the car stood. One
            // that is made while the engine runs begins where the car stands.
            if metric.distance(from: place, to: fix.coordinate) > rules.silenceRadius {
                guard rules.preset == .logger else { return false }
                place = fix.coordinate
                hasLeft = true
            }
            entries = [next]
            return true
        }
        guard fix.occurredAt > last.fix.occurredAt else { return true }
        let away = metric.distance(from: place, to: fix.coordinate)
        guard hasLeft || away > rules.parkedRadius else {
            entries[0] = next
            stay.since = fix.occurredAt
            return true
        }
        hasLeft = true
        stay.safeUntil = .zero
        _ = stay.isLeft(
            by: fix,
            travelled: .zero,
            radius: rules.movementRadius,
            metric: &metric
        )
        guard fix.occurredAt.milliseconds(since: stay.since) < Self.stayMilliseconds,
            fix.occurredAt.milliseconds(since: entries[0].fix.occurredAt)
                < Self.longestMilliseconds
        else { return false }
        if fix.occurredAt.milliseconds(since: last.fix.occurredAt) >= stride {
            entries.append(next)
        }
        if entries.count > Self.most { thinOut() }
        return true
    }

    /// Forgets every second fix but the first.
    private mutating func thinOut() {
        entries = entries.indices.filter { $0.isMultiple(of: 2) }.map { entries[$0] }
        let span = entries[entries.count - 1].fix.occurredAt
            .milliseconds(since: entries[0].fix.occurredAt)
        stride = max(2 * stride, span / Int64(Self.most / 2))
    }

    /// Returns the end of the stay with which a recording began, if it was longer than an engine
    /// idles.
    private func edgeOfStay(in before: ArraySlice<StartWindow.Entry>) -> Int {
        var metric = LocalMetric()
        let still = before.prefix {
            metric.geodesicMeters(from: place, to: $0.fix.coordinate) <= Self.stayMeters
        }
        guard let first = still.first, let last = still.last,
            last.fix.occurredAt.milliseconds(since: first.fix.occurredAt) > Self.idleMilliseconds
        else { return before.startIndex }
        return still.endIndex - 1
    }

    /// Returns the fixes that a drive begins with, those of the crawl before its own.
    func leading(_ drive: ArraySlice<StartWindow.Entry>) -> ArraySlice<StartWindow.Entry> {
        guard hasLeft, let first = drive.first else { return drive }
        let before = entries.prefix { $0.fix.occurredAt < first.fix.occurredAt }
        return before[edgeOfStay(in: before)...] + drive
    }
}

extension Crawl {
    func write(to writer: inout RowEncoder) {
        writer.write(place)
        writer.write(UInt64(entries.count))
        for entry in entries {
            entry.write(to: &writer)
        }
        writer.write(hasLeft)
        writer.write(stride)
        stay.write(to: &writer)
    }

    init(from reader: inout RowDecoder) throws(RowCodingError) {
        place = try reader.readCoordinate()
        stay = Stay(since: Timestamp(milliseconds: 0))
        for _ in 0..<(try reader.readUInt64()) {
            entries.append(try StartWindow.Entry(from: &reader))
        }
        hasLeft = try reader.readBool()
        stride = try reader.readAmount()
        stay = try Stay(from: &reader)
    }
}
