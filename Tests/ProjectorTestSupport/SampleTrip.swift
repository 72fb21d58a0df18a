import Geodesy
package import Projections
import TripEvents
package import TripTracking

/// Trips with nothing and with everything that can be known about one.
package enum SampleTrip {
    /// An active trip that started at a given time.
    package static func active(
        high: UInt64,
        startedAt milliseconds: Int64 = 1_700_000_000_000
    ) -> Trip {
        let startedAt = Timestamp(milliseconds: milliseconds)
        return Trip(
            id: TripID(high: high, low: 0x0102_0304_0506_0708),
            source: "phone",
            rules: RulesName(version: .v1),
            startedBy: .press,
            startedAt: EventTime(startedAt),
            recorded: Trip.Recorded(
                firstAt: startedAt.advanced(byMilliseconds: 40),
                lastAt: startedAt.advanced(byMilliseconds: 90)
            )
        )
    }

    /// A trip in which everything is known.
    package static var full: Trip {
        var trip = active(high: 0x00FF_1122_3344_5566, startedAt: 1_710_000_000_123)
        trip.source = "Jörg’s \"phone\"\n"
        trip.vehicle = "van"
        trip.status = .abandoned
        trip.abandonReason = .noPosition
        trip.endedBy = .press
        trip.startedAt.utcOffset = UTCOffset(minutes: 60)
        trip.endedAt = EventTime(
            Timestamp(milliseconds: 1_710_000_100_000),
            utcOffset: UTCOffset(minutes: -90)
        )
        trip.start = Coordinate(latitude: 51.927, longitude: 4.362)
        trip.end = Coordinate(latitude: -0.000_000_1, longitude: 180)
        trip.lastSeen = Coordinate(latitude: 51.9, longitude: 4.3)
        trip.distance = Distance(millimeters: 6_123_045)
        trip.gaps = GapTotal(
            count: 2,
            milliseconds: 76_001,
            distance: Distance(millimeters: 999)
        )
        for (index, verdict) in Verdict.allCases.enumerated() {
            trip.fixes[verdict] = Int64(index + 1)
        }
        trip.samplingMilliseconds = 1_500
        trip.maximumSpeedMetersPerSecond = 33.333_333
        trip.movingMilliseconds = 98_765
        trip.rules = RulesName(version: .v1, preset: .logger, isCustom: true)
        trip.flags = .all
        if let end = trip.end {
            let instant = Timestamp(milliseconds: 1_710_000_030_000)
            trip.way = WaySketch([WaySketch.Point(at: instant, coordinate: end)])
        }
        return trip
    }

    /// A trip about which everything that can be said was said.
    package static var fullyBooked: BookedTrip {
        var booked = BookedTrip(full)
        booked.isMeasured = false
        booked.status = .voided
        booked.mergedInto = TripID(high: 3, low: 4)
        booked.parts = [
            BookedTrip.Part(
                id: TripID(high: 1, low: 2),
                startedAt: EventTime(Timestamp(milliseconds: 1_710_000_000_000)),
                endedAt: EventTime(Timestamp(milliseconds: 1_710_000_060_001))
            ),
            BookedTrip.Part(
                id: TripID(high: 3, low: 4),
                startedAt: EventTime(Timestamp(milliseconds: 1_710_000_900_000)),
                endedAt: nil
            ),
        ]
        booked.origin = "Home"
        booked.destination = "Office"
        booked.importedFrom = "trips.csv"
        booked.details = TripDetails(
            title: "Visit",
            purpose: "Roof",
            notes: "Two\nlines",
            category: "Sales",
            client: "ACME",
            vehicle: "car",
            tripClass: .business,
            mode: .bus,
            fields: ["gate": .text("B"), "toll": .boolean(false), "wet": .boolean(true)]
        )
        booked.routine = "Weekly visit"
        booked.adjusted = Distance(millimeters: 7_000_001)
        booked.flags = .all
        booked.excludedWith = TripID(high: 5, low: 6)
        booked.splitFrom = TripID(high: 7, low: 8)
        let recordedAt = Timestamp(milliseconds: 1_720_000_000_000)
        booked.detailsRecorded = Trip.Recorded(
            firstAt: recordedAt,
            lastAt: recordedAt.advanced(byMilliseconds: 1_001)
        )
        return booked
    }
}
