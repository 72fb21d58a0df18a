import DriveSimulation
import EventStore
import Foundation
import LedgerTestSupport
import ProjectorTestSupport
import Proofs
import SystemPackage
import TestSupport
import Testing
import TripEvents
import TripTracking
import TripsProjection

@testable import LedgerKeeping
@testable import TripLedger

/// A group of sources leaves a ledger with all that concerns it, and with nothing of others.
@Suite struct GroupExchangeTests {
    private static let groupNames =
        ["1", "17", "é", "e\u{301}"] + (Seeds.isThorough ? (20..<60).map { "\($0)" } : [])

    @Test(arguments: Seeds.fresh(4))
    func `a group that is exported has the same trips, visits and totals elsewhere`(
        seed: UInt64
    ) throws {
        let book = try Self.fleet(seed: seed, groups: Self.groupNames)
        var random = SplitMix64(seed: seed)
        let group = try #require(Self.groupNames.randomElement(using: &random))
        let selection = GroupSelection(group)
        let facts = try TemporaryLedger.facts(of: book.ledger, in: selection)
        try #require(!facts.isEmpty, "seed \(seed)")
        let out = FilePath(book.directory.path("out"))
        let summary = try book.ledger.export(as: .jsonl, of: [group], into: out)
        #expect(try summary.withheld > 0 && summary.head == book.ledger.head(), "seed \(seed)")
        _ = try Ledger.importing(out, into: FilePath(book.directory.path("copy")))
        // A copy of the bytes has the same rows, the times of storing included.
        try TemporaryLedger.with(FilePath(book.directory.path("copy"))) { copy in
            try expectSound(copy, "seed \(seed)")
            #expect(
                try copy.trips(TripFilter(includesUncounted: true, group: selection))
                    == book.ledger.trips(TripFilter(includesUncounted: true, group: selection)),
                "seed \(seed)"
            )
            let others = try copy.trips(TripFilter(includesUncounted: true))
                .filter { !selection.includes($0.trip.group) }
            #expect(others.isEmpty, "seed \(seed): \(others.map(\.trip.id))")
            // The events make the same in another ledger, shuffled and doubled.
            var events: [TripEvent] = []
            try copy.scanLog(from: 0) { stored in
                if !stored.isErased, !stored.event.source.isEmpty { events.append(stored.event) }
                return true
            }
            let other = try TemporaryLedger()
            try other.append((events + events).shuffled(using: &random))
            try expectSound(other.ledger, "seed \(seed)")
            #expect(
                try TemporaryLedger.facts(of: other.ledger, in: selection) == facts,
                "seed \(seed), \(group)"
            )
        }
    }

    @Test(arguments: Seeds.fresh(4))
    func `a group that is erased leaves the others as they were`(seed: UInt64) throws {
        let book = try Self.fleet(seed: seed, groups: Self.groupNames)
        var random = SplitMix64(seed: seed)
        let group = try #require(Self.groupNames.randomElement(using: &random))
        let others = Self.groupNames.filter { !$0.hasSameBytes(as: group) }.map { $0 as String? }
        func facts() throws -> [[String]] {
            try (others + [nil])
                .map { try TemporaryLedger.facts(of: book.ledger, in: GroupSelection($0)) }
        }
        let before = try facts()
        let tree = try LogTree(book.ledger.log)
        let plan = try book.ledger.reading { try $0.planErasure(ofGroup: group) }
        try #require(plan.count > 0 && !plan.lostTrips.isEmpty, "seed \(seed)")
        #expect(plan.shortenedTrips.isEmpty, "seed \(seed)")
        try book.erase(plan)
        try book.sweep()
        try expectSound(book.ledger, "seed \(seed)")
        #expect(try facts() == before, "seed \(seed), \(group)")
        #expect(
            try LogTree(book.ledger.log).root(atSize: tree.head.size) == tree.head.root,
            "seed \(seed)"
        )
        let left = try book.ledger.reading { try $0.planErasure(ofGroup: group) }
        #expect(left.count == 0 && left.sources == plan.sources, "seed \(seed)")
        #expect(
            try book.ledger
                .trips(TripFilter(includesUncounted: true, group: GroupSelection(group))).isEmpty,
            "seed \(seed)"
        )
    }

    @Test func `of other groups and of the owner's own trips nothing is told`() throws {
        let book = try TemporaryLedger()
        for (index, group) in ["17", "18", nil].enumerated() {
            let name = group ?? "office"
            try book.append(
                DriveSimulator.events(of: .homeToOffice, seed: 1, source: "box-\(name)")
                    .map { event in
                        var event = event
                        event.group = group
                        return event
                    }
            )
            let trips = try book.ledger.trips().map(\.trip)
            let trip = try #require(trips.first { $0.source == "box-\(name)" })
            let edit = DetailsEdited(trip: trip.id, purpose: .set("purpose of \(name)"))
            let place = PlaceSaved(
                place: "place of \(name)",
                latitude: 51,
                longitude: 4,
                radiusMeters: 100
            )
            let later = trip.startedAt.timestamp.advanced(byMilliseconds: Int64(index) * 1_000)
            try book.append([
                TripEvent(source: "desk", occurredAt: later, body: .detailsEdited(edit)),
                TripEvent(
                    source: group.map { "manual/\($0)" } ?? "desk",
                    group: group,
                    occurredAt: later,
                    body: .placeSaved(place)
                ),
            ])
        }
        let text = try book.exportedText(of: ["17"])
        for told in ["purpose of 17", "place of 17", "place of office"] {
            #expect(text.contains(told), "\(told)")
        }
        for secret in ["purpose of 18", "place of 18", "purpose of office"] {
            #expect(!text.contains(secret), "\(secret)")
        }
        let fixes = text.split(separator: "\n").filter { $0.contains(#""type":"fix_recorded""#) }
        #expect(fixes.count == 5 && fixes.allSatisfy { $0.contains("box-17") })
        // Both drives of seven events, both edits, and the place of the other group.
        let withheld = text.split(separator: "\n").filter { $0.contains(#""type":"withheld""#) }
        #expect(withheld.count == 17)
    }

    @Test func `a group without a source is neither exported nor erased`() throws {
        let book = try TemporaryLedger()
        try book.append(DriveSimulator.events(of: .homeToOffice, seed: 1, source: "phone"))
        let size = try book.ledger.head().size
        let errors = [
            #expect(throws: LedgerError.self) {
                _ = try book.ledger.export(as: .jsonl, of: ["17"]) { _ in }
            },
            #expect(throws: LedgerError.self) {
                _ = try book.ledger.reading { try $0.planErasure(ofGroup: "17") }
            },
        ]
        #expect(errors.map { $0?.code } == [.notFound, .notFound])
        #expect(try book.ledger.head().size == size)
    }

    /// A ledger of some groups and of the owner, who decides about trips of all.
    private static func fleet(seed: UInt64, groups: [String]) throws -> TemporaryLedger {
        var random = SplitMix64(seed: seed)
        let book = try TemporaryLedger()
        var events: [TripEvent] = []
        for (index, group) in (groups.map { $0 as String? } + [nil]).enumerated() {
            events += try ProjectorLaws.randomDrives(seed: seed &+ UInt64(index))
                .filter { _ in Int.random(in: 0..<3, using: &random) > 0 }
                .map { event in
                    var event = event
                    event.source += group.map { "/\($0)" } ?? ""
                    event.group = group
                    return event
                }
        }
        try book.append(events.shuffled(using: &random))
        let trips = try book.ledger.trips(TripFilter(includesUncounted: true))
        for group in groups.map({ $0 as String? }) + [nil, nil, nil] {
            // The owner knows the trips of all, and people of a group their own.
            let known = trips.filter { group == nil || $0.trip.group.hasSameBytes(as: group) }
                .shuffled(using: &random).prefix(12)
                .map {
                    RandomDecisions.Known(id: $0.trip.id, startedAt: $0.trip.startedAt.timestamp)
                }
            try book.append(
                ProjectorLaws.decisions(about: events, making: known, using: &random)
                    .map { event in
                        var event = event
                        event.source += group.map { "/\($0)" } ?? "/office"
                        event.group = group
                        return event
                    }
            )
        }
        return book
    }
}
