public import ArgumentParser
public import TripEvents

extension CivilDate: ExpressibleByArgument {
    /// Reads a day as `YYYY-MM-DD`.
    public init?(argument: String) {
        self.init(argument)
    }
}
