public import TripEvents

extension MileageSum {
    /// Returns the titles of the columns, in the order of the cells, with distances in a unit.
    public static func titles(in unit: DistanceUnit) -> [String] {
        let unit = unit.rawValue
        return ["class", "trips", "distance_\(unit)", "gaps", "gap_distance_\(unit)"]
    }

    /// The sum's cells, one for each title.
    public var cells: [ReportCell] {
        [
            .text(tripClass?.rawValue), .count(trips), .distance(distance), .count(gaps),
            .distance(gapDistance),
        ]
    }
}
