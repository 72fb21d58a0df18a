public import ArgumentParser
public import TripEvents

extension ExactDecimal: ExpressibleByArgument {
    /// Reads a number and keeps it exactly as it was typed.
    public init?(argument: String) {
        self.init(literal: argument)
    }
}
