import DriveSimulation
import Foundation
import LedgerTestSupport
import Reports
import Tables
import TestSupport
import Testing
import TripEvents
import TripLedger

/// The printed lines of a report add up to its totals.
@Suite struct PrintedTotalsTests {
    private static let start: Int64 = 1_735_700_400_000

    /// A year of reported trips with distances to the millimetre.
    private func book(_ random: inout SplitMix64) throws -> TemporaryLedger {
        let book = try TemporaryLedger()
        let trips = Int.random(in: 1...60, using: &random)
        let events = try (0..<trips)
            .map { number -> TripEvent in
                let minutes = Int64(number * 525_600 / trips)
                let startedAt = Timestamp(milliseconds: Self.start + minutes * 60_000)
                let length = Int64.random(in: 1_000...3_599_499, using: &random)
                var report = TripReported(
                    startedAt: EventTime(startedAt),
                    endedAt: EventTime(startedAt.advanced(byMilliseconds: length)),
                    distanceMeters: try #require(
                        ExactDecimal(
                            significand: Int64.random(in: 1...90_000_000, using: &random),
                            decimals: 3
                        )
                    )
                )
                report.details.tripClass = TripClass.allCases.randomElement(using: &random)
                return TripEvent(
                    source: "paper",
                    occurredAt: startedAt,
                    id: "trip \(number)",
                    body: .tripReported(report)
                )
            }
        try book.append(events)
        return book
    }

    /// Returns the tables of a text: each as its lines, each line as its cells by their titles.
    private func tables(_ text: String) -> [[[String: String]]] {
        text.components(separatedBy: "\n\n")
            .compactMap { block in
                let lines = block.split(separator: "\n")
                guard let titles = lines.first, titles.contains("DISTANCE") else { return nil }
                let names = titles.components(separatedBy: "  ").map { $0.trimming() }
                    .filter { !$0.isEmpty }
                return lines.dropFirst()
                    .map { line in
                        let cells = line.components(separatedBy: "  ").map { $0.trimming() }
                            .filter { !$0.isEmpty }
                        return Dictionary(uniqueKeysWithValues: zip(names, cells))
                    }
            }
    }

    private func hundredths(_ text: String?) throws -> Int {
        let text = try #require(text)
        return text == "-" ? 0 : try #require(Int(text.replacingOccurrences(of: ".", with: "")))
    }

    @Test(arguments: Seeds.fresh(40))
    func `classes and total of a mileage log are the sums of its lines`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let book = try book(&random)
        let unit = Bool.random(using: &random) ? DistanceUnit.kilometers : .miles
        let title = "DISTANCE \(unit.rawValue)"
        let sheet = MileageSheet(
            in: LocalPeriod(localDay: LocalDay(zone: .utc)),
            style: TextStyle(unit: unit),
            format: .text
        )
        var bytes: [UInt8] = []
        try book.ledger.read { snapshot in
            _ = try sheet.write(snapshot) { append in append(&bytes) }
        }
        let tables = tables(String(decoding: bytes, as: UTF8.self))
        try #require(tables.count == 2)
        let (trips, sums) = (tables[0], tables[1])
        for sum in sums {
            let name = sum["CLASS"]
            let lines = trips.filter { name == "total" || $0["CLASS"] == name }
            let added = try lines.reduce(0) { $0 + (try hundredths($1[title])) }
            #expect(try hundredths(sum[title]) == added, "seed \(seed), \(name ?? "")")
        }
    }

    @Test(arguments: Seeds.fresh(40))
    func `the total of totals is the sum of the groups, in print`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let book = try book(&random)
        let style = TextStyle(unit: Bool.random(using: &random) ? .kilometers : .miles)
        let table = try book.ledger.read { snapshot in
            try snapshot.totals(by: .month, in: LocalPeriod(localDay: LocalDay(zone: .utc)))
        }
        let lines = TotalsLine.all(of: table)
        var text = ""
        TotalsLine.columns.table(of: lines, style)
            .write { append in
                var bytes: [UInt8] = []
                append(&bytes)
                text += String(decoding: bytes, as: UTF8.self)
            }
        let groups = try #require(tables(text).first)
        for title in ["DISTANCE \(style.unit.rawValue)", "MEASURED \(style.unit.rawValue)"] {
            let added = try groups.dropLast().reduce(0) { $0 + (try hundredths($1[title])) }
            #expect(try hundredths(groups.last?[title]) == added, "seed \(seed), \(title)")
        }
        let driven = groups.map { seconds($0["DRIVING"]) }
        #expect(driven.last == driven.dropLast().reduce(0, +), "seed \(seed)")
        let exact = "exact one is \(DistanceText.text(table.total.distance, in: style.unit))."
        let printed = try hundredths(groups.last?["DISTANCE \(style.unit.rawValue)"])
        let isExact =
            printed == DistanceText.scaled(table.total.distance, in: style.unit, decimals: 2)
        #expect(TotalsLine.remark(on: lines, style).contains(exact) != isExact, "seed \(seed)")
    }

    private func seconds(_ text: String?) -> Int {
        (text ?? "").split(separator: ":").reduce(0) { $0 * 60 + (Int($1) ?? 0) }
    }
}

extension String {
    fileprivate func trimming() -> String { trimmingCharacters(in: .whitespaces) }
}
