import EventStore
import Projections
import TripEvents
import TripLedger
import TripTracking
import TripsProjection

/// Tells which entries of a log concern some groups of sources, and which do not.
///
/// Events that the groups' sources reported concern them, and so do the owner's decisions about
/// their trips. Settings that the owner made for all, such as places, concern every group.
struct GroupEntries {
    /// The relation of an entry to the groups.
    enum Concern {
        /// A source of the groups reported it, or the owner decided it about trips of theirs alone.
        case groups

        /// The owner decided it about trips of the groups and about trips of others.
        case mixed

        /// The owner set it for all.
        case everyone

        /// It is about others: another group, or what the owner's own sources measured.
        case others
    }

    /// The trips of the groups.
    let trips: Set<TripID>

    private let groups: Set<[UInt8]>
    private var evidence: TripEvidence
    private var names: SourceNames

    /// The trips that started at each instant, for decisions that say only when theirs did.
    private let starts: [Timestamp: [TripID]]

    /// Prepares to look for what concerns some groups.
    ///
    /// - Throws: `.notFound` if no source belongs to one of them; what reading throws.
    init(_ groups: [String], in snapshot: borrowing Snapshot) throws {
        try snapshot.requireSources(of: groups)
        let wanted = Set(groups.map { Array($0.utf8) })
        let rows = try snapshot.allTrips()
        self.groups = wanted
        trips = Set(
            rows.filter { row in row.trip.group.map { wanted.contains(Array($0.utf8)) } ?? false }
                .map { $0.trip.id }
        )
        starts = Dictionary(grouping: rows) { $0.trip.startedAt.timestamp }
            .mapValues { $0.map { $0.trip.id } }
        evidence = try snapshot.evidence()
        names = SourceNames(snapshot.log)
    }

    /// Returns what an entry that is not the ledger's own has to do with the groups.
    mutating func concern(of entry: EntryView, at position: UInt64) throws -> Concern {
        let source = try names.source(of: entry.source, at: position)
        if let group = source.group {
            return groups.contains(Array(group.utf8)) ? .groups : .others
        }
        // Most entries are fixes, which need not be decoded.
        guard entry.kind != EventKind.fixRecorded.rawValue, !entry.isTombstone else {
            return .others
        }
        let stored = try StoredEvent(entry, at: position, source: source)
        switch stored.event.body {
        case .settingsChanged, .placeSaved, .placeRemoved, .routineSaved, .routineRemoved,
            .fieldDefined, .vehicleRegistered, .odometerRead, .rulesAdopted, .clockShifted,
            .ratesLoaded:
            return .everyone
        case .expenseRecorded(let expense):
            return expense.trip.map { concern(of: [$0]) } ?? .everyone
        case .recoveryDecided(let decided):
            let exists = evidence.isThere(decided.trip)
            let started = decided.tripStartedAt.flatMap { starts[$0.timestamp] } ?? []
            return concern(of: exists ? [decided.trip] : Set(started))
        case .detailsEdited, .routineApplied, .tripsMerged, .tripSplit, .tripVoided,
            .tripRestored, .distanceAdjusted, .stretchExcluded:
            return concern(of: try evidence.subjects(of: stored))
        case .fixRecorded, .motionChanged, .goPressed, .stopPressed, .authorizationChanged,
            .locationFailed, .inferenceReported, .tripReported, .ledgerCreated, .sourceRegistered,
            .entriesErased, .recordsImported, .eventsReceived, .reportIssued, .unknown:
            return .others
        }
    }

    private func concern(of subjects: Set<TripID>) -> Concern {
        if subjects.isDisjoint(with: trips) { return .others }
        return subjects.isSubset(of: trips) ? .groups : .mixed
    }
}

extension Snapshot {
    /// Returns the names of the sources that belong to a group, in order of their numbers.
    func sources(of group: String) throws -> [String] {
        var names: [String] = []
        try log.eachSource { if $0.group.hasSameBytes(as: group) { names.append($0.name) } }
        return names
    }

    /// Requires that each of some groups has a source.
    fileprivate func requireSources(of groups: [String]) throws {
        var missing = Set(groups.map { Array($0.utf8) })
        try log.eachSource { source in
            if let group = source.group { missing.remove(Array(group.utf8)) }
        }
        guard let group = groups.first(where: { missing.contains(Array($0.utf8)) }) else { return }
        throw LedgerError(
            .notFound,
            at: path.string,
            cause: "no source belongs to the group \(Excerpt.of(group))",
            hint: "`ledger totals --by group` lists those that have trips"
        )
    }

    /// Returns the positions of the entries that an export for some groups withholds.
    ///
    /// These are the entries that concern others, including reports, and the ledger's own notes
    /// about the origin of these entries. Erased entries have nothing left to withhold.
    func positions(withheldFrom groups: [String]) throws -> RangeSet<UInt64> {
        var entries = try GroupEntries(groups, in: self)
        var withheld = RangeSet<UInt64>()
        try log.eachEntry(in: 0..<head.size) { entry, position in
            guard entry.source != 0, !entry.isTombstone else { return }
            switch try entries.concern(of: entry, at: position) {
            case .groups, .everyone: return
            case .mixed, .others: withheld.insert(contentsOf: position..<position + 1)
            }
        }
        return withheld.union(try log.originNotes(about: withheld))
    }
}
