import Foundation
import TestSupport
import Testing

/// A page of the log that ends the program that reads it does so with a word.
@Suite struct DamagedPageTests {
    private static let pageBytes = 4_096

    /// Where a page says how many keys it has (LMDB 0.9: `mp_lower`, behind its number and flags).
    private static let lowerOffset = 12

    @Test(arguments: [true, false])
    func `a log with a page that says it has more keys than it can ends no command silently`(
        withViews: Bool
    ) throws {
        let book = try LedgerProcess()
        try book.begin()
        let drive = try book.run(["simulate", "home-to-office", "--source", "phone"])
        #expect(try book.run(["append"], input: drive.output).exitCode == 0)
        #expect(try book.run("trips").exitCode == 0)
        let file = book.directory.url.appendingPathComponent("book/log/data.mdb")
        let views = book.directory.url.appendingPathComponent("book/views")
        let sound = try Data(contentsOf: file)
        var wasOfLog = false
        // The pages that were written last are in use; behind them the file ends.
        for page in max(2, sound.count / Self.pageBytes - 8)..<sound.count / Self.pageBytes {
            var damaged = sound
            damaged[page * Self.pageBytes + Self.lowerOffset] = 0xF0
            damaged[page * Self.pageBytes + Self.lowerOffset + 1] = 0xFF
            try damaged.write(to: file)
            if !withViews { try? FileManager.default.removeItem(at: views) }
            // Views that were just being made are thrown away first; what is said then names the
            // log too.
            for _ in 0..<2 {
                let read = try book.run("trips", "--all", "--format", "json")
                #expect([0, 1, 74].contains(read.exitCode), "page \(page): \(read.exitCode)")
                guard read.exitCode != 0 else { continue }
                #expect(!read.errors.isEmpty, "page \(page)")
                guard read.errors.contains("a damaged page ended this command") else { continue }
                let isOfLog = read.errors.contains("book/log: ")
                #expect(isOfLog == (read.exitCode == 1), "page \(page): \(read.errors)")
                #expect(!isOfLog || read.errors.contains("ledger rescue"), "page \(page)")
                wasOfLog = wasOfLog || isOfLog
            }
        }
        #expect(wasOfLog)
    }

    @Test func `a damaged page of what the server keeps is not called one of the views`() throws {
        let book = try LedgerProcess()
        try book.begin()
        let made = try book.shell("for i in $(seq 12); do ledger token new phone$i || exit 9; done")
        #expect(made.exitCode == 0)
        #expect(try book.run("trips").exitCode == 0)
        let file = book.directory.url.appendingPathComponent("book/server/data.mdb")
        let sound = try Data(contentsOf: file)
        var wasOfServer = false
        for page in 2..<sound.count / Self.pageBytes {
            var damaged = sound
            damaged[page * Self.pageBytes + Self.lowerOffset] = 0xF0
            damaged[page * Self.pageBytes + Self.lowerOffset + 1] = 0xFF
            try damaged.write(to: file)
            let read = try book.run("token", "list")
            #expect([0, 1].contains(read.exitCode), "page \(page): \(read.exitCode)")
            guard read.exitCode != 0 else { continue }
            #expect(read.errors.contains("book/server: "), "page \(page): \(read.errors)")
            wasOfServer = wasOfServer || read.errors.contains("a damaged page ended")
            #expect(!read.errors.contains("book/log"), "page \(page): \(read.errors)")
            let views = book.directory.path("book/views/data.mdb")
            #expect(FileManager.default.fileExists(atPath: views))
        }
        #expect(wasOfServer)
    }
}
