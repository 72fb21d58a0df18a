import Documents
import DriveSimulation
import LedgerTestSupport
import Rates
import Reports
import Testing
import TripEvents
import TripLedger

@testable import RowFormats

/// Reports in other languages say the same as in English, and nothing in English.
@Suite struct WordingTests {
    private static let others: [Document.Language] = [.nl, .de, .fr]

    @Test func `every text of the catalogue is there once, in all languages, with its places`() {
        var seen: Set<String> = []
        for entry in Wording.catalogue {
            #expect(seen.insert(entry.en).inserted, "\(entry.en) is there twice")
            for language in Self.others {
                let text = entry.text(in: language)
                #expect(!text.isEmpty, "\(entry.en) has no \(language)")
                #expect(WordPattern(text).places == WordPattern(entry.en).places, "\(text)")
            }
        }
    }

    /// The titles of the tables of all reports, without units.
    private static let titles =
        MileageLine.columns.all.compactMap(\.title) + MileageSum.columns.all.compactMap(\.title)
        + ClaimRow.columns.all.compactMap(\.title) + UnclaimedLine.columns.all.compactMap(\.title)
        + UnclaimedExpenses.columns.all.compactMap(\.title)
        + SummaryReport.Row.columns.all.compactMap(\.title)
        + FormLine.columns.all.compactMap(\.title)
        + OdometerInterval.columns.all.compactMap(\.title)
        + OdometerBalance.columns.all.compactMap(\.title)
        + ReconciliationReport.Way.columns.all.compactMap(\.title)
        + TripClash.columns.all.compactMap(\.title) + TripJump.columns.all.compactMap(\.title)
        + ReconciliationReport.Presence.columns.all.compactMap(\.title)
        + CompletenessReport.Finding.columns.all.compactMap(\.title)
        + CheckedRequirement.columns.all.compactMap(\.title)
        + Completeness.Days.columns.all.compactMap(\.title)
        + ChangesReport.Line.columns.all.compactMap(\.title)
        + ChangesReport.Issued.columns.all.compactMap(\.title)
        + MethodsReport.Row.columns.all.compactMap(\.title)
        + UseSample.columns.all.compactMap(\.title)

    @Test func `every column of a report has a title in all languages`() {
        for title in Self.titles { #expect(Wording.knows(title), "\(title)") }
    }

    @Test(arguments: LogJurisdiction.allCases)
    func `every requirement of a checklist is in the catalogue`(jurisdiction: LogJurisdiction) {
        for requirement in LogRequirement.all(of: jurisdiction) {
            #expect(Wording.knows(requirement.text), "\(requirement.text)")
            if let remark = requirement.remark { #expect(Wording.knows(remark), "\(remark)") }
            #expect(Wording.knows(requirement.level.rawValue))
        }
        for tripClass in TripClass.allCases { #expect(Wording.knows(tripClass.rawValue)) }
    }

    /// The form lines of each jurisdiction, with and without readings, and every other constant.
    private static func pages(
        _ snapshot: borrowing Snapshot,
        for jurisdiction: LogJurisdiction,
        in language: Document.Language,
        isDraft: Bool
    ) throws -> [Document] {
        var style = TextStyle(unit: .kilometers)
        style.language = language
        return
            try ReportPageTests.pages(
                snapshot,
                style,
                isDraft: isDraft,
                for: jurisdiction
            )
            .map { $0.document(on: .a4) }
    }

    @Test(arguments: LogJurisdiction.allCases, others)
    func `no sentence, title or label of a report is in English`(
        jurisdiction: LogJurisdiction,
        language: Document.Language
    ) throws {
        var random = SplitMix64(seed: 21)
        let book = try ReportPageTests.book(&random)
        let words = Wording(language)
        try book.ledger.read { snapshot in
            for isDraft in [false, true] {
                let english = try Self.pages(
                    snapshot,
                    for: jurisdiction,
                    in: .en,
                    isDraft: isDraft
                )
                let foreign = try Self.pages(
                    snapshot,
                    for: jurisdiction,
                    in: language,
                    isDraft: isDraft
                )
                for (one, other) in zip(english, foreign) {
                    #expect(other.language == language)
                    #expect(other.title == words.translation(of: one.title), "\(one.title)")
                    for (fact, same) in zip(one.facts, other.facts) {
                        #expect(same.label == words.translation(of: fact.label), "\(fact.label)")
                    }
                    for line in one.foot { #expect(words.translation(of: line) != nil, "\(line)") }
                    Self.compare(one, other, words)
                }
            }
        }
    }

    private static func compare(_ english: Document, _ other: Document, _ words: Wording) {
        #expect(english.blocks.count == other.blocks.count)
        for (block, same) in zip(english.blocks, other.blocks) {
            switch (block, same) {
            case (.paragraph(let text), .paragraph(let translated)):
                #expect(translated != text, "\(text)")
            case (.heading(let text), .heading(let translated)):
                // A year with a vehicle's name is the same in all languages.
                #expect(
                    translated == words.translation(of: text) ?? text && translated != text
                        || text.hasSuffix(", van"),
                    "\(text)"
                )
            case (.table(let table), .table(let translated)):
                #expect(table.lines.count == translated.lines.count)
                for (line, own) in zip(table.lines, translated.lines) {
                    for (cell, text) in zip(line.cells, own.cells) {
                        let isNumber =
                            !cell.isEmpty && cell.allSatisfy { "-.0123456789".contains($0) }
                        // The same digits, whatever stands between them.
                        if isNumber {
                            #expect(
                                cell.filter(\.isNumber).sorted()
                                    == text.filter(\.isNumber).sorted(),
                                "\(cell)"
                            )
                        }
                        if cell == text, Wording.knows(cell) {
                            #expect(words.translation(of: cell) == cell, "\(cell)")
                        }
                    }
                }
            case (.picture, .picture): break
            default: Issue.record("another block")
            }
        }
    }

    @Test func `numbers and dates have the form of the language, and data stay`() throws {
        let day = try #require(CivilDate(year: 2025, month: 12, day: 31))
        let cases: [(Document.Language, String, String)] = [
            (.en, "1234.50", "2025-12-31"), (.nl, "1234,50", "31-12-2025"),
            (.de, "1234,50", "31.12.2025"), (.fr, "1234,50", "31/12/2025"),
        ]
        for (language, number, date) in cases {
            var style = TextStyle()
            style.language = language
            #expect(Cell.printedDistance(123_450).text(in: style) == number)
            #expect(Cell.day(day).text(in: style) == date)
            #expect(Cell.text("business 1.5 2025-12-31").text(in: style).contains("1.5 2025-12-31"))
            #expect(Cell.text("business").text(in: style) == "business")
        }
    }
}
