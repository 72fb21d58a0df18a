import DriveSimulation
import LedgerTestSupport
import Papers
import Rates
import Reports
import Tables
import TestSupport
import Testing
import TripEvents
import TripLedger

/// Reports are the same as text and as documents.
@Suite struct ReportPageTests {
    /// Trips with texts of any kind, odometers, and a detail that was changed later.
    static func book(_ random: inout SplitMix64) throws -> TemporaryLedger {
        let words = ["Delft", "=Home, \"2\"", "<b>Café</b> & Söhne", "東京 🚗", "", "a  b", "- "]
        let book = try TemporaryLedger()
        let trips = Int.random(in: 0...40, using: &random)
        var events: [TripEvent] = []
        for number in 0..<trips {
            let startedAt = Timestamp(
                milliseconds: 1_735_700_400_000 + Int64(number) * 777_777_777
            )
            var report = TripReported(
                startedAt: EventTime(startedAt, utcOffset: UTCOffset(minutes: 60)),
                endedAt: EventTime(startedAt.advanced(byMilliseconds: 1_200_000)),
                distanceMeters: try #require(
                    ExactDecimal(
                        significand: Int64.random(in: 1...90_000_000, using: &random),
                        decimals: 3
                    )
                )
            )
            func word() -> String? {
                words.randomElement(using: &random).flatMap { $0.isEmpty ? nil : $0 }
            }
            report.origin = word()
            report.destination = word()
            report.details.purpose = word()
            report.details.client = word()
            report.details.vehicle = number % 3 == 0 ? nil : "van"
            report.details.tripClass = TripClass.allCases.randomElement(using: &random)
            events.append(
                TripEvent(
                    source: "paper",
                    occurredAt: startedAt,
                    id: "trip \(number)",
                    body: .tripReported(report)
                )
            )
            guard number % 7 == 0 else { continue }
            let value = try #require(ExactDecimal(significand: Int64(number), decimals: 0))
            events.append(
                TripEvent(
                    source: "paper",
                    occurredAt: startedAt,
                    id: "odometer \(number)",
                    body: .odometerRead(
                        OdometerRead(vehicle: "van", value: value, unit: .kilometers)
                    )
                )
            )
        }
        try book.append(events)
        return book
    }

    /// Every report of a ledger.
    static func pages(
        _ snapshot: borrowing Snapshot,
        _ style: TextStyle,
        isDraft: Bool,
        for jurisdiction: LogJurisdiction? = nil
    ) throws -> [ReportPage] {
        let period = LocalPeriod(localDay: LocalDay(zone: .utc))
        let frame = try ReportFrame(snapshot, in: period, isDraft: isDraft)
        let rates = try snapshot.rates()
        let first = try #require(CivilDate(year: 2025, month: 1, day: 1))
        let last = try #require(CivilDate(year: 2025, month: 12, day: 31))
        let claim = ClaimSheet(
            ClaimQuestion(jurisdiction: (jurisdiction ?? .gb).rawValue, days: first...last),
            localDay: period.localDay,
            columns: ClaimRow.columns,
            style: style,
            format: .text,
            isDraft: isDraft
        )
        return [
            try MileageSheet(in: period, style: style, format: .text, isDraft: isDraft)
                .page(snapshot).page,
            try SummaryReport(snapshot, frame, for: jurisdiction ?? .nl, style).page(style),
            try ReconciliationReport(snapshot, frame).page(style),
            try CompletenessReport(snapshot, frame, for: jurisdiction ?? .de, daysForEntries: 7)
                .page(style),
            try ChangesReport(snapshot, frame, listingEntries: true).page(style),
            try claim.page(snapshot, rates: rates).page,
        ]
    }

    private static func lines(of page: ReportPage) -> [Substring] {
        var bytes: [UInt8] = []
        page.writeText { $0(&bytes) }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The values of a cell of a document, which stand in columns of their own in a text.
    private static func values(_ cell: String) -> [String] {
        cell.split(separator: "\n").filter { $0 != "–" }.map(String.init)
    }

    /// Whether cells stand in a line, in their order.
    private static func holds(_ line: Substring, _ cells: [String]) -> Bool {
        var rest = line
        for cell in cells where !cell.isEmpty {
            // A line ends with its last letter.
            let isLast = rest.hasSuffix(cell.trimmingSuffix(" "))
            guard let range = rest.firstRange(of: cell) else { return isLast }
            rest = rest[range.upperBound...]
        }
        return true
    }

    @Test(arguments: Seeds.fresh(40))
    func `text has the titles, cells, facts and sentences of the document`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let book = try Self.book(&random)
        let style = TextStyle(unit: Bool.random(using: &random) ? .miles : .kilometers)
        try book.ledger.read { snapshot in
            for page in try Self.pages(snapshot, style, isDraft: false) {
                let document = page.document(on: .a4)
                var rest = Self.lines(of: page)[...]
                func expect(_ cells: [String]) {
                    guard let next = rest.firstIndex(where: { Self.holds($0, cells) }) else {
                        Issue.record("seed \(seed), \(document.title): no line for \(cells)")
                        return
                    }
                    rest = rest[(next + 1)...]
                }
                expect([document.title])
                for fact in document.facts { expect([fact.label, fact.text]) }
                for (index, block) in document.blocks.enumerated() {
                    switch block {
                    case .heading(let text):
                        // A text has no pictures, no place for a signature and no outline.
                        if case .picture? = document.blocks[index...].dropFirst().first { break }
                        if ["Trips", "Sums by class", "Signature"].contains(text) { break }
                        expect(["\(text):"])
                    case .paragraph(let text):
                        // Nor is there a code on it.
                        let isOfSheet = text.contains("____") || text.contains("on this sheet")
                        if !isOfSheet { expect([text]) }
                    case .table(let table):
                        expect(table.columns.flatMap { Self.values($0.title) })
                        // One line below the other, and nothing between them.
                        for line in table.lines {
                            let next = try #require(rest.first)
                            let cells = line.cells.flatMap(Self.values)
                            #expect(Self.holds(next, cells), "seed \(seed): \(cells)")
                            rest = rest.dropFirst()
                        }
                        #expect(rest.first == "", "seed \(seed): \(document.title)")
                    case .picture: break
                    }
                }
            }
        }
    }

    @Test(arguments: Seeds.fresh(20))
    func `a column of a document has a value, and a line a cell for each column`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let book = try Self.book(&random)
        try book.ledger.read { snapshot in
            for page in try Self.pages(snapshot, TextStyle(width: 20), isDraft: false) {
                for case .table(let table) in page.document(on: .letter).blocks {
                    #expect(!table.lines.isEmpty && !table.columns.isEmpty)
                    for line in table.lines {
                        #expect(line.cells.count == table.columns.count, "seed \(seed)")
                    }
                    for (index, column) in table.columns.enumerated() {
                        #expect(
                            table.lines.contains { !$0.cells[index].isEmpty },
                            "seed \(seed): \(column.title)"
                        )
                    }
                }
            }
        }
    }

    @Test func `a document names its entries on every page, and a draft none`() throws {
        var random = SplitMix64(seed: 3)
        let book = try Self.book(&random)
        try book.ledger.read { snapshot in
            let head = snapshot.head
            for page in try Self.pages(snapshot, TextStyle(), isDraft: false) {
                let foot = page.document(on: .a4).foot
                #expect(page.head == head)
                #expect(foot.contains("Root \(head.root)"))
                #expect(foot.first?.hasSuffix(" · \(head.size) entries") == true)
            }
            for page in try Self.pages(snapshot, TextStyle(), isDraft: true) {
                #expect(page.head == nil)
                let document = page.document(on: .a4)
                #expect(!String(decoding: document.json, as: UTF8.self).contains(head.root))
                #expect(document.foot.last == "Draft, not for handing over")
            }
        }
    }

    @Test(arguments: LogJurisdiction.allCases)
    func `a summary has charts, and the threshold of the year where there is one`(
        jurisdiction: LogJurisdiction
    ) throws {
        var random = SplitMix64(seed: 11)
        var trips = try Self.book(&random)
        while try trips.ledger.read({ try $0.trips(TripFilter()).count }) < 20 {
            trips = try Self.book(&random)
        }
        try trips.ledger.read { snapshot in
            let period = LocalPeriod(localDay: LocalDay(zone: .utc))
            let frame = try ReportFrame(snapshot, in: period)
            let style = TextStyle(unit: jurisdiction == .gb ? .miles : .kilometers)
            let report = try SummaryReport(snapshot, frame, for: jurisdiction, style)
            var words: [String] = []
            var pictures = 0
            for case .picture(let page, _) in report.page(style).document(on: .a4).blocks {
                pictures += 1
                for item in page.layers.flatMap(\.items) {
                    switch item {
                    case .label(let label): words.append(label.text)
                    case .path(let path):
                        for point in path.lines.joined() {
                            #expect((0...page.width).contains(point.x), "\(point)")
                            #expect((0...page.height).contains(point.y), "\(point)")
                        }
                    case .mark: break
                    }
                }
            }
            // The pictures: by month, through each year, and the odometer of the van.
            #expect(pictures >= 3)
            let limits: [LogJurisdiction: String] = [
                .gb: "10000 mi, business", .ca: "5000 km, business", .au: "5000 km, business",
                .nl: "500 km, personal",
            ]
            let limit = words.first { $0.contains(" km, ") || $0.contains(" mi, ") }
            #expect(limit == limits[jurisdiction])
        }
    }

    @Test func `totals are set off from other lines`() throws {
        var random = SplitMix64(seed: 4)
        let book = try Self.book(&random)
        try book.ledger.read { snapshot in
            let pages = try Self.pages(snapshot, TextStyle(), isDraft: false)
            for page in pages.prefix(2) {
                var lines: [Document.Table.Line] = []
                for case .table(let table) in page.document(on: .a4).blocks { lines += table.lines }
                let totals = lines.filter { $0.kind == .total }
                #expect(totals.map { $0.cells[0] } == ["total"])
            }
        }
    }
}

extension String {
    fileprivate func trimmingSuffix(_ character: Character) -> String {
        String(reversed().drop { $0 == character }.reversed())
    }
}
