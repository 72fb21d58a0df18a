import EventStore
import Platform
import Projections
import Proofs
import SystemPackage
public import TripEvents
import TripTracking
import TripsProjection

extension Snapshot {
    /// Returns what erasing some entries would do.
    ///
    /// - Parameter positions: The entries; those whose content has gone already are passed over.
    /// - Returns: The plan.
    /// - Throws: `.notErasable` if one of them is the ledger's own, is not there, or opened a trip
    ///   of which other entries would stay; `.damaged`, `.inputOutput`.
    public func planErasure(of positions: RangeSet<UInt64>) throws(LedgerError) -> ErasurePlan {
        try asking {
            var evidence = try self.evidence()
            return try plan(positions, &evidence)
        }
    }

    /// Returns what erasing trips with everything that was recorded of them would do.
    ///
    /// - Throws: `.notFound` if there is no such trip, or more than one; `.damaged`,
    /// `.inputOutput`.
    public func planErasure(of trip: TripReference) throws(LedgerError) -> ErasurePlan {
        try asking {
            let row = try store.trip(trip, of: path)
            var evidence = try self.evidence()
            return try plan(positions(about: [row], evidence), &evidence)
        }
    }

    /// Prepares to look for what concerns trips.
    func evidence() throws -> TripEvidence {
        var rows: [TripRow] = []
        try store.scanTrips(isDescending: false) { row in
            rows.append(row)
            return true
        }
        return try TripEvidence(rows, BookRows(over: store), upTo: head.size, in: log)
    }

    /// Returns the positions of all entries that say something about some trips or their parts.
    func positions(
        about rows: [TripRow],
        _ evidence: TripEvidence
    ) throws -> RangeSet<UInt64> {
        let trips = Set(rows.flatMap { [$0.trip.id] + $0.booked.parts })
        var positions = RangeSet<UInt64>()
        guard !trips.isEmpty else { return positions }
        var evidence = evidence
        try log.eachEntry(in: 0..<evidence.size) { entry, position in
            if try !evidence.trips(of: entry, at: position).isDisjoint(with: trips) {
                positions.insert(contentsOf: position..<position + 1)
            }
        }
        return positions
    }

    private func plan(
        _ positions: RangeSet<UInt64>,
        _ evidence: inout TripEvidence
    ) throws -> ErasurePlan {
        let size = evidence.size
        if let last = positions.ranges.last, last.upperBound > size {
            throw LedgerError(
                .notErasable,
                at: path.string,
                cause: "there is no entry at position \(max(size, last.lowerBound)); "
                    + "the last one is at \(size - 1)",
                hint: ErasurePlan.nothingErased
            )
        }
        var plan = ErasurePlan(lostTrips: try lostTrips(positions, &evidence))
        for range in positions.ranges {
            try log.eachEntry(in: range) { entry, position in
                guard entry.source != 0 else {
                    throw LedgerError(
                        .notErasable,
                        at: path.string,
                        cause: "the entry at position \(position) is the ledger's own, which "
                            + "says nothing of anybody's trips and cannot be erased",
                        hint: ErasurePlan.nothingErased
                    )
                }
                guard !entry.isTombstone else { return }
                plan.add(position, concerning: try evidence.trips(of: entry, at: position))
            }
        }
        return plan
    }

    /// Returns the trips whose opening events are among some positions.
    private func lostTrips(
        _ positions: RangeSet<UInt64>,
        _ evidence: inout TripEvidence
    ) throws -> Set<TripID> {
        var lost = Set<TripID>()
        for range in positions.ranges {
            try log.eachEntry(in: range) { entry, position in
                guard entry.source != 0, !entry.isTombstone else { return }
                if let trip = try evidence.trip(openedBy: entry, at: position) {
                    lost.insert(trip)
                }
            }
        }
        guard !lost.isEmpty else { return [] }
        try log.eachEntry(in: 0..<evidence.size) { entry, position in
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
}

extension ErasurePlan {
    fileprivate static let nothingErased =
        "Nothing was erased. See what is there with `ledger log`"
}

extension Ledger {
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
    /// - Throws: `.notErasable` if one of the entries was erased meanwhile, `.damaged`,
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

    /// Whether what was erased may still stand in unused places of the log's file, or in views.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func needsSweep() throws(LedgerError) -> Bool {
        try LedgerError.translating(at: path) {
            if try log.needsSweep() { return true }
            guard try log.lastErasure() != nil else { return false }
            return try !viewLeftovers().isEmpty || holdsOlderViews()
        }
    }

    /// Whether there are views that were not made since the last erasure, or whose time is unknown.
    private func holdsOlderViews() throws -> Bool {
        guard try Directory.holds(viewsPath) else { return false }
        do {
            _ = try views.current().cursor(in: log)
            return false
        } catch is StaleViews {
            return true
        }
    }

    /// Writes the log's file and the views anew, so that nothing in them holds what was erased.
    ///
    /// This ledger MUST NOT be used after that, but for the one that is returned.
    ///
    /// - Returns: The ledger, open; `nil` if another process has it open, and nothing was done.
    /// - Throws: `.damaged`, `.inputOutput`.
    public func sweep() throws(LedgerError) -> Ledger? {
        // The log's directory changes, and with it goes what was laid there.
        try LedgerError.translating(at: path) { try SafekeepingHistory(of: path).settle() }
        var ledger = self
        if try LedgerError.translating(at: path, { try log.needsSweep() }) {
            guard try LedgerError.translating(at: path, { try log.sweep() }) else { return nil }
            views.close()
            ledger = try Ledger(at: path, notice: notice)
        }
        _ = try ledger.project(isRebuild: true)
        return ledger
    }

    /// The names of what else is in the directory that may hold what was erased: logs that were
    /// replaced, unfinished copies of logs, and entries that a rescue could not place.
    ///
    /// - Throws: `.inputOutput`.
    public func unsweptNames() throws(LedgerError) -> [String] {
        let prefixes = ["replaced-", ".restore-", ".import-", "stranded.jsonl"]
        return try LedgerError.translating(at: path) {
            try Directory.names(in: path)
                .filter { name in prefixes.contains { name.hasPrefix($0) } }
                .sorted()
        }
    }

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
}

extension EventLog {
    /// Hands over the entries of a range with their positions.
    func eachEntry(
        in range: Range<UInt64>,
        _ body: (EntryView, UInt64) throws -> Void
    ) throws {
        guard !range.isEmpty else { return }
        try scan(from: range.lowerBound) { block in
            var entries = block.entries
            while entries.position < range.upperBound, let entry = try entries.next() {
                let position = entries.position - 1
                if range.contains(position) { try body(entry, position) }
            }
            return block.endPosition < range.upperBound
        }
    }
}
