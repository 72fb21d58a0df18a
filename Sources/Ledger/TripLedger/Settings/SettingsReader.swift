import EventStore
import Platform
public import Projections
import Proofs
import Synchronization
public import TripEvents

/// Reads the decisions about settings without bringing the views up to date: it takes stored ones
/// from the views, and looks at each later entry once.
final class SettingsReader: Sendable {
    private struct Known {
        /// How many entries were looked at.
        var size: UInt64 = 0
        var decisions: [Decision] = []
    }

    private let known = Mutex(Known())

    /// Returns the decisions about settings that a log holds, in no order.
    ///
    /// - Parameters:
    ///   - eventLog: The log.
    ///   - views: The views of that log, as far as there are some.
    /// - Returns: The decisions.
    /// - Throws: `EventLogError` or `LMDBError`.
    func decisions(in eventLog: EventLog, _ views: OpenViews) throws -> [Decision] {
        let log = eventLog.newest
        let size = try log.head().size
        return try known.withLock { known in
            // A log that has lost entries is another one.
            if known.size == 0 || size < known.size {
                known = Self.known(to: views, of: eventLog)
            }
            if known.size < size {
                known.decisions += try Self.decisions(in: known.size..<size, of: log)
                known.size = size
            }
            return known.decisions
        }
    }

    /// Takes over what a snapshot has read, if that is more than is known: then the views need not
    /// be opened for it.
    func note(_ decisions: [Decision], upTo size: UInt64) {
        known.withLock { known in
            if known.size < size { known = Known(size: size, decisions: decisions) }
        }
    }

    /// Returns what the views know.
    private static func known(to views: OpenViews, of log: EventLog) -> Known {
        // Views that cannot be read are no reason to fail: the log has everything.
        guard let transactions = try? SnapshotTransactions(of: log, views.current()) else {
            return Known()
        }
        return Known(size: transactions.cursor.size, decisions: transactions.settings)
    }

    private static func decisions(
        in positions: Range<UInt64>,
        of log: ReadableLog
    ) throws -> [Decision] {
        var decisions: [Decision] = []
        var names = SourceNames(log)
        try log.eachEntry(in: positions) { entry, position in
            guard entry.kind == EventKind.settingsChanged.rawValue, !entry.isTombstone else {
                return
            }
            let source = try names.source(of: entry.source, at: position)
            let stored = try StoredEvent(entry, at: position, source: source)
            let decision = Decision(
                stored.event,
                identity: stored.identity,
                recordedAt: stored.recordedAt
            )
            if let decision { decisions.append(decision) }
        }
        return decisions
    }
}

extension Ledger {
    /// Returns what people set for the whole ledger, up to its last entry.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func settings() throws(LedgerError) -> SettingsBook {
        let decisions = try LedgerError.translating(at: path) {
            try settingsReader.decisions(in: eventLog, views)
        }
        return ownClock.settings(founding, decisions)
    }
}

/// Says which settings hold, and makes the clock by which a ledger's times are told.
///
/// It keeps the clock as long as the settings give the same one: reading rules of time zones takes
/// longer than most questions.
final class LedgerClock: Sendable {
    private struct Made {
        let zones: [SettingsBook.Zone]
        let clock: LocalDay?
    }

    private let made = Mutex(Made?.none)

    /// The rules of zones that count in place of this machine's, by name.
    private let given: [String: TimeZoneRules]

    /// The zones that this machine was seen to know.
    private let knownZones: Mutex<Set<String>>

    /// Makes clocks by some rules of zones, and else by this machine's.
    init(by given: [String: TimeZoneRules]) {
        self.given = given
        knownZones = Mutex(Set(given.keys))
    }

    /// Returns the settings that people set.
    ///
    /// Those with a value that this program or this machine does not know have no effect. A zone is
    /// looked for whenever settings are read, so that it holds as soon as the machine knows it.
    func settings(_ founding: LedgerCreated, _ decisions: [Decision]) -> SettingsBook {
        SettingsBook(founding: founding, decisions) { change in
            change.unknownValue(reason(against:))?.obstacle
        }
    }

    /// Returns why a zone has no effect, as a sentence without a full stop; `nil` if it has one, or
    /// if this machine has no zones at all: then times cannot be told, and that is said.
    private func reason(against zone: String) -> String? {
        knownZones.withLock { known in
            if known.contains(zone) { return nil }
            guard let reason = TimeZoneRules.reason(against: zone) else {
                known.insert(zone)
                return nil
            }
            return MachineTimeZone.isKnown(zone) ? nil : reason
        }
    }

    /// Returns the clock of some settings; `nil` if this machine does not know one of their zones.
    func clock(by settings: SettingsBook) -> LocalDay? {
        let zones = settings.timeZones
        return made.withLock { made in
            if let made, made.zones == zones { return made.clock }
            let clock = try? clock(of: zones)
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
        return try clock(of: settings.timeZones)
    }

    private func clock(of zones: [SettingsBook.Zone]) throws(LedgerError) -> LocalDay {
        var rules = TimeZoneRules.utc
        for zone in zones {
            let next: TimeZoneRules
            if let known = given[zone.name] {
                next = known
            } else {
                next = try TimeZoneRules.ofMachine(named: zone.name)
            }
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
    /// Every list, report and sum uses it, unless another time zone is asked for.
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
