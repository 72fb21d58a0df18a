import Foundation
import Geodesy
import Papers
import Projections
import Rates
import Testing
import TripEvents
import TripLedger
import TripTracking

@testable import Reports
@testable import Tables

/// Phrases say the same in every language, and no more than one language at a time.
@Suite struct PhraseTests {
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
            let words = Words(language)
            #expect(words.text(Phrase("\(day)")) == date)
            #expect(words.text(Phrase("\(123_450, decimals: 2)")) == number)
            #expect(words.text(Phrase("\(1.5, atLeast: 2)")) == words.marked("1.50"))
            #expect(words.text(Phrase("\(0.357, atLeast: 2)")) == words.marked("0.357"))
            #expect(words.text(.own("1.5 2025-12-31")) == "1.5 2025-12-31")
        }
    }

    @Test func `a time has its day in the form of the language`() throws {
        let time = EventTime(
            Timestamp(milliseconds: 1_741_000_000_000),
            utcOffset: UTCOffset(minutes: 60)
        )
        let date = CivilDate(of: time)
        let before = CivilDate(daysSince1970: date.daysSince1970 - 1)
        let dates: [(Document.Language, String)] = [
            (.en, "2025-03-03"), (.nl, "03-03-2025"), (.de, "03.03.2025"), (.fr, "03/03/2025"),
        ]
        for (language, date) in dates {
            var style = TextStyle(clock: LocalDay(zone: .utc))
            style.language = language
            #expect(Cell.dayAndMinute(time).text(in: style) == "\(date) 12:06 +01:00")
            #expect(Cell.minute(time, on: before).text(in: style) == "\(date) 12:06 +01:00")
            #expect(Cell.minute(time, on: CivilDate(of: time)).text(in: style) == "12:06 +01:00")
            let words = Words(language)
            #expect(words.text(Phrase("\(time)")) == "\(date) 12:06:40 +01:00")
            let utc = EventTime(time.timestamp)
            #expect(words.text(Phrase("\(utc)")) == "\(date) 11:06:40 UTC")
        }
    }

    @Test func `a class has one word, in sums, above columns and beside charts`() {
        let titles: [(TripClass, ColumnTitle)] = [
            (.business, .business), (.commute, .commute), (.personal, .personal),
            (.medical, .medical), (.charity, .charity), (.moving, .moving), (.mixed, .mixed),
            (.unclassified, .unclassified),
        ]
        #expect(titles.map(\.0) == TripClass.allCases)
        for language in Document.Language.allCases {
            let words = Words(language)
            for (tripClass, title) in titles {
                let above = ColumnTitle.unbroken(words.text(title.phrase))
                #expect(above == words.text(tripClass.phrase).uppercased())
            }
        }
    }

    @Test func `a country has its capital letters, and a name of one's own stays`() {
        let names = LogJurisdiction.allCases.map(\.rawValue) + ["at", "ch", "be"]
        for language in Document.Language.allCases {
            for name in names {
                let fact = ReportFact(jurisdiction: name).fact
                #expect(Words(language).text(fact) == name.uppercased())
            }
            for name in ["company", "Company", "xx", "q"] {
                #expect(Words(language).text(ReportFact(jurisdiction: name).fact) == name)
            }
        }
        #expect(ReportFact(.de).fact.english == "DE")
    }

    @Test func `a mark stands around every word of the program and around no other`() {
        let inner = Phrase(en: "gap", nl: "hiaat", de: "Lücke", fr: "lacune")
        let phrase = Phrase(
            en: "1 \(inner) of \(own: "van 7")",
            nl: "1 \(inner) van \(own: "van 7")",
            de: "1 \(inner) von \(own: "van 7")",
            fr: "1 \(inner) de \(own: "van 7")"
        )
        #expect(Words(.de, marksPhrases: true).text(phrase) == "[1 ][Lücke][ von ]van 7")
        #expect(Words(.de).text(phrase) == "1 Lücke von van 7")
    }

    @Test func `a note of the owner's rate is in his words, between quotes that he cannot end`() {
        let official = "IR-2022-124, a change in the middle of the year"
        for language in Document.Language.allCases {
            let words = Words(language, marksPhrases: true)
            #expect(words.text(RateNotes.byOwner(official)).hasSuffix("]\"\(official)\""))
            let forged = words.text(RateNotes.byOwner(#"mine". [High confidence. "#))
            #expect(forged.hasSuffix(#"]"mine'. [High confidence. ""#), "\(forged)")
        }
    }

    @Test func `each note of the program's own rates has a phrase that says the same in English`()
        throws
    {
        var count = 0
        for row in try RateTable.builtIn().flatMap(\.rows) {
            guard let note = row.note else { continue }
            count += 1
            let phrase = try #require(RateNotes.phrase(of: row.id), "\(row.id)")
            #expect(phrase.english == note, "\(row.id)")
        }
        #expect(count > 100)
    }

    @Test func `each flag of a trip has a name in every language`() {
        let names =
            TripFlags.all.names + BookedFlags.all.names
            + ["reported", "overlapping", "late_entry", "late_change"]
        #expect(FlagPhrases.names == Set(names))
    }

    @Test func `a field has a name in every language, and a custom field keeps its key`() {
        let words = Words(.de)
        #expect(words.text(FieldPhrases.ofTrip("purpose")) == "Zweck")
        #expect(words.text(FieldPhrases.ofTrip("fields.purpose")) == "Feld purpose")
        #expect(words.text(FieldPhrases.ofSetting("time_zone")) == "Zeitzone")
        #expect(words.text(FieldPhrases.ofSetting("unheard_of")) == "unheard_of")
        #expect(FieldPhrases.ofSetting("radius_m").english == "radius_m")
    }

    @Test func `one is not many, and nothing lies between one day`() {
        for language in Document.Language.allCases {
            let words = Words(language)
            let one = words.text(.tripDays(1, without: 0))
            #expect(!one.contains("0"), "\(one)")
            let plurals = ["days", "dagen", "Tagen", "jours"]
            #expect(!plurals.contains { one.contains($0) }, "\(one)")
            let before = words.text(.tripDays(1, without: 298))
            let between = words.text(.tripDays(2, without: 298))
            #expect(before.hasPrefix(one.dropLast()) && before.contains("298"), "\(before)")
            let last = before.split(separator: " ").last.map { $0.dropLast() } ?? ""
            #expect(between.contains(last) && !between.hasSuffix("\(last)."), "\(between)")
            let car = words.text(.assumedCars(["qvan"]))
            let cars = words.text(.assumedCars(["qvan", "qmoto"]))
            #expect(car != cars.replacing("qvan, qmoto", with: "qvan"), "\(car)")
        }
    }

    @Test func `no line ends between a number and what belongs to it`() {
        let counted = Phrase(
            en: "never: \(3); \(7_00, decimals: 2) \(own: "km") of \(.kilometers)",
            nl: "nooit: \(3); \(7_00, decimals: 2) \(own: "km") van \(.kilometers)",
            de: "nie: \(3); \(7_00, decimals: 2) \(own: "km") von \(.kilometers)",
            fr: "jamais : \(3) ; \(7_00, decimals: 2) \(own: "km") de \(.kilometers)"
        )
        #expect(Words(.en).text(counted) == "never: 3; 7.00 km of 1.00 km, 5.0 %")
        #expect(Words(.nl).text(counted) == "nooit:_3; 7,00_km van 1,00_km, 5,0_%".unbroken)
        #expect(Words(.de).text(counted) == "nie:_3; 7,00_km von 1,00_km, 5,0_%".unbroken)
        #expect(Words(.fr).text(counted) == "jamais_:_3_; 7,00_km de 1,00_km, 5,0_%".unbroken)
        #expect(Words(.fr).text(.above(.longestWithoutTrip)).hasSuffix("_:".unbroken))
        #expect(Words(.de).text(.above(.longestWithoutTrip)).hasSuffix("Fahrt:"))
    }

    @Test func `days and times have other titles than the places of a trip`() {
        for language in [Document.Language.nl, .de, .fr] {
            let words = Words(language)
            #expect(words.text(ColumnTitle.to.phrase) != words.text(ColumnTitle.toTime.phrase))
        }
        let titles: [(Document.Language, String, String)] = [
            (.nl, "VAN", "TOT"), (.de, "VON", "BIS"), (.fr, "DU", "AU"),
        ]
        for (language, from, to) in titles {
            var style = TextStyle()
            style.language = language
            let table = Completeness.Days.columns.table(style)
            #expect(table.columns.map(\.title).prefix(2) == [from, to])
        }
    }

    @Test func `each report and each format has a word in every language`() {
        for report in ReportKind.allCases {
            #expect(report.phrase.english == report.rawValue)
            for language in [Document.Language.nl, .de, .fr] {
                #expect(Words(language).text(report.phrase) != report.rawValue)
            }
        }
        for format in ReportFormat.allCases {
            #expect(format.phrase.english == format.rawValue)
        }
        #expect(Words(.de).text(ReportFormat.text.phrase) == "Text")
    }

    @Test func `a title is broken on paper where its words may be, and on no screen`() {
        var style = TextStyle()
        style.language = .de
        let titles = Columns<Int> { Column.integer("vehicle", .vehicle) { $0 } }.table(style)
        #expect(titles.columns[0].title == "FAHR\u{AD}ZEUG")
        var bytes: [UInt8] = []
        titles.write { $0(&bytes) }
        #expect(!String(decoding: bytes, as: UTF8.self).contains("\u{AD}"))
        let chosen = try? Columns<Int> { Column.integer("vehicle", .vehicle) { $0 } }
            .choosing(["Fahrzeug"])
        #expect(chosen?.all.map(\.name) == ["vehicle"])
    }

    @Test(arguments: [Document.Language.nl, .de, .fr])
    func `a long word of a title may be broken somewhere on paper`(
        language: Document.Language
    ) {
        var style = TextStyle()
        style.language = language
        let tables: [[TextTable.Column]] = [
            MileageLine.columns.table(style).columns, MileageSum.columns.table(style).columns,
            SummaryReport.Row.columns.table(style).columns,
            FormLine.columns.table(style).columns, ClaimRow.columns.table(style).columns,
            UnclaimedLine.columns.table(style).columns,
            UnclaimedExpenses.columns.table(style).columns,
            ChangesReport.Line.columns.table(style).columns,
            ChangesReport.Issued.columns.table(style).columns,
            OdometerInterval.columns.table(style).columns,
            OdometerBalance.columns.table(style).columns,
            ReconciliationReport.Way.columns.table(style).columns,
            TripClash.columns.table(style).columns, TripJump.columns.table(style).columns,
            ReconciliationReport.Presence.columns.table(style).columns,
            CompletenessReport.Finding.columns.table(style).columns,
            CheckedRequirement.columns.table(style).columns,
            MethodsReport.Row.columns.table(style).columns,
            UseSample.columns.table(style).columns,
        ]
        for title in tables.joined().map(\.title) {
            let parts = title.split { " \u{A0}-–\u{AD}".contains($0) }
            #expect(parts.allSatisfy { $0.count <= 8 }, "\(title)")
        }
    }

    @Test func `the page has the words that it shares with reports`() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/Programs/LedgerServer/Page/web/texts/words.js")
            .standardizedFileURL
        if ProcessInfo.processInfo.environment["RECORD"] == "1" {
            try SharedWord.script.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == SharedWord.script)
        for language in Document.Language.allCases {
            let own = file.deletingLastPathComponent().appending(path: "\(language.rawValue).js")
            let texts = try String(contentsOf: own, encoding: .utf8)
            for word in SharedWord.allCases {
                let key = word.rawValue.contains(".") ? "'\(word.rawValue)'" : word.rawValue
                let isThere = texts.contains("    \(key): '") || texts.contains(", \(key): '")
                #expect(!isThere, "\(language) says \(word.rawValue) again")
            }
        }
    }
}

extension String {
    /// The same text with no-break spaces where underlines are.
    fileprivate var unbroken: String { replacing("_", with: "\u{A0}") }
}

extension Phrase {
    /// A distance with its unit, and a share.
    fileprivate static var kilometers: Phrase {
        Phrase("\(Distance(millimeters: 1_000_000), in: .kilometers), \(share(50))")
    }
}
