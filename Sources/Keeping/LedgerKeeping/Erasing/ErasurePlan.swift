import EventStore
public import TripEvents
public import TripLedger
import TripTracking

/// The effect that an erasure would have.
public struct ErasurePlan: Hashable, Sendable {
    /// The most ranges that one event can name.
    private static let rangesPerEvent = 100
    private static let tripsPerEvent = 100

    /// One event's share of the erasure.
    struct Part: Hashable {
        var positions = RangeSet<UInt64>()
        var trips = Set<TripID>()
    }

    /// The positions of the entries whose content goes, without those whose content has gone
    /// already.
    public private(set) var positions = RangeSet<UInt64>()

    /// The trips that go with all that was recorded of them.
    public private(set) var lostTrips = Set<TripID>()

    /// The trips that lose events and stay, with smaller figures.
    public private(set) var shortenedTrips = Set<TripID>()

    /// The positions of requested entries that stay: events that opened trips, and gave them their
    /// ids, while other entries of these trips stay.
    public private(set) var keptPositions = RangeSet<UInt64>()

    /// The names of the erased group's sources, which stay; empty if no group is erased.
    public private(set) var sources: [String] = []

    /// The names of the files from which some of the entries were imported: the log keeps them,
    /// with their hashes.
    public private(set) var files: [String] = []

    /// The content of each event.
    private(set) var parts: [Part] = []

    /// How many entries lose their content.
    public var count: UInt64 {
        positions.ranges.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) }
    }

    init(lostTrips: Set<TripID>, keeping keptPositions: RangeSet<UInt64> = RangeSet()) {
        self.lostTrips = lostTrips
        self.keptPositions = keptPositions
    }

    init(lostTrips: Set<TripID>, of sources: [String]) {
        self.lostTrips = lostTrips
        self.sources = sources
    }

    /// Notes that some of the entries come from a file.
    mutating func note(file: String) {
        if !files.contains(where: { $0.hasSameBytes(as: file) }) { files.append(file) }
    }

    /// Adds an entry; positions MUST ascend.
    mutating func add(_ position: UInt64, concerning trips: Set<TripID>) {
        // One event of the log may name a hundred trips, and lie in the time of one more.
        let staying = Set(trips.subtracting(lostTrips).sorted().prefix(Self.tripsPerEvent))
        var part = Part()
        if let last = parts.last, last.positions.ranges.count < Self.rangesPerEvent,
            last.trips.union(staying).count <= Self.tripsPerEvent
        {
            part = last
            parts.removeLast()
        }
        part.positions.insert(contentsOf: position..<position + 1)
        part.trips.formUnion(staying)
        parts.append(part)
        positions.insert(contentsOf: position..<position + 1)
        shortenedTrips.formUnion(staying)
    }
}

extension Snapshot {
    /// Returns what erasing some entries would do.
    ///
    /// - Parameter positions: The entries; those whose content has gone already are passed over.
    /// - Returns: The plan.
    /// - Throws: `.notErasable` if one of them is the ledger's own, is not there, or opened a trip
    ///   while other entries of it would stay; `.damaged`, `.inputOutput`.
    public func planErasure(of positions: RangeSet<UInt64>) throws(LedgerError) -> ErasurePlan {
        try asking {
            var evidence = try self.evidence()
            return try plan(positions, &evidence)
        }
    }

    /// Returns what erasing trips with everything that was recorded of them would do.
    ///
    /// An event that opened a trip is kept if another part of the trip stays, and the plan says so:
    /// the second part of a trip that was split has its name from the split, for example.
    ///
    /// - Throws: `.notFound` if there is no such trip, or more than one; `.damaged`,
    /// `.inputOutput`.
    public func planErasure(of trip: TripReference) throws(LedgerError) -> ErasurePlan {
        try asking {
            let row = try self.trip(trip)
            var evidence = try self.evidence()
            var erased = try positions(about: [row], evidence)
            var kept = RangeSet<UInt64>()
            while let torn = try tornOpenings(erased, &evidence) {
                kept.formUnion(torn)
                erased.subtract(torn)
            }
            return try plan(erased, keeping: kept, &evidence)
        }
    }

    /// Returns what erasing all that concerns a group of sources would do: what they reported and
    /// decided, and what the owner decided about their trips.
    ///
    /// The names of the sources stay, for the ledger's own entries say them. A decision about trips
    /// of this group and of others together goes too, because it would have no effect.
    ///
    /// - Throws: `.notFound` if no source belongs to the group; `.damaged`, `.inputOutput`.
    public func planErasure(ofGroup group: String) throws(LedgerError) -> ErasurePlan {
        try asking {
            var entries = try GroupEntries([group], in: self)
            var plan = ErasurePlan(lostTrips: entries.trips, of: try sources(of: group))
            try log.eachEntry(in: 0..<head.size) { entry, position in
                guard entry.source != 0, !entry.isTombstone else { return }
                switch try entries.concern(of: entry, at: position) {
                case .groups, .mixed: plan.add(position, concerning: [])
                case .everyone, .others: return
                }
            }
            try noteFiles(in: &plan)
            return plan
        }
    }

    private func plan(
        _ positions: RangeSet<UInt64>,
        keeping kept: RangeSet<UInt64> = RangeSet(),
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
        var plan = ErasurePlan(lostTrips: try lostTrips(positions, &evidence), keeping: kept)
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
        try noteFiles(in: &plan)
        return plan
    }

    /// Notes the files from which the entries of a plan were imported.
    private func noteFiles(in plan: inout ErasurePlan) throws {
        for range in try log.originNotes(about: plan.positions).ranges {
            try log.eachEntry(in: range) { entry, position in
                guard
                    case .recordsImported(let imported) =
                        try StoredEvent(entry, at: position, source: .ledger).event.body
                else { return }
                plan.note(file: imported.file)
            }
        }
    }

    /// Returns the trips whose opening events are among some positions.
    private func lostTrips(
        _ positions: RangeSet<UInt64>,
        _ evidence: inout TripEvidence
    ) throws -> Set<TripID> {
        let lost = Set(try openings(positions, &evidence).keys)
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

    /// Returns which entries among some positions opened trips, with the trips.
    private func openings(
        _ positions: RangeSet<UInt64>,
        _ evidence: inout TripEvidence
    ) throws -> [TripID: UInt64] {
        var openings: [TripID: UInt64] = [:]
        for range in positions.ranges {
            try log.eachEntry(in: range) { entry, position in
                guard entry.source != 0, !entry.isTombstone else { return }
                if let trip = try evidence.trip(openedBy: entry, at: position) {
                    openings[trip] = position
                }
            }
        }
        return openings
    }

    /// Returns the entries among some positions that opened trips of which other entries would
    /// stay; `nil` if there are none.
    private func tornOpenings(
        _ positions: RangeSet<UInt64>,
        _ evidence: inout TripEvidence
    ) throws -> RangeSet<UInt64>? {
        let found = try openings(positions, &evidence)
        let opened = Set(found.keys)
        var torn = Set<TripID>()
        try log.eachEntry(in: 0..<evidence.size) { entry, position in
            guard !positions.contains(position) else { return }
            torn.formUnion(try evidence.trips(of: entry, at: position).intersection(opened))
        }
        guard !torn.isEmpty else { return nil }
        return RangeSet(torn.compactMap { found[$0] }.map { $0..<$0 + 1 })
    }
}

extension ErasurePlan {
    fileprivate static let nothingErased =
        "Nothing was erased. See what is there with `ledger log`"
}
