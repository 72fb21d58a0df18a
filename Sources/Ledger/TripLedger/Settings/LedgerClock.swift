import Projections
import Synchronization
public import TripEvents

/// Makes the clock by which a ledger's times are told, and keeps it as long as the settings give
/// the same one: reading rules of time zones takes longer than most questions.
final class LedgerClock: Sendable {
    private struct Made {
        let zones: [SettingsBook.Zone]
        let clock: LocalDay?
    }

    private let made = Mutex(Made?.none)

    /// Returns the clock of some settings; `nil` if this machine does not know one of their zones.
    func clock(by settings: SettingsBook) -> LocalDay? {
        let zones = settings.timeZones
        return made.withLock { made in
            if let made, made.zones == zones { return made.clock }
            let clock = try? Self.clock(of: zones)
            made = Made(zones: zones, clock: clock)
            return clock
        }
    }

    /// Returns the clock of some settings.
    ///
    /// - Throws: `.unreadableInput` if this machine does not know one of their zones.
    func requireClock(by settings: SettingsBook) throws(LedgerError) -> LocalDay {
        if let clock = clock(by: settings) { return clock }
        // Says what is wrong with which zone.
        return try Self.clock(of: settings.timeZones)
    }

    private static func clock(of zones: [SettingsBook.Zone]) throws(LedgerError) -> LocalDay {
        var rules = TimeZoneRules.utc
        for zone in zones {
            let next = try TimeZoneRules.ofMachine(named: zone.name)
            rules = zone.start.map { rules.followed(by: next, from: $0) } ?? next
        }
        return LocalDay(zone: rules)
    }
}

extension Ledger {
    /// The clock by which times are told and trips counted: each by its own offset from UTC where
    /// the device said one, else in the time zone that the ledger had then; `nil` if this machine
    /// does not know one of the ledger's zones.
    ///
    /// Every list, report and sum goes by it, unless another time zone is asked for.
    public var clock: LocalDay? { (try? settings()).flatMap { ownClock.clock(by: $0) } }

    /// Returns the clock by which times are told and trips counted.
    ///
    /// - Throws: `.unreadableInput` if this machine does not know one of the ledger's time zones;
    ///   `.damaged`, `.inputOutput`.
    public func requireClock() throws(LedgerError) -> LocalDay {
        try ownClock.requireClock(by: try settings())
    }
}

extension Snapshot {
    /// The clock by which times are told and trips counted: that of ``Ledger/clock``.
    public var clock: LocalDay? { ownClock.clock(by: settings) }

    /// Returns the clock by which times are told and trips counted.
    ///
    /// - Throws: `.unreadableInput` if this machine does not know one of the ledger's time zones.
    public func requireClock() throws(LedgerError) -> LocalDay {
        try ownClock.requireClock(by: settings)
    }
}
