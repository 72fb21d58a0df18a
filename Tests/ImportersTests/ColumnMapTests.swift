import DriveSimulation
import Importers
import TestSupport
import Testing
import TripEvents
import TripLedger

/// Tables whose columns a map tells: what it says is read, and what is wrong with it is said.
@Suite struct ColumnMapTests {
    private func options(_ json: String) throws -> ImportOptions {
        let bytes = Array(json.utf8)
        var options = ImportOptions { name in try? TimeZoneRules.ofMachine(named: name) }
        options.columnMap = try ColumnMap(json: bytes.span)
        return options
    }

    private func read(_ table: String, _ map: String) throws -> Imported {
        try Imported(table, as: .csv, options: options(map))
    }

    /// Returns the problem of a map: the member, the cause and the cure.
    private func problem(_ json: String) -> String {
        let bytes = Array(json.utf8)
        do throws(ColumnMapProblem) {
            _ = try ColumnMap(json: bytes.span)
            return "nothing"
        } catch {
            return "\(error.member ?? "-"): \(error.cause). \(error.cure)"
        }
    }

    // MARK: Laws

    @Test(arguments: Seeds.fresh(40))
    func `fixes come in as they are, whatever the columns are called and separated by`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let fields = ["time", "lat", "lon", "speed", "accuracy"]
        let names = ["Wann?", "A (1)", "b_b", "Tempo km/h", "±"]
        let order = Array(fields.indices).shuffled(using: &random)
        let delimiter = [";", "\t", "|"].randomElement(using: &random) ?? ";"
        let hasComma = Bool.random(using: &random)
        func number(_ hundredths: Int) -> String {
            let text = "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
            return hasComma ? text.replacing(".", with: ",") : text
        }
        var table = order.map { names[$0] }.joined(separator: delimiter) + "\n"
        var expected: [String] = []
        for second in 0..<Int.random(in: 1...30, using: &random) {
            let hundredths = (0..<4).map { _ in Int.random(in: 100...8_999, using: &random) }
            // 3.6 km/h are 1 m/s.
            let speed = Int.random(in: 0...50, using: &random)
            let clock = second < 10 ? "0\(second)" : "\(second)"
            let cells = [
                "31.12.2023 23:59:\(clock)", number(hundredths[0]), number(hundredths[1]),
                number(speed * 360), number(hundredths[2]),
            ]
            table += order.map { "\"\(cells[$0])\"" }.joined(separator: delimiter) + "\r\n"
            let plain = hundredths.map { number($0).replacing(",", with: ".") }
            expected.append(
                #"{"type":"fix_recorded","source":"csv","occurred_at":"2023-12-31T23:59:"#
                    + "\(clock).000+01:00\",\"lat\":\(Self.short(plain[0])),"
                    + "\"lon\":\(Self.short(plain[1])),\"accuracy\":\(Self.short(plain[2])),"
                    + "\"speed\":\(speed)}"
            )
        }
        let map = """
            {"rows": "fixes", "decimal_mark": "\(hasComma ? "," : ".")",
             "delimiter": "\(delimiter == "\t" ? "\\t" : delimiter)",
             "time_format": "dd.MM.yyyy HH:mm:ss", "time_zone": "Europe/Berlin",
             "columns": {"time": "wann", "lat": "A1", "lon": "B B", "accuracy": "±",
             "speed": {"column": "Tempo km/h", "unit": "km/h"}}}
            """
        let imported = try read(table, map)
        #expect(imported.events == expected, "seed \(seed)")
        #expect(imported.rejected.isEmpty && imported.ignored.isEmpty, "seed \(seed)")
    }

    /// A number without the zeros at its end.
    private static func short(_ number: String) -> String {
        var text = number
        while text.hasSuffix("0") { text.removeLast() }
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }

    @Test(arguments: Seeds.fresh(100))
    func `no map makes an importer fail`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var bytes = Array(Self.tripMap.utf8)
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let position = Int.random(in: 0..<bytes.count, using: &random)
            bytes[position] = UInt8.random(in: 0x20...0x7E, using: &random)
        }
        var options = ImportOptions()
        options.columnMap = try? ColumnMap(json: bytes.span)
        let imported = try Imported(Self.trips, as: .csv, options: options)
        #expect(try Imported(Self.trips, as: .csv, options: options) == imported, "seed \(seed)")
    }

    @Test func `rules of vendors say what was paid for, the longest first`() throws {
        let table = """
            Date,Vendor,Amount
            2025-03-05,SHELL 1234 München,45.10
            2025-03-05,Shell Recharge,9
            2025-03-05,Q-Park Zuid,4
            2025-03-05,Bakker,3

            """
        let map = """
            {"rows": "expenses", "time_zone": "Europe/Berlin",
             "columns": {"time": "Date", "amount": "Amount",
             "currency": {"value": "EUR"}, "merchant": "Vendor",
             "kind": {"column": "Vendor",
              "words": {"shell": "fuel", "shell recharge": "charging", "q-park": "parking"}}}}
            """
        let imported = try read(table, map)
        let kinds = imported.events.compactMap { event in
            ["fuel", "charging", "parking", "other"].first { event.contains("\"kind\":\"\($0)\"") }
        }
        #expect(kinds == ["fuel", "charging", "parking", "other"], "\(imported.events)")
    }

    @Test func `a table of expenses may name trips, and what is no trip stays as it was`() throws {
        let trip = "35e6e93518c9b4fef69cf8ff6df8dac2"
        let map = """
            {"rows": "expenses", "time_zone": "Europe/Berlin",
             "columns": {"time": "Date", "amount": "Amount", "trip": "Trip",
             "currency": {"value": "EUR"}, "kind": {"value": "toll"}}}
            """
        let imported = try read(
            "Date,Amount,Trip\n2025-03-05,4,\(trip.uppercased())\n2025-03-05,5,Utrecht\n"
                + "2025-03-05,6,\n",
            map
        )
        #expect(imported.rejected.isEmpty, "\(imported)")
        let named = imported.events.map { $0.contains(#""trip":"\#(trip)""#) }
        #expect(named == [true, false, false], "\(imported.events)")
        #expect(imported.events[1].contains(#"{"unread":{"trip":"Utrecht"}}"#))
    }

    // MARK: Trips

    private static let trips = """
        Exported by Somebody's App

        Date,From,To,Begin,End,Miles,Kind,Why,Odo 1,Odo 2,Toll
        3/5/2025,"1 Main St, Town",Office,8:05 AM,8:45 AM,"1,012.5",Work,Roof,"10,000",11012.5,$2.50
        3/5/2025,A,B,11:50 PM,12:10 AM,1 mi,Fun,,,,
        3/6/2025,A,B,1:00 PM,1:10 PM,2 km,Private,,,,0
        13/6/2025,A,B,1:00 PM,1:10 PM,2,Private,,,,0
        3/6/2025,A,B,1:00 PM,1:10 PM,two,Private,,,,0
        3/6/2025,A,B,1:00 PM,1:10 PM,,Private,,,,0
        3/6/2025,A,B,1:00 PM,,1,Private,,,,0
        ,,,,,,,,,,
        Total,,,,,12,,,,,
        Thank you

        """

    private static let tripMap = """
        {"rows": "trips", "app": "Some App", "decimal_mark": ".",
         "time_format": "M/d/yyyy h:mm a", "time_zone": "America/New_York",
         "columns": {
           "started_at": ["Date", "Begin"], "ended_at": ["Date", "End"],
           "distance": {"column": "Miles", "unit": "mi"}, "from": "From", "to": "To",
           "class": {"column": "Kind", "words": {"fun": "personal"}}, "purpose": "Why",
           "vehicle": {"value": "Van"}, "tolls": "Toll",
           "odometer_start": {"column": "Odo 1", "unit": "mi"},
           "odometer_end": {"column": "Odo 2", "unit": "mi"}}}
        """

    @Test func `trips with odometers, words, tolls and a midnight`() throws {
        let imported = try read(Self.trips, Self.tripMap)
        let start = #"{"type":"trip_reported","source":"csv","occurred_at":"2025-03-0"#
        func reading(_ time: String, _ value: String) -> String {
            #"{"type":"odometer_read","source":"csv","occurred_at":"2025-03-05T\#(time)","#
                + #""vehicle":"Van","value":\#(value),"unit":"mi","method":"imported"}"#
        }
        #expect(
            imported.events == [
                start + #"5T08:45:00.000-05:00","started_at":"2025-03-05T08:05:00.000-05:00","#
                    + #""ended_at":"2025-03-05T08:45:00.000-05:00","from":"1 Main St, Town","#
                    + #""to":"Office","distance_m":1629460.8,"imported_from":"Some App","#
                    + #""purpose":"Roof","vehicle":"Van","class":"business","#
                    + #""fields":{"tolls":2.5}}"#,
                reading("08:05:00.000-05:00", "10000"), reading("08:45:00.000-05:00", "11012.5"),
                start + #"6T00:10:00.000-05:00","started_at":"2025-03-05T23:50:00.000-05:00","#
                    + #""ended_at":"2025-03-06T00:10:00.000-05:00","from":"A","to":"B","#
                    + #""distance_m":1609.344,"imported_from":"Some App","vehicle":"Van","#
                    + #""class":"personal"}"#,
                start + #"6T13:10:00.000-05:00","started_at":"2025-03-06T13:00:00.000-05:00","#
                    + #""ended_at":"2025-03-06T13:10:00.000-05:00","from":"A","to":"B","#
                    + #""distance_m":2000,"imported_from":"Some App","vehicle":"Van","#
                    + #""class":"personal"}"#,
            ]
        )
        #expect(
            imported.rejected == [
                "7 invalid_time", "8 invalid_number", "9 missing_field", "10 invalid_time",
            ]
        )
        #expect(imported.ignored == ["1 preamble", "11 empty", "12 totals", "13 totals"])
    }

    @Test func `an odometer counts where there is no distance, and a duration where no end`() throws
    {
        let map = """
            {"rows": "trips", "header": false, "columns": {"started_at": 1,
             "duration": {"column": 2, "unit": "min"}, "vehicle": 5,
             "odometer_start": {"column": 3, "unit": "km"},
             "odometer_end": {"column": 4, "unit": "km"}}}
            """
        let imported = try read(
            "2025-03-05T08:00:00Z;30;100;112.5;Van\n2025-03-05T09:00:00Z;1:30;112,5;120;Van\n"
                + "2025-03-05T11:00:00Z;30;120;119;Van\n",
            map
        )
        let trips = imported.events.filter { $0.contains("trip_reported") }
        #expect(trips.count == 2)
        #expect(trips[0].contains(#""ended_at":"2025-03-05T08:30:00.000Z","distance_m":12500,"#))
        #expect(trips[1].contains(#""ended_at":"2025-03-05T10:30:00.000Z","distance_m":7500,"#))
        #expect(imported.events.count == 6)
        #expect(imported.rejected == ["3 missing_field"])
    }

    // MARK: Units

    @Test(arguments: [
        ("speed", "kn", "10.00", "5.144"), ("speed", "mph", "25", "11.18"),
        ("speed", "km/h", "36", "10"), ("speed", "m/s", "10.5", "10.5"),
        ("speed", "m/s", "36 km/h", "10"), ("accuracy", "ft", "10", "3.048"),
        ("altitude", "ft", "-100", "-30.48"), ("altitude", "m", "-3", "-3"),
    ])
    func `a number is in the unit that the map says, or else the cell`(
        field: String,
        unit: String,
        written: String,
        expected: String
    ) throws {
        let map = """
            {"rows": "fixes", "columns": {"time": "t", "lat": "y", "lon": "x",
             "\(field)": {"column": "v", "unit": "\(unit)"}}}
            """
        let imported = try read("t,y,x,v\n1709276400,52,4,\(written)\n", map)
        #expect(
            imported.events.first?.hasSuffix("\"\(field)\":\(expected)}") == true,
            "\(imported)"
        )
    }

    @Test func `angles have signs, letters, a column of halves, or are whole numbers`() throws {
        let map = """
            {"rows": "fixes", "columns": {"time": "t", "lat": "y", "lon": "x"}}
            """
        let imported = try read(
            "t,y,x\n1,52.1S,W4.3\n2,-52.1,4.3°E\n3,\"-52.1S\",4\n4,91N,4\n",
            map.replacing("\"t\"", with: "{\"column\": \"t\"}")
        )
        #expect(imported.events.isEmpty)
        let times = "t,y,x\n1709276401,52.1S,W4.3\n1709276402,-52.1,4.3°E\n1709276403,-52.1S,4\n"
        let fixes = try read(times, map)
        #expect(fixes.events.count == 2)
        #expect(fixes.events[0].contains(#""lat":-52.1,"lon":-4.3"#))
        #expect(fixes.events[1].contains(#""lat":-52.1,"lon":4.3"#))
        #expect(fixes.rejected == ["4 invalid_number"])
        let e7 = """
            {"rows": "fixes", "columns": {"time": "t", "lat": {"column": "y", "unit": "e7"},
             "lon": {"column": "x", "unit": "e7"}}}
            """
        let whole = try read("t,y,x\n1709276401,521000000,-43000000\n", e7)
        #expect(whole.events[0].contains(#""lat":52.1,"lon":-4.3"#))
    }

    @Test func `only rows with some words are taken`() throws {
        let map = """
            {"rows": "fixes", "only": {"TAG": ["T", "C"]},
             "columns": {"time": "t", "lat": "y", "lon": "x"}}
            """
        let imported = try read(
            "TAG,t,y,x\nT,1709276401,52,4\nV,1709276402,52,4\nC,1709276403,52,4\n",
            map
        )
        #expect(imported.events.count == 2)
        #expect(imported.ignored == ["3 not_selected"])
    }

    // MARK: Problems

    @Test func `the examples of the schema are maps, and those it refuses are none`() throws {
        for (kind, isMap) in [("accepted", true), ("refused", false)] {
            let examples = try JSONSchemaValidator.examples(of: "column-map", kind)
            #expect(!examples.isEmpty)
            for example in examples {
                #expect((problem(example) == "nothing") == isMap, "\(example)")
            }
        }
    }

    @Test func `a column that the table has not is named, with the nearest one`() throws {
        let map = """
            {"rows": "fixes", "columns": {"time": "When", "lat": "Lattitude", "lon": "Lon"}}
            """
        let imported = try read("Report\nWhen,Latitude,Lon\n1709276401,52,4\n", map)
        #expect(imported.events.isEmpty)
        #expect(imported.rejected == ["2 missing_field"])
        #expect(imported.ignored == ["1 no_header", "3 no_header"])
        var importer = try #require(FileImporter(.csv, options: options(map)))
        var batch = ImportBatch()
        let table = Array("When,Latitude,Lon\n1709276401,52,4\n".utf8)
        importer.take(table.span, into: &batch)
        importer.finish(into: &batch)
        let sentences = batch.items.compactMap { item in
            if case .rejected(let rejection) = item.outcome { rejection.sentence } else { nil }
        }
        #expect(
            sentences == [
                #"No line names a column "Lattitude". Did you mean 'Latitude'?"#
            ]
        )
    }

    @Test(arguments: [
        (#"[]"#, "-: it is a list. It must be an object."),
        (#"{"#, "-: the line ends where a name in quotes should come, in byte 2. `ledger"),
        (#"{}"#, #"rows: it is missing. Say one of "fixes", "trips", "expenses"."#),
        (
            #"{"rows": "expenses", "columns": {"time": "a", "amount": "b", "quantity": "c"}}"#,
            "columns.quantity: it and quantity_unit belong together."
        ),
        (#"{"rows": "fix"}"#, #"rows: it is "fix". Say one of "fixes", "trips", "expenses"."#),
        (#"{"rows": "fixes", "colums": {}}"#, "colums: there is no such member. Did you mean"),
        (
            #"{"rows": "fixes", "columns": {"time": "t", "lat": "y"}}"#,
            "columns.lon: it is missing, and without it a row is none of fixes."
        ),
        (
            #"{"rows": "trips", "columns": {"started_at": "t", "distance": "km"}}"#,
            #"columns.distance: its unit is missing. Say {"column": …, "unit": …} with one of "m""#
        ),
        (
            #"{"rows": "trips", "columns": {"speed": "v"}}"#,
            "columns.speed: there is no such member."
        ),
        (
            #"{"rows": "fixes", "columns": {"speed": {"column": "v", "unit": "kmh"}}}"#,
            #"columns.speed.unit: it is "kmh". Say one of "m/s", "km/h", "mph", "kn"."#
        ),
        (
            #"{"rows": "fixes", "time_format": "dd/MM", "columns": {}}"#,
            #"time_format: it is "dd/MM". It has yyyy or yy"#
        ),
        (
            #"{"rows": "fixes", "time_format": "dd/MM/yyyy","#
                + #" "columns": {"time": 1, "lat": 2, "lon": 3}}"#,
            "time_format: it has no time of day."
        ),
        (
            #"{"rows": "fixes", "columns": {"time": {"unit": "s"}, "lat": 2, "lon": 3}}"#,
            "columns.time: it has no column and no value, or has both."
        ),
        (
            #"{"rows": "fixes", "columns": {"time": ["a", ["b"]], "lat": 2, "lon": 3}}"#,
            "columns.time: it is a list."
        ),
        (
            #"{"rows": "fixes", "header": false, "columns": {"time": "t", "lat": 2, "lon": 3}}"#,
            "header: it is false, and columns are named."
        ),
        (#"{"rows": "fixes", "delimiter": "::"}"#, #"delimiter: it is "::". Say one of"#),
        (
            #"{"rows": "trips", "columns": {"started_at": 1,"#
                + #" "odometer_start": {"column": 2, "unit": "km"},"#
                + #" "odometer_end": {"column": 3, "unit": "km"}}}"#,
            "columns.vehicle: it is missing, and an odometer is of a vehicle."
        ),
    ])
    func `what is wrong with a map is said with its member and its cure`(
        json: String,
        expected: String
    ) {
        let problem = problem(json)
        #expect(problem.hasPrefix(expected), "\(problem)")
    }
}
