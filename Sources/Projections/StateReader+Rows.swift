package import TripTracking

extension StateReader {
    private static let statusNames = ChoiceNames(of: BookedStatus.self)

    /// Reads text that may be absent.
    package mutating func readOptionalText() throws(StateError) -> String? {
        // Trips have many of these: a generic function of another module would cost more than all
        // the rest of a trip.
        try readBool() ? try readText() : nil
    }

    /// Reads where a trip stands in the book.
    package mutating func readBookedStatus() throws(StateError) -> BookedStatus {
        BookedStatus.allCases[try readIndex(in: Self.statusNames)]
    }
}
