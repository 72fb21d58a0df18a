import DriveSimulation
import Foundation
import Geodesy
import LedgerRows
import Projections
import ProjectorTestSupport
import Tables
import TestSupport
import Testing
import TripEvents
import TripTracking

/// Trips as transactions of plain-text accounting, read by the programs that they are for.
@Suite struct JournalWriterTests {
    private struct Journal {
        var text = ""

        /// The distances of trips that count, in hundredths of kilometres.
        var hundredths = 0
        var count = 0
    }

    /// Trips whose texts have what ends something in any of the dialects.
    private static func journal(_ format: TripListFormat, seed: UInt64) throws -> Journal {
        var random = SplitMix64(seed: seed)
        let letters = Array("aZ0é漢ʼ \"\\;:|()[]{}<>*!@=#%'-,.\n\t\r/&~^$")
        func text() -> String {
            String(
                (0..<Int.random(in: 0...8, using: &random))
                    .compactMap { _ in letters.randomElement(using: &random) }
            )
        }
        var writer = try #require(format.writer(TextStyle()))
        var bytes: [UInt8] = []
        var journal = Journal()
        writer.begin(to: &bytes)
        for index in 0..<Int.random(in: 1...12, using: &random) {
            var trip = SampleTrip.active(
                high: random.next(),
                startedAt: 1_700_000_000_000 - Int64(index) * 86_400_000
            )
            trip.source = text()
            trip.endedAt = trip.startedAt
            trip.distance = Distance(
                millimeters: Int64.random(in: 0...2_000_000_000, using: &random)
            )
            trip.status = Bool.random(using: &random) ? .completed : .abandoned
            var booked = BookedTrip(trip)
            booked.details.purpose = Bool.random(using: &random) ? text() : nil
            booked.details.vehicle = Bool.random(using: &random) ? text() : nil
            writer.add(NamedTrip(booked), to: &bytes)
            guard trip.status == .completed else { continue }
            journal.count += 1
            journal.hundredths += Int((trip.distance.millimeters + 5_000) / 10_000)
        }
        writer.end(to: &bytes)
        journal.text = String(decoding: bytes, as: UTF8.self)
        return journal
    }

    @Test(arguments: Seeds.fresh(30), [TripListFormat.hledger, .ledgerCLI, .beancount])
    func `a journal has each trip that counts once, and what it takes it gives`(
        seed: UInt64,
        format: TripListFormat
    ) throws {
        let journal = try Self.journal(format, seed: seed)
        let lines = journal.text.split(separator: "\n")
        #expect(lines.count { $0.contains(/^\d{4}-\d\d-\d\d \*/) } == journal.count, "seed \(seed)")
        let amounts = try lines.compactMap { line in
            try line.wholeMatch(of: /\s+.*  (-?)(\d+)\.(\d\d) (km|KM)/)
                .map { try #require(Int("\($0.1)\($0.2)\($0.3)")) }
        }
        #expect(amounts.count == 2 * journal.count, "seed \(seed)")
        #expect(amounts.reduce(0, +) == 0, "seed \(seed)")
        #expect(amounts.filter { $0 > 0 }.reduce(0, +) == journal.hundredths, "seed \(seed)")
    }

    @Test(arguments: [TripListFormat.hledger, .ledgerCLI, .beancount, .ics, .gpx, .kml])
    func `no name turns what stands behind it`(format: TripListFormat) throws {
        var trip = SampleTrip.full
        trip.source = "a\u{202E}b"
        (trip.status, trip.abandonReason) = (.completed, nil)
        var booked = BookedTrip(trip)
        booked.details.purpose = "c\u{2066}d"
        booked.details.vehicle = "e\u{202D}f"
        var writer = try #require(format.writer(TextStyle()))
        var bytes: [UInt8] = []
        writer.begin(to: &bytes)
        writer.add(NamedTrip(booked), to: &bytes)
        writer.end(to: &bytes)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("c\u{FFFD}d"), "\(text)")
        let turning = text.unicodeScalars.filter { scalar in
            (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        }
        #expect(turning.isEmpty, "\(text)")
    }

    @Test(
        .enabled(if: Program.hledger.isPresent, Program.hledger.missing),
        arguments: Seeds.fresh(4)
    )
    func `hledger reads the journal`(seed: UInt64) throws {
        let journal = try Self.journal(.hledger, seed: seed)
        try Program.hledger.read(journal.text, ["-f", "FILE", "check", "--strict"])
        let codes = try Program.hledger.read(journal.text, ["-f", "FILE", "codes"])
        #expect(codes.count == journal.count, "seed \(seed)")
        let sum = try Program.hledger.read(
            journal.text,
            ["-f", "FILE", "balance", "^mileage", "--depth", "0", "--no-total", "--empty"]
        )
        #expect(Self.hundredths(sum) == journal.hundredths, "seed \(seed): \(sum)")
    }

    @Test(.enabled(if: Program.ledger.isPresent, Program.ledger.missing), arguments: Seeds.fresh(4))
    func `Ledger reads the journal`(seed: UInt64) throws {
        let journal = try Self.journal(.ledgerCLI, seed: seed)
        let format = ["-f", "FILE", "--args-only", "--pedantic"]
        let codes = try Program.ledger.read(
            journal.text,
            format + ["register", "^mileage", "--empty", "--format", "%(code)\n"]
        )
        #expect(codes.count == journal.count, "seed \(seed)")
        let sum = try Program.ledger.read(
            journal.text,
            format + [
                "balance", "^mileage", "--depth", "1", "--format", "%(display_total)\n", "--empty",
            ]
        )
        #expect(Self.hundredths(sum) == journal.hundredths, "seed \(seed): \(sum)")
    }

    @Test(
        .enabled(if: Program.beancount.isPresent, Program.beancount.missing),
        arguments: Seeds.fresh(4)
    )
    func `Beancount reads the journal`(seed: UInt64) throws {
        let journal = try Self.journal(.beancount, seed: seed)
        let script = """
            import sys
            from beancount import loader
            from beancount.core.data import Transaction
            entries, errors, _ = loader.load_file(sys.argv[1])
            assert not errors, errors
            trips = [entry for entry in entries if isinstance(entry, Transaction)]
            print(len(trips))
            print(sum(posting.units.number for trip in trips for posting in trip.postings
                      if posting.account.startswith("Expenses:")), "KM")
            """
        let output = try Program.beancount.read(journal.text, ["-c", script, "FILE"])
        #expect(output.first == "\(journal.count)", "seed \(seed)")
        #expect(Self.hundredths(output.suffix(1)) == journal.hundredths, "seed \(seed): \(output)")
    }

    /// Returns the amount in the first line; nothing at all is 0.
    private static func hundredths(_ lines: some Collection<String>) -> Int? {
        guard let line = lines.first else { return 0 }
        let number = line.prefix { $0 != "k" && $0 != "K" }.filter { $0 != " " }
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        let decimals = parts.count == 2 ? parts[1] : ""
        return Int(parts[0] + decimals + String(repeating: "0", count: 2 - decimals.count))
    }
}

/// A program that reads journals, if it is installed.
private struct Program {
    static let hledger = Program("hledger", check: ["--version"], says: "hledger")
    static let ledger = Program("ledger", check: ["--version"], says: "Ledger 3")
    static let beancount = Program("python3", check: ["-c", "import beancount"], says: "")

    private let url: URL?
    let missing: Comment

    var isPresent: Bool { url != nil }

    private init(_ name: String, check: [String], says: String) {
        missing =
            "skipped: \(says.isEmpty ? "\(name) has no beancount" : "\(name) is not installed")"
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        // Another program may have this name: ours has.
        url = path.split(separator: ":")
            .map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
            .first { url in
                guard FileManager.default.isExecutableFile(atPath: url.path) else { return false }
                let outcome = try? Subprocess(url, arguments: check).outcome()
                return outcome?.exitCode == 0
                    && (says.isEmpty || outcome?.text.hasPrefix(says) == true)
            }
    }

    /// Runs it on a journal, and returns the lines that it prints.
    @discardableResult
    func read(
        _ journal: String,
        _ arguments: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [String] {
        let scratch = try TemporaryDirectory()
        let path = scratch.path("trips.journal")
        try Data(journal.utf8).write(to: URL(fileURLWithPath: path))
        let outcome = try Subprocess(
            try #require(url),
            arguments: arguments.map { $0 == "FILE" ? path : $0 }
        )
        .outcome()
        #expect(
            outcome.exitCode == 0,
            "\(outcome.errors)\(journal)",
            sourceLocation: sourceLocation
        )
        return outcome.lines
    }
}
