package import TripTracking

extension StateReader {
    /// Reads text that may be absent.
    package mutating func readOptionalText() throws(StateError) -> String? {
        try readOptional { reader throws(StateError) in try reader.readText() }
    }
}
