public import ArgumentParser
public import TripEvents

extension CivilDate: ExpressibleByArgument {
    /// Reads a day such as `2026-03-14`.
    public init?(argument: String) {
        self.init(argument)
    }
}
