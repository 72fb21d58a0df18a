public import Geodesy
public import Projections
import TripEvents
import TripTracking

/// Where a trip started or ended.
public enum MileagePlace: Hashable, Sendable {
    /// In words.
    case words(String)

    /// Latitude and longitude.
    case position(Coordinate)

    /// Returns where a trip started: as the report of it says, else the saved place, else its
    /// address, else the position; `nil` if none of them is known.
    public static func start(of booked: BookedTrip, _ places: PlaceBook) -> MileagePlace? {
        // Fast path: most ledgers of programs have no places.
        let title = places.isEmpty ? nil : places.start(of: booked)?.title
        return (booked.origin ?? title ?? booked.originAddress).map { .words($0) }
            ?? booked.trip.start.map { .position($0) }
    }

    /// Returns where a trip ended, in the same way.
    public static func end(of booked: BookedTrip, _ places: PlaceBook) -> MileagePlace? {
        let title = places.isEmpty ? nil : places.end(of: booked)?.title
        return (booked.destination ?? title ?? booked.destinationAddress).map { .words($0) }
            ?? booked.trip.end.map { .position($0) }
    }
}

extension Cell {
    /// The place where a trip started or ended.
    package init(_ place: MileagePlace?) {
        switch place {
        case .words(let words)?: self = .text(words)
        case .position(let position)?: self = .position(position)
        case nil: self = .none
        }
    }

    /// The same where little room is left: a position to 100 m.
    package init(nearly place: MileagePlace?) {
        if case .position(let position)? = place {
            let degrees = [position.latitude, position.longitude]
                .map {
                    FixedPoint.text(Int64(($0 * 1_000).rounded()), decimals: 3)
                }
            self = .name(degrees.joined(separator: ", "))
        } else {
            self = Cell(place)
        }
    }
}
