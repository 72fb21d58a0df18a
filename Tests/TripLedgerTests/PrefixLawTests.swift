import DriveSimulation
import LedgerTestSupport
import Projections
import Reports
import Tables
import TestSupport
import Testing
import TripEvents

@testable import TripLedger

/// A ledger that is read up to a size answers as it did when it had that size.
@Suite struct PrefixLawTests {
    /// Returns the answers of a snapshot, as programs read them.
    private static func answers(_ snapshot: borrowing Snapshot) throws -> [String] {
        func lines<Row>(_ rows: [Row], _ columns: Columns<Row>) -> [String] {
            rows.map { row in
                var bytes: [UInt8] = []
                columns.appendJSON(row, to: &bytes, by: nil)
                return String(decoding: bytes, as: UTF8.self)
            }
        }
        let trips = try snapshot.trips(TripFilter(includesUncounted: true))
        var answers = ["\(snapshot.head)", "\(try snapshot.missingEntries())"]
        answers += trips.map { "\($0)" }
        answers += try trips.flatMap { try snapshot.history(of: $0.trip.id) }.map { "\($0)" }
        answers += lines(try snapshot.auditTrail(), AuditLine.columns)
        answers += try snapshot.places().places.map { "\($0)" }
        answers += try snapshot.vehicles().vehicles.map { "\($0)" }
        answers += try snapshot.rates().contentHashes.map { "\($0)" }.sorted()
        answers += try snapshot.rulesInForce().map { "\($0)" }
        answers += try snapshot.decisionsWithoutEffect().map { "\($0)" }
        answers += try snapshot.issuedReports().map(\.id)
        answers += try snapshot.visits().map { "\($0)" }
        answers.append("\(try snapshot.status(asOf: Timestamp(milliseconds: 0)).sources)")
        answers.append("\(String(describing: try snapshot.latestEndByTime()))")
        return answers
    }

    @Test(arguments: Seeds.fresh(4))
    func `what was appended later changes no answer`(seed: UInt64) throws {
        let book = try TemporaryLedger()
        var known: [(size: UInt64, asOf: Timestamp, answers: [String])] = []
        for round in 0..<3 {
            try book.appendRandomBook(seed: seed &+ UInt64(round) << 32)
            let instant = book.now
            known.append(
                try book.ledger.readFromLog(asOf: instant) {
                    ($0.head.size, instant, try Self.answers($0))
                }
            )
        }
        for (size, instant, answers) in known {
            let again = try book.ledger.readFromLog(asOf: instant, upTo: size) {
                try Self.answers($0)
            }
            #expect(again == answers, "seed \(seed), size \(size)")
        }
    }

    @Test func `a ledger has no more entries than it has`() throws {
        let book = try TemporaryLedger()
        #expect {
            try book.ledger.readFromLog(upTo: 2) { $0.head.size }
        } throws: { error in
            (error as? LedgerError)?.code == .notFound
        }
    }
}
