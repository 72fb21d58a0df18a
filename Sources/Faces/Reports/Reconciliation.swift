public import Geodesy
public import Projections
public import TripEvents
import TripTracking

/// The distance by odometers, beside the distance of the vehicles' trips, from each reading to the
/// next one.
///
/// A trip belongs to the interval in which it starts. The differences of a vehicle add up to the
/// distance from its first reading to the last one, whatever readings lie in between.
public struct Reconciliation: Sendable {
    /// The readings of a vehicle that begin intervals, with the contents of these intervals.
    private struct Log {
        var intervals: [OdometerInterval]
        let starts: [Timestamp]
        let end: Timestamp

        /// Changes the interval in which an instant lies, if it lies in one.
        mutating func change(at instant: Timestamp, _ body: (inout OdometerInterval) -> Void) {
            guard instant < end else { return }
            var low = 0
            var high = starts.count
            while low < high {
                let middle = (low + high) / 2
                if starts[middle] <= instant {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            if low > 0 { body(&intervals[low - 1]) }
        }
    }

    /// The days that count: an interval counts if any of its days does, a trip by the day of its
    /// start.
    public let period: LocalPeriod

    private var logs: [[UInt8]: Log] = [:]
    private var checks = TripSequence()

    /// Creates a reconciliation without trips.
    ///
    /// - Parameters:
    ///   - period: the days that count.
    ///   - vehicle: the only vehicle that counts; `nil` for all.
    ///   - vehicles: the odometers.
    public init(in period: LocalPeriod, vehicle: String? = nil, vehicles: VehicleBook) {
        self.period = period
        for name in vehicles.names
        where vehicle.map({ $0.utf8.elementsEqual(name.utf8) }) ?? true {
            let readings = vehicles.readings(of: name)
            guard let last = readings.last, readings.count > 1 else { continue }
            logs[Array(name.utf8)] = Log(
                intervals: zip(readings, readings.dropFirst())
                    .map { OdometerInterval(vehicle: name, from: $0, to: $1) },
                starts: readings.dropLast().map(\.readAt.timestamp),
                end: last.readAt.timestamp
            )
        }
    }

    /// Adds a trip that counts and is not left out; trips MUST come in order of their starts, all
    /// trips of the ledger, because an interval may begin before the period.
    public mutating func add(_ booked: BookedTrip) {
        guard booked.counts, let vehicle = booked.details.vehicle else { return }
        let start = booked.trip.startedAt.timestamp
        logs[Array(vehicle.utf8)]?
            .change(at: start) { interval in
                interval.trips += 1
                interval.driven += booked.claimedDistance
                interval.gapDistance += booked.trip.gaps.distance
            }
        checks.add(booked, of: vehicle, countsHere: period.contains(booked.trip.startedAt))
    }

    /// Adds a way that nothing recorded.
    public mutating func add(_ way: UnrecordedWay) {
        guard let vehicle = way.later.vehicle else { return }
        let start = way.later.startedAt.timestamp
        logs[Array(vehicle.utf8)]?.change(at: start) { $0.unrecorded.add(way) }
    }

    /// The intervals that touch the period, in order of their vehicles' names and of time.
    public var intervals: [OdometerInterval] {
        logs.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            .flatMap(\.value.intervals)
            .filter { interval in
                let first = period.localDay.day(of: period.localDay.local(interval.from.readAt))
                let last = period.localDay.day(of: period.localDay.local(interval.to.readAt))
                return (period.to.map { first <= $0 } ?? true)
                    && (period.from.map { last >= $0 } ?? true)
            }
    }

    /// Trips of one vehicle that were under way at the same time.
    public var clashes: [TripClash] { checks.clashes }

    /// Trips of one vehicle that are too far apart for the time between them.
    public var jumps: [TripJump] { checks.jumps }
}

/// The distance by an odometer between two readings, beside the trips that started in between.
public struct OdometerInterval: Hashable, Sendable {
    /// The vehicle.
    public let vehicle: String

    /// The reading that begins it.
    public let from: OdometerReading

    /// The reading that ends it.
    public let to: OdometerReading

    /// How many trips started in it.
    public internal(set) var trips: Int64 = 0

    /// The distance of these trips as claimed.
    public internal(set) var driven = Distance.zero

    /// The straight lines across their gaps, which are in no distance.
    public internal(set) var gapDistance = Distance.zero

    /// The ways before these trips that nothing recorded, which are in no distance.
    public internal(set) var unrecorded = UnrecordedTotal()

    init(vehicle: String, from: OdometerReading, to: OdometerReading) {
        self.vehicle = vehicle
        self.from = from
        self.to = to
    }

    /// The second reading less the first; negative if the odometer went backwards.
    public var difference: Distance { to.distance - from.distance }

    /// The distance that no trip explains; negative if the trips claim more.
    public var rest: Distance { difference - driven }

    /// The rest in thousandths of the distance on the odometer; `nil` if it did not go forwards.
    public var restThousandths: Int64? {
        difference > .zero
            ? Int64((rest.meters / difference.meters * 1_000).rounded()) : nil
    }

    /// How well both agree.
    public var band: OdometerBand {
        if difference < .zero { return .backwards }
        if trips == 0 { return difference == .zero ? .within3Percent : .noTrips }
        // Exactly, without a division: a distance is at most 2⁵³ mm.
        let part = abs(rest.millimeters) * 100
        if part <= difference.millimeters * 3 { return .within3Percent }
        return part <= difference.millimeters * 5 ? .within5Percent : .beyond5Percent
    }
}

/// How well an odometer and the trips agree; the raw value is the name in JSON.
public enum OdometerBand: String, CaseIterable, Sendable {
    /// They differ by at most 3 % of the distance on the odometer.
    case within3Percent = "within_3_percent"

    /// They differ by 5 % or less.
    case within5Percent = "within_5_percent"

    /// They differ by more.
    case beyond5Percent = "beyond_5_percent"

    /// The odometer went forwards, and there is no trip.
    case noTrips = "no_trips"

    /// The odometer showed less at the end.
    case backwards
}

/// The intervals of one vehicle together.
public struct OdometerBalance: Hashable, Sendable {
    /// The vehicle.
    public let vehicle: String

    /// How many intervals it has.
    public let intervals: Int

    /// How many of them have each band.
    public let bands: [OdometerBand: Int]

    /// The distance by its odometer.
    public let difference: Distance

    /// The part that trips explain.
    public let driven: Distance

    /// The part that no trip explains.
    public let rest: Distance

    /// How many trips started in its intervals.
    public let trips: Int64

    /// Adds up the intervals of each vehicle, in their order.
    public static func all(of intervals: [OdometerInterval]) -> [OdometerBalance] {
        var vehicles: [String] = []
        for interval in intervals
        where vehicles.last.map({ !$0.utf8.elementsEqual(interval.vehicle.utf8) }) ?? true {
            vehicles.append(interval.vehicle)
        }
        return vehicles.map { vehicle in
            let own = intervals.filter { $0.vehicle.utf8.elementsEqual(vehicle.utf8) }
            return OdometerBalance(
                vehicle: vehicle,
                intervals: own.count,
                bands: Dictionary(own.map { ($0.band, 1) }, uniquingKeysWith: +),
                difference: own.reduce(.zero) { $0 + $1.difference },
                driven: own.reduce(.zero) { $0 + $1.driven },
                rest: own.reduce(.zero) { $0 + $1.rest },
                trips: own.reduce(0) { $0 + $1.trips }
            )
        }
    }
}
