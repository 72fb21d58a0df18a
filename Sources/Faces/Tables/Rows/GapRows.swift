package import TripTracking

extension GapTotal: Tabular {
    /// The gaps, which were not measured.
    package static let columns = Columns<GapTotal> {
        Column.integer("count", "GAPS") { $0.count }
        Column.duration("seconds", "GAP TIME") { $0.milliseconds }
        Column.distance("meters", "GAP") { $0.distance }
    }
}
