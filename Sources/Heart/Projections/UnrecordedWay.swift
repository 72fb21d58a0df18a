public import Geodesy
package import RowCoding
public import TripEvents
public import TripTracking

/// A way that nothing recorded: a vehicle was moved between two of its trips.
public struct UnrecordedWay: Hashable, Sendable {
    /// The trip before it; `nil` if it begins where the source of the first trip was seen.
    public let earlier: TripID?

    /// The trip after it, to whose day, class and client it is counted.
    public let later: TripEnds

    /// The straight line from where the earlier one ended to where the later one started: the way
    /// was at least as long.
    public let distance: Distance
}

/// How many ways nothing recorded, and their straight lines.
public struct UnrecordedTotal: Hashable, Sendable {
    /// The number of ways.
    public private(set) var count: Int64 = 0

    /// The sum of their straight lines, which is in no distance and no gap.
    public private(set) var distance: Distance = .zero

    /// Creates the total of no ways.
    public init() {}

    /// Adds a way.
    public mutating func add(_ way: UnrecordedWay) {
        count += 1
        distance += way.distance
    }

    /// Adds other ways.
    public static func += (total: inout UnrecordedTotal, other: UnrecordedTotal) {
        total.count += other.count
        total.distance += other.distance
    }
}

/// Finds ways that nothing recorded, between trips that are given in order of their starts, and of
/// their ids where they start together.
///
/// The end of a vehicle's latest trip is compared with the start of its next one that counts. Trips
/// that name no vehicle are taken for those of one car if they are of one source; if that was seen
/// between them, the shorter way counts. Before the first trip its source may have been seen as
/// well. A discarded trip, such as a walk, shows where the recorder was carried. After a trip that
/// a person reported it is not known where the vehicle is.
public struct UnrecordedWays {
    /// The shortest way that can be told apart from parking elsewhere nearby and from errors of
    /// fixes.
    public static let least = Distance(millimeters: 200_000)

    /// The last known place of a vehicle.
    private struct Whereabouts {
        var trip: TripID
        var at: Timestamp
        var place: Coordinate?
    }

    private var last: [TripEnds.Line: Whereabouts] = [:]

    /// Creates a search that knows of no trip.
    public init() {}

    /// Takes the next trip, and returns the way before it that nothing recorded, if there is one.
    public mutating func take(_ ends: TripEnds) -> UnrecordedWay? {
        let line = ends.line
        let before = last[line]
        let way = Self.way(from: before, to: ends)
        // A discarded trip gives its recorder's place only if it knows the place itself.
        guard ends.end != nil || ends.isReported else { return way }
        if before.map({ $0.at <= ends.endedAt }) ?? true {
            last[line] = Whereabouts(trip: ends.trip, at: ends.endedAt, place: ends.end)
        }
        return way
    }

    private static func way(from before: Whereabouts?, to ends: TripEnds) -> UnrecordedWay? {
        guard ends.counts, let start = ends.start else { return nil }
        if let before, before.place == nil || before.at > ends.startedAt.timestamp { return nil }
        // The carrier of the recorder may go away from a vehicle that stays.
        let seen = before == nil || ends.vehicle == nil ? ends.lastSeen : nil
        var shortest: Distance?
        for place in [before?.place, seen] {
            guard let place else { continue }
            guard !isNear(place, start) else { return nil }
            let distance = place.distance(to: start)
            shortest = shortest.map { min($0, distance) } ?? distance
        }
        guard let shortest, shortest > least else { return nil }
        return UnrecordedWay(earlier: before?.trip, later: ends, distance: shortest)
    }

    /// Whether two places are so near that nothing has to be computed, as nearly always: 0.001° are
    /// at most 112 m, so that they are less than 160 m apart.
    private static func isNear(_ place: Coordinate, _ other: Coordinate) -> Bool {
        abs(place.latitude - other.latitude) < 0.001
            && abs(place.longitude - other.longitude) < 0.001
    }
}

/// When and where a trip that is over began and ended, and whose it is.
public struct TripEnds: Hashable, Sendable {
    /// The trip's id.
    public let trip: TripID

    /// When it started.
    public let startedAt: EventTime

    /// When it ended.
    public let endedAt: Timestamp

    /// When it was not under way between both, in order of time; empty unless it is merged.
    public let pauses: [Range<Timestamp>]

    /// Where it started; `nil` if that is not known.
    public let start: Coordinate?

    /// Where it ended; `nil` if that is not known.
    public let end: Coordinate?

    /// Where its source was last seen before it; `nil` if that is not known.
    public let lastSeen: Coordinate?

    /// The source that recorded it.
    public let source: String

    /// The group that the source belongs to; `nil` for one of the ledger's owner.
    public let group: String?

    /// The vehicle, if the trip names one.
    public let vehicle: String?

    /// The class.
    public let tripClass: TripClass

    /// The client, if the trip names one.
    public let client: String?

    /// Whether it counts in totals.
    public let counts: Bool

    /// Whether a person reported it, or an odometer, so that nothing measured where it was.
    public let isReported: Bool

    /// Whether its distance is what an odometer showed at GO and at STOP.
    public let isByOdometer: Bool

    /// Where it was at a few instants.
    public let way: WaySketch

    /// How long it was recorded, in milliseconds: from start to end without the gaps.
    public let coveredMilliseconds: Int64

    /// Creates the ends of a trip; `nil` if it is not over, was voided, or is a part of another.
    public init?(_ booked: BookedTrip) {
        guard booked.status == .completed || booked.status == .abandoned,
            let endedAt = booked.trip.endedAt
        else { return nil }
        trip = booked.id
        startedAt = booked.trip.startedAt
        self.endedAt = endedAt.timestamp
        pauses = booked.pauses
        start = booked.trip.start
        end = booked.trip.end
        lastSeen = booked.trip.lastSeen
        source = booked.trip.source
        group = booked.trip.group
        vehicle = booked.details.vehicle
        tripClass = booked.tripClass
        client = booked.details.client
        counts = booked.counts
        isReported = !booked.isMeasured
        isByOdometer = isReported && booked.flags.contains(.odometer)
        way = booked.trip.way
        // An odometer says nothing between both ends.
        coveredMilliseconds =
            isByOdometer
            ? 0
            : endedAt.timestamp.milliseconds(since: startedAt.timestamp)
                - booked.trip.gaps.milliseconds
    }

    /// When it was under way.
    public var travelTime: TravelTime {
        TravelTime(from: startedAt.timestamp, to: endedAt, without: pauses)
    }

    /// Whether the trip names a vehicle, byte by byte.
    package func isOf(vehicle: String) -> Bool {
        self.vehicle.map { $0.hasSameBytes(as: vehicle) } ?? false
    }

    /// The line of trips to which it belongs: the vehicle's, or if it names none, the source's.
    var line: Line { Line(name: vehicle ?? source, isVehicle: vehicle != nil, group: group) }

    /// A vehicle, or a source whose trips name none, compared byte by byte.
    ///
    /// `==` of `String` is true for canonically equivalent texts with other bytes. Vehicles of two
    /// groups are two, whatever they are called.
    struct Line: Hashable {
        let name: String
        let isVehicle: Bool
        let group: String?

        static func == (line: Line, other: Line) -> Bool {
            line.isVehicle == other.isVehicle && line.group.hasSameBytes(as: other.group)
                && line.name.hasSameBytes(as: other.name)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(isVehicle)
            hasher.combine(name)
        }
    }
}

extension TripEnds {
    /// Writes the ends.
    package func write(to writer: inout RowEncoder) {
        writer.write(trip)
        writer.write(startedAt)
        writer.write(endedAt)
        writer.write(UInt64(pauses.count))
        for pause in pauses {
            writer.write(pause.lowerBound)
            writer.write(pause.upperBound)
        }
        writer.write(start) { $0.write($1) }
        writer.write(end) { $0.write($1) }
        writer.write(lastSeen) { $0.write($1) }
        writer.write(source)
        writer.write(group) { $0.write($1) }
        writer.write(vehicle) { $0.write($1) }
        writer.write(tripClass)
        writer.write(client) { $0.write($1) }
        writer.write(counts)
        writer.write(isReported)
        writer.write(isByOdometer)
        way.write(to: &writer)
        writer.write(coveredMilliseconds)
    }

    /// Reads ends.
    package init(from reader: inout RowDecoder) throws(RowCodingError) {
        trip = try reader.readTripID()
        startedAt = try reader.readEventTime()
        endedAt = try reader.readTimestamp()
        pauses = try Self.pauses(from: &reader)
        start = try reader.readBool() ? try reader.readCoordinate() : nil
        end = try reader.readBool() ? try reader.readCoordinate() : nil
        lastSeen = try reader.readBool() ? try reader.readCoordinate() : nil
        source = try reader.readText()
        group = try reader.readOptionalText()
        vehicle = try reader.readOptionalText()
        tripClass = try reader.readTripClass()
        client = try reader.readOptionalText()
        counts = try reader.readBool()
        isReported = try reader.readBool()
        isByOdometer = try reader.readBool()
        way = try WaySketch(from: &reader)
        coveredMilliseconds = try reader.readInt64()
    }

    private static func pauses(
        from reader: inout RowDecoder
    ) throws(RowCodingError) -> [Range<Timestamp>] {
        var pauses: [Range<Timestamp>] = []
        for _ in 0..<(try reader.readAmount()) {
            let (from, to) = (try reader.readTimestamp(), try reader.readTimestamp())
            guard from < to else { throw .invalidValue }
            pauses.append(from..<to)
        }
        return pauses
    }
}
