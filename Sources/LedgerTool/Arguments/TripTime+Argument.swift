public import ArgumentParser
import TripEvents
public import TripLedger

extension TripTime: ExpressibleByArgument {
    /// Reads a time as RFC 3339, in milliseconds since 1970, as a local date and time or as a time
    /// of day, each with or without seconds.
    public init?(argument: String) {
        if let time = EventTime(argument: argument) {
            self = .instant(time)
        } else {
            self.init(argument)
        }
    }
}
