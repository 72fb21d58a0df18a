public import ArgumentParser
public import TripEvents

extension EventTime: ExpressibleByArgument {
    /// The years 1 … 9999, which is what RFC 3339 can write, in milliseconds since 1970.
    private static let writable: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

    /// Reads a time as RFC 3339 or in milliseconds since 1970.
    public init?(argument: String) {
        if let milliseconds = Int64(argument) {
            guard Self.writable.contains(milliseconds) else { return nil }
            self.init(Timestamp(milliseconds: milliseconds))
        } else if let time = RFC3339.time(argument) {
            self = time
        } else {
            return nil
        }
    }
}
