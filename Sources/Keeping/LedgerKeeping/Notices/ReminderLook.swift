import EventStore
import Proofs
package import TripEvents
package import TripLedger

/// Looks from time to time for tasks that wait for a person, and reports each once while it holds.
package struct ReminderLook {
    /// How long one look counts, in milliseconds.
    private static let pause: Int64 = 600_000

    private static let daysBetweenBackups: Int64 = 7
    private static let daysBetweenWitnesses: Int64 = 31

    private let ledger: Ledger
    private var nextLook = Timestamp(milliseconds: 0)

    /// The names of the reminders that were reported and still hold.
    package private(set) var told: Set<String>

    /// Prepares to look.
    ///
    /// - Parameters:
    ///   - ledger: The ledger.
    ///   - told: The names of the reminders that were reported already.
    package init(_ ledger: Ledger, told: Set<String> = []) {
        self.ledger = ledger
        self.told = told
    }

    /// Returns what is due and was not reported, if it is time to look.
    ///
    /// - Parameter now: The present.
    /// - Returns: A notification for each.
    /// - Throws: `LedgerError`.
    package mutating func news(asOf now: Timestamp) throws -> [LedgerNotification] {
        guard now >= nextLook else { return [] }
        let kept = try LedgerError.translating(at: ledger.path) { try safekeeping(asOf: now) }
        let due = try ledger.read(asOf: now) { try $0.reminders(asOf: now) } + kept
        nextLook = now.advanced(byMilliseconds: Self.pause)
        defer { told = Set(due.map(\.reminderName)) }
        return due.filter { !told.contains($0.reminderName) }
    }

    /// Returns what is due to keep the ledger safe.
    private func safekeeping(asOf now: Timestamp) throws -> [LedgerNotification] {
        let head = try ledger.head()
        // The log holds only what `init` wrote, which needs no backup.
        guard head.size > 1 else { return [] }
        func due(
            _ kind: LedgerNotification.Kind,
            _ days: Int64,
            after last: Timestamp,
            _ command: String
        ) -> LedgerNotification? {
            let at = last.advanced(byMilliseconds: days * Timestamp.millisecondsPerDay)
            guard at <= now else { return nil }
            return LedgerNotification(
                reminding: kind,
                since: EventTime(at),
                foundAt: now,
                .reminder(LedgerNotification.Reminder(command: command)),
                position: head.size
            )
        }
        var found: [LedgerNotification?] = []
        let backup = try SafekeepingHistory(of: ledger.path).records().last { $0.deed == .backup }
        if backup?.head != head {
            let founded = try ledger.log.withEntry(at: 0) { $0.recordedAt } ?? 0
            let last = backup?.at ?? Timestamp(milliseconds: founded)
            found.append(
                due(.backupDue, Self.daysBetweenBackups, after: last, "ledger backup FILE")
            )
        }
        let witnessed = try LedgerSurroundings.lastWitness(of: ledger.path)
        if let witnessed, witnessed.size < head.size {
            let command = "ledger head --sign"
            found.append(due(.witnessDue, Self.daysBetweenWitnesses, after: witnessed.at, command))
        }
        return found.compactMap(\.self)
    }
}
