import DriveSimulation
import Foundation
import LedgerTestSupport
import Platform
import SystemPackage
import TestSupport
import Testing
import TripEvents

@testable import LedgerKeeping
@testable import TripLedger

/// Restoring replaces a ledger, or refuses to.
@Suite struct RestoreTests {
    private let book: TemporaryLedger

    init() throws {
        book = try TemporaryLedger()
        try append(seed: 1)
    }

    private func path(_ name: String) -> FilePath { FilePath(book.directory.path(name)) }

    private func append(seed: UInt64) throws {
        try book.append(Array(DriveSimulator.drives(seed: seed, count: 1, fixesPerDrive: 3...3)))
    }

    /// Copies the log's file, which is what a backup is.
    private func backUp(_ name: String) throws {
        try book.whileClosed {
            try FileManager.default.copyItem(
                atPath: book.logPath + "/data.mdb",
                toPath: book.directory.path(name)
            )
        }
    }

    /// Puts an older file in the place of the log's.
    private func putBack(_ name: String) throws {
        try book.whileClosed {
            try FileManager.default.removeItem(atPath: book.logPath + "/data.mdb")
            try FileManager.default.copyItem(
                atPath: book.directory.path(name),
                toPath: book.logPath + "/data.mdb"
            )
        }
    }

    /// Restores while the ledger is closed; `meanwhile` runs when the log that is there was read.
    private func restore(
        _ name: String,
        acceptsLoss: Bool = false,
        before: () throws -> Void = {},
        meanwhile: @escaping @Sendable () throws -> Void = {}
    ) throws -> LedgerRestore.Report {
        let file = path(name)
        let (scanned, place, now) = (path("scanned"), book.path, book.now)
        // This process says what the scanning process would say.
        let process = ScanProcess(program: "/bin/cat") { task in
            do {
                try Self.scan(task, into: scanned)
                if case .log(let log, _, _) = task, log == place { try meanwhile() }
            } catch {
                Issue.record("\(error)")
            }
            return [scanned.string]
        }
        var report: LedgerRestore.Report?
        try book.whileClosed {
            try before()
            report = try LedgerRestore(into: place, process: process)
                .restore(file, acceptsLoss: acceptsLoss, now: now)
        }
        return try #require(report)
    }

    private static func scan(_ task: ScanTask, into file: FilePath) throws {
        guard case .log(let log, let knownHeads, let position) = task else { return }
        var said: [UInt8] = []
        try LogScan(at: log, knownHeads: knownHeads, recordedFrom: position)
            .run { said += $0.line + [UInt8(ascii: "\n")] }
        try Data(said).write(to: URL(fileURLWithPath: file.string))
    }

    private func expectRefusal(
        _ code: LedgerError.Code,
        _ words: String,
        _ body: () throws -> Void
    ) throws {
        let head = try book.ledger.head()
        do {
            try body()
            Issue.record("it was restored")
        } catch let error as LedgerError {
            #expect(error.code == code && error.cause.contains(words), "\(error)")
            try book.whileClosed {}
        }
        #expect(try book.ledger.head() == head)
        let replaced = try FileManager.default.contentsOfDirectory(atPath: book.path.string)
            .filter { $0.hasPrefix("replaced-") || $0.hasPrefix(".restore-") }
        #expect(replaced.isEmpty)
    }

    @Test func `an older state is put in the place of a longer log only if that is accepted`()
        throws
    {
        try backUp("early")
        let early = try book.ledger.head()
        try append(seed: 2)
        let late = try book.ledger.head()
        try expectRefusal(.wouldLose, "would be missing") { _ = try restore("early") }
        let report = try restore("early", acceptsLoss: true)
        #expect(try book.ledger.head() == early)
        let aside = try #require(report.movedAside)
        #expect(try TemporaryLedger.with(aside) { try $0.head() } == late)
        let records = try SafekeepingHistory(of: book.path).records()
        #expect(records.map(\.deed) == [.restored] && records.map(\.head) == [early])
        #expect(records.allSatisfy { FilePath($0.file).isAbsolute })
    }

    @Test func `a restore that was cut off just after the log changed is known, and once`() throws {
        try backUp("early")
        try append(seed: 2)
        let late = try book.ledger.head()
        let history = SafekeepingHistory(of: book.path)
        try history.append(SafekeepingRecord(.scrub, at: book.now, head: late))
        let early = LedgerHead(size: 1, root: late.root)
        let record = SafekeepingRecord(.restored, at: book.now, head: early)
        try SafekeepingHistory.announce(record, with: book.path.appending("log"))
        #expect(try history.knownHeads() == [early])
        let scrub = SafekeepingRecord(.scrub, at: book.now, head: early)
        try history.append(scrub)
        #expect(try history.records().map(\.deed).suffix(3) == [.scrub, .restored, .scrub])
        #expect(try !Directory.holds(book.path.appending("log/restored.json")))
    }

    @Test func `a shorter log of another history is not replaced unasked`() throws {
        try backUp("early")
        try append(seed: 2)
        try append(seed: 3)
        try backUp("late")
        try putBack("early")
        try append(seed: 4)
        try expectRefusal(.wouldLose, "not an older state") { _ = try restore("late") }
        #expect(try restore("late", acceptsLoss: true).movedAside != nil)
    }

    @Test func `a shorter log of the same history is replaced`() throws {
        try backUp("early")
        try append(seed: 2)
        try backUp("late")
        let late = try book.ledger.head()
        try putBack("early")
        _ = try restore("late")
        #expect(try book.ledger.head() == late)
    }

    @Test func `a log that cannot be read is not replaced unasked, whatever else is known`() throws
    {
        try backUp("early")
        let early = try book.ledger.head()
        try SafekeepingHistory(of: book.path)
            .append(
                SafekeepingRecord(.backup, at: book.now, head: early)
            )
        try append(seed: 2)
        try backUp("late")
        let late = try book.ledger.head()
        do {
            _ = try restore(
                "early",
                before: {
                    let file = URL(fileURLWithPath: book.logPath + "/data.mdb")
                    var bytes = try Data(contentsOf: file)
                    bytes.replaceSubrange(0..<8_192, with: Data(count: 8_192))
                    try bytes.write(to: file)
                }
            )
            Issue.record("it was restored")
        } catch let error as LedgerError {
            #expect(error.code == .wouldLose && error.cause.contains("cannot be read"), "\(error)")
        }
        try putBack("late")
        #expect(try book.ledger.head() == late)
    }

    @Test func `what is appended while the log is read is not lost`() throws {
        try backUp("early")
        let place = book.path
        let now = book.now
        let press = TripEvent(
            source: "button",
            occurredAt: Timestamp(milliseconds: 1_700_000_000_000),
            body: .goPressed(GoPressed())
        )
        let size = try book.ledger.head().size
        do {
            _ = try restore(
                "early",
                meanwhile: {
                    try TemporaryLedger.with(place) { _ = try $0.append([press], now: now) }
                }
            )
            Issue.record("it was restored")
        } catch let error as LedgerError {
            #expect(error.code == .alreadyThere && error.cause.contains("appended"), "\(error)")
            try book.whileClosed {}
        }
        #expect(try book.ledger.head().size == size + 2)
        #expect(try restore("early", acceptsLoss: true).movedAside != nil)
    }
}
