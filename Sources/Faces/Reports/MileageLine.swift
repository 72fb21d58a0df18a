public import Geodesy
public import Projections
public import Tables
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

    /// Where it started: as the report of the trip says, else the saved place, else the position;
    /// `nil` if only an address is known.
    public let origin: MileagePlace?

    /// Where it ended: as the report of the trip says, else the saved place, else the position;
    /// `nil` if only an address is known.
    public let destination: MileagePlace?

    /// The address where it started, as a person said it, or that of the place.
    public let originAddress: String?

    /// The address where it ended, as a person said it, or that of the place.
    public let destinationAddress: String?

    /// Who drove.
    public let driver: String?

    /// Its purpose; its title if no purpose is set.
    public let purpose: String?

    /// The client.
    public let client: String?

    /// Its class.
    public let tripClass: TripClass

    /// The vehicle.
    public let vehicle: String?

    /// The vehicle's odometer at the start: the latest reading before it on the same local day
    /// without another trip of the vehicle in between, else as derived from readings and trips;
    /// `nil` before the first reading.
    public let odometerStart: DerivedOdometer.Mark?

    /// The vehicle's odometer at the end: the earliest reading after it on the same local day
    /// without another trip of the vehicle in between, else as derived from readings and trips;
    /// `nil` before the first reading.
    public let odometerEnd: DerivedOdometer.Mark?

    /// The reading from which the odometer at an end is extrapolated; `nil` if it is at neither
    /// end.
    let carriedFrom: OdometerReading?

    /// The distance on the vehicle's odometer since the trip before, or since its first reading,
    /// that no trip recorded; `nil` if that is not known, or if the odometer did not go forward.
    public let odometerBefore: Distance?

    /// The distance as claimed.
    public let distance: Distance

    /// The measured distance, if a person set another one.
    public let measuredDistance: Distance?

    /// The distance of stretches that a person excluded.
    public let excludedDistance: Distance

    /// How often the recorder missed a part of the way.
    public let gaps: Int64

    /// The straight lines across what it missed, beside the distance and never in it.
    public let gapDistance: Distance

    /// Flags for the reader, in alphabetical order; `reported` if it was not measured.
    public let flags: [String]

    /// Whole days of 24 hours from the trip's end until the ledger stored the first of its details;
    /// 0 before the end, `nil` while there are none.
    public let daysUntilDetails: Int64?

    /// The same until the last of its details.
    public let daysUntilLastDetails: Int64?

    /// Whole days of 24 hours from the trip's end until the ledger stored its last event; for a
    /// trip that a person reported, the report.
    public let daysUntilRecorded: Int64

    /// How the odometer is known: as at the end where it is known less well; `nil` if it is known
    /// at neither.
    var odometerBasis: DerivedOdometer.Basis? {
        let bases = [odometerStart, odometerEnd].compactMap { $0?.basis }
        let weakestFirst: [DerivedOdometer.Basis] = [.carried, .calibrated, .read]
        return weakestFirst.first { bases.contains($0) }
    }

    /// Whether the odometer at one of its ends was not read.
    var hasDerivedOdometer: Bool { odometerBasis.map { $0 != .read } ?? false }
}
