public import TripEvents
public import TripTracking

/// What a ledger is created with; it stands in its first event.
public struct LedgerSettings: Hashable, Sendable {
    /// The time zone of its reports, as an IANA name such as `Europe/Amsterdam`.
    public var timeZone: String

    /// The unit of its reports.
    public var units: DistanceUnit

    /// The tracking rules in force from the start.
    public var rules: RulesVersion

    /// Creates settings.
    public init(
        timeZone: String = "UTC",
        units: DistanceUnit = .kilometers,
        rules: RulesVersion = .v1
    ) {
        self.timeZone = timeZone
        self.units = units
        self.rules = rules
    }
}
