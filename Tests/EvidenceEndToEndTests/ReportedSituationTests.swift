import Foundation
import TestSupport
import Testing

/// Situations about money that users of other programs reported, each with four variants: what is
/// claimed, to the cent.
@Suite(.enabled(if: SharedData.isPresent, SharedData.missing))
struct ReportedSituationTests {
    /// A situation, or a variant of it.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String

        /// What is replaced in the file, in order.
        var changes: [(from: String, to: String)] = []

        /// Commands before the claim.
        var commands = ""

        /// The sum of the claim, or the distance of the log in metres.
        var expected: String

        var testDescription: String { name }
    }

    /// A ledger in whose directory files of the collection lie, as they are or changed.
    private static func ledger(zone: String) throws -> LedgerProcess {
        let ledger = try LedgerProcess()
        let made = try ledger.run("init", "--time-zone", zone)
        try #require(made.exitCode == 0, "\(made.errors)")
        return ledger
    }

    private static func put(
        _ name: String,
        as copy: String,
        in ledger: LedgerProcess,
        _ changes: [(from: String, to: String)] = []
    ) throws {
        let data = try SharedData.data("reports/\(name)")
        var text = try #require(String(bytes: data, encoding: .utf8))
        for change in changes { text = text.replacing(change.from, with: change.to) }
        try Data(text.utf8).write(to: ledger.directory.url.appendingPathComponent(copy))
    }

    /// Runs commands, and expects the sum of a claim.
    private static func expectClaim(
        _ example: Case,
        of claim: String,
        in ledger: LedgerProcess,
        _ commands: String
    ) throws {
        let outcome = try ledger.shell(
            "(\(commands)) > /dev/null && ledger report claim --draft --format json \(claim)"
        )
        let total = outcome.lines.last ?? ""
        #expect(total.contains(#""amount":\#(example.expected)}]"#), "\(outcome)")
    }

    // MARK: 56, one drive that is in two tables

    private static let bothRows = "ledger append drive.gpx --vehicle van && ledger append rows.csv"

    @Test(arguments: [
        Case(name: "a track, then its row", commands: bothRows, expected: "5.53"),
        Case(
            name: "no vehicle is named",
            changes: [(",van,", ",,")],
            commands: "ledger append drive.gpx && ledger append rows.csv",
            expected: "5.53"
        ),
        Case(
            name: "the row, then its track",
            commands: "ledger append rows.csv && ledger append drive.gpx --vehicle van",
            expected: "5.53"
        ),
        Case(
            name: "the row is three minutes late",
            changes: [("08:03", "08:06"), ("08:17", "08:20")],
            commands: bothRows,
            expected: "5.53"
        ),
        Case(
            name: "another car drove at the same time",
            changes: [(",van,", ",bus,")],
            commands: bothRows,
            expected: "5.55"
        ),
    ])
    func `a drive and a row of its minutes are claimed once`(example: Case) throws {
        let ledger = try Self.ledger(zone: "Europe/Amsterdam")
        try Self.put("00_base_drive.gpx", as: "drive.gpx", in: ledger)
        try Self.put("56_mileiq_same_drive.csv", as: "rows.csv", in: ledger, example.changes)
        try Self.expectClaim(
            example,
            of: "--jurisdiction nl --year 2025",
            in: ledger,
            example.commands
        )
    }

    // MARK: 60b, German ways to work by other means than a car

    private static let motorcycle = "ledger vehicle register moto --kind motorcycle"

    @Test(arguments: [
        Case(name: "a motorcycle", commands: motorcycle, expected: "4500.00"),
        Case(
            name: "a car",
            commands: "ledger vehicle register moto --kind car",
            expected: "8844.00"
        ),
        Case(name: "nothing says what it is", commands: "true", expected: "8844.00"),
        Case(
            name: "two motorcycles of one person",
            commands: motorcycle + " && ledger vehicle register scooter --kind motorcycle"
                + " && ledger edit --whose-vehicle moto --from 2024-06-01 --vehicle scooter -y",
            expected: "4500.00"
        ),
        Case(
            name: "so near that the limit is not reached",
            changes: [("110400.0", "50400.0")],
            commands: motorcycle,
            expected: "3828.00"
        ),
    ])
    func `ways by motorcycle come to 4,500 euros a year`(example: Case) throws {
        let ledger = try Self.ledger(zone: "Europe/Berlin")
        try Self.put("60b_de_motorcycle.jsonl", as: "ways.jsonl", in: ledger, example.changes)
        try Self.expectClaim(
            example,
            of: "--jurisdiction de --year 2024",
            in: ledger,
            "ledger append ways.jsonl && " + example.commands
        )
        let page = try ledger.shell("ledger report claim --draft --jurisdiction de --year 2024")
        let isAssumed = page.text.contains("The kind is not registered for moto")
        #expect(isAssumed == (example.commands == "true"), "\(page.text)")
        // What the methods give by rates is what is claimed.
        let methods = try ledger.shell(
            "ledger report methods --draft --jurisdiction de --year 2024 --format json"
        )
        let amounts = methods.text.matches(of: /"method":"rate"[^}]*"amount":([0-9]+)\.([0-9]{2})/)
            .compactMap { Int("\($0.1)\($0.2)") }
        let hundredths = Int(example.expected.replacing(".", with: ""))
        #expect(amounts.reduce(0, +) == hundredths, "\(methods.text)")
    }

    @Test(arguments: [
        Case(
            name: "by bus, without a vehicle",
            changes: [("\"vehicle\": \"moto\"", "\"mode\": \"bus\"")],
            commands: "true",
            expected: "4500.00"
        ),
        Case(
            name: "by bus, and a car is named",
            changes: [("\"vehicle\"", "\"mode\": \"bus\", \"vehicle\"")],
            commands: "ledger vehicle register moto --kind car",
            expected: "4500.00"
        ),
        Case(
            name: "a person says afterwards that it was the bus",
            commands: "ledger edit --whose-vehicle moto --mode bus -y",
            expected: "4500.00"
        ),
        Case(
            name: "by the own bicycle, which counts nowhere else",
            changes: [("\"vehicle\": \"moto\"", "\"mode\": \"bicycle\"")],
            commands: "true",
            expected: "4500.00"
        ),
        Case(
            name: "so near by bicycle that the limit is not reached",
            changes: [
                ("110400.0", "10400.0"), ("\"vehicle\": \"moto\"", "\"mode\": \"bicycle\""),
            ],
            commands: "true",
            expected: "660.00"
        ),
    ])
    func `ways by other means come to 4,500 euros a year`(example: Case) throws {
        let ledger = try Self.ledger(zone: "Europe/Berlin")
        try Self.put("60b_de_motorcycle.jsonl", as: "ways.jsonl", in: ledger, example.changes)
        try Self.expectClaim(
            example,
            of: "--jurisdiction de --year 2024",
            in: ledger,
            "ledger append ways.jsonl && " + example.commands
        )
        let page = try ledger.shell("ledger report claim --draft --jurisdiction de --year 2024")
        let isByBicycle = example.name.contains("bicycle")
        #expect(page.text.contains("fares") != isByBicycle, "\(page.text)")
        #expect(page.text.contains(isByBicycle ? " bicycle " : " bus "), "\(page.text)")
        #expect(!page.text.contains("counts as a car"), "\(page.text)")
    }

    // MARK: 61, German days with one way

    @Test(arguments: [
        Case(name: "each way alone on its day", expected: "136.00"),
        Case(
            name: "both ways on each day",
            changes: [("\"id\": \"t", "\"id\": \"u"), ("T05:", "T18:"), ("T15:", "T03:")],
            expected: "272.00"
        ),
        Case(name: "25 km", changes: [("40000.0", "25000.0")], expected: "79.00"),
        Case(
            name: "from 2026 on, 0.38 from the first",
            changes: [("2024-", "2026-")],
            expected: "152.00"
        ),
        Case(
            name: "by bicycle",
            changes: [("\"car\"", "\"bike\"")],
            commands: "ledger vehicle register bike --kind bicycle",
            expected: "136.00"
        ),
    ])
    func `a day with one way is half a day`(example: Case) throws {
        let ledger = try Self.ledger(zone: "Europe/Berlin")
        try Self.put("61_de_half_days.jsonl", as: "ways.jsonl", in: ledger, example.changes)
        let isWhole = example.changes.contains { $0.from == "T05:" }
        if isWhole { try Self.put("61_de_half_days.jsonl", as: "others.jsonl", in: ledger) }
        let year = example.changes.contains { $0.to == "2026-" } ? 2026 : 2024
        try Self.expectClaim(
            example,
            of: "--jurisdiction de --year \(year)",
            in: ledger,
            "ledger append ways.jsonl" + (isWhole ? " && ledger append others.jsonl" : "")
                + (example.commands.isEmpty ? "" : " && " + example.commands)
        )
    }

    // MARK: 63, passengers in any kind of field

    @Test(arguments: [
        Case(name: "as numbers and as a text", expected: "135.00"),
        Case(name: "a text with spaces", changes: [("\"3\"", "\" 3 \"")], expected: "135.00"),
        Case(
            name: "no passengers",
            changes: [("\"passengers\": 2", "\"passengers\": 0")],
            expected: "125.00"
        ),
        Case(
            name: "a motorcycle, whose passengers are not paid",
            commands: " && ledger vehicle register moto --kind motorcycle",
            expected: "109.00"
        ),
        Case(
            name: "by other names",
            changes: [
                ("\"passengers\": 2", "\"Mitfahrer\": 2"), ("\"passengers\"", "\"Passenger\""),
            ],
            expected: "135.00"
        ),
        Case(name: "words", changes: [("\"3\"", "\"three\"")], expected: "127.50"),
        Case(name: "fewer than none", changes: [("\"3\"", "-1")], expected: "127.50"),
    ])
    func `passengers are paid, or it is said that they are not`(example: Case) throws {
        let ledger = try Self.ledger(zone: "Europe/London")
        try Self.put("63_gb_passengers.jsonl", as: "trips.jsonl", in: ledger, example.changes)
        try Self.expectClaim(
            example,
            of: "--jurisdiction gb --year 2025",
            in: ledger,
            "ledger append trips.jsonl" + example.commands
        )
        let page = try ledger.shell("ledger report claim --draft --jurisdiction gb --year 2025")
        let isSaid = page.text.contains("no whole number from 0 to 99: 1")
        let isUnread = ["words", "fewer than none"].contains(example.name)
        #expect(isSaid == isUnread, "\(page.text)")
    }

    // MARK: 77, two rows of one table

    @Test(arguments: [
        Case(name: "the second within the first", expected: "13000.000"),
        Case(
            name: "the second begins with the first",
            changes: [("10:30", "10:00")],
            expected: "13000.000"
        ),
        Case(
            name: "the second begins as the first ends",
            changes: [("10:30,10:41", "10:41,10:52")],
            expected: "21000.000"
        ),
        Case(name: "another car", changes: [(",8,ev", ",8,van")], expected: "21000.000"),
        Case(name: "no car", changes: [(",ev", ",")], expected: "13000.000"),
    ])
    func `two rows of one drive count once`(example: Case) throws {
        let ledger = try Self.ledger(zone: "Europe/Amsterdam")
        try Self.put("77_two_summaries.csv", as: "rows.csv", in: ledger, example.changes)
        let log = try ledger.shell(
            """
            ledger append --suggest-map rows.csv > map.json 2> /dev/null
            ledger append --map map.json rows.csv > /dev/null
            ledger report log --draft --year 2026 --format json
            """
        )
        let total = log.lines.last ?? ""
        #expect(total.contains(#""distance_m":\#(example.expected),"#), "\(log)")
    }
}
