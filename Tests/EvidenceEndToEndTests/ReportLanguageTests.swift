import Papers
import Rates
import SystemPackage
import TestSupport
import Testing
import TripEvents
import TripLedger

@testable import Reports
@testable import Tables

/// Every word of the program in a report is a phrase with a rendering in each language, so that no
/// report mixes languages.
@Suite struct ReportLanguageTests {
    /// The reports of a ledger about all its days, and of the year in which it has most.
    private static func pages(
        _ snapshot: borrowing Snapshot,
        _ style: TextStyle,
        for jurisdiction: LogJurisdiction
    ) throws -> [ReportPage] {
        let localDay = LocalDay(zone: .utc)
        let year = try #require(jurisdiction.days(ofTaxYear: 2025))
        let base = try #require(jurisdiction.days(ofTaxYear: 2024))
        let always = LocalPeriod(localDay: localDay)
        // A tax year that begins later holds no trip of March.
        let first = try #require(CivilDate(year: 2025, month: 1, day: 1))
        let days = min(first, year.lowerBound)...year.upperBound
        let period = LocalPeriod(from: days.lowerBound, to: days.upperBound, localDay: localDay)
        let frame = try ReportFrame(snapshot, in: period, vehicle: nil)
        let draft = try ReportFrame(snapshot, in: always, isDraft: true)
        let ofVan = try ReportFrame(snapshot, in: period, vehicle: "qvan")
        let rates = try snapshot.rates()
        var style = style
        style.clock = localDay
        return [
            try MileageSheet(in: period, style: style, format: .text).page(snapshot).page,
            try MileageSheet(
                in: always,
                tripClass: .personal,
                style: style,
                format: .text,
                isDraft: true,
                hidesPrivate: true
            )
            .page(snapshot).page,
            try SummaryReport(snapshot, frame, for: jurisdiction, style).page(style),
            try SummaryReport(snapshot, draft, for: nil, style).page(style),
            try ReconciliationReport(snapshot, frame).page(style),
            try ReconciliationReport(snapshot, ofVan, hidesPrivate: true).page(style),
            try CompletenessReport(snapshot, frame, for: jurisdiction, daysForEntries: 7)
                .page(style),
            try ChangesReport(snapshot, draft, listingEntries: true).page(style),
            try ChangesReport(snapshot, frame, listingEntries: false, hidesPrivate: true)
                .page(style),
            try MethodsReport(
                snapshot,
                frame,
                for: jurisdiction,
                on: days,
                baseYear: base,
                rates: rates
            )
            .page(style),
        ] + (try claims(snapshot, style, for: jurisdiction, on: days, localDay))
    }

    /// The claims of a ledger by the rates of a jurisdiction, and by its own.
    private static func claims(
        _ snapshot: borrowing Snapshot,
        _ style: TextStyle,
        for jurisdiction: LogJurisdiction,
        on days: ClosedRange<CivilDate>,
        _ localDay: LocalDay
    ) throws -> [ReportPage] {
        let rates = try snapshot.rates()
        return try [jurisdiction.rawValue, "qrate"]
            .map { name in
                try ClaimSheet(
                    ClaimQuestion(jurisdiction: name, days: days),
                    localDay: localDay,
                    columns: ClaimRow.columns,
                    style: style,
                    format: .text,
                    isDraft: false
                )
                .page(snapshot, rates: rates).page
            }
    }

    /// Everything that a report says, as document and as text.
    private static func texts(of page: ReportPage) -> [String] {
        let document = page.document(on: .a4)
        var texts = [document.title] + document.foot
        for fact in document.facts { texts += [fact.label, fact.text] }
        for block in document.blocks {
            switch block {
            case .heading(let text), .paragraph(let text): texts.append(text)
            case .table(let table):
                texts += table.columns.map(\.title) + table.lines.flatMap(\.cells)
            case .picture(let picture, let alternative):
                texts.append(alternative)
                for case .label(let label) in picture.layers.flatMap(\.items) {
                    texts.append(label.text)
                }
            }
        }
        var bytes: [UInt8] = []
        page.writeText { $0(&bytes) }
        return texts
            + String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Units, currencies, and names that are the same in every language.
    private static let sameEverywhere: Set<String> = [
        "km", "mi", "x", "d", "EUR", "USD", "GBP", "CAD", "AUD", "SHA-256", "UTC", "Etc/UTC",
        // Forms of the United States and their lines.
        "Schedule", "C", "Part", "IV", "Form", "V", "44a", "44b", "44c", "45–47b",
        // The places where rates were published.
        "Notice",
        // The program's name for itself and the reports that were issued.
        "manual", "R1", "R2",
    ]

    /// Returns a text in two: what stands in brackets, and what stands outside them.
    private static func parted(_ text: String) -> (phrases: [String], outside: String) {
        var phrases: [String] = []
        var outside = ""
        var isInside = false
        for character in text {
            switch character {
            case "[":
                isInside = true
                phrases.append("")
                outside.append(" ")
            case "]": isInside = false
            default:
                if isInside {
                    phrases[phrases.count - 1].append(character)
                } else {
                    outside.append(character)
                }
            }
        }
        return (phrases, outside)
    }

    /// Whether a word is an id, a hash, a time or the name of a rate.
    private static func isCode(_ word: Substring) -> Bool {
        let isRate = word.contains(".") && LogJurisdiction(rawValue: String(word.prefix(2))) != nil
        let isTime = word.first?.isNumber == true && word.hasSuffix("Z")
        let isHash = word.count >= 8 && word.allSatisfy(\.isHexDigit) || word.count == 43
        return isHash || isRate || isTime || word.hasPrefix("IR-")
            || LogJurisdiction(rawValue: word.lowercased()) != nil
    }

    /// Returns the words of a text that stand outside brackets and are not the book's own: those
    /// begin with q, or are between quotation marks; rates that were loaded are JSON there.
    static func strangers(in text: String) -> [String] {
        // A command, at the end of a line too, is the same in every language.
        guard !text.hasPrefix("ledger ") else { return [] }
        var text = text
        if let command = text.firstRange(of: "  ledger ") {
            text.removeSubrange(command.lowerBound...)
        }
        if let start = text.firstRange(of: "\"{"), let end = text.ranges(of: "}\"").last {
            text.removeSubrange(start.lowerBound..<end.upperBound)
        }
        let unquoted = parted(text).outside.split(separator: "\"", omittingEmptySubsequences: false)
            .enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
        let words = unquoted.flatMap { $0.split { " \u{A0}\n,;:()…=".contains($0) } }
        return words.filter { isStrange($0) }.map(String.init)
    }

    private static func isStrange(_ word: Substring) -> Bool {
        guard word.contains(where: \.isLetter), word.first != "q", word.first != "Q" else {
            return false
        }
        return !isCode(word) && !sameEverywhere.contains(String(word))
    }

    private static func read(
        asOf instant: Timestamp? = nil,
        after command: String? = nil,
        _ body: (borrowing Snapshot) throws -> Void
    ) throws {
        let process = try EveryNoteBook.fixture.copy()
        if let command { try #require(try process.shell(command).exitCode == 0) }
        let ledger = try Ledger(at: FilePath(process.directory.path("book")))
        defer { ledger.close() }
        try ledger.read(asOf: instant) { try body($0) }
    }

    private static func style(_ language: Document.Language, marks: Bool) -> TextStyle {
        var style = TextStyle()
        style.language = language
        style.marksPhrases = marks
        return style
    }

    @Test(arguments: LogJurisdiction.allCases)
    func `no letter of a report is outside a phrase but the book's own, and no sentence English`(
        jurisdiction: LogJurisdiction
    ) throws {
        try Self.read { snapshot in
            var english: Set<String> = []
            for language in Document.Language.allCases {
                let style = Self.style(language, marks: true)
                for page in try Self.pages(snapshot, style, for: jurisdiction) {
                    let texts = Self.texts(of: page)
                    let found = Set(texts.flatMap { Self.strangers(in: $0) })
                    #expect(found.isEmpty, "\(language), \(texts[0])")
                    let sentences = Self.sentences(of: texts)
                    if language == .en {
                        english.formUnion(sentences)
                    } else {
                        #expect(english.isDisjoint(with: sentences), "\(language), \(texts[0])")
                    }
                }
            }
            #expect(english.count > 50)
        }
    }

    /// The tables of a document, each with the heading right above it, if it has one.
    private static func tables(of document: Document) -> [(name: String, table: Document.Table)] {
        var heading: String?
        var tables: [(name: String, table: Document.Table)] = []
        for block in document.blocks {
            switch block {
            case .heading(let text): heading = text
            case .paragraph, .picture: heading = nil
            case .table(let table):
                tables.append((heading ?? table.columns[0].title, table))
                heading = nil
            }
        }
        return tables
    }

    @Test(arguments: LogJurisdiction.allCases)
    func `no two tables of a report have one name, and no two columns of a table one title`(
        jurisdiction: LogJurisdiction
    ) throws {
        try Self.read { snapshot in
            for language in Document.Language.allCases {
                let style = Self.style(language, marks: false)
                for page in try Self.pages(snapshot, style, for: jurisdiction) {
                    let document = page.document(on: .a4)
                    let tables = Self.tables(of: document)
                    let names = tables.map(\.name)
                    #expect(Set(names).count == names.count, "\(document.title): \(names)")
                    for (name, table) in tables {
                        let titles = table.columns.map(\.title)
                        #expect(Set(titles).count == titles.count, "\(name): \(titles)")
                    }
                }
            }
        }
    }

    @Test(arguments: LogJurisdiction.allCases)
    func `facts name a country by capital letters, and instants in the form of the language`(
        jurisdiction: LogJurisdiction
    ) throws {
        try Self.read { snapshot in
            for language in Document.Language.allCases {
                let style = Self.style(language, marks: false)
                var countries: Set<String> = []
                for page in try Self.pages(snapshot, style, for: jurisdiction) {
                    let facts = page.document(on: .a4).facts
                    let label = Words(language).text(.jurisdiction)
                    countries.formUnion(facts.filter { $0.label == label }.map(\.text))
                    let instants = facts.filter { $0.text.contains(/\d\d-\d\dT\d\d:/) }
                    #expect(instants.isEmpty, "\(instants)")
                }
                #expect(countries == [jurisdiction.rawValue.uppercased(), "qrate"])
            }
        }
    }

    @Test func `the time as of which a report is has the form of other times`() throws {
        let newYear = Timestamp(milliseconds: 1_767_225_600_000)
        let forgotten = "ledger go --source next --at 2025-12-30T08:00:00+01:00"
        try Self.read(asOf: newYear, after: forgotten) { snapshot in
            let zone = try TimeZoneRules.ofMachine(named: "Europe/Amsterdam")
            let frame = try ReportFrame(snapshot, in: LocalPeriod(localDay: LocalDay(zone: zone)))
            let facts = frame.evidence(in: .kilometers)
            let asOf = try #require(facts.first { $0.label.english == "As of" })
            let forms: [(Document.Language, Regex<Substring>)] = [
                (.en, /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{3})? \+0[12]:00/),
                (.nl, /\d\d-\d\d-\d{4} \d\d:\d\d:\d\d(?:\.\d{3})? \+0[12]:00/),
                (.de, /\d\d\.\d\d\.\d{4} \d\d:\d\d:\d\d(?:\.\d{3})? \+0[12]:00/),
                (.fr, /\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d(?:\.\d{3})? \+0[12]:00/),
            ]
            for (language, form) in forms {
                let text = Words(language).text(asOf.fact)
                // Behind it stands what happened then.
                let rest = text.prefixMatch(of: form).map { text[$0.range.upperBound...] }
                #expect(rest?.hasPrefix(", ") == true, "\(text)")
            }
        }
    }

    @Test func `no line of a French report ends before a mark`() throws {
        try Self.read { snapshot in
            let style = Self.style(.fr, marks: true)
            for page in try Self.pages(snapshot, style, for: .fr) {
                let torn = Self.texts(of: page).flatMap { Self.parted($0).phrases }
                    .filter { $0.contains(#/ [:;!?%»]|«\x20/#) }
                #expect(torn.isEmpty, "\(torn)")
            }
        }
    }

    @Test func `changes show times, ids, money and distances as the rest of a report does`() throws
    {
        try Self.read { snapshot in
            let frame = try ReportFrame(snapshot, in: LocalPeriod(localDay: LocalDay(zone: .utc)))
            let report = try ChangesReport(snapshot, frame, listingEntries: true)
            var style = Self.style(.de, marks: false)
            style.clock = LocalDay(zone: .utc)
            let blocks = report.page(style).document(on: .a4).blocks
            let tables = blocks.compactMap { block in
                if case .table(let table) = block { table } else { nil }
            }
            let lines = try #require(tables.first).lines.map(\.cells)
            let cells = Set(lines.joined())
            // 08:32 to 08:34 by the clock of Amsterdam, and the day stands once.
            let stretch = cells.filter { $0.hasPrefix("11.03.2025") && $0.contains(" – ") }
            #expect(stretch.count == 1, "\(stretch)")
            #expect(!stretch.joined().contains("/"), "\(stretch)")
            #expect(!cells.contains { $0.contains(/\d\d-\d\dT\d\d:/) })
            #expect(cells.contains("61,20") && cells.contains("15000,00\u{A0}km"))
            let isOfExpense = { (cells: [String]) in cells[0].hasPrefix("Ausgabe") }
            #expect(lines.contains(where: isOfExpense))
            #expect(lines.filter(isOfExpense).allSatisfy { $0[0].count == "Ausgabe ".count + 8 })
            // A reading of New Year's Day of 2025 was entered when the book was made.
            let reading = try #require(
                lines.first { $0[0] == "Kilometerstand von qvan" && $0.contains("1000") }
            )
            #expect(
                reading.contains { Int($0).map { $0 > 100 && $0 != 1_000 } ?? false },
                "\(reading)"
            )
        }
    }

    @Test func `one erased trip is one trip`() throws {
        try Self.read { snapshot in
            let frame = try ReportFrame(snapshot, in: LocalPeriod(localDay: LocalDay(zone: .utc)))
            let report = try ChangesReport(snapshot, frame, listingEntries: false)
            let facts = report.page(Self.style(.en, marks: false)).document(on: .a4).facts
            #expect(facts.contains { $0.text.contains(", also of trip ") })
        }
    }

    @Test func `a word that is no phrase is found`() throws {
        #expect(Self.strangers(in: "[read on ]2025-01-01") == [])
        #expect(Self.strangers(in: "read on 2025-01-01") == ["read", "on"])
        #expect(Self.strangers(in: "[Odometer beside trips: ]qvan and more") == ["and", "more"])
        try Self.read { snapshot in
            let frame = try ReportFrame(snapshot, in: LocalPeriod(localDay: LocalDay(zone: .utc)))
            let style = Self.style(.de, marks: true)
            var page = ReportPage(.own("Mileage log"), [], frame, .portrait, style)
            page.add([.own("Nothing stands out.")])
            page.add(
                [1],
                Columns<Int> {
                    Column.integer("number", "PLAIN TITLE") { $0 }
                    Column.name("name", .kind) { _ in "measured" }
                },
                under: .own("Each vehicle")
            )
            let found = Set(Self.texts(of: page).flatMap { Self.strangers(in: $0) })
            #expect(
                found
                    == Set([
                        "Mileage", "log", "Nothing", "stands", "out.", "PLAIN", "TITLE", "measured",
                        "Each", "vehicle",
                    ])
                    .subtracting(Self.sameEverywhere)
            )
        }
    }

    /// The sentences of a page in brackets: three words or more.
    private static func sentences(of texts: [String]) -> Set<String> {
        Set(texts.flatMap { parted($0).phrases })
            .filter { $0.split(separator: " ").count { $0.contains(where: \.isLetter) } > 2 }
    }

    @Test func `English is the language of programs`() throws {
        try Self.read { snapshot in
            let frame = try ReportFrame(snapshot, in: LocalPeriod(localDay: LocalDay(zone: .utc)))
            let report = try CompletenessReport(snapshot, frame, for: .de, daysForEntries: 7)
            let german = report.bytes(as: .json, style: Self.style(.de, marks: false))
            #expect(german == report.bytes(as: .json, style: TextStyle()))
            let text = String(decoding: german, as: UTF8.self)
            #expect(text.contains(#""text":"the destination: place, street, number""#))
        }
    }
}
