import DriveSimulation
import LedgerTestSupport
import ProjectorTestSupport
import SystemPackage
import TestSupport
import Testing
import TripEvents

@testable import TripLedger

/// The printed log of a ledger can be appended to another one: the same events, once.
@Suite struct CopiedLogLawTests {
    /// A book whose senders say more than the catalogue asks for.
    private func book(seed: UInt64) throws -> TemporaryLedger {
        var random = SplitMix64(seed: seed)
        let events = try Arrival.events(seed: seed).map { $0.supplemented(using: &random) }
        let book = try TemporaryLedger()
        try book.append(events)
        return book
    }

    /// Returns the lines of a log, and of those that are no ledger's own the event alone.
    private func log(_ book: TemporaryLedger) throws -> (lines: String, events: [String]) {
        var lines = ""
        var events: [String] = []
        try book.ledger.scanLog(from: 0) { stored in
            lines += String(decoding: stored.json, as: UTF8.self) + "\n"
            if !stored.event.source.isEmpty, !stored.isErased { events.append(stored.event.json) }
            return true
        }
        return (lines, events)
    }

    @Test(arguments: Seeds.fresh(4))
    func `the log of a ledger makes the same trips in another one`(seed: UInt64) throws {
        let comment: Comment = "seed \(seed)"
        let book = try book(seed: seed)
        let log = try log(book)
        let copy = try TemporaryLedger()
        let size = try book.ledger.head().size
        for isStrict in [false, true] {
            let options = IntakeOptions(isStrict: isStrict)
            let taken = try Intake.collect([log.lines], into: copy, options: options).summary
            #expect(taken.isComplete, comment)
            #expect(taken.read == Int(size), comment)
            #expect(taken.passedOver == Int(size) - log.events.count, comment)
            #expect((isStrict ? taken.duplicate : taken.appended) == log.events.count, comment)
        }
        #expect(try self.log(copy).events == log.events, comment)
        #expect(log.events.contains { $0.contains(#""extra":{"battery":0."#) }, comment)
        #expect(try BookFacts(copy) == BookFacts(book), comment)
        try expectSound(copy.ledger, comment)
    }

    @Test(arguments: Seeds.fresh(2), [false, true])
    func `an export can be appended as the log can`(seed: UInt64, isStrict: Bool) throws {
        let comment: Comment = "seed \(seed)"
        let book = try book(seed: seed)
        let log = try log(book)
        let copy = try TemporaryLedger()
        let options = IntakeOptions(isStrict: isStrict)
        let text = try book.exportedText()
        let taken = try Intake.collect([text], into: copy, options: options).summary
        #expect(taken.isComplete, comment)
        #expect(taken.appended == log.events.count, comment)
        // The first line is about all of them.
        let own = try Int(book.ledger.head().size) - log.events.count
        #expect(taken.passedOver == own + 1, comment)
        #expect(try self.log(copy).events == log.events, comment)
        #expect(try BookFacts(copy) == BookFacts(book), comment)
    }

    @Test(arguments: Seeds.fresh(2))
    func `what was erased is passed over`(seed: UInt64) throws {
        let comment: Comment = "seed \(seed)"
        let book = try book(seed: seed)
        var random = SplitMix64(seed: seed)
        guard let trip = try book.erasableTrip(using: &random) else { return }
        try book.erase(book.ledger.planErasure(of: .prefix(trip.description)))
        let log = try log(book)
        let copy = try TemporaryLedger()
        let taken = try Intake.collect([log.lines], into: copy).summary
        #expect(taken.isComplete, comment)
        #expect(taken.appended == log.events.count, comment)
        #expect(try self.log(copy).events == log.events, comment)
        try expectSound(copy.ledger, comment)
    }
}
