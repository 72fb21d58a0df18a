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
