import JSONText
import LedgerTestSupport
import Papers
import Projections
import Reports
import Tables
import Testing
import TripEvents
import TripLedger

/// The mileage log as a sheet for a tax office: its head, its cells, and what stands below it.
@Suite struct PrintedLogTests {
    private static let period = LocalPeriod(localDay: LocalDay(zone: .utc))

    private static func time(_ minutes: Int) -> EventTime {
        EventTime(
            Timestamp(milliseconds: 1_735_700_400_000 + Int64(minutes) * 60_000),
            utcOffset: UTCOffset(minutes: 60)
        )
    }

    /// A ledger with a van, two of its trips with one address, and a third trip that was voided.
    private static func book() throws -> TemporaryLedger {
        let book = try TemporaryLedger()
        var events = [
            TripEvent(
                source: "paper",
                occurredAt: time(0).timestamp,
                id: "van",
                body: .vehicleRegistered(
                    VehicleRegistered(
                        vehicle: "van",
                        plate: "FÜ-MW 123",
                        make: "VW",
                        model: "Caddy",
                        keeper: "Weber GmbH",
                        driver: "M. Weber"
                    )
                )
            )
        ]
        for number in 1...3 {
            let start = time(number * 100)
            var report = TripReported(
                startedAt: start,
                endedAt: time(number * 100 + 30),
                origin: "Büro",
                destination: "Kunde \(number)",
                distanceMeters: try #require(ExactDecimal(significand: 12_340, decimals: 0))
            )
            report.details.vehicle = "van"
            report.details.tripClass = .business
            if number == 1 { report.originAddress = "Äußere Sulzbacher Str. 12, Nürnberg" }
            events.append(
                TripEvent(
                    source: "paper",
                    occurredAt: start.timestamp,
                    id: "trip \(number)",
                    body: .tripReported(report)
                )
            )
        }
        try book.append(events)
        let trips = try book.ledger.read { try $0.trips(TripFilter(isOldestFirst: true)) }
        let last = try #require(trips.last).booked
        try book.append([
            TripEvent(
                source: "paper",
                occurredAt: time(9_000).timestamp,
                id: "void",
                body: .tripVoided(TripVoided(trip: last.id, why: "driven twice"))
            )
        ])
        return book
    }

    private static func document(
        _ language: Document.Language,
        vehicle: String? = nil,
        tripClass: TripClass? = nil,
        columns: Columns<MileageLine> = MileageLine.columns,
        in book: TemporaryLedger? = nil
    ) throws -> Document {
        var style = TextStyle()
        style.language = language
        let sheet = MileageSheet(
            in: period,
            vehicle: vehicle,
            tripClass: tripClass,
            columns: columns,
            style: style,
            format: .text
        )
        let book = try book ?? self.book()
        return try withExtendedLifetime(book) {
            try book.ledger.read { try sheet.page($0).page.document(on: .a4) }
        }
    }

    private static func paragraphs(_ document: Document) -> [String] {
        document.blocks.compactMap { block in
            guard case .paragraph(let text) = block else { return nil }
            return text
        }
    }

    private static func tables(_ document: Document) -> [Document.Table] {
        document.blocks.compactMap { block in
            guard case .table(let table) = block else { return nil }
            return table
        }
    }

    @Test func `headings of a sheet lead to its trips, its sums and its signature`() throws {
        let headings = try Self.document(.en).blocks
            .compactMap { block in
                guard case .heading(let text) = block else { return nil as String? }
                return text
            }
        #expect(headings == ["Trips", "Sums by class", "Signature"])
    }

    @Test(arguments: [nil, "van"])
    func `the head names plate, make, model, keeper and driver`(vehicle: String?) throws {
        let facts = try Self.document(.de, vehicle: vehicle).facts
        #expect(
            facts.first { $0.label == "Fahrzeug" }?.text
                == "van, VW Caddy, amtliches Kennzeichen FÜ-MW 123, Halter Weber GmbH"
        )
        #expect(facts.first { $0.label == "Fahrer" }?.text == "M. Weber")
    }

    @Test(arguments: Document.Language.allCases)
    func `a sheet ends with a place for a signature, and a text has none`(
        language: Document.Language
    ) throws {
        let blocks = try Self.document(language).blocks.suffix(2)
        guard case .heading? = blocks.first, case .paragraph(let lines)? = blocks.last else {
            Issue.record("\(blocks)")
            return
        }
        #expect(lines.split(separator: "\n").last?.split(separator: "__").count == 2)
        var bytes: [UInt8] = []
        let sheet = MileageSheet(in: Self.period, style: TextStyle(), format: .text)
        let book = try Self.book()
        _ = try withExtendedLifetime(book) {
            try book.ledger.read { try sheet.write($0) { $0(&bytes) } }
        }
        #expect(!String(decoding: bytes, as: UTF8.self).contains("__"))
    }

    @Test(arguments: Document.Language.allCases)
    func `a sheet says in one sentence what its root and its code are for`(
        language: Document.Language
    ) throws {
        let sentences = Self.paragraphs(try Self.document(language))
            .filter { $0.contains("`ledger verify`") }
        #expect(sentences.count == 1, "\(sentences)")
    }

    @Test func `voided trips are one line below the sums, and in no sum`() throws {
        let paragraphs = Self.paragraphs(try Self.document(.en))
        #expect(
            paragraphs.contains(
                "Not counted: 1 voided trip, 12.34 km; see the report of changes."
            )
        )
        let others = Self.paragraphs(try Self.document(.en, vehicle: "car"))
        #expect(!others.contains { $0.hasPrefix("Not counted") })
    }

    @Test func `an address stands below its name, in the same cell`() throws {
        let table = try #require(Self.tables(try Self.document(.en)).first)
        let titles = table.columns.map(\.title)
        let from = try #require(titles.firstIndex(of: "FROM"))
        #expect(
            table.lines.map { $0.cells[from] }
                == ["Büro\nÄußere Sulzbacher Str. 12, Nürnberg", "Büro"]
        )
        #expect(!titles.contains { $0.contains("ADDRESS") })
    }

    @Test func `what stands in the head and is the same in all rows is in no row`() throws {
        func titles(_ document: Document) throws -> [String] {
            let table = try #require(Self.tables(document).first)
            return table.columns.flatMap { $0.title.split(separator: "\n").map(String.init) }
        }
        let all = try titles(try Self.document(.en))
        #expect(!all.contains("VEHICLE") && !all.contains("DRIVER") && all.contains("CLASS"))
        #expect(try !titles(try Self.document(.en, tripClass: .business)).contains("CLASS"))
        let asked = try MileageLine.columns.choosing(["date", "vehicle", "distance"])
        #expect(try titles(try Self.document(.en, columns: asked)).contains("VEHICLE"))
        // A trip without a vehicle and a driver makes both differ from row to row.
        let book = try Self.book()
        let start = Self.time(5_000)
        let other = TripReported(
            startedAt: start,
            endedAt: Self.time(5_030),
            origin: "Büro",
            destination: "Kunde 4",
            distanceMeters: try #require(ExactDecimal(significand: 1_000, decimals: 0))
        )
        try book.append([
            TripEvent(
                source: "paper",
                occurredAt: start.timestamp,
                id: "trip 4",
                body: .tripReported(other)
            )
        ])
        let mixed = try Self.document(.en, in: book)
        #expect(try titles(mixed).contains("VEHICLE") && titles(mixed).contains("DRIVER"))
        #expect(!mixed.facts.contains { $0.label == "Driver" })
    }

    @Test(arguments: Document.Language.allCases)
    func `flags are words of the language, and a legend says what they mean`(
        language: Document.Language
    ) throws {
        let document = try Self.document(language)
        let name = [
            Document.Language.en: "reported", .nl: "opgegeven", .de: "angegeben", .fr: "déclaré",
        ]
        let reported = try #require(name[language])
        let table = try #require(Self.tables(document).first)
        #expect(table.lines.allSatisfy { $0.cells.contains { $0.contains(reported) } })
        #expect(!table.lines.contains { $0.cells.contains { $0.contains("late_entry") } })
        #expect(Self.paragraphs(document).contains { $0.contains("\(reported) = ") })
    }

    @Test(arguments: [nil, DistanceUnit.kilometers])
    func `a sheet of the United States has miles on Letter, unless a person sets a unit`(
        units: DistanceUnit?
    ) throws {
        let book = try Self.book()
        var settings = SettingsChanged()
        settings.country = .set("us")
        settings.units = units
        try book.append([
            TripEvent(
                source: "paper",
                occurredAt: Self.time(9_100).timestamp,
                id: "settings",
                body: .settingsChanged(settings)
            )
        ])
        var request = ReportRequest(.log)
        request.format = .document
        let later = Timestamp(milliseconds: 1_900_000_009_000)
        let bytes = try book.ledger.read(asOf: later) { snapshot in
            try ResolvedReport(request, asOf: later, of: snapshot, by: ReportMeans { _ in [] })
                .bytes(snapshot).bytes
        }
        let json = Array(bytes.dropLast())
        let document = try Document(json: JSONValue(json.span))
        #expect(document.paper == .letter)
        let distances = Self.tables(document)
            .compactMap { table in
                table.columns.first { $0.title.hasPrefix("DISTANCE") }?.title
            }
        let unit = units == nil ? "mi" : "km"
        #expect(!distances.isEmpty && distances.allSatisfy { $0.hasPrefix("DISTANCE \(unit)") })
    }

    @Test func `what is missing does not look like what is met`() throws {
        let book = try Self.book()
        try book.ledger.read { snapshot in
            let frame = try ReportFrame(snapshot, in: Self.period)
            let report = try CompletenessReport(snapshot, frame, for: .de, daysForEntries: 7)
            let document = report.page(TextStyle()).document(on: .a4)
            let checklist = try #require(Self.tables(document).first)
            let state = try #require(checklist.columns.firstIndex { $0.title == "STATE" })
            let states = Set(checklist.lines.map { $0.cells[state] })
            #expect(states.contains("met") && states.contains("missing"))
            for line in checklist.lines {
                #expect((line.kind == .faint) == (line.cells[state] == "met"))
            }
            // The plate is met, for the sheet has it.
            let plate = checklist.lines.first { $0.cells.contains("the licence plate") }
            #expect(plate?.cells[state] == "met")
        }
    }

    @Test(arguments: Document.Language.allCases)
    func `a checklist of days without a trip says so first`(
        language: Document.Language
    ) throws {
        var style = TextStyle()
        style.language = language
        let year = LocalPeriod(
            from: CivilDate("2001-01-01"),
            to: CivilDate("2001-12-31"),
            localDay: LocalDay(zone: .utc)
        )
        let book = try Self.book()
        try book.ledger.read { snapshot in
            let frame = try ReportFrame(snapshot, in: year)
            let report = try CompletenessReport(snapshot, frame, for: .de, daysForEntries: 7)
            let document = report.page(style).document(on: .a4)
            guard case .paragraph(let first)? = document.blocks.first else {
                Issue.record("\(document.blocks)")
                return
            }
            let words = [
                Document.Language.en: "There is no trip in these days",
                .nl: "Er is geen rit in deze dagen", .de: "In diesen Tagen gibt es keine Fahrt",
                .fr: "Il n’y a aucun trajet dans ces jours",
            ]
            #expect(first.hasPrefix(try #require(words[language])))
            let checklist = try #require(Self.tables(document).first)
            // That changes are visible needs no trip.
            #expect(checklist.lines.count { $0.kind == .faint } == 1)
        }
    }

    @Test func `no line of a form has a number from memory`() throws {
        let book = try Self.book()
        try book.ledger.read { snapshot in
            let frame = try ReportFrame(snapshot, in: Self.period)
            let report = try SummaryReport(snapshot, frame, for: .us, TextStyle())
            var text: [UInt8] = []
            report.page(TextStyle()).writeText { $0(&text) }
            let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
            let words = lines.flatMap { $0.split { " (),.".contains($0) } }
            #expect(!words.contains("memory") && !words.contains("24a"))
            #expect(lines.filter { $0.contains("cannot tell") }.count <= 3)
            #expect(lines.contains { $0.hasPrefix("Schedule C, Part IV") && $0.contains("44a") })
        }
    }
}
