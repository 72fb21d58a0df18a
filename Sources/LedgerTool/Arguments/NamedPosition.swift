import Geodesy
import TripEvents

/// A position that a person named in one way or another.
struct NamedPosition {
    /// Latitude in degrees.
    let latitude: ExactDecimal

    /// Longitude in degrees.
    let longitude: ExactDecimal

    /// Where it comes from, to go on a sentence with; empty if it was typed.
    let remark: String

    /// Creates a position that was typed or reported.
    init(_ latitude: ExactDecimal, _ longitude: ExactDecimal, remark: String = "") {
        self.latitude = latitude
        self.longitude = longitude
        self.remark = remark
    }

    /// Creates the position of one end of a trip, in as few digits as give it back exactly.
    init?(_ coordinate: Coordinate, remark: String) {
        guard let latitude = ExactDecimal(literal: "\(coordinate.latitude)"),
            let longitude = ExactDecimal(literal: "\(coordinate.longitude)")
        else { return nil }
        self.init(latitude, longitude, remark: remark)
    }
}
