import Geodesy
import Projections
import TripEvents
import TripTracking

/// The readings of a vehicle's odometer at both ends of its trips.
///
/// A reading holds for a trip's start if it is the latest one at the start or before it on the
/// local day of the start, and no other trip of the vehicle lies between it and the start, not even
/// in part. It holds for the end if it is the earliest one at the end or after it on the local day
/// of the end, and no other trip lies between. Otherwise it is derived from the readings and the
/// trips between them, and marked as such: see ``DerivedOdometer``.
struct MileageOdometers {
    /// The trips of one vehicle in order of their starts.
    private struct Trips {
        var starts: [Timestamp] = []

        /// When the last of the trips up to this one ended.
        var latestEnds: [Timestamp] = []

        /// The trips that are over and count.
        var ways: [DerivedOdometer.Way] = []
    }

    /// Two readings of a vehicle that contradict each other, or that its trips contradict.
    struct Doubt: Hashable, Sendable {
        /// The vehicle.
        let vehicle: String

        /// When the first of them was read.
        let from: EventTime

        /// When the second was read.
        let to: EventTime

        /// Whether the second shows less than the first; else the trips in between claim more
        /// distance than the odometer shows, even if each is corrected by 3 %.
        let isBackwards: Bool
    }

    private static let never = Timestamp(milliseconds: .max)

    private let vehicles: VehicleBook
    private let localDay: LocalDay
    private var trips: [[UInt8]: Trips] = [:]
    private var derived: [[UInt8]: DerivedOdometer] = [:]

    /// The distances on odometers that no trip recorded, in order of time; known after
    /// ``derive()``.
    private(set) var rests: [OdometerRest] = []

    /// The readings that contradict each other or trips; known after ``derive()``.
    private(set) var doubts: [Doubt] = []

    /// Creates the state before any trip was noted.
    ///
    /// - Parameters:
    ///   - vehicles: the odometers.
    ///   - localDay: on which day a time lies.
    init(_ vehicles: VehicleBook, localDay: LocalDay) {
        self.vehicles = vehicles
        self.localDay = localDay
    }

    /// Whether any odometer was read, so that trips in between matter.
    var needsNotes: Bool { vehicles.hasReadings }

    /// Notes a trip, which MUST not start before one that was noted already; trips that do not
    /// count are ignored between readings.
    mutating func note(_ booked: BookedTrip) {
        guard booked.counts || booked.status == .active, let vehicle = booked.details.vehicle,
            !vehicles.readings(of: vehicle).isEmpty
        else { return }
        let end = booked.trip.endedAt?.timestamp ?? Self.never
        var known = trips[Array(vehicle.utf8)] ?? Trips()
        known.starts.append(booked.trip.startedAt.timestamp)
        known.latestEnds.append(max(end, known.latestEnds.last ?? end))
        if booked.counts, let way = DerivedOdometer.Way(booked) { known.ways.append(way) }
        trips[Array(vehicle.utf8)] = known
    }

    /// Derives what odometers showed, once every trip was noted.
    mutating func derive() {
        for vehicle in vehicles.names {
            let readings = vehicles.readings(of: vehicle)
            guard !readings.isEmpty else { continue }
            let name = Array(vehicle.utf8)
            let odometer = DerivedOdometer(readings, ways: trips[name]?.ways ?? [])
            derived[name] = odometer
            rests += OdometerRest.list(of: vehicle, odometer, readings)
            doubts += Self.doubts(of: vehicle, odometer, readings)
        }
        rests.sort { ($0.from, $0.to) < ($1.from, $1.to) }
    }

    private static func doubts(
        of vehicle: String,
        _ derived: DerivedOdometer,
        _ readings: [OdometerReading]
    ) -> [Doubt] {
        zip(derived.intervals, zip(readings, readings.dropFirst()))
            .compactMap { interval, pair in
                // A difference that may be due to rounding is not a doubt.
                let least = Distance.zero - OdometerRest.leastOfLine
                if let unrecorded = interval.unrecorded, unrecorded > least { return nil }
                return Doubt(
                    vehicle: vehicle,
                    from: pair.0.readAt,
                    to: pair.1.readAt,
                    isBackwards: interval.unrecorded == nil
                )
            }
    }

    /// Returns the reading from which the odometer at an end of a trip is extrapolated.
    ///
    /// - Parameters:
    ///   - booked: The trip.
    ///   - ends: What ``start(of:)`` and ``end(of:)`` have found.
    /// - Returns: The reading; `nil` if the odometer is known at both ends otherwise, or not at
    ///   all.
    func carriedFrom(_ booked: BookedTrip, _ ends: [DerivedOdometer.Mark?]) -> OdometerReading? {
        let isCarried = ends.contains { $0?.basis == .carried }
        guard isCarried, let vehicle = booked.details.vehicle else { return nil }
        let startedAt = booked.trip.startedAt.timestamp
        let endedAt = booked.trip.endedAt?.timestamp ?? startedAt
        return vehicles.readings(of: vehicle)
            .last { $0.readAt.timestamp <= startedAt || $0.readAt.timestamp < endedAt }
    }

    /// Returns the part of the rest between two readings that is spread over a trip; negative if
    /// the trips claim more than the odometer shows, and zero if nothing is known.
    func calibration(of booked: BookedTrip) -> Distance {
        guard let start = odometer(of: booked)?.start(of: booked.id),
            let end = odometer(of: booked)?.end(of: booked.id)
        else { return .zero }
        let most = Distance(millimeters: booked.claimedDistance.millimeters / 100 * 3)
        // On a trip during which the odometer was read, this difference may include unrecorded
        // distance.
        let rest = end.distance - start.distance - booked.claimedDistance
        return min(max(rest, .zero - most), most)
    }

    /// Returns what the odometer showed when a trip started, if that is known or can be derived.
    func start(of booked: BookedTrip) -> DerivedOdometer.Mark? {
        readStart(of: booked).map { DerivedOdometer.Mark($0, .read) }
            ?? odometer(of: booked)?.start(of: booked.id)
    }

    /// Returns what the odometer showed when a trip had ended, if that is known or can be derived.
    func end(of booked: BookedTrip) -> DerivedOdometer.Mark? {
        readEnd(of: booked).map { DerivedOdometer.Mark($0, .read) }
            ?? odometer(of: booked)?.end(of: booked.id)
    }

    private func odometer(of booked: BookedTrip) -> DerivedOdometer? {
        booked.details.vehicle.flatMap { derived[Array($0.utf8)] }
    }

    private func readStart(of booked: BookedTrip) -> Distance? {
        guard needsNotes, let vehicle = booked.details.vehicle else { return nil }
        let startedAt = booked.trip.startedAt
        let reading = vehicles.readings(of: vehicle)
            .last { $0.readAt.timestamp <= startedAt.timestamp }
        guard let reading, isSameDay(reading, startedAt) else { return nil }
        let lastEnd = latestEnd(of: vehicle, startingBefore: startedAt.timestamp)
        guard lastEnd.map({ $0 <= reading.readAt.timestamp }) ?? true else { return nil }
        return reading.distance
    }

    private func readEnd(of booked: BookedTrip) -> Distance? {
        guard needsNotes, let vehicle = booked.details.vehicle,
            let endedAt = booked.trip.endedAt
        else { return nil }
        let reading = vehicles.readings(of: vehicle)
            .first { $0.readAt.timestamp >= endedAt.timestamp }
        guard let reading, isSameDay(reading, endedAt) else { return nil }
        let lastEnd = latestEnd(of: vehicle, startingBefore: reading.readAt.timestamp)
        guard lastEnd.map({ $0 <= endedAt.timestamp }) ?? true else { return nil }
        return reading.distance
    }

    /// Returns the distance on the odometer before a trip that no trip recorded: between the first
    /// reading after the trip of the vehicle before, or of all, and the reading at the start; `nil`
    /// if one of them is not known, or the odometer did not go forward.
    func unlogged(before booked: BookedTrip) -> Distance? {
        guard let last = readStart(of: booked), let vehicle = booked.details.vehicle else {
            return nil
        }
        let lastEnd = latestEnd(of: vehicle, startingBefore: booked.trip.startedAt.timestamp)
        let first = vehicles.readings(of: vehicle)
            .first { reading in lastEnd.map { $0 <= reading.readAt.timestamp } ?? true }
        guard let first, first.distance < last else { return nil }
        return last - first.distance
    }

    /// Returns whether a reading was made on the local day of a trip's start or end.
    private func isSameDay(_ reading: OdometerReading, _ time: EventTime) -> Bool {
        let readAt = EventTime(reading.readAt.timestamp, utcOffset: time.utcOffset)
        return localDay.day(of: readAt) == localDay.day(of: time)
    }

    /// Returns when the last of a vehicle's trips ended that started before an instant.
    private func latestEnd(of vehicle: String, startingBefore instant: Timestamp) -> Timestamp? {
        guard let known = trips[Array(vehicle.utf8)] else { return nil }
        var low = 0
        var high = known.starts.count
        while low < high {
            let middle = (low + high) / 2
            if known.starts[middle] < instant {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low == 0 ? nil : known.latestEnds[low - 1]
    }
}
