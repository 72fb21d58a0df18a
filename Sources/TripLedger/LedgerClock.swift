import Synchronization
public import TripEvents

/// The clock by which a ledger's times are told, found when it is first asked for: many commands
/// never are.
final class LedgerClock: Sendable {
    private enum Found {
        case notYet
        case clock(LocalDay?)
    }

    private let timeZone: String
    private let found = Mutex(Found.notYet)

    init(timeZone: String) {
        self.timeZone = timeZone
    }

    /// The clock; `nil` if this machine does not know its time zone.
    var clock: LocalDay? {
        found.withLock { found in
            if case .clock(let clock) = found { return clock }
            let clock = (try? TimeZoneRules.ofMachine(named: timeZone)).map { LocalDay(zone: $0) }
            found = .clock(clock)
            return clock
        }
    }
}

extension Ledger {
    /// The clock by which times are told and trips counted: each by its own offset from UTC where
    /// the device said one, else in the ledger's time zone; `nil` if this machine does not know
    /// that zone.
    ///
    /// Every list, report and sum goes by it, unless another time zone is asked for.
    public var clock: LocalDay? { ownClock.clock }

    /// Returns the clock by which times are told and trips counted.
    ///
    /// - Throws: `.unreadableInput` if this machine does not know the ledger's time zone.
    public func requireClock() throws(LedgerError) -> LocalDay {
        if let clock { return clock }
        // Says what is wrong with the zone.
        return LocalDay(zone: try TimeZoneRules.ofMachine(named: founding.timeZone))
    }
}

extension Snapshot {
    /// The clock by which times are told and trips counted: that of ``Ledger/clock``.
    public var clock: LocalDay? { ownClock.clock }
}
