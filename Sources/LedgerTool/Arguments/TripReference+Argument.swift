public import ArgumentParser
public import TripLedger

extension TripReference: ExpressibleByArgument {
    /// Reads `last`, `active` or the beginning of a trip's id.
    public init?(argument: String) {
        self.init(argument)
    }
}
