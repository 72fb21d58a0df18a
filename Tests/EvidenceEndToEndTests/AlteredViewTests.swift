import DriveSimulation
import Foundation
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import TripLedger

/// A view that was altered is detected, row by row, and can be rebuilt.
@Suite struct AlteredViewTests {
    @Test(arguments: ["trips", "trips_in_order", "rewinds", "folds"], Seeds.fresh(2))
    func `a changed byte in a row is found, named and healed`(
        table: String,
        seed: UInt64
    ) throws {
        let book = try projectedBook(seed: seed)
        let trips = try book.run("trips", "--all", "--format", "json").text

        var random = SplitMix64(seed: seed)
        let views = try AlteredViews(table, at: viewsPath(of: book))
        var row = try #require(try views.rows().randomElement(using: &random))
        row.value[Int.random(in: row.value.indices, using: &random)] ^= 1
        try views.put(row)
        views.close()

        let check = try book.run("project", "--check")
        #expect(check.exitCode == 1, "seed \(seed)")
        #expect(check.lines == ["\(table) \(row.name) different"], "seed \(seed)")
        let json = try book.run("project", "--check", "--format", "json")
        #expect(
            json.lines == [#"{"table":"\#(table)","row":"\#(row.name)","kind":"different"}"#],
            "seed \(seed)"
        )

        #expect(try book.run("project", "--rebuild").exitCode == 0)
        try book.expectViewsConfirmed("seed \(seed)")
        #expect(try book.run("trips", "--all", "--format", "json").text == trips, "seed \(seed)")
    }

    @Test func `a row that is gone, and one that was added, are found and named`() throws {
        let book = try projectedBook(seed: 1)
        let views = try AlteredViews("trips", at: viewsPath(of: book))
        let gone = try #require(try views.rows().first)
        var added = gone
        added.key = Array(repeating: 0xFF, count: gone.key.count)
        try views.remove(gone)
        try views.put(added)
        views.close()

        let check = try book.run("project", "--check")
        #expect(check.exitCode == 1)
        #expect(check.lines == ["trips \(gone.name) missing", "trips \(added.name) unexpected"])
    }

    @Test(arguments: Seeds.fresh(2))
    func `a changed byte gives no figure of a mileage log`(seed: UInt64) throws {
        // Enough trips for two threads to read them.
        let trips = 3_000
        let book = try LedgerProcess()
        try book.begin()
        let lines = (0..<trips).map { Self.reportedTrip($0) }
        #expect(try book.append(Data(lines.joined().utf8)).appended == trips)
        let log = try book.run("report", "log", "--proved").text
        #expect(log.contains("total"))
        #expect(try book.run("project").exitCode == 0)

        var random = SplitMix64(seed: seed)
        let views = try AlteredViews("trips_in_order", at: viewsPath(of: book))
        var row = try #require(try views.rows().randomElement(using: &random))
        row.value[Int.random(in: row.value.indices, using: &random)] ^= 1
        try views.put(row)
        views.close()

        #expect(try book.run("report", "log").text == log, "seed \(seed)")
        let draft = try book.run("report", "log", "--draft").text
        #expect(Self.withoutHead(draft) == Self.withoutHead(log), "seed \(seed)")
        try book.expectViewsConfirmed("seed \(seed)")
    }

    @Test(arguments: Seeds.fresh(1))
    func `a report on a screen is the one that is computed from the log`(seed: UInt64) throws {
        let book = try projectedBook(seed: seed)
        // The one who keeps it is named from now on: what was asked about may be before that.
        #expect(try book.run("settings", "--keeper", "Eva").exitCode == 0)
        for kind in Seeds.sample(of: Self.kinds) {
            for instant in ["2100-01-01T00:00:00Z", "2001-01-01T00:00:00Z"] {
                let format = try #require(["text", "json", "csv"].randomElement())
                let words = ["report"] + kind + ["--as-of", instant, "--format", format]
                let screen = try book.run(words)
                #expect(screen.exitCode == 0, "seed \(seed), \(kind)")
                #expect(
                    try book.run(words + ["--proved"]).text == screen.text,
                    "seed \(seed), \(kind), \(format)"
                )
            }
        }
    }

    private static let kinds = [
        ["log"], ["summary"], ["completeness"], ["changes", "--all"], ["reconcile"],
        ["claim", "--year", "2025", "--jurisdiction", "nl"],
        ["methods", "--year", "2025", "--jurisdiction", "us"],
    ]

    private static func withoutHead(_ report: String) -> [Substring] {
        report.split(separator: "\n")
            .filter {
                !["Draft ", "Entries ", "Root "].contains(where: $0.hasPrefix)
            }
    }

    @Test func `views of another ledger under the right names reach no mileage log`() throws {
        let book =
            try LedgerProcess.Fixture(
                shell: """
                    ledger init
                    ledger simulate home-to-office | ledger append
                    ledger project
                    """
            )
            .copy()
        let log = try book.run("report", "log", "--proved").text
        let cursor = try AlteredViews("state", at: viewsPath(of: book))
            .closing { try $0.rows().first { $0.key == Array("views".utf8) } }
        // Every checksum and every sum of the forged views is right: only the log tells.
        let forged = try book.shell(
            """
            cp -r book forged
            ledger --ledger forged adjust last --km 900 --why forged > /dev/null
            ledger --ledger forged project > /dev/null
            rm -r book/views
            mv forged/views book/views
            """
        )
        #expect(forged.exitCode == 0)
        let genuine = try #require(cursor)
        try AlteredViews("state", at: viewsPath(of: book)).closing { try $0.put(genuine) }
        #expect(try book.run("report", "log", "--draft").text.contains("900.00"))
        #expect(try book.run("report", "log", "--proved").text == log)
        #expect(try book.run("report", "log", "-o", "log.txt").exitCode == 0)
        let kept = try String(contentsOfFile: book.directory.path("log.txt"), encoding: .utf8)
        #expect(kept == log)
    }

    @Test(arguments: ViewTable.allCases.map(\.rawValue), Seeds.fresh(1))
    func `a row that is gone, or an old one that came back, changes no figure`(
        table: String,
        seed: UInt64
    ) throws {
        let book = try projectedBook(seed: seed)
        let path = viewsPath(of: book)
        let earlier = try AlteredViews(table, at: path).closing { try $0.rows() }
        try book.append(DriveLines.data(DriveLines.mixed(seed: seed ^ 1)))
        #expect(try book.run("edit", "last", "--purpose", "Client visit").exitCode == 0)
        var random = SplitMix64(seed: seed)
        for question in Seeds.sample(of: Self.questions) {
            let answer = try book.run(question)
            #expect(answer.exitCode == 0)
            for isGone in [true, false] {
                try AlteredViews(table, at: path)
                    .closing { views in
                        let rows = try views.rows()
                        let old = earlier.filter { row in
                            !rows.contains { $0.key == row.key && $0.value == row.value }
                        }
                        if !isGone, let row = old.randomElement(using: &random) {
                            try views.put(row)
                        } else if let row = rows.randomElement(using: &random) {
                            // Without a server the feed has no rows.
                            try views.remove(row)
                        }
                    }
                let said = try book.run(question)
                #expect(said.exitCode == 0, "seed \(seed), \(question): \(said.errors)")
                #expect(said.text == answer.text, "seed \(seed), \(question)")
            }
        }
    }

    private static let questions = [
        ["trips", "--all"], ["trips", "--limit", "2"], ["totals"], ["report", "log", "--draft"],
        ["trip", "last"], ["history", "last"],
    ]

    private static func reportedTrip(_ number: Int) -> String {
        let start = 1_735_725_600 + 7_200 * Double(number)
        let times = [start, start + 600]
            .map { Date(timeIntervalSince1970: $0).formatted(.iso8601) }
        return """
            {"type":"trip_reported","source":"paper","occurred_at":"2026-01-02T00:00:00Z",\
            "id":"\(number)","started_at":"\(times[0])","ended_at":"\(times[1])",\
            "distance_m":\(number)}

            """
    }

    /// Returns a ledger with trips of many kinds and views that are right.
    private func projectedBook(seed: UInt64) throws -> LedgerProcess {
        let fixture = Self.books.withLock { books in
            let fixture =
                books[seed]
                ?? LedgerProcess.Fixture { book in
                    try book.begin()
                    try book.append(DriveLines.data(DriveLines.mixed(seed: seed)))
                    #expect(try book.run("project").exitCode == 0)
                    try book.expectViewsConfirmed("seed \(seed)")
                }
            books[seed] = fixture
            return fixture
        }
        return try fixture.copy()
    }

    /// Those that were made already, by their seeds.
    private static let books = Mutex<[UInt64: LedgerProcess.Fixture]>([:])

    private func viewsPath(of book: LedgerProcess) -> FilePath {
        FilePath(book.directory.path("book")).appending("views")
    }
}
