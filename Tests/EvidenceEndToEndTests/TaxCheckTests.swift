import Foundation
import TestSupport
import Testing

/// Checks of a mileage log that someone makes who has the program alone.
@Suite struct TaxCheckTests {
    private static let address = #"525/426 Klatovská, Plzeň; "A""#

    @Test(arguments: ["=1+1", "\u{FF1D}1+1"])
    func `an address with quotes and a note like a formula survive CSV out and in`(
        note: String
    ) throws {
        let process = try LedgerProcess()
        let outcome = try process.shell(
            """
            ledger init --time-zone Europe/Prague > /dev/null
            ledger report-trip --from 2025-03-03T08:00Z --to 2025-03-03T09:00Z --miles 12 \\
              --class business --origin '\(Self.address)' --destination Depot > /dev/null
            ledger edit last --notes '\(note)' --purpose 'Visit, "B"' > /dev/null
            ledger trips --format mileiq > trips.csv
            ledger init --ledger again --time-zone Europe/Prague > /dev/null
            ledger append --ledger again --time-zone Europe/Prague trips.csv > /dev/null
            ledger trips --ledger again --format json
            """
        )
        let trip = try #require(try Self.objects(outcome.text).first, "\(outcome.errors)")
        #expect(trip["from"] as? String == Self.address)
        #expect(trip["notes"] as? String == note)
        #expect(trip["purpose"] as? String == #"Visit, "B""#)
        #expect(trip["class"] as? String == "business")
    }

    @Test(arguments: [31, 10_000])
    func `a log of any length is complete, with trips of one passenger on one day`(
        count: Int
    ) throws {
        let process = try LedgerProcess()
        let lines = (0..<count)
            .map { number in
                // Two on each day, a minute long.
                let day = 1_609_459_200 + number / 2 * 86_400 + number % 2 * 7_200
                let (start, end) = (day * 1_000, (day + 60) * 1_000)
                return """
                    {"type":"trip_reported","source":"book","id":"\(number)",\
                    "occurred_at":1780000000000,"started_at":\(start),"ended_at":\(end),\
                    "distance_m":\(number).5,"class":"business","fields":{"passenger":"Eva"}}
                    """
            }
        let file = process.directory.url.appendingPathComponent("trips.jsonl")
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
        let outcome = try process.shell(
            """
            ledger init --time-zone UTC > /dev/null; ledger append trips.jsonl > /dev/null
            ledger report log --format csv --draft | tail -n +2 | wc -l
            ledger report log --format json --draft | tail -n 1
            """
        )
        let rows = outcome.text.split(separator: "\n").map(String.init)
        #expect(rows.first == "\(count)", "\(outcome.errors)")
        let total = try #require(try Self.objects(rows.last ?? "").first)
        #expect(total["trips"] as? Int == count)
        let meters = Double(count * (count - 1) / 2) + Double(count) / 2
        #expect(total["distance_m"] as? Double == meters)
    }

    @Test(arguments: Seeds.fresh(2))
    func `a trip has one figure whatever days are asked for, and days add up to the year`(
        seed: UInt64
    ) throws {
        let process = try LedgerProcess()
        let outcome = try process.shell(
            """
            ledger init --time-zone Europe/Amsterdam > /dev/null
            ledger simulate --start 2025-03-20 --days 20 --seed \(seed) | ledger append > /dev/null
            ledger report log --draft --format csv | tail -n +2 | sort > all.csv
            for days in '2025-03-20 2025-03-30' '2025-03-30 2025-03-30' '2025-03-31 2025-04-09'; do
              set -- $days
              ledger report log --draft --format csv --from $1 --to $2 \\
                | tail -n +2 | sort > part.csv
              comm -13 all.csv part.csv
            done
            for by in day month year; do
              ledger totals --by $by --format json | grep '"kind":"total"'
            done
            """
        )
        #expect(outcome.exitCode == 0, "seed \(seed): \(outcome.errors)")
        let lines = try Self.objects(outcome.text)
        #expect(lines.count == 3, "seed \(seed): \(outcome.text)")
        let distances = Set(lines.compactMap { $0["distance_m"] as? Double })
        #expect(distances.count == 1, "seed \(seed)")
        #expect((distances.first ?? 0) > 1_000, "seed \(seed)")
    }

    private static func objects(_ text: String) throws -> [[String: Any]] {
        try text.split(separator: "\n")
            .map { line in
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
                return try #require(object as? [String: Any])
            }
    }
}
