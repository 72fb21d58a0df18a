import DriveSimulation
import Foundation
import LedgerTestSupport
import TestSupport
import Testing
import TripEvents
import TripLedger

/// Views can be deleted, damaged or of another log: they are made anew, and nothing is ever lost.
@Suite struct ViewRecoveryTests {
    private let files = FileManager.default

    /// Returns a ledger with trips, and views that know them.
    private func book(_ scenario: Scenario = .homeToOffice) throws -> TemporaryLedger {
        let book = try TemporaryLedger()
        try book.append(DriveSimulator.events(of: scenario))
        _ = try book.ledger.project()
        return book
    }

    private func url(_ path: String, _ name: String) -> URL {
        URL(fileURLWithPath: path).appendingPathComponent(name)
    }

    @Test func `views that were deleted come back`() throws {
        let book = try book()
        let rows = try book.rows()
        #expect(rows.count == 1)
        try book.whileClosed { try files.removeItem(atPath: book.viewsPath) }
        let report = try book.ledger.project()
        #expect(report.isRebuilt)
        #expect(try book.rows() == rows)
        try expectSound(book.ledger)
    }

    @Test(arguments: [0, 1, 4_095, 4_096, 8_192, 100_000])
    func `views that are garbage are made anew`(byteCount: Int) throws {
        let book = try book()
        let rows = try book.rows()
        try book.whileClosed {
            try Data((0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 131 &+ 17) })
                .write(to: url(book.viewsPath, "data.mdb"))
        }
        let report = try book.ledger.project()
        #expect(report.isRebuilt)
        #expect(report.rebuiltBecause != nil)
        #expect(try book.rows() == rows)
        try expectSound(book.ledger)
    }

    @Test(arguments: [1, 2, 5])
    func `views that were cut off are made anew`(pageCount: Int) throws {
        let book = try book()
        let rows = try book.rows()
        try book.whileClosed {
            let file = try FileHandle(forUpdating: url(book.viewsPath, "data.mdb"))
            try file.truncate(atOffset: UInt64(pageCount) * 4_096)
            try file.close()
        }
        _ = try book.ledger.project()
        #expect(try book.rows() == rows)
        try expectSound(book.ledger)
    }

    @Test func `a directory without a data file, and a file in its place, are no obstacle`() throws
    {
        let book = try book()
        let rows = try book.rows()
        try book.whileClosed { try files.removeItem(at: url(book.viewsPath, "data.mdb")) }
        #expect(try book.ledger.project().isRebuilt)
        #expect(try book.rows() == rows)
        for _ in 0..<2 {
            try book.whileClosed {
                try files.removeItem(atPath: book.viewsPath)
                try Data("not a directory".utf8).write(to: URL(fileURLWithPath: book.viewsPath))
            }
            #expect(try book.ledger.project().isRebuilt)
            #expect(try book.rows() == rows)
        }
        try expectSound(book.ledger)
    }

    @Test func `a link in the place of views is replaced, and what it leads to stays`() throws {
        let book = try book()
        let rows = try book.rows()
        let elsewhere = book.directory.path("elsewhere")
        try book.whileClosed {
            try files.moveItem(atPath: book.viewsPath, toPath: elsewhere)
            try files.createSymbolicLink(
                atPath: book.viewsPath,
                withDestinationPath: elsewhere
            )
        }
        #expect(try book.ledger.project().isRebuilt)
        #expect(try book.rows() == rows)
        #expect(files.fileExists(atPath: elsewhere + "/data.mdb"))
        try expectSound(book.ledger)
    }

    @Test func `what a rebuild that was killed left behind is no obstacle`() throws {
        let book = try book()
        let rows = try book.rows()
        try book.whileClosed {
            for leftover in ["views.new", "views.old"] {
                try files.copyItem(
                    atPath: book.viewsPath,
                    toPath: book.directory.path("book/\(leftover)")
                )
            }
            try files.removeItem(atPath: book.viewsPath)
        }
        #expect(try book.ledger.project().isRebuilt)
        #expect(try book.rows() == rows)
        #expect(!files.fileExists(atPath: book.directory.path("book/views.new")))
        #expect(!files.fileExists(atPath: book.directory.path("book/views.old")))
    }

    @Test func `views of another log are made anew`() throws {
        let book = try book()
        let rows = try book.rows()
        let other = try self.book(.tunnel)
        #expect(try other.rows() != rows)
        try book.whileClosed {
            try files.removeItem(atPath: book.viewsPath)
            try files.copyItem(atPath: other.viewsPath, toPath: book.viewsPath)
        }
        let report = try book.ledger.project()
        #expect(report.isRebuilt)
        #expect(try book.rows() == rows)
        try expectSound(book.ledger)
    }

    @Test(arguments: [false, true])
    func `views that have read more than a log that was put back are made anew`(
        goesOn: Bool
    ) throws {
        let book = try book()
        let rows = try book.rows()
        let copy = book.directory.path("copy")
        try book.whileClosed { try files.copyItem(atPath: book.logPath, toPath: copy) }
        let later = DriveSimulator.events(of: .tunnel, source: "van")
        try book.append(later)
        #expect(try book.rows().count == 2)
        try book.whileClosed {
            try files.removeItem(atPath: book.logPath)
            try files.moveItem(atPath: copy, toPath: book.logPath)
        }
        // The same positions hold other entries now; views must not be taken for theirs.
        if goesOn { try book.append(DriveSimulator.events(of: .doubleGo, source: "car")) }
        #expect(try book.ledger.project().isRebuilt)
        #expect(try book.rows().count == (goesOn ? 2 : 1))
        if !goesOn { #expect(try book.rows() == rows) }
        try expectSound(book.ledger)
    }

    @Test func `events of a kind from the future are kept, counted and passed over`() throws {
        let book = try book()
        let rows = try book.rows()
        let payload: [UInt8] = [1, 2, 3]
        let position = try book.appendOfTheFuture(
            kind: 0x7F,
            payload: payload,
            source: DriveSimulator.defaultSource,
            occurredAt: DriveSimulator.scenarioStart.advanced(byMilliseconds: 90_000)
        )
        #expect(try book.ledger.project(isRebuild: true).unknown == 1)
        #expect(try book.rows() == rows)
        var stored: [EventBody] = []
        try book.ledger.scanLog(from: position) { entry in
            stored.append(entry.event.body)
            return true
        }
        #expect(stored == [.unknown(UnknownEvent(kind: 0x7F, form: 0, payload: payload))])
        try expectSound(book.ledger)
    }

    @Test(arguments: Seeds.fresh(6))
    func `catching up after every batch gives what a rebuild gives, byte for byte`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let book = try TemporaryLedger()
        var rest = Arrival.jittered.order(try Arrival.events(seed: seed), using: &random)[...]
        while !rest.isEmpty {
            let batch = Array(rest.prefix(Int.random(in: 1...60, using: &random)))
            rest = rest.dropFirst(batch.count)
            try book.append(batch)
            let report = try book.ledger.project()
            #expect(!report.isRebuilt || report.size == report.read, "seed \(seed)")
            #expect(try book.ledger.checkViews() == [], "seed \(seed)")
        }
        let caughtUp = try book.rows()
        #expect(try book.ledger.project(isRebuild: true).isRebuilt)
        #expect(try book.rows() == caughtUp, "seed \(seed)")
        try expectSound(book.ledger, "seed \(seed)")
    }

    @Test func `a run that commits in the middle gives what one commit gives`() throws {
        let drives = DriveSimulator.drives(seed: 5, count: 12_000, fixesPerDrive: 0...0)
        let other = DriveSimulator.drives(
            seed: 6,
            count: 2,
            fixesPerDrive: 30...30,
            source: "van",
            startingAt: DriveSimulator.drivesStart
        )
        let late = Array(other)
        let whole = try TemporaryLedger()
        // Late events of one source before the first commit, and more of them after it.
        try whole.append(late.suffix(5) + late.prefix(20) + Array(drives) + late)
        var commits: [UInt64] = []
        _ = try whole.ledger.project { commits.append($0) }
        #expect(commits.count > 1)

        let split = try TemporaryLedger()
        try split.append(late)
        _ = try split.ledger.project()
        try split.append(Array(drives))
        #expect(try whole.rowsWithoutArrival() == split.rowsWithoutArrival())
        try expectSound(whole.ledger)
    }
}
