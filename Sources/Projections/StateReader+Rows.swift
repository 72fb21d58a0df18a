package import TripTracking

extension StateReader {
    private static let statusNames = ChoiceNames(of: BookedStatus.self)

    /// Reads where a trip stands in the book.
    package mutating func readBookedStatus() throws(StateError) -> BookedStatus {
        BookedStatus.allCases[try readIndex(in: Self.statusNames)]
    }
}
