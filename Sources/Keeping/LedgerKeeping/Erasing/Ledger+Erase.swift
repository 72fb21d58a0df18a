package import EventStore
import Platform
import Projections
import Proofs
import SystemPackage
public import TripEvents
public import TripLedger
import TripTracking
import TripsProjection

extension Ledger {
    /// Erases the entries that a plan names.
    ///
    /// The log keeps who erased them, when and why, and every hash.
    ///
    /// Erased bytes may remain in unused places of the log's file until `sweep()`.
    ///
    /// - Parameters:
    ///   - plan: The plan; at least one entry.
    ///   - why: Why, 1 … 4,000 bytes.
    ///   - actor: Who decided, at most 200 bytes.
    ///   - now: When.
    /// - Returns: The positions of the events that say so.
    /// - Throws: `.notErasable` if one of the entries was erased meanwhile, `.damaged`,
    ///   `.inputOutput`; then nothing was erased.
    public func erase(
        _ plan: ErasurePlan,
        why: String,
        actor: String?,
        now: Timestamp
    ) throws(LedgerError) -> [UInt64] {
        try LedgerError.translating(at: path) {
            let head = try eventLog.erase(
                plan.parts.map(\.positions),
                recordedAt: now.milliseconds,
                randomness: BufferedRandom()
            ) { index, commitment in
                let event = Self.event(plan.parts[index], commitment, why: why, actor: actor)
                return EntryContent(event.encoded)
            }
            return Array(head.size - UInt64(plan.parts.count)..<head.size)
        }
    }

    /// Whether what was erased may still stand in unused places of the log's file, or in views.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func needsSweep() throws(LedgerError) -> Bool {
        try LedgerError.translating(at: path) {
            try eventLog.needsSweep() || viewsMayHoldErased()
        }
    }

    /// Writes the log's file and the views anew, so that nothing in them holds what was erased.
    ///
    /// This ledger MUST NOT be used after that; use the one that is returned instead.
    ///
    /// - Returns: The ledger, open; `nil` if another process has it open, and nothing was done.
    /// - Throws: `.damaged`, `.inputOutput`.
    public func sweep() throws(LedgerError) -> Ledger? {
        Self.removeAbandonedCopies()
        // The log's directory is replaced, and a record that was laid there would be lost.
        try LedgerError.translating(at: path) { try SafekeepingHistory(of: path).settle() }
        var ledger = self
        if try LedgerError.translating(at: path, { try eventLog.needsSweep() }) {
            guard try LedgerError.translating(at: path, { try eventLog.sweep() }) else {
                return nil
            }
            ledger = try reopened()
        }
        _ = try ledger.project(isRebuild: true)
        return ledger
    }

    /// Where a server keeps the files that are dropped on its page, until they are added.
    private static let drops = "server/drop"

    /// The names of other things in the directory that may hold erased content: logs that were
    /// replaced, unfinished copies of logs, entries that a rescue could not place, and files that
    /// were dropped on a server's page when it was killed.
    ///
    /// - Throws: `.inputOutput`.
    public func unsweptNames() throws(LedgerError) -> [String] {
        let prefixes = ["replaced-", ".restore-", ".import-", "stranded.jsonl"]
        return try LedgerError.translating(at: path) {
            var names = try Directory.names(in: path)
                .filter { name in prefixes.contains { name.hasPrefix($0) } }
                .sorted()
            if try Directory.holds(path.appending(Self.drops)) { names.append(Self.drops) }
            return names
        }
    }

    private static func event(
        _ part: ErasurePlan.Part,
        _ commitment: ErasureCommitment,
        why: String,
        actor: String?
    ) -> TripEvent {
        guard let positions = PositionRanges(part.positions) else {
            preconditionFailure("a part has positions, and few enough ranges")
        }
        let erased = EntriesErased(
            positions: positions,
            tombstoneHash: commitment.tombstoneRoot.description,
            erasedFrom: part.trips.isEmpty ? nil : part.trips.sorted(),
            memoryHash: commitment.memory.description,
            previousErasure: commitment.previous,
            why: why
        )
        // The log gives its own events the time at which it stores them.
        return TripEvent(
            source: "",
            occurredAt: Timestamp(milliseconds: 0),
            actor: actor,
            body: .entriesErased(erased)
        )
    }
}

extension ErasureRecord {
    /// Reads the erasure that an event of the ledger records; `nil` if it records none.
    package init?(_ entry: EntryView) {
        guard let stored = try? StoredEvent(entry, at: 0, source: .ledger),
            case .entriesErased(let erased) = stored.event.body,
            let root = Digest(hexadecimal: erased.tombstoneHash),
            let memory = Digest(hexadecimal: erased.memoryHash)
        else { return nil }
        self.init(
            positions: erased.positions.set,
            commitment: ErasureCommitment(
                tombstoneRoot: root,
                memory: memory,
                previous: erased.previousErasure
            )
        )
    }
}
