package import TripTracking

extension StateReader {
    /// Reads text that may be absent.
    package mutating func readOptionalText() throws(StateError) -> String? {
        // Trips have many of these: a generic function of another module would cost more than all
        // the rest of a trip.
        try readBool() ? try readText() : nil
    }
}
