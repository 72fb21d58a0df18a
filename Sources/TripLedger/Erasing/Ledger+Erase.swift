import EventStore
import Projections
import Proofs
import SystemPackage
public import TripEvents
import TripTracking
import TripsProjection

extension Ledger {
    /// Returns what erasing some entries would do.
    ///
    /// - Parameter positions: The entries; those whose content has gone already are passed over.
    /// - Returns: The plan.
    /// - Throws: `.notErasable` if one of them is the ledger's own, is not there, or opened a trip
    ///   of which other entries would stay; `.damaged`, `.inputOutput`.
    public func planErasure(of positions: RangeSet<UInt64>) throws(LedgerError) -> ErasurePlan {
        let rows = try trips(TripFilter(includesUncounted: true))
        return try LedgerError.translating(at: path) {
            let size = try log.head().size
            if let last = positions.ranges.last, last.upperBound > size {
                throw LedgerError(
                    .notErasable,
                    at: path.string,
                    cause: "there is no entry at position \(max(size, last.lowerBound)); "
                        + "the last one is at \(size - 1)",
                    hint: Self.nothingErased
                )
            }
            var evidence = try TripEvidence(rows, in: log)
            let lost = try lostTrips(positions, &evidence)
            var plan = ErasurePlan(lostTrips: lost)
            for range in positions.ranges {
                try eachEntry(in: range) { entry, position in
                    guard entry.source != 0 else {
                        throw LedgerError(
                            .notErasable,
                            at: path.string,
                            cause: "the entry at position \(position) is the ledger's own, which "
                                + "says nothing of anybody's trips and cannot be erased",
                            hint: Self.nothingErased
                        )
                    }
                    guard !entry.isTombstone else { return }
                    plan.add(position, concerning: try evidence.trips(of: entry, at: position))
                }
            }
            return plan
        }
    }

    /// Returns what erasing trips with everything that was recorded of them would do.
    ///
    /// - Throws: `.notFound` if there is no such trip, or more than one; `.damaged`,
    /// `.inputOutput`.
    public func planErasure(of trip: TripReference) throws(LedgerError) -> ErasurePlan {
        let row = try self.trip(trip)
        let ids = Set([row.trip.id] + row.booked.parts)
        return try planErasure(of: try evidence(of: ids))
    }

    /// Returns the positions of all entries that say something about some trips.
    func evidence(of trips: Set<TripID>) throws(LedgerError) -> RangeSet<UInt64> {
        guard !trips.isEmpty else { return RangeSet() }
        let rows = try self.trips(TripFilter(includesUncounted: true))
        return try LedgerError.translating(at: path) {
            var evidence = try TripEvidence(rows, in: log)
            var positions = RangeSet<UInt64>()
            try eachEntry(in: 0..<log.head().size) { entry, position in
                if try !evidence.trips(of: entry, at: position).isDisjoint(with: trips) {
                    positions.insert(contentsOf: position..<position + 1)
                }
            }
            return positions
        }
    }

    /// Erases what a plan names: who, when and why stays in the log, and every hash.
    ///
    /// What was erased may still stand in unused places of the log's file until `sweep()`.
    ///
    /// - Parameters:
    ///   - plan: What to erase; at least one entry.
    ///   - why: Why, 1 … 4,000 bytes.
    ///   - actor: Who decided, at most 200 bytes.
    ///   - now: When.
    /// - Returns: The positions of the events that say so.
    /// - Throws: `.notErasable` if somebody erased one of the entries meanwhile, `.damaged`,
    ///   `.inputOutput`; then nothing was erased.
    public func erase(
        _ plan: ErasurePlan,
        why: String,
        actor: String?,
        now: Timestamp
    ) throws(LedgerError) -> [UInt64] {
        try LedgerError.translating(at: path) {
            let head = try log.erase(
                plan.parts.map(\.positions),
                recordedAt: now.milliseconds,
                randomness: BufferedRandom()
            ) { index, root in
                EntryContent(Self.event(plan.parts[index], root, why: why, actor: actor).encoded)
            }
            return Array(head.size - UInt64(plan.parts.count)..<head.size)
        }
    }

    /// Whether what was erased may still stand in unused places of the log's file.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func needsSweep() throws(LedgerError) -> Bool {
        try LedgerError.translating(at: path) { try log.needsSweep() }
    }

    /// Writes the log's file and the views anew, so that nothing in them holds what was erased.
    ///
    /// This ledger MUST NOT be used after that, but for the one that is returned.
    ///
    /// - Returns: The ledger, open; `nil` if another process has it open, and nothing was done.
    /// - Throws: `.damaged`, `.inputOutput`.
    public func sweep() throws(LedgerError) -> Ledger? {
        guard try LedgerError.translating(at: path, { try log.sweep() }) else { return nil }
        let ledger = try Ledger(at: path)
        _ = try ledger.project(isRebuild: true)
        return ledger
    }

    private static let nothingErased = "Nothing was erased. See what is there with `ledger log`"

    private static func event(
        _ part: ErasurePlan.Part,
        _ root: Digest,
        why: String,
        actor: String?
    ) -> TripEvent {
        guard let positions = PositionRanges(part.positions) else {
            preconditionFailure("a part has positions, and few enough ranges")
        }
        let erased = EntriesErased(
            positions: positions,
            tombstoneHash: root.description,
            erasedFrom: part.trips.isEmpty ? nil : part.trips.sorted(),
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

    /// Returns the trips whose opening events are among some positions.
    private func lostTrips(
        _ positions: RangeSet<UInt64>,
        _ evidence: inout TripEvidence
    ) throws -> Set<TripID> {
        var lost = Set<TripID>()
        for range in positions.ranges {
            try eachEntry(in: range) { entry, position in
                guard entry.source != 0, !entry.isTombstone else { return }
                if let trip = try evidence.trip(openedBy: entry, at: position) {
                    lost.insert(trip)
                }
            }
        }
        guard !lost.isEmpty else { return [] }
        try eachEntry(in: 0..<log.head().size) { entry, position in
            guard !positions.contains(position) else { return }
            let torn = try evidence.trips(of: entry, at: position).intersection(lost)
            guard let trip = torn.min() else { return }
            throw LedgerError(
                .notErasable,
                at: path.string,
                cause: "trip \(trip) is named after one of these entries, and would lose its name",
                hint: "Nothing was erased. Erase all of it with `ledger erase --trip "
                    + "\(trip.description.prefix(12))`, or leave out the event that opened it"
            )
        }
        return lost
    }

    private func eachEntry(
        in range: Range<UInt64>,
        _ body: (EntryView, UInt64) throws -> Void
    ) throws {
        guard !range.isEmpty else { return }
        try log.scan(from: range.lowerBound) { block in
            var entries = block.entries
            while entries.position < range.upperBound, let entry = try entries.next() {
                let position = entries.position - 1
                if range.contains(position) { try body(entry, position) }
            }
            return block.endPosition < range.upperBound
        }
    }
}
