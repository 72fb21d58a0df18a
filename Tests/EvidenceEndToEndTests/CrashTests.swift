import DriveSimulation
import Foundation
import LedgerTestSupport
import SystemPackage
import TestSupport
import Testing
import TripLedger

/// Killed at any moment, the ledger loses nothing that it acknowledged.
///
/// `LEDGER_CRASH_KILLS` says how many processes are killed, such as 300.
@Suite struct CrashTests {
    private static let kills =
        ProcessInfo.processInfo.environment["LEDGER_CRASH_KILLS"].flatMap { Int($0) }
        ?? (Seeds.isThorough ? 60 : 15)

    @Test(arguments: Seeds.fresh(1))
    func `nothing acknowledged is lost when writers are killed at random`(seed: UInt64) throws {
        let book = try LedgerProcess()
        try book.begin()
        let writers = [
            CrashWriter(source: "phone", seed: seed, book: book),
            CrashWriter(source: "logger", seed: seed &+ 1, book: book),
        ]
        try kill(writers, of: book, seed: seed)

        // The lines that were cut off are stored at last.
        for writer in writers {
            while writer.acknowledged.count < writer.lines.count {
                try writer.prepare()
                try writer.start(pieceByteCount: 1 << 16)
                try writer.finish()
            }
        }
        #expect(writers.allSatisfy { !$0.lines.isEmpty })
        try expectEverythingStored(book, writers, "seed \(seed)")
        try expectSameTrips(book, writers, "seed \(seed)")
        let unheard = writers.map(\.storedUnheard).reduce(0, +)
        let count = writers.map(\.lines.count).reduce(0, +)
        print("\(Self.kills) kills, \(count) events, \(unheard) stored and not acknowledged")
    }

    /// Lets writers and projections run into each other, and kills one of them after the other.
    private func kill(_ writers: [CrashWriter], of book: LedgerProcess, seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var projection: Subprocess?
        var victim = 0
        var killed = 0
        while killed < Self.kills {
            let idle = writers.filter { !$0.isRunning }
            for writer in idle {
                try writer.finish()
                try writer.prepare()
            }
            for writer in idle {
                try writer.start(pieceByteCount: 1 << Int.random(in: 9...12, using: &random))
            }
            if projection?.isRunning != true {
                let process = book.process(["project"])
                process.standardOutput = .null
                try process.start()
                projection = process
            }
            // Chance, not waiting for something: the moment of the kill is what is tested.
            let longest: UInt32 = 1 << UInt32.random(in: 8...17, using: &random)
            usleep(UInt32.random(in: 0...longest, using: &random))
            if Int.random(in: 0..<5, using: &random) == 0, let process = projection {
                guard process.isRunning else { continue }
                Foundation.kill(process.processIdentifier, SIGKILL)
                process.waitForEnd()
            } else {
                // Mostly the one that has been at work for longer, and not only in its start-up.
                if Int.random(in: 0..<4, using: &random) > 0 { victim = 1 - victim }
                let writer = writers[victim]
                guard writer.isRunning else { continue }
                writer.kill()
                try writer.finish()
            }
            killed += 1
        }
        for writer in writers {
            writer.kill()
            try writer.finish()
        }
        projection?.waitForEnd()
    }

    /// Expects every line's event at the position that was acknowledged, and nothing else.
    private func expectEverythingStored(
        _ book: LedgerProcess,
        _ writers: [CrashWriter],
        _ comment: Comment
    ) throws {
        let entries = try book.run("log", "--format", "json").lines
        // The founding event, the two sources, and each line once.
        #expect(entries.count == 3 + writers.map(\.lines.count).reduce(0, +), comment)
        for (position, entry) in entries.enumerated() {
            #expect(entry.hasPrefix(#"{"position":\#(position),"#), comment)
        }
        for writer in writers {
            var lost = 0
            for (index, position) in writer.acknowledged {
                let isThere =
                    entries.indices.contains(Int(position))
                    && entries[Int(position)].hasSuffix(String(writer.lines[index].dropFirst()))
                if !isThere { lost += 1 }
            }
            #expect(lost == 0, comment)
        }
    }

    /// Expects the trips and the views of a run that nothing interrupted.
    private func expectSameTrips(
        _ book: LedgerProcess,
        _ writers: [CrashWriter],
        _ comment: Comment
    ) throws {
        let uninterrupted = try LedgerProcess()
        try uninterrupted.begin()
        for writer in writers {
            try uninterrupted.append(DriveLines.data(writer.lines))
        }
        #expect(try book.run("project").exitCode == 0, comment)
        let trips = try book.tripsWithoutArrival()
        #expect(try trips == uninterrupted.tripsWithoutArrival(), comment)
        #expect(!trips.isEmpty, comment)
        try book.expectViewsConfirmed(comment)

        let ledger = try Ledger(at: FilePath(book.directory.path("book")))
        defer { ledger.close() }
        try expectSound(ledger, comment)
    }
}
