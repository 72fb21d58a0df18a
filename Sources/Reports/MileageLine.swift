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

    /// Creates the line of a trip.
    ///
    /// - Parameters:
    ///   - booked: the trip.
    ///   - localDay: on which day it is counted.
    ///   - places: what its ends are called.
    ///   - odometers: what is known of its vehicle's odometer.
    init(
        _ booked: BookedTrip,
        localDay: LocalDay,
        places: PlaceBook,
        odometers: MileageOdometers
    ) {
        let trip = booked.trip
        self.trip = booked.id
        startedAt = localDay.local(trip.startedAt)
        date = localDay.day(of: startedAt)
        endedAt = trip.endedAt.map(localDay.local)
        origin =
            (booked.origin ?? places.start(of: booked)?.title).map { .words($0) }
            ?? trip.start.map { .position($0) }
        destination =
            (booked.destination ?? places.end(of: booked)?.title).map { .words($0) }
            ?? trip.end.map { .position($0) }
        purpose = booked.details.purpose ?? booked.details.title
        client = booked.details.client
        tripClass = booked.tripClass
        vehicle = booked.details.vehicle
        odometerStart = odometers.start(of: booked)
        odometerEnd = odometers.end(of: booked)
        distance = booked.claimedDistance
        measuredDistance = booked.adjusted == nil ? nil : trip.distance
        gaps = trip.gaps.count
        gapDistance = trip.gaps.distance
        flags = booked.isMeasured ? booked.flagNames : (booked.flagNames + ["reported"]).sorted()
        daysUntilDetails = booked.detailsRecorded.map { recorded in
            let end = (trip.endedAt ?? trip.startedAt).timestamp
            return max(0, recorded.firstAt.milliseconds(since: end)) / 86_400_000
        }
    }
}
