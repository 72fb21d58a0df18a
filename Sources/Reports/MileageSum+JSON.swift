import Geodesy
package import Projections
import TripEvents

extension MileageSum {
    /// Appends the sum as one JSON object without a line's end.
    public func appendJSON(to bytes: inout [UInt8]) {
        json(kind: "sum").append(to: &bytes)
    }

    /// The sum as a JSON object that can be added to.
    package func json(kind: String) -> RowJSON {
        var json = RowJSON()
        json.add("kind", text: kind)
        if let tripClass {
            json.add("class", text: tripClass.rawValue)
        }
        json.add("trips", integer: trips)
        json.add("distance_m", thousandths: distance.millimeters)
        json.add("gaps", integer: gaps)
        json.add("gap_distance_m", thousandths: gapDistance.millimeters)
        return json
    }
}
