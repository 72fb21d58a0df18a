import Geodesy
import Papers
import Projections
import Tables
import TripEvents
import TripTracking

/// The line of a trip that counts, in journals.
struct JournalLine {
    let id: TripID

    /// The day on which it counts.
    let day: CivilDate

    /// The names of both ends.
    let way: String

    let purpose: String?
    let tripClass: String
    let vehicle: String

    /// The distance as it is printed everywhere, so that lines add up to what is printed.
    let amount: String

    /// The amount that the distance takes from the vehicle.
    let counterAmount: String

    /// Takes a trip; `nil` if it counts nowhere.
    init?(_ named: NamedTrip, _ style: TextStyle) {
        guard named.counts else { return nil }
        let booked = named.booked
        id = booked.id
        day = CivilDate(of: booked.trip.startedAt.told(by: style.clock))
        way = TrackTitle(named, style).way
        purpose = booked.details.purpose ?? booked.details.title
        tripClass = booked.tripClass.rawValue
        vehicle = booked.details.vehicle ?? "unnamed"
        amount = DistanceText.number(booked.claimedDistance, in: style.unit, decimals: 2)
        counterAmount = "-\(amount)"
    }

    /// Returns a text in one line, some of its characters replaced: people read journals as plain
    /// text, and no name may change the direction of the amounts after it.
    static func replacing(
        _ text: String,
        _ replacement: (Unicode.Scalar) -> Unicode.Scalar?
    ) -> String {
        var result = ""
        for scalar in DirectionMarks.shown(text).unicodeScalars {
            let isSpace =
                scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
            result.unicodeScalars.append(
                isSpace ? replacement(" ") ?? " " : replacement(scalar) ?? scalar
            )
        }
        return result
    }
}
