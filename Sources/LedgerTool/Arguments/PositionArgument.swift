import ArgumentParser
import TripEvents

/// Positions of entries as a person gives them: `12`, `40-51` or `12,40-51`.
struct PositionArgument: ExpressibleByArgument {
    /// The positions.
    let positions: RangeSet<UInt64>

    init?(argument: String) {
        guard let ranges = PositionRanges(argument) else { return nil }
        positions = ranges.set
    }
}
