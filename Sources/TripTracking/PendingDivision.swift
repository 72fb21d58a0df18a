import TripEvents

/// A split of the trip in progress that waits for the trip to move on, with what each part has got
/// of it meanwhile.
struct PendingDivision: Hashable, Sendable {
    /// The split.
    let split: StandingSplit

    /// The fixes before the split.
    var first: TripPart

    /// The fixes at the split and after it.
    var second: TripPart

    /// Returns whether a fix is one of the second part.
    func isSecond(_ instant: Timestamp) -> Bool {
        instant >= split.at
    }
}

extension PendingDivision {
    /// Writes the division.
    func write(to writer: inout StateWriter) {
        split.write(to: &writer)
        first.write(to: &writer)
        second.write(to: &writer)
    }

    /// Reads a division.
    init(from reader: inout StateReader) throws(StateError) {
        self.init(
            split: try StandingSplit(from: &reader),
            first: try TripPart(from: &reader),
            second: try TripPart(from: &reader)
        )
    }
}
