public import ArgumentParser
public import TripEvents

extension EventTime: ExpressibleByArgument {
    /// Reads a time as RFC 3339 or in milliseconds since 1970.
    public init?(argument: String) {
        if let milliseconds = Int64(argument) {
            self.init(Timestamp(milliseconds: milliseconds))
        } else if let time = RFC3339.time(argument) {
            self = time
        } else {
            return nil
        }
        guard RFC3339.writable.contains(timestamp) else { return nil }
    }
}
