public import ArgumentParser
public import TripEvents
public import TripLedger

extension DistanceUnit: ExpressibleByArgument {}
extension MotionState: ExpressibleByArgument {}
extension MotionConfidence: ExpressibleByArgument {}
extension FixProvider: ExpressibleByArgument {}

extension ExactDecimal: ExpressibleByArgument {
    /// Reads a number and keeps it exactly as it was typed.
    public init?(argument: String) {
        self.init(literal: argument)
    }
}

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
    }
}

extension TripReference: ExpressibleByArgument {
    /// Reads `last`, `active` or the beginning of a trip's id.
    public init?(argument: String) {
        self.init(argument)
    }
}
