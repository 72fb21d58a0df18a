import DriveSimulation
import Foundation
import LedgerTestSupport
import SystemPackage
import TestSupport
import Testing
import TripEvents
import TripLedger

@Suite struct LedgerTests {
    private let now = Timestamp(milliseconds: 1_900_000_000_000)

    @Test func `a new ledger holds the event that began it`() throws {
        let book = try TemporaryLedger()
        #expect(try book.ledger.head().size == 1)
        #expect(book.ledger.founding.rulesVersion == "v1")
        #expect(try book.rows() == [])
        try expectSound(book.ledger)
    }

    @Test func `a ledger is not made over another one`() throws {
        let book = try TemporaryLedger()
        try book.append(DriveSimulator.events(of: .tunnel))
        let before = try book.ledger.head()
        let error = #expect(throws: LedgerError.self) {
            try Ledger.create(at: book.path, settings: LedgerSettings(), now: now)
        }
        #expect(error?.code == .alreadyThere)
        try book.whileClosed {}
        #expect(try book.ledger.head() == before)
        try expectSound(book.ledger)
    }

    @Test func `a ledger is not made over a file of that name`() throws {
        let directory = try TemporaryDirectory()
        let path = FilePath(directory.path("book"))
        try Data("mine".utf8).write(to: URL(fileURLWithPath: path.string))
        let error = #expect(throws: LedgerError.self) {
            try Ledger.create(at: path, settings: LedgerSettings(), now: now)
        }
        #expect(error != nil)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path.string)) == Data("mine".utf8))
    }

    @Test func `where there is no ledger, opening says how to make one`() throws {
        let directory = try TemporaryDirectory()
        let error = #expect(throws: LedgerError.self) {
            try Ledger(at: FilePath(directory.path("book")))
        }
        #expect(error?.code == .missingLedger)
        #expect(error?.hint.contains("ledger --ledger \(directory.path("book")) init") == true)
        #expect(!FileManager.default.fileExists(atPath: directory.path("book")))
    }

    @Test func `a log that is no log is an error, and stays as it is`() throws {
        let book = try TemporaryLedger()
        book.ledger.close()
        let file = URL(fileURLWithPath: book.logPath).appendingPathComponent("data.mdb")
        let garbage = Data(repeating: 0x5A, count: 65_536)
        try garbage.write(to: file)
        #expect(throws: LedgerError.self) { try Ledger(at: book.path) }
        #expect(try Data(contentsOf: file) == garbage)
    }

    @Test func `events are there after the ledger was closed and opened`() throws {
        let book = try TemporaryLedger()
        let events = DriveSimulator.events(of: .homeToOffice)
        let receipts = try book.append(events)
        #expect(receipts == (2..<UInt64(events.count + 2)).map { .appended(position: $0) })
        try book.whileClosed {}
        let again = try book.append(events)
        #expect(again == (2..<UInt64(events.count + 2)).map { .duplicate(of: $0) })

        var stored: [TripEvent] = []
        try book.ledger.scanLog(from: 2) { entry in
            stored.append(entry.event)
            return true
        }
        #expect(stored == events)
    }

    @Test(arguments: Seeds.fresh(4))
    func `events are answered together as they are one by one`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        // Some with an id that another one has, some that happened too early to be true.
        let events = (0..<700)
            .map { index in
                let isImpossible = Int.random(in: 0..<20, using: &random) == 0
                let hasID = Int.random(in: 0..<4, using: &random) == 0
                return TripEvent(
                    source: Bool.random(using: &random) ? "phone" : "watch",
                    occurredAt: Timestamp(
                        milliseconds: isImpossible ? 0 : 1_800_000_000_000 + Int64(index)
                    ),
                    id: hasID ? "id \(Int.random(in: 0..<90, using: &random))" : nil,
                    body: .goPressed(
                        GoPressed(vehicle: Bool.random(using: &random) ? "car" : "van")
                    )
                )
            }
        let together = try TemporaryLedger()
        let alone = try TemporaryLedger()
        let receipts = try together.append(events)
        #expect(try receipts == events.flatMap { try alone.append([$0]) }, "seed \(seed)")
        #expect(receipts.contains { if case .rejected = $0 { true } else { false } })
        #expect(receipts.contains { if case .conflict = $0 { true } else { false } })
        try expectSound(together.ledger)
    }
}
