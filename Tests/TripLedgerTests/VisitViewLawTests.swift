import DriveSimulation
import EventStore
import Foundation
import LedgerTestSupport
import Projections
import Proofs
import TestSupport
import Testing
import TripEvents
import VisitsProjection

@testable import TripLedger

/// The view of visits has the visits that all fixes of the log give, however it came about.
@Suite struct VisitViewLawTests {
    @Test(arguments: Seeds.fresh(12))
    func `the view has the visits that are found anew, after each piece of any arrival`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let events = try Self.events(seed: seed, &random)
        for arrival in Arrival.allCases {
            let book = try TemporaryLedger()
            var rest = arrival.order(events, using: &random)[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...300, using: &random))
                rest = rest.dropFirst(piece.count)
                try book.append(Array(piece))
                guard Int.random(in: 0..<3, using: &random) == 0 || rest.isEmpty else { continue }
                try expectVisits(book.ledger, "seed \(seed), \(arrival)")
            }
            #expect(try !book.ledger.visits().isEmpty, "seed \(seed), \(arrival)")
            try expectSound(book.ledger, "seed \(seed), \(arrival)")
        }
    }

    @Test(arguments: Seeds.fresh(8))
    func `a run that is killed after any commit is finished by the next one`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let events = try Self.events(seed: seed, &random)
        let book = try TemporaryLedger()
        // The first views are of a part of the log, in order of time; the rest is late.
        var arriving = Arrival.heldBack.order(events, using: &random)
        let cut = arriving.count * Int.random(in: 0...4, using: &random) / 4
        if cut > 0 {
            try book.append(Array(arriving[..<cut]))
            _ = try book.ledger.project()
        }
        arriving.removeFirst(cut)
        if Bool.random(using: &random) { arriving.shuffle(using: &random) }
        try book.append(arriving + [Self.place("late", near: events, &random)].compactMap(\.self))
        let images = try Self.images(of: book)
        #expect(!images.isEmpty, "seed \(seed)")
        for image in images.shuffled(using: &random).prefix(12) {
            try book.whileClosed {
                try image.write(to: URL(fileURLWithPath: book.viewsPath + "/data.mdb"))
            }
            try expectVisits(book.ledger, "seed \(seed)")
            try expectSound(book.ledger, "seed \(seed)")
        }
    }

    @Test(arguments: Seeds.fresh(8))
    func `a filter chooses the same visits in the view as among those found anew`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let events = try Self.events(seed: seed, &random)
        let book = try TemporaryLedger()
        try book.append(events)
        let all = try book.ledger.visits()
        for _ in 0..<20 {
            var filter = VisitFilter()
            let instants = all.flatMap { visit in
                [visit.visit.enteredAt.timestamp, visit.visit.leftAt?.timestamp].compactMap(\.self)
            }
            if Bool.random(using: &random) { filter.from = instants.randomElement(using: &random) }
            if Bool.random(using: &random) { filter.to = instants.randomElement(using: &random) }
            if Bool.random(using: &random) { filter.limit = Int.random(in: 0...9, using: &random) }
            if Int.random(in: 0..<3, using: &random) == 0 {
                filter.source = all.randomElement(using: &random)?.source
            }
            if Int.random(in: 0..<3, using: &random) == 0 {
                filter.place = all.randomElement(using: &random)?.visit.place.name
            }
            let expected = try book.ledger.reading { try $0.visitsFoundAnew(filter) }
            #expect(try book.ledger.visits(filter) == expected, "seed \(seed), \(filter)")
        }
    }

    @Test func `a row that is not what the log gives is named`() throws {
        var random = SplitMix64(seed: 1)
        let book = try TemporaryLedger()
        try book.append(try Self.events(seed: 1, &random))
        _ = try book.ledger.project()
        let writer = try book.ledger.views.current().forChanging()
        var views = ViewSet(over: writer.views)
        for entrance in try views.visits.entrances(of: 1, from: Timestamp(milliseconds: .min)) {
            try views.note(VisitNews(forgetting: entrance, of: 1))
        }
        let forgotten = views.tables.flatMap { $0.rows.changes }.count
        #expect(forgotten > 0)
        try writer.commit(views.tables)
        #expect(try book.ledger.checkViews().count == forgotten)
    }
}

extension VisitViewLawTests {
    private func expectVisits(_ ledger: Ledger, _ comment: Comment) throws {
        let (visits, expected) = try ledger.reading { snapshot in
            (try snapshot.visits(), try snapshot.visitsFoundAnew())
        }
        #expect(visits == expected, comment)
    }

    /// Returns the views as a process that is killed after one of the commits of a run leaves them.
    private static func images(of book: TemporaryLedger) throws -> [Data] {
        let ledger = book.ledger
        let store: ViewStore
        do {
            store = try ledger.views.current()
        } catch is StaleViews {
            store = try ViewStore.create(at: ledger.viewsPath)
        }
        let writer = store.forChanging()
        var runner = ProjectionRunner(
            log: ledger.log,
            rules: ledger.rules,
            changing: writer,
            from: try writer.views.cursor(in: ledger.log)
        )
        runner.rowsPerCommit = 1
        var images: [Data] = []
        var failure: (any Error)?
        try runner.run(upTo: ledger.log.head().size) { _ in
            do {
                let file = URL(fileURLWithPath: book.viewsPath + "/data.mdb")
                images.append(try Data(contentsOf: file))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return images
    }

    /// Returns what sources of the owner and of a group report, with places that are saved, moved
    /// and removed at any time, and instants with several fixes.
    private static func events(
        seed: UInt64,
        _ random: inout SplitMix64
    ) throws -> [TripEvent] {
        var events = try Arrival.events(seed: seed)
        if Bool.random(using: &random) {
            events += try Arrival.events(seed: seed &+ 1, of: "fleet")
        }
        let fixes = events.filter { $0.body.kind == .fixRecorded }
        for index in 0..<24 {
            let name = ["a", "b", "c", "d", "corner"][index % 5]
            if var saving = place(name, near: events, &random) {
                let other = events.randomElement(using: &random)
                if index >= 5 { saving.occurredAt = other?.occurredAt ?? saving.occurredAt }
                events.append(saving)
            }
        }
        for name in ["b", "c"] {
            guard let other = events.randomElement(using: &random) else { continue }
            let removal = EventBody.placeRemoved(PlaceRemoved(place: name))
            events.append(
                TripEvent(source: "manual", occurredAt: other.occurredAt, body: removal)
            )
        }
        for fix in fixes.shuffled(using: &random).prefix(20) {
            guard case .fixRecorded(var reading) = fix.body else { continue }
            var twin = fix
            reading.latitude = try #require(ExactDecimal(significand: 519, decimals: 1))
            twin.body = .fixRecorded(reading)
            twin.sequence = Bool.random(using: &random) ? 7 : nil
            events.append(twin)
        }
        return events.sorted { $0.occurredAt < $1.occurredAt }
    }

    /// Returns that a place was saved where a fix was taken, when it was taken.
    private static func place(
        _ name: String,
        near events: [TripEvent],
        _ random: inout SplitMix64
    ) -> TripEvent? {
        let fixes = events.filter { $0.body.kind == .fixRecorded }
        guard let fix = fixes.randomElement(using: &random),
            case .fixRecorded(let reading) = fix.body,
            let radius = ExactDecimal(
                significand: [60, 300, 2_000, 50_000].randomElement(using: &random) ?? 300,
                decimals: 0
            )
        else { return nil }
        let isOfGroup = fix.group != nil && Bool.random(using: &random)
        var saving = TripEvent(
            source: isOfGroup ? fix.source : "manual",
            occurredAt: fix.occurredAt,
            body: .placeSaved(
                PlaceSaved(
                    place: name,
                    latitude: reading.latitude,
                    longitude: reading.longitude,
                    radiusMeters: radius
                )
            )
        )
        saving.group = isOfGroup ? fix.group : nil
        return saving
    }
}
