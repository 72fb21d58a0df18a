public import Geodesy
import Projections
import TotalsProjection
public import TripEvents
import TripTracking

/// One trip in a mileage log.
public struct MileageLine: Hashable, Sendable {
    /// The trip's id.
    public let trip: TripID

    /// The local day on which it is counted.
    public let date: CivilDate

    /// When it started, in local time.
    public let startedAt: EventTime

    /// When it ended, in local time.
    public let endedAt: EventTime?

    /// Where it started: in words if somebody said so, else the place, else latitude and longitude.
    public let origin: MileagePlace?

    /// Where it ended: in words if somebody said so, else the place, else latitude and longitude.
    public let destination: MileagePlace?

    /// What it was for; its title if nobody said.
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

    /// The distance as claimed.
    public let distance: Distance

    /// The measured distance, if a person set another one.
    public let measuredDistance: Distance?

    /// How often the recorder missed a part of the way.
    public let gaps: Int64

    /// The straight lines across what it missed, beside the distance and never in it.
    public let gapDistance: Distance

    /// What a reader should know, in alphabetical order; `reported` if it was not measured.
    public let flags: [String]

    /// Whole days of 24 hours from the trip's end until the ledger stored the first of its details;
    /// 0 before the end, `nil` while there are none.
    public let daysUntilDetails: Int64?
}
