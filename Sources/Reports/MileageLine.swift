public import Geodesy
public import Projections
public import TripEvents
import TripTracking

/// One trip in a mileage log.
public struct MileageLine: Hashable, Sendable {
    /// The trip's id.
    public let trip: TripID

    /// The local day on which it is counted.
    public let date: CivilDate

    /// When it started, in local time; `nil` if that is left out.
    public let startedAt: EventTime?

    /// When it ended, in local time; `nil` if that is left out.
    public let endedAt: EventTime?

    /// Where it started: as the report of the trip says, else the saved place, else the position.
    public let origin: MileagePlace?

    /// Where it ended: as the report of the trip says, else the saved place, else the position.
    public let destination: MileagePlace?

    /// What it was for; its title if no purpose is set.
    public let purpose: String?

    /// Whom it was for.
    public let client: String?

    /// Its class.
    public let tripClass: TripClass

    /// The vehicle.
    public let vehicle: String?

    /// What the vehicle's odometer showed at the start: the latest reading before it on the same
    /// local day without another trip of the vehicle in between; `nil` if there is none.
    public let odometerStart: Distance?

    /// What the vehicle's odometer showed at the end: the earliest reading after it on the same
    /// local day without another trip of the vehicle in between; `nil` if there is none.
    public let odometerEnd: Distance?

    /// How far the vehicle's odometer went on no trip since the trip before, or since it was read
    /// first; `nil` if that is not known, or it did not go forward.
    public let odometerBefore: Distance?

    /// The distance as claimed.
    public let distance: Distance

    /// The measured distance, if a person set another one.
    public let measuredDistance: Distance?

    /// The distance of stretches of which a person said that it is none.
    public let excludedDistance: Distance

    /// How often the recorder missed a part of the way.
    public let gaps: Int64

    /// The straight lines across what it missed, beside the distance and never in it.
    public let gapDistance: Distance

    /// What a reader should know, in alphabetical order; `reported` if it was not measured.
    public let flags: [String]

    /// Whole days of 24 hours from the trip's end until the ledger stored the first of its details;
    /// 0 before the end, `nil` while there are none.
    public let daysUntilDetails: Int64?

    /// The same until the last of its details.
    public let daysUntilLastDetails: Int64?

    /// Whole days of 24 hours from the trip's end until the ledger stored the last event of it; of
    /// one that a person reported, the report.
    public let daysUntilRecorded: Int64
}

/// Where a trip started or ended.
public enum MileagePlace: Hashable, Sendable {
    /// In words.
    case words(String)

    /// Latitude and longitude.
    case position(Coordinate)

    /// Returns where a trip started: as the report of it says, else the saved place, else the
    /// position; `nil` if none of them is known.
    public static func start(of booked: BookedTrip, _ places: PlaceBook) -> MileagePlace? {
        // Fast path: most ledgers of programs have no places.
        let title = places.isEmpty ? nil : places.start(of: booked)?.title
        return (booked.origin ?? title).map { .words($0) }
            ?? booked.trip.start.map { .position($0) }
    }

    /// Returns where a trip ended, in the same way.
    public static func end(of booked: BookedTrip, _ places: PlaceBook) -> MileagePlace? {
        let title = places.isEmpty ? nil : places.end(of: booked)?.title
        return (booked.destination ?? title).map { .words($0) }
            ?? booked.trip.end.map { .position($0) }
    }
}
