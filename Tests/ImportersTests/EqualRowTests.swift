import DriveSimulation
import Importers
import TestSupport
import Testing
import TripEvents
import TripLedger

/// Rows of a table that are equal in all that its map reads: one counts, the others are named, and
/// a column that tells them apart is proposed.
@Suite struct EqualRowTests {
    private static let trips = """
        {"rows": "trips", "columns": {"started_at": "Date", "distance": {"column": "Km",
         "unit": "km"}}}
        """

    private static let tripsWithNotes = """
        {"rows": "trips", "columns": {"started_at": "Date", "distance": {"column": "Km",
         "unit": "km"}, "notes": "Order no"}}
        """

    private func options(_ json: String) throws -> ImportOptions {
        let bytes = Array(json.utf8)
        var options = ImportOptions(zone: .utc)
        options.columnMap = try ColumnMap(json: bytes.span)
        return options
    }

    /// Reads a table as one piece.
    private func batch(_ table: String, _ map: String) throws -> ImportBatch {
        var importer = try #require(FileImporter(.csv, options: options(map)))
        var batch = ImportBatch()
        let bytes = Array(table.utf8)
        importer.take(bytes.span, into: &batch)
        importer.finish(into: &batch)
        return batch
    }

    private func proposal(_ table: String) -> ColumnSuggestion? {
        let bytes = Array(table.utf8)
        return ColumnSuggestion(head: bytes.span)
    }

    // MARK: Laws

    @Test(arguments: Seeds.fresh(40))
    func `of equal rows one is an event, and each other one names the first of them`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let distances = (0..<Int.random(in: 1...30, using: &random))
            .map { _ in Int.random(in: 1...9, using: &random) }
        var table = "Date,Km,Order no\n"
        var firstLines: [Int: Int] = [:]
        var equal: [[Int]] = []
        for (index, distance) in distances.enumerated() {
            table += "2026-03-02,\(distance),K-\(index)\n"
            if let first = firstLines[distance] {
                equal.append([index + 2, first])
            } else {
                firstLines[distance] = index + 2
            }
        }
        let read = try batch(table, Self.trips)
        #expect(read.equalRows.map { [$0.record, $0.earlier] } == equal, "seed \(seed)")
        #expect(read.equalRows.allSatisfy { $0.column == "\"Order no\"" }, "seed \(seed)")
        let bytes = Array(table.utf8)
        let cut = Int.random(in: 1..<bytes.count, using: &random)
        let imported = try Imported(bytes, as: .csv, options: options(Self.trips), cuts: [cut])
        #expect(imported.events.count == firstLines.count, "seed \(seed)")
        #expect(imported.ignored == equal.map { "\($0[0]) equal_row" }, "seed \(seed)")
        // What tells them apart makes events of all.
        let all = try Imported(table, as: .csv, options: options(Self.tripsWithNotes))
        #expect(all.events.count == distances.count && all.ignored == [], "seed \(seed)")
    }

    // MARK: Examples

    @Test func `payments of one day and amount are named too`() throws {
        let map = """
            {"rows": "expenses", "columns": {"time": "Date", "amount": "Amount",
             "currency": "Currency", "merchant": "Vendor"}}
            """
        let table = """
            Date,Reference,Vendor,Amount,Currency
            2026-03-02,TX-001,ASFINAG,12.50,EUR
            2026-03-02,TX-002,ASFINAG,12.50,EUR
            2026-03-02,TX-002,ASFINAG,12.50,EUR
            """
        let read = try batch(table, map)
        #expect(read.equalRows.map(\.record) == [3, 4] && read.equalRows.map(\.earlier) == [2, 2])
        #expect(read.equalRows.map(\.column) == ["\"Reference\"", "\"Reference\""])
    }

    @Test func `what cannot be read of a row makes no other payment of it`() throws {
        let map = """
            {"rows": "expenses", "columns": {"time": "Date", "amount": "Amount", "trip": "Trip",
             "currency": {"value": "EUR"}, "kind": {"value": "toll"}}}
            """
        let table =
            "Date,Amount,Trip\n2026-03-02,12.50,17\n2026-03-02,12.50,18\n"
            + "2026-03-02,12.50,\n"
        let read = try batch(table, map)
        #expect(read.equalRows.map(\.record) == [3, 4])
        #expect(read.equalRows.map(\.column) == ["\"Trip\"", "\"Trip\""])
    }

    @Test func `rows of MileIQ and Everlance that are equal to earlier ones are named too`() throws
    {
        let mileIQ =
            "START_DATE*,END_DATE*,CATEGORY*,START*,STOP*,MILES*,RATE\n"
            + "1/31/2024 8:05,1/31/2024 8:45,Business,A,B,5,0.6\n"
            + "1/31/2024 8:05,1/31/2024 8:45,Business,A,B,5,0.7\n"
            + "1/31/2024 8:05,1/31/2024 8:45,Business,A,B,6,0.7\n"
        let everlance =
            "Date,Time Started,Time Ended,Miles\n1/31/2024,8:05 AM,8:45 AM,5\n"
            + "1/31/2024,8:05 AM,8:45 AM,5\n"
        for (table, format, column, events) in [
            (mileIQ, .mileiq, "\"RATE\"", [2, 4]), (everlance, .everlance, nil, [2]),
        ] as [(String, ImportFormat, String?, [Int])] {
            var importer = try #require(FileImporter(format, options: ImportOptions(zone: .utc)))
            var read = ImportBatch()
            let bytes = Array(table.utf8)
            importer.take(bytes.span, into: &read)
            importer.finish(into: &read)
            #expect(read.equalRows.map { [$0.record, $0.earlier] } == [[3, 2]])
            #expect(read.equalRows.map(\.column) == [column])
            let kept = read.items.filter { $0.outcome == .event }.map(\.record)
            #expect(kept == events)
        }
    }

    @Test func `a trip of the same length leaves what the odometer showed`() throws {
        let map = """
            {"rows": "trips", "columns": {"started_at": "Date", "vehicle": {"value": "van"},
             "odometer_start": {"column": "Start", "unit": "km"},
             "odometer_end": {"column": "End", "unit": "km"}}}
            """
        let table = "Date,Start,End\n2026-03-02,100,112\n2026-03-02,112,124\n2026-03-02,100,112\n"
        let read = try batch(table, map)
        #expect(read.equalRows.map(\.record) == [3, 4])
        #expect(read.equalRows.map(\.column) == ["\"Start\"", nil])
        let events = read.items.filter { $0.outcome == .event }.map(\.record)
        #expect(events == [2, 2, 2, 3, 3])
    }

    @Test func `a column without a name is told by its number, and fixes may be equal`() throws {
        let map = """
            {"rows": "trips", "header": false, "columns": {"started_at": 1,
             "distance": {"column": 2, "unit": "km"}}}
            """
        let read = try batch("2026-03-02,5,a\n2026-03-02,5,b\n", map)
        #expect(read.equalRows.map(\.column) == ["column 3"])
        let fixes = #"{"rows": "fixes", "columns": {"time": "t", "lat": "y", "lon": "x"}}"#
        let equal = try batch("t,y,x\n1709276401,52,4\n1709276401,52,4\n", fixes)
        #expect(equal.equalRows.isEmpty && equal.items.count == 2)
    }

    @Test(arguments: [
        "Order no", "Reference", "Receipt #", "Invoice ID", "Belegnr.", "Auftrag", "Referenz",
        "Factuurnummer", "Référence", "N° de facture",
    ])
    func `a column that tells records apart is proposed for notes, unless one is called so`(
        name: String
    ) throws {
        for table in [
            "Date,Km,\(name)\n2026-03-02,12.5,K-1\n2026-03-02,12.5,K-2\n",
            "Date,\(name),Vendor,Amount,Currency\n2026-03-02,1,Shell,12.50,EUR\n",
        ] {
            let suggestion = try #require(proposal(table))
            #expect(suggestion.json.contains(#""notes": "\#(name)""#), "\(suggestion.json)")
            #expect(suggestion.notes.contains { $0.contains("proposed for notes") })
        }
        let noted = try #require(proposal("Date,Km,\(name),Notes\n2026-03-02,12.5,K-1,Roof\n"))
        #expect(noted.json.contains(#""notes": "Notes""#), "\(noted.json)")
        #expect(!noted.notes.contains { $0.contains("proposed for notes") })
    }

    @Test func `numbers of trips, and columns without a number, are not proposed`() throws {
        for name in ["Trip ID", "Id", "Order"] {
            let suggestion = try #require(proposal("Date,Km,\(name)\n2026-03-02,12.5,yes\n"))
            #expect(!suggestion.json.contains("notes"), "\(suggestion.json)")
        }
    }
}
