public import ArgumentParser
public import TripLedger

extension TripReference: ExpressibleByArgument {
    /// The words that stand for a trip.
    public static var defaultCompletionKind: CompletionKind { .list(["last", "active"]) }

    /// Reads `last`, `active` or the beginning of a trip's id.
    public init?(argument: String) {
        self.init(argument)
    }
}
