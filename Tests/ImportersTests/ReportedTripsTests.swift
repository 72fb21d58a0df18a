import DriveSimulation
import Importers
import TestSupport
import Testing
import TripEvents
import TripLedger

/// Tables of trips that other apps give: what they say of trips is reported, never measured.
@Suite struct ReportedTripsTests {
    private static func options() throws -> ImportOptions {
        ImportOptions(zone: try .ofMachine(named: "America/New_York")) { name in
            try? TimeZoneRules.ofMachine(named: name)
        }
    }

    @Test(arguments: Seeds.fresh(40))
    func `trips in MileIQ's layout come in as they are, to the last digit`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var rows = "START_DATE*,END_DATE*,CATEGORY*,START*,STOP*,MILES*,NOTES\r\n"
        var expected: [String] = []
        for _ in 0..<Int.random(in: 1...20, using: &random) {
            let month = Int.random(in: 1...2, using: &random)
            let day = Int.random(in: 10...28, using: &random)
            let hour = Int.random(in: 10...20, using: &random)
            let hundredths = Int.random(in: 0...99_999, using: &random)
            let note = Self.note(&random)
            let quoted = note.replacing("\"", with: "\"\"")
            rows += "\(month)/\(day)/2024 \(hour):05,0\(month)/\(day)/2024 \(hour):45,Personal,A,,"
            rows += "\(Self.decimal(hundredths, decimals: 2)),\"\(quoted)\"\r\n"
            let hours = "2024-0\(month)-\(day)T\(hour)"
            expected += [
                #"{"type":"trip_reported","source":"mileiq","#
                    + #""occurred_at":"\#(hours):45:00.000-05:00","#
                    + #""started_at":"\#(hours):05:00.000-05:00","#
                    + #""ended_at":"\#(hours):45:00.000-05:00","from":"A","#
                    // A mile is 1,609,344 millimetres.
                    + #""distance_m":\#(Self.decimal(hundredths * 1_609_344, decimals: 5)),"#
                    + #""imported_from":"MileIQ","#
                    + #""notes":"\#(note.replacing("\"", with: "\\\""))","class":"personal"}"#
            ]
        }
        let imported = try Imported(rows, as: .mileiq, options: Self.options())
        #expect(imported.events == expected, "seed \(seed)")
        #expect(imported.rejected.isEmpty && imported.ignored.isEmpty, "seed \(seed)")
    }

    /// A note with what makes tables hard to read.
    private static func note(_ random: inout SplitMix64) -> String {
        let words = ["to", "\"Bob\"", "a,b", "é", "=1+1", "x;y", "don't"]
        return (0..<Int.random(in: 1...4, using: &random))
            .compactMap { _ in words.randomElement(using: &random) }
            .joined(separator: " ")
    }

    /// A number with as few decimals as say it.
    private static func decimal(_ number: Int, decimals: Int) -> String {
        let digits = String(repeating: "0", count: decimals) + String(number)
        var text = "\(digits.dropLast(decimals)).\(digits.suffix(decimals))"
        while text.hasPrefix("0"), !text.hasPrefix("0.") { text.removeFirst() }
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return text
    }

    @Test func `MileIQ's full report has more than trips`() throws {
        let text = #"""
            MileIQ report,,,
            rates >>>,0.67,0.21,,
            SUMMARY,,,
            Total,=SUM(F12),,
            DETAILED LOG,,,
            START_DATE*,END_DATE*,CATEGORY*,START*,STOP*,MILES*,MILES_VALUE,PARKING,TOLLS,TOTAL,\#
            VEHICLE,PURPOSE,NOTES
            01/31/2024 08:05,01/31/2024 08:45,Business,"1 Main St, Town",Office,12.5,\#
            "=ROUND(PRODUCT(F12, C1), 2)",$2.50,1,=X,Honda,Customer Visit,"he said ""yes"""
            02/01/2024 23:50,02/02/2024 00:10,Temporary,'=A1,B,1,0.67,0,,,,,
            01-02-16,1/13/2016 9:00,Business,A,B,1
            2/30/2024 8:00,2/30/2024 8:10,Business,A,B,1
            3/10/2024 2:30,3/10/2024 3:30,Business,A,B,1
            2/03/2024 8:00,2/03/2024 7:59,Business,A,B,1
            2/03/2024 8:00,2/03/2024 8:10,Business,A,B,=F3
            2/03/2024 8:00,2/03/2024 8:10,Business,A,B,
            2/03/2024 8:00,2/03/2024 8:10,“Business,a,b,c”,A,B,1,2,3,4,5,6,7,8,9
            ,,,,
            Totals,,,,,=SUM(F12:F20)
            This report was made by MileIQ.

            """#
        let imported = try Imported(text, as: .mileiq, options: Self.options())
        #expect(
            imported.events == [
                #"{"type":"trip_reported","source":"mileiq","#
                    + #""occurred_at":"2024-01-31T08:45:00.000-05:00","#
                    + #""started_at":"2024-01-31T08:05:00.000-05:00","#
                    + #""ended_at":"2024-01-31T08:45:00.000-05:00","from":"1 Main St, Town","#
                    + #""to":"Office","distance_m":20116.8,"imported_from":"MileIQ","#
                    + #""purpose":"Customer Visit","notes":"he said \"yes\"","vehicle":"Honda","#
                    + #""class":"business","fields":{"parking":2.5,"tolls":1}}"#,
                #"{"type":"trip_reported","source":"mileiq","#
                    + #""occurred_at":"2024-02-02T00:10:00.000-05:00","#
                    + #""started_at":"2024-02-01T23:50:00.000-05:00","#
                    + #""ended_at":"2024-02-02T00:10:00.000-05:00","from":"=A1","to":"B","#
                    + #""distance_m":1609.344,"imported_from":"MileIQ","category":"Temporary"}"#,
            ]
        )
        #expect(
            imported.rejected == [
                "9 invalid_time", "10 invalid_time", "11 invalid_time", "12 invalid_value",
                "13 invalid_number", "14 missing_field", "15 invalid_value",
            ]
        )
        #expect(
            imported.ignored == [
                "1 preamble", "2 preamble", "3 preamble", "4 preamble", "5 preamble", "16 empty",
                "17 totals", "18 totals",
            ]
        )
        let bytes = Array(text.utf8)
        #expect(ImportFormat.recognized(in: bytes.span) == .mileiq)
    }

    /// What stands in the cell of tolls, what becomes of it, and the currency that it says.
    @Test(
        arguments: [
            ("$4.50", "4.5", "$"), ("4.5", "4.5", ""), ("£4.50", "4.5", "£"),
            ("€ 4.50", "4.5", "€"),
            ("4.50 GBP", "4.5", "GBP"), ("usd 4.5", "4.5", "USD"), ("\"$1,250.00\"", "1250", "$"),
            ("0", nil, nil), ("$0.00", nil, nil), ("", nil, nil),
            ("n/a", nil, nil), ("\"1,25\"", nil, nil), ("=SUM(1)", nil, nil),
            ("4.5 each", nil, nil),
        ] as [(String, String?, String?)]
    )
    func `what was paid is a number with what is said of its currency, or is said not to be read`(
        cell: String,
        number: String?,
        currency: String?
    ) throws {
        let text =
            "START_DATE*,END_DATE*,MILES*,TOLLS\n"
            + "01/31/2024 08:05,01/31/2024 08:45,12.5,\(cell)\n"
        let bytes = Array(text.utf8)
        var importer = try #require(FileImporter(.mileiq, options: Self.options()))
        var batch = ImportBatch()
        importer.take(bytes.span, into: &batch)
        importer.finish(into: &batch)
        let event = String(decoding: batch.bytes, as: UTF8.self)
        #expect(batch.payments == (currency.map { [$0: 1] } ?? [:]), "\(event)")
        if let number {
            #expect(event.contains(#""fields":{"tolls":\#(number)"#), "\(event)")
        } else {
            #expect(!event.contains("fields"), "\(event)")
            let isNothing = cell.allSatisfy { "$0.".contains($0) }
            #expect(batch.unread == (isNothing ? [:] : ["tolls": 1]), "\(event)")
        }
    }

    @Test func `Everlance names zones as Rails does, and has one day for a trip`() throws {
        let text = """
            Everlance trips

            Deduction,Miles,From,To,Date,Purpose,Income Source,Map Image URL,Auto Detected?,Notes,\
            Vehicle,Time Started,Time Ended,Time Zone,Photo URL,From Full Address,To Full Address
            $6.70,10,Home,Office,2017-03-01,Work,Uber,http://a,Yes,,Van,11:57 PM,12:10 AM,\
            Pacific Time (US & Canada),,"1 Main St, Town",
            $0.67,1.5,A,B,2017-03-01,Groceries,,,No,,,,,,,,
            $0.67,1.5,A,B,2017-03-01,Groceries,,,No,,,25:00,,,,,

            """
        let imported = try Imported(text, as: .everlance, options: Self.options())
        #expect(
            imported.events == [
                #"{"type":"trip_reported","source":"everlance","#
                    + #""occurred_at":"2017-03-02T00:10:00.000-08:00","#
                    + #""started_at":"2017-03-01T23:57:00.000-08:00","#
                    + #""ended_at":"2017-03-02T00:10:00.000-08:00","from":"Home","#
                    + #""to":"Office","from_address":"1 Main St, Town","#
                    + #""distance_m":16093.44,"imported_from":"Everlance","#
                    + #""client":"Uber","vehicle":"Van","class":"business"}"#,
                #"{"type":"trip_reported","source":"everlance","#
                    + #""occurred_at":"2017-03-01T12:00:00.000-05:00","#
                    + #""started_at":"2017-03-01T12:00:00.000-05:00","#
                    + #""ended_at":"2017-03-01T12:00:00.000-05:00","from":"A","to":"B","#
                    + #""distance_m":2414.016,"imported_from":"Everlance","purpose":"Groceries"}"#,
            ]
        )
        #expect(imported.rejected == ["6 invalid_time"])
        #expect(imported.ignored == ["1 preamble"])
        let bytes = Array(text.utf8)
        #expect(ImportFormat.recognized(in: bytes.span) == .everlance)
    }

    @Test func `without a zone, and without a table, nothing is taken`() throws {
        let row = "START_DATE*,END_DATE*,MILES*\n01/31/2024 08:05,01/31/2024 08:45,1\n"
        #expect(try Imported(row, as: .mileiq).rejected == ["2 invalid_time"])
        #expect(try Imported("a,b\n1,2\n", as: .mileiq).rejected == ["2 invalid_value"])
    }
}
