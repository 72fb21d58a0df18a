package import DriveSimulation
package import LedgerKeeping
import LedgerRows
import Projections
import ProjectorTestSupport
package import SystemPackage
import Tables
import TotalsProjection
package import TripEvents
package import TripLedger
import TripTracking
package import TripsProjection

extension TemporaryLedger {
    /// Appends a random driver's book: drives of two sources with every fault there is, and
    /// decisions about the trips that come of them.
    package func appendRandomBook(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let drives = try ProjectorLaws.randomDrives(seed: seed)
        try append(
            drives.map { event in
                var event = event.supplemented(using: &random)
                if event.source == "logger" { event.group = "17" }
                return event
            }
        )
        let known = try ledger.trips(TripFilter(includesUncounted: true))
            .map { row in
                RandomDecisions.Known(id: row.trip.id, startedAt: row.trip.startedAt.timestamp)
            }
        let instants = (0..<9).map { Timestamp(milliseconds: 1_800_000_000_000 + $0 * 1_000) }
        let people = RandomDecisions(trips: known, instants: instants)
        try append((0..<40).map { _ in people.next(using: &random) })
    }

    /// The positions of all entries that can be erased.
    package func erasablePositions() throws -> [UInt64] {
        var positions: [UInt64] = []
        try ledger.scanLog(from: 0) { stored in
            if !stored.event.source.isEmpty, !stored.isErased { positions.append(stored.position) }
            return true
        }
        return positions
    }

    /// Erases up to three entries that opened no trip.
    package func eraseSome(using random: inout SplitMix64) throws {
        var left = 3
        for position in try erasablePositions().shuffled(using: &random) where left > 0 {
            do {
                try erase(ledger.planErasure(of: RangeSet([position..<position + 1])))
                left -= 1
            } catch let error as LedgerError where error.code == .notErasable {
                continue
            }
        }
    }

    /// Returns a trip that can be erased; `nil` if there is none.
    ///
    /// The first part of a trip that was split cannot: the second has its name from the split.
    package func erasableTrip(using random: inout SplitMix64) throws -> TripID? {
        let rows = try ledger.trips(TripFilter(includesUncounted: true))
        return try rows.map(\.trip.id).shuffled(using: &random).first(where: canBeErased)
    }

    private func canBeErased(_ trip: TripID) throws -> Bool {
        do {
            let plan = try ledger.planErasure(of: .prefix(trip.description))
            return plan.keptPositions.isEmpty
        } catch {
            guard error.code == .notErasable else { throw error }
            return false
        }
    }

    /// Returns where things stand that are surely about a trip: what explaining it reads between
    /// its start and its end, and the decisions in its history that name it, a part of it, or a
    /// trip that has gone.
    package func positions(sureOf row: TripRow, among rows: [TripRow]) throws -> Set<UInt64> {
        let there = Set(rows.map(\.trip.id))
        // Events of the instant at which one trip ended and the next one began are about both.
        let borders = Set(rows.flatMap { [$0.trip.startedAt, $0.trip.endedAt] }.map(\.?.timestamp))
        // A merged trip goes on after the end of a part, where that part's source may have recorded
        // a trip of its own.
        let ids = row.booked.shownTrips
        let others = rows.filter { $0.booked.parts.isEmpty && !ids.contains($0.trip.id) }
            .map(\.trip)
        var positions = Set<UInt64>()
        let explanation = try ledger.explain(.prefix(row.trip.id.description))
        for event in explanation.events {
            let stored = event.stored
            let end = explanation.trip.endedAt?.timestamp
            guard explanation.trip.startedAt.timestamp < stored.event.occurredAt,
                end.map({ stored.event.occurredAt < $0 }) ?? true,
                !borders.contains(stored.event.occurredAt), !stored.isErased,
                !others.contains(where: { trip in
                    trip.source == stored.event.source
                        && trip.startedAt.timestamp < stored.event.occurredAt
                        && trip.endedAt.map { stored.event.occurredAt < $0.timestamp } ?? true
                })
            else { continue }
            positions.insert(stored.position)
        }
        let kinds: Set<EventKind> = [.detailsEdited, .routineApplied, .distanceAdjusted]
        let own = try ids.flatMap { try ledger.history(of: $0) }
            .filter { kinds.contains($0.kind) }
            .filter { ids.contains($0.trip) || !there.contains($0.trip) }
            .map(\.decision)
        try ledger.scanLog(from: 0) { stored in
            if own.contains(stored.identity) { positions.insert(stored.position) }
            return true
        }
        return positions
    }

    /// Returns the lines of an export.
    package func lines(
        _ format: ExportFormat,
        from: UInt64 = 0,
        withholding classes: Set<TripClass> = []
    ) throws -> [[UInt8]] {
        var lines: [[UInt8]] = []
        _ = try ledger.export(as: format, from: from, withholding: classes) { lines.append($0) }
        return lines
    }

    /// Returns an export as text: of everything, or of some groups of sources.
    package func exportedText(of groups: [String] = []) throws -> String {
        var text = ""
        _ = try ledger.export(as: .jsonl, of: groups) { line in
            text += String(decoding: line, as: UTF8.self) + "\n"
        }
        return text
    }

    /// Erases entries and writes the files anew.
    package func erase(_ plan: ErasurePlan) throws {
        now = now.advanced(byMilliseconds: 1_000)
        _ = try ledger.erase(plan, why: "a test", actor: "tester", now: now)
    }

    /// Opens another ledger, does something with it, and closes it.
    package static func with<Result>(
        _ path: FilePath,
        _ body: (Ledger) throws -> Result
    ) throws -> Result {
        let ledger = try Ledger(at: path)
        defer { ledger.close() }
        return try body(ledger)
    }

    /// Returns every trip of a ledger as JSON.
    package static func rows(of ledger: Ledger) throws -> [String] {
        try ledger.trips(TripFilter(includesUncounted: true))
            .map { row in
                var bytes: [UInt8] = []
                NamedTrip.columns.appendJSON(NamedTrip(row.booked), to: &bytes, by: nil)
                return String(decoding: bytes, as: UTF8.self)
            }
    }

    /// Returns the trips, visits and sums of a group as text, with places, what was not recorded
    /// and overlaps, but without what depends on when they were stored.
    package static func facts(of ledger: Ledger, in group: GroupSelection) throws -> [String] {
        func json<Row: Tabular>(_ row: Row) -> String {
            var bytes: [UInt8] = []
            Row.columns.appendJSON(row, to: &bytes, by: nil)
            return String(decoding: bytes, as: UTF8.self)
        }
        return try ledger.reading { snapshot in
            let places = try snapshot.places()
            let (ways, overlaps) = try snapshot.relateTrips(into: [TripID: UnrecordedWay]()) {
                $0[$1.later.trip] = $1
            }
            var facts = try snapshot.trips(TripFilter(includesUncounted: true, group: group))
                .map { row in
                    json(
                        NamedTrip(
                            row.booked.withoutArrival,
                            places: places,
                            unrecorded: ways[row.trip.id]?.distance,
                            overlap: overlaps[row.trip.id]
                        )
                    )
                }
            facts += try snapshot.visits(VisitFilter(group: group)).map(json)
            let days = LocalPeriod(localDay: LocalDay(zone: .utc))
            for grouping in [TotalsGrouping.month, .vehicle] {
                let table = try snapshot.totals(by: grouping, in: days, of: group)
                facts += table.lines.map { "\($0)" }
            }
            return facts
        }
    }
}
