import Geodesy

extension FixRecorded {
    /// Returns the reading in the numbers that the tracking rules compare, each the nearest
    /// `Double`, or `nil` if the position is out of range.
    public func fix(occurredAt: Timestamp) -> Fix? {
        Coordinate(latitude: latitude.doubleValue, longitude: longitude.doubleValue)
            .map {
                Fix(
                    occurredAt: occurredAt,
                    coordinate: $0,
                    accuracyMeters: accuracy?.doubleValue,
                    speedMetersPerSecond: speed?.doubleValue,
                    isMock: isMock ?? false
                )
            }
    }
}
