import Geodesy
import Projections
import TripEvents

extension MileageSum {
    /// Appends the sum as one JSON object without a line's end; the class of the total is null.
    public func appendJSON(to bytes: inout [UInt8]) {
        var json = RowJSON()
        json.add("class", text: tripClass?.rawValue)
        json.add("trips", integer: trips)
        json.add("distance_m", thousandths: distance.millimeters)
        json.add("gap_distance_m", thousandths: gapDistance.millimeters)
        bytes.append(contentsOf: json.object)
    }
}
