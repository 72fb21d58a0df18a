import ActiveTripProjection
import EventStore
public import Projections
public import RoutinesProjection
public import TotalsProjection
import TripEvents
public import TripTracking

// Decisions that are not about a single trip, and the sums over all trips.
extension Snapshot {
    /// Returns the places that people saved.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func places() throws(LedgerError) -> PlaceBook {
        PlaceBook(try decisions(on: .places))
    }

    /// Returns the vehicles that people registered, and what their odometers showed.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func vehicles() throws(LedgerError) -> VehicleBook {
        VehicleBook(try decisions(on: .vehicles))
    }

    /// Returns who drove trips: what vehicles and settings say where trips say nothing.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func drivers() throws(LedgerError) -> DriverBook {
        DriverBook(vehicles: try vehicles(), settings: settings)
    }

    /// Returns the name of each source's group, in order of the sources' numbers; sources of the
    /// owner have none.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package func groupNames() throws(LedgerError) -> [String] {
        try asking {
            var names: [String] = []
            try log.eachSource { if let group = $0.group { names.append(group) } }
            return names
        }
    }

    /// Returns the vehicles as a report about what is seen knows them: each name is one vehicle.
    ///
    /// Unless a group was selected, ``requireOneVehicle(named:of:countingOwner:)`` MUST have found
    /// no name that means several.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package func namedVehicles() throws(LedgerError) -> VehicleBook {
        try vehicles().book(of: store.sight.selection)
    }

    /// Requires that a vehicle's name is enough to tell which one is meant: not two groups of
    /// sources may have a vehicle of that name, unless one of them is selected.
    ///
    /// A group has a vehicle if its sources said something of it, or if its trips or expenses name
    /// it and the owner registered none of that name, because that would be one vehicle for all
    /// groups. A vehicle that the owner's trips name is not that of a group that said something of
    /// its own.
    ///
    /// - Parameters:
    ///   - name: The name; `nil` for all names.
    ///   - group: The group that was selected; `nil` for none.
    ///   - countsOwner: Whether the owner counts as having one, too; the owner MUST be selectable
    ///     then.
    /// - Throws: `.ambiguous`; `.damaged`, `.inputOutput`.
    public func requireOneVehicle(
        named name: String?,
        of group: GroupSelection?,
        countingOwner countsOwner: Bool = true
    ) throws(LedgerError) {
        guard group == nil, try asking({ try hasGroups }) else { return }
        let shared = try holders(of: name)
            .mapValues { owners in owners.filter { countsOwner || $0 != nil } }
            .filter { $0.value.count > 1 }.min { $0.key < $1.key }
        guard let (vehicle, owners) = shared else { return }
        let names = owners.map { $0.map { Excerpt.escaped($0.name) } ?? "'' (the owner)" }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let shown = names.prefix(Self.mostGroupsNamed)
        let more = names.count > shown.count ? " and others" : ""
        throw LedgerError(
            .ambiguous,
            at: path.string,
            cause: "\(names.count) groups have a vehicle \(Excerpt.of(vehicle.name)): "
                + shown.joined(separator: ", ") + more,
            hint: "Say which is meant with --group"
        )
    }

    /// Whether any source belongs to a group.
    private var hasGroups: Bool {
        get throws {
            var number: UInt32 = 1
            while let source = try log.source(numbered: number) {
                if source.group != nil { return true }
                number += 1
            }
            return false
        }
    }

    /// Returns the groups that have a vehicle of each name; `nil` stands for the owner.
    private func holders(
        of only: String?
    ) throws(LedgerError) -> [NameKey: Set<NameKey?>] {
        let book = try vehicles()
        var holders: [NameKey: Set<NameKey?>] = [:]
        func note(_ vehicle: String?, _ group: String?) {
            guard let vehicle, only.map({ $0.hasSameBytes(as: vehicle) }) ?? true else { return }
            let holder = book.holder(of: vehicle, for: group).map { NameKey($0) }
            holders[NameKey(vehicle), default: []].insert(holder)
        }
        for name in book.names {
            for group in book.groups(having: name) { note(name, group) }
        }
        for recorded in try expenses().expenses where recorded.group != nil {
            note(recorded.expense.vehicle, recorded.group)
        }
        try asking {
            try store.scanTrips(isDescending: false) { row in
                let booked = row.booked
                if booked.counts || booked.status == .active {
                    note(booked.details.vehicle, booked.trip.group)
                }
                return true
            }
        }
        // Where no group said anything of it, the owner's trips and those of one group mean one.
        for (vehicle, owners) in holders where owners.contains(nil) && owners.count > 1 {
            if book.groups(having: vehicle.name).isEmpty { holders[vehicle]?.remove(nil) }
        }
        return holders
    }

    private static let mostGroupsNamed = 10

    /// Returns what was paid beside the distance.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func expenses() throws(LedgerError) -> ExpenseBook {
        ExpenseBook(try decisions(on: .expenses))
    }

    /// Returns the custom fields that people defined for a group; `nil` for the owner.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func fields(for group: String? = nil) throws(LedgerError) -> FieldCatalogue {
        try asking { try TripBook(over: store).fields(for: group) }
    }

    /// Returns the routines with their uses.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func routines() throws(LedgerError) -> RoutineCatalogue {
        try asking {
            var rows: [RoutineRow] = []
            try store.scanValues(.routinesInOrder) { row in
                let row = try RoutineRow(decoding: row)
                if try isSeen(row) { rows.append(row) }
                return true
            }
            return RoutineCatalogue(rows, by: clock)
        }
    }

    /// Returns whether a routine, or the trip that uses one, is seen.
    private func isSeen(_ row: RoutineRow) throws -> Bool {
        guard !store.sight.isEverything else { return true }
        return switch row.content {
        case .template: store.sight.seesSettings(of: row.group)
        case .use(let use): try store.tripRow(use.trip) != nil
        }
    }

    /// Returns the names of routines in order of their bytes, without looking at their uses.
    ///
    /// - Parameter limit: The most names.
    /// - Returns: The names.
    /// - Throws: `.damaged`, `.inputOutput`.
    package func routineNames(limit: Int) throws(LedgerError) -> [String] {
        try asking {
            var names: [String] = []
            try store.scanValues(.routinesInOrder) { row in
                let row = try RoutineRow(decoding: row)
                // Uses come after all templates.
                guard case .template = row.content else { return false }
                if try isSeen(row) { names.append(row.name) }
                return names.count < limit
            }
            return names
        }
    }

    /// Adds up the trips of a period.
    ///
    /// - Parameters:
    ///   - grouping: The property by which lines are grouped.
    ///   - innerGrouping: The property for the lines within each group; `nil` for none.
    ///   - period: The days that count.
    ///   - group: The only group of sources whose trips count; `nil` for all.
    /// - Returns: The sums.
    /// - Throws: `.damaged`, `.inputOutput`.
    public func totals(
        by grouping: TotalsGrouping,
        thenBy innerGrouping: TotalsGrouping? = nil,
        in period: LocalPeriod,
        of group: GroupSelection? = nil
    ) throws(LedgerError) -> TotalsTable {
        try asking {
            var table = TotalsTable(by: grouping, thenBy: innerGrouping, in: period, of: group)
            if table.needsDrivers { table.drivers = try drivers() }
            try addTrips(to: &table)
            let overlaps = try store.relateTrips { table.add($0) }
            for overlap in overlaps.all {
                table.add(overlap)
                guard overlap.isLeftOut else { continue }
                table.leaveOut(try store.bookedTrip(at: overlap.ends))
            }
            for ends in overlaps.counting {
                let booked = try store.bookedTrip(at: ends)
                table.leaveOut(booked)
                table.add(overlaps.filled(booked))
            }
            return table
        }
    }

    /// Adds up the recorded ways of a period that are no trips.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func uncountedWays(
        in period: LocalPeriod,
        of group: GroupSelection? = nil
    ) throws(LedgerError) -> UncountedTotal {
        try asking {
            var table = TotalsTable(by: .year, in: period, of: group)
            try addTrips(to: &table)
            return table.uncounted
        }
    }

    /// Adds the trips of a table's period: as they are added up already if all are seen, else each
    /// by itself.
    private func addTrips(to table: inout TotalsTable) throws {
        let instants = table.period.instants
        guard store.sight.isEverything, !table.needsDrivers else {
            let keys = ViewKeyRange(
                from: TripRow.orderKey(from: instants.lowerBound),
                upTo: TripRow.orderKey(from: instants.upperBound)
            )
            return try store.scanTrips(in: keys, isDescending: false) { row in
                table.add(row.booked)
                return true
            }
        }
        let keys = ViewKeyRange(
            from: TotalsRow.key(of: instants.lowerBound),
            upTo: TotalsRow.key(of: instants.upperBound)
        )
        try store.scanValues(.totalsInOrder, in: keys) { row in
            table.add(try TotalsRow(decoding: row))
            return true
        }
    }

    /// Adds up the ways that nothing recorded before trips, in order of the starts of these trips,
    /// and finds the trips that overlap others.
    ///
    /// - Parameters:
    ///   - initial: The result before the first way.
    ///   - add: Adds the next way.
    /// - Returns: The final result, and the overlaps.
    /// - Throws: `.damaged`, `.inputOutput`.
    public func relateTrips<Result>(
        into initial: Result,
        _ add: (inout Result, UnrecordedWay) -> Void
    ) throws(LedgerError) -> (Result, TripOverlaps) {
        try asking {
            var result = initial
            let overlaps = try store.relateTrips { add(&result, $0) }
            return (result, overlaps)
        }
    }

    /// Returns the trips of a period that go on, which is why no sum counts them yet.
    ///
    /// - Parameters:
    ///   - period: The days on which they started.
    ///   - group: The group, or the owner, whose trips they are; `nil` for all that are seen.
    /// - Returns: The trips.
    /// - Throws: `.damaged`, `.inputOutput`.
    public func unfinishedTrips(
        in period: LocalPeriod,
        of group: GroupSelection? = nil
    ) throws(LedgerError) -> UnfinishedTrips {
        if let group { return try selecting(group).unfinishedTrips(in: period) }
        return try asking {
            var unfinished = UnfinishedTrips()
            for trip in try store.activeTrips().values
            where trip.status == .active && period.contains(trip.startedAt) {
                guard try isSeen(trip.trip) else { continue }
                unfinished.add(trip.trip, of: trip.source, from: trip.startedAt)
            }
            return unfinished
        }
    }

    /// Returns whether anything came from a source, even if the asker does not see it.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func knows(source name: String) throws(LedgerError) -> Bool {
        try asking { try log.number(ofSource: name) != nil }
    }

    /// Returns the rules in force for sources in order of their names' bytes, then for all others,
    /// which are new.
    ///
    /// If there are more than a thousand sources, those whose rules differ from those of new
    /// sources come first.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func rulesInForce() throws(LedgerError) -> [SourceRules] {
        try asking {
            var ambient = AmbientEvents(of: log, over: store)
            // No source has this number, and none has an empty name.
            let fresh = SourceFold(tracker: Tracker(source: "", rules: rules))
            let others = SourceRules(source: nil, rules: try ambient.rules(of: 0, after: fresh))
            var special: [SourceRules] = []
            var usual: [SourceRules] = []
            func note(_ found: SourceRules) {
                if found.rules != others.rules {
                    if special.count < Self.mostRules { special.append(found) }
                } else if usual.count < Self.mostRules {
                    usual.append(found)
                }
            }
            try store.scan(.folds) { key, value in
                guard let fold = try? SourceFold(decoding: value) else {
                    throw StaleViews.damaged("an active-trip checkpoint cannot be read")
                }
                let found = try ambient.rules(of: ViewKey.number(ofSource: key), after: fold)
                note(SourceRules(source: fold.tracker.source, rules: found))
                return true
            }
            let named = try ambient.adoptions().compactMap(\.adopted.appliesTo).map { NameKey($0) }
            for name in Set(named).sorted().map(\.name) {
                // One that has reported something is among those above.
                if let number = try log.number(ofSource: name),
                    try store.value(.folds, ViewKey.source(number)) != nil
                {
                    continue
                }
                let awaited = SourceFold(tracker: Tracker(source: name, rules: rules))
                note(SourceRules(source: name, rules: try ambient.rules(of: 0, after: awaited)))
            }
            let shown = special + usual.prefix(Self.mostRules - special.count)
            return shown.sorted {
                ($0.source ?? "").utf8.lexicographicallyPrecedes(($1.source ?? "").utf8)
            } + [others]
        }
    }

    /// Returns the rules that the ledger adopted of itself for a source because of how it records,
    /// and that no person has replaced since, in order of the sources' names.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func rulesByLedger() throws(LedgerError) -> [RulesAdopted] {
        try asking {
            var ambient = AmbientEvents(of: log, over: store)
            var found: [NameKey: RulesAdopted] = [:]
            for adoption in try ambient.adoptions() {
                guard let source = adoption.adopted.appliesTo else {
                    if adoption.adopted.preset != nil { found.removeAll() }
                    continue
                }
                found[NameKey(source)] = adoption.isByLedger ? adoption.adopted : nil
            }
            return found.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    private static let mostRules = 1_000
}

/// The tracking rules that are in force for a source after all that was adopted.
public struct SourceRules: Hashable, Sendable {
    /// The source's name; `nil` for every source that nothing is known of.
    public var source: String?

    /// The rules.
    public var rules: TrackingRules
}
