import DriveSimulation
import EventStore
import Foundation
import LedgerTestSupport
import Projections
import ProjectorTestSupport
import SystemPackage
import TestSupport
import Testing
import TripEvents
import TripTracking
import TripsProjection

@testable import LedgerKeeping
@testable import TripLedger

/// A ledger that is exported and imported is the same ledger.
@Suite struct ExchangeLawTests {
    private func book(seed: UInt64) throws -> TemporaryLedger {
        let book = try TemporaryLedger()
        try book.appendRandomBook(seed: seed)
        var random = SplitMix64(seed: seed)
        if let trip = try book.erasableTrip(using: &random) {
            try book.erase(book.ledger.planErasure(of: .prefix(trip.description)))
        }
        return book
    }

    private func path(_ book: TemporaryLedger, _ name: String) -> FilePath {
        FilePath(book.directory.path(name))
    }

    @Test func `what stands beside a new export stays`() throws {
        let book = try TemporaryLedger()
        let mine = book.directory.path("out.new/mine")
        try FileManager.default.createDirectory(atPath: mine, withIntermediateDirectories: true)
        _ = try book.ledger.export(as: .jsonl, into: path(book, "out"))
        #expect(FileManager.default.fileExists(atPath: mine))
        let names = try FileManager.default.contentsOfDirectory(atPath: book.directory.path)
        #expect(names.sorted() == ["book", "out", "out.new"])
    }

    @Test(arguments: Seeds.fresh(2), [ExportFormat.jsonl, .tiles])
    func `an export makes the same ledger again`(seed: UInt64, format: ExportFormat) throws {
        let book = try book(seed: seed)
        let out = path(book, "out")
        let summary = try book.ledger.export(as: format, into: out)
        #expect(try summary.head == book.ledger.head(), "seed \(seed)")
        let outcome = try ExportVerification.outcome(ofExportAt: out)
        #expect(outcome.verdict == .consistent, "seed \(seed): \(outcome.findings)")
        let imported = try Ledger.importing(out, into: path(book, "copy"))
        #expect(imported.head == summary.head, "seed \(seed)")
        try TemporaryLedger.with(path(book, "copy")) { copy in
            #expect(try TemporaryLedger.rows(of: copy) == book.rows(), "seed \(seed)")
            try expectSound(copy, "seed \(seed)")
        }
    }

    @Test(arguments: Seeds.fresh(2), [ExportFormat.jsonl, .tiles])
    func `what was erased is counted, and of an older head's entries what was erased after it`(
        seed: UInt64,
        format: ExportFormat
    ) throws {
        let book = try TemporaryLedger()
        try book.appendRandomBook(seed: seed)
        let before = try book.ledger.head()
        var random = SplitMix64(seed: seed)
        try book.eraseSome(using: &random)
        let after = try book.ledger.head()
        let count = try book.lines(.jsonl)
            .filter { String(decoding: $0, as: UTF8.self).contains(#""type":"erased""#) }
            .count
        try #require(count > 0, "seed \(seed)")
        let out = path(book, "out")
        _ = try book.ledger.export(as: format, into: out)
        let cases = [
            (before, "; the content of \(count) of them was erased since"), (after, ", unchanged"),
        ]
        for (older, state) in cases {
            let outcome = try ExportVerification.outcome(ofExportAt: out, beginningWith: older)
            let facts = outcome.facts.map(\.what)
            let erased = "\(count) of them were erased ("
            #expect(facts.contains { $0.hasPrefix(erased) }, "seed \(seed): \(facts)")
            let begins = "it begins with the \(older.size) entries of the older head\(state)"
            #expect(facts.contains { $0.hasPrefix(begins) }, "seed \(seed): \(facts)")
        }
    }

    @Test(arguments: Seeds.fresh(2), [ExportFormat.jsonl, .tiles])
    func `what is withheld is only a hash, and the root is the same`(
        seed: UInt64,
        format: ExportFormat
    ) throws {
        let book = try book(seed: seed)
        let out = path(book, "out")
        let classes: Set<TripClass> = [.personal, .unclassified, .medical]
        let summary = try book.ledger.export(as: format, withholding: classes, into: out)
        #expect(try summary.head == book.ledger.head(), "seed \(seed)")
        let outcome = try ExportVerification.outcome(ofExportAt: out)
        // Nothing is wrong, but no one has signed which entries are withheld.
        #expect(outcome.verdict == .couldNotTell, "seed \(seed): \(outcome.findings)")
        #expect(outcome.doubts.allSatisfy { $0.contains("unknown hands") }, "seed \(seed)")
        let imported = try Ledger.importing(out, into: path(book, "copy"))
        #expect(imported.head == summary.head && imported.withheld == summary.withheld)
        let withheld = try book.ledger.trips(TripFilter(includesUncounted: true))
            .filter { classes.contains($0.booked.tripClass) }
        try TemporaryLedger.with(path(book, "copy")) { copy in
            try expectSound(copy, "seed \(seed)")
            let shown = try copy.trips(TripFilter(includesUncounted: true)).map(\.trip.id)
            #expect(Set(shown).isDisjoint(with: withheld.map(\.trip.id)), "seed \(seed)")
            try #require(summary.withheld > 0, "seed \(seed)")
            do {
                _ = try copy.append(ProjectorLaws.randomDrives(seed: seed), now: book.now)
                Issue.record("an incomplete copy was appended to, seed \(seed)")
            } catch let error as LedgerError {
                #expect(error.cause.contains("withheld"), "seed \(seed)")
            }
        }
    }

    @Test(arguments: Seeds.fresh(2))
    func `nothing that is about a withheld trip is told`(seed: UInt64) throws {
        let book = try book(seed: seed)
        let rows = try book.ledger.trips(TripFilter(includesUncounted: true))
        var withheld = 0
        for tripClass in Set(rows.map(\.booked.tripClass)) {
            var told: Set<UInt64> = []
            var position: UInt64?
            _ = try book.ledger.export(as: .jsonl, withholding: [tripClass]) { line in
                if let position, case .entry = try ExportLine.content(of: line.span) {
                    told.insert(position)
                }
                position = position.map { $0 + 1 } ?? 0
            }
            for row in rows where row.booked.tripClass == tripClass {
                let sure = try book.positions(sureOf: row, among: rows)
                withheld += sure.count
                let leaked = sure.intersection(told).sorted()
                #expect(leaked.isEmpty, "seed \(seed): \(row.trip.id) \(tripClass)")
            }
        }
        #expect(withheld > 0, "seed \(seed)")
    }

    @Test func `a merged trip is withheld with its parts, and with what it took over`() throws {
        let book = try TemporaryLedger()
        try book.append(Array(DriveSimulator.drives(seed: 7, count: 3, fixesPerDrive: 6...6)))
        let trips = try book.ledger.trips(TripFilter(isOldestFirst: true)).map(\.trip)
        let gone = TripID(high: 1, low: 2)
        let at = book.now
        let bodies: [EventBody] = [
            .tripsMerged(TripsMerged(trips: [trips[0].id, trips[1].id])),
            .detailsEdited(DetailsEdited(trip: trips[1].id, purpose: .set("secret-part"))),
            .detailsEdited(DetailsEdited(trip: trips[0].id, tripClass: .set(.personal))),
            .detailsEdited(
                DetailsEdited(
                    trip: gone,
                    tripStartedAt: trips[0].startedAt,
                    title: .set("secret-host")
                )
            ),
        ]
        try book.append(
            bodies.map { TripEvent(source: "driver", occurredAt: at, body: $0) }
        )
        let merged = try book.ledger.trip(.prefix(trips[0].id.description))
        #expect(merged.booked.details.title == "secret-host")
        var text = ""
        let summary = try book.ledger.export(as: .jsonl, withholding: [.personal]) {
            text += String(decoding: $0, as: UTF8.self) + "\n"
        }
        #expect(!text.contains("secret"))
        let fixes = text.split(separator: "\n").filter { $0.contains(#""type":"fix_recorded""#) }
        #expect(fixes.count == 6 && summary.withheld >= 16)
        let plan = try book.ledger.planErasure(of: .prefix(trips[0].id.description))
        try book.erase(plan)
        var left = ""
        try book.ledger.scanLog(from: 0) { stored in
            left += String(decoding: stored.json, as: UTF8.self)
            return true
        }
        #expect(!left.contains("secret"))
    }

    @Test(arguments: Seeds.fresh(2), [ExportFormat.jsonl, .cloudevents])
    func `a copy with withheld entries exports what it was made from`(
        seed: UInt64,
        format: ExportFormat
    ) throws {
        let book = try book(seed: seed)
        let classes: Set<TripClass> = [.personal, .unclassified]
        _ = try book.ledger.export(as: .jsonl, withholding: classes, into: path(book, "out"))
        let first = try book.lines(format, withholding: classes)
        let imported = try Ledger.importing(path(book, "out"), into: path(book, "copy"))
        #expect(imported.withheld > 0, "seed \(seed)")
        try TemporaryLedger.with(path(book, "copy")) { copy in
            var again: [[UInt8]] = []
            let summary = try copy.export(as: format) { again.append($0) }
            #expect(again == first, "seed \(seed)")
            #expect(summary.withheld == imported.withheld, "seed \(seed)")
            _ = try copy.export(as: .tiles, into: path(book, "tiles"))
        }
        let outcome = try ExportVerification.outcome(ofExportAt: path(book, "tiles"))
        // Nothing is wrong, but no one has signed which entries are withheld.
        #expect(outcome.verdict == .couldNotTell, "seed \(seed): \(outcome.findings)")
        #expect(outcome.doubts.allSatisfy { $0.contains("unknown hands") }, "seed \(seed)")
    }

    @Test(arguments: Seeds.fresh(2))
    func `a copy catches up with what came later`(seed: UInt64) throws {
        let book = try book(seed: seed)
        _ = try book.ledger.export(as: .jsonl, into: path(book, "first"))
        _ = try Ledger.importing(path(book, "first"), into: path(book, "copy"))
        let size = try book.ledger.head().size
        try book.append(ProjectorLaws.randomDrives(seed: seed &+ 1))
        _ = try book.ledger.export(as: .jsonl, from: size - 3, into: path(book, "second"))
        let summary = try Ledger.importing(path(book, "second"), into: path(book, "copy"))
        #expect(summary.known == size)
        #expect(try summary.head == book.ledger.head())
        let again = try Ledger.importing(path(book, "second"), into: path(book, "copy"))
        #expect(again.added == 0)
        try TemporaryLedger.with(path(book, "copy")) { copy in
            try expectSound(copy, "seed \(seed)")
        }
    }

    @Test func `another history, and one that goes back on an erasure, is not taken`() throws {
        let book = try TemporaryLedger()
        try book.append(Array(DriveSimulator.drives(seed: 1, count: 2, fixesPerDrive: 3...3)))
        _ = try book.ledger.export(as: .jsonl, into: path(book, "out"))
        _ = try Ledger.importing(path(book, "out"), into: path(book, "copy"))
        try TemporaryLedger.with(path(book, "copy")) { copy in
            _ = try copy.append(
                [
                    TripEvent(
                        source: "other",
                        occurredAt: Timestamp(milliseconds: 1_700_000_000_000),
                        body: .goPressed(GoPressed())
                    )
                ],
                now: book.now
            )
        }
        try book.append(Array(DriveSimulator.drives(seed: 2, count: 3, fixesPerDrive: 3...3)))
        _ = try book.ledger.export(as: .jsonl, into: path(book, "later"))
        expectRefusal("another one") {
            try Ledger.importing(path(book, "later"), into: path(book, "copy"))
        }
        _ = try Ledger.importing(path(book, "out"), into: path(book, "second"))
        try book.erase(try book.ledger.planErasure(of: RangeSet([4..<5])))
        _ = try book.ledger.export(as: .jsonl, into: path(book, "erased"))
        expectRefusal("erased since") {
            try Ledger.importing(path(book, "erased"), into: path(book, "second"))
        }
        let stranger = try TemporaryLedger()
        _ = try stranger.ledger.export(as: .jsonl, into: path(book, "stranger"))
        expectRefusal("another ledger") {
            try Ledger.importing(path(book, "stranger"), into: path(book, "second"))
        }
    }

    @Test(arguments: Seeds.fresh(2))
    func `no changed byte of an export is taken, and nothing is left of it`(seed: UInt64) throws {
        let book = try TemporaryLedger()
        try book.append(Array(DriveSimulator.drives(seed: seed, count: 1, fixesPerDrive: 8...8)))
        try book.erase(try book.ledger.planErasure(of: RangeSet([5..<6])))
        _ = try book.ledger.export(as: .jsonl, into: path(book, "out"))
        let file = URL(fileURLWithPath: book.directory.path("out/entries.jsonl"))
        let sound = try Data(contentsOf: file)
        var random = SplitMix64(seed: seed)
        for _ in 0..<60 {
            var bytes = sound
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes = bytes.prefix(Int.random(in: 0..<sound.count - 1, using: &random))
            case 1: bytes.remove(at: Int.random(in: 0..<sound.count - 1, using: &random))
            default:
                let index = Int.random(in: 0..<sound.count - 1, using: &random)
                bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            try bytes.write(to: file)
            let outcome = try ExportVerification.outcome(ofExportAt: path(book, "out"))
            #expect([.damaged, .couldNotTell].contains(outcome.verdict), "seed \(seed)")
            expectRefusal("") {
                try Ledger.importing(path(book, "out"), into: path(book, "copy"))
            }
            let isLeft = FileManager.default.fileExists(atPath: book.directory.path("copy"))
            #expect(!isLeft, "seed \(seed)")
        }
    }

    @Test(arguments: Seeds.fresh(1))
    func `every entry with any bit changed is refused or can be written`(seed: UInt64) throws {
        let book = try TemporaryLedger()
        try book.appendRandomBook(seed: seed)
        _ = try book.ledger.export(as: .jsonl, into: path(book, "out"))
        let text = try String(
            contentsOfFile: book.directory.path("out/entries.jsonl"),
            encoding: .utf8
        )
        var seen: Set<UInt8> = []
        var written = 0
        for line in text.split(separator: "\n").dropFirst() {
            guard case .entry(let bytes) = try ExportLine.content(of: Array(line.utf8).span),
                let kind = EntryView(startOf: bytes.span)?.kind, seen.insert(kind).inserted
            else { continue }
            for bit in 0..<bytes.count * 8 {
                var changed = bytes
                changed[bit / 8] ^= 1 << UInt8(bit % 8)
                guard let entry = EntryView(startOf: changed.span),
                    let stored = try? StoredEvent(
                        entry,
                        at: 0,
                        source: RegisteredSource(name: "phone")
                    )
                else { continue }
                let logged = try LoggedEntry(entry, at: 0, source: RegisteredSource(name: "phone"))
                var writer = ExportLineWriter()
                var line: [UInt8] = []
                writer.append(entry, logged, to: &line)
                #expect(throws: Never.self, "seed \(seed), kind \(kind), bit \(bit)") {
                    try JSONSerialization.jsonObject(with: Data(line))
                }
                let words = stored.json.dropLast()
                #expect(line.starts(with: words), "seed \(seed), kind \(kind), bit \(bit)")
                written += 1
            }
        }
        #expect(seen.count > 10 && written > 1_000, "seed \(seed)")
    }

    private func expectRefusal(_ words: String, _ body: () throws -> ImportSummary) {
        do {
            _ = try body()
            Issue.record("it was taken")
        } catch {
            let isRefused = (error as? LedgerError)?.code == .unreadableInput
            #expect(isRefused && (words.isEmpty || "\(error)".contains(words)), "\(error)")
        }
    }
}
