import Geodesy
import Projections
import Synchronization
import Tables
import Testing
import TripEvents

/// One list of columns gives JSON, CSV, text and documentation.
@Suite struct ColumnsTests {
    /// A row with a value of each kind.
    struct Sample {
        var name = "=Joe, \"x\"\n"
        var distance: Distance? = Distance(millimeters: 1_609_344)
        var place: Coordinate?
        var flags = ["edited", "merged"]
        var count: Int? = 3
    }

    static let columns = Columns<Sample> {
        Column.text("name", "NAME") { $0.name }
        Column.distance("distance_m", "DISTANCE") { $0.distance }
        Column.place("start") { $0.place }
        Column.list("flags", "FLAGS") { $0.flags }
        Column.integer("gaps.count", "GAPS") { $0.count }
        Column.duration("gaps.seconds") { _ in 1_500 }
        Column.integer("more") { $0.count }.optional
        Column.shown("BOTH") { .text("\($0.name)\($0.flags.count)") }
        Column.name("kind") { _ in "row" }.notInCSV
    }

    private func json(_ row: Sample) -> String {
        var bytes: [UInt8] = []
        Self.columns.appendJSON(row, to: &bytes, by: nil)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func csv(_ row: Sample, unit: DistanceUnit?) -> String {
        var bytes: [UInt8] = []
        let form = CSVForm(unit: unit)
        Self.columns.appendCSVTitles(to: &bytes, form)
        Self.columns.appendCSV(row, to: &bytes, form)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func text(_ rows: [Sample]) -> String {
        var bytes: [UInt8] = []
        var writer = RowWriter(Self.columns, as: .text, style: TextStyle(unit: .miles))
        writer.begin(to: &bytes)
        for row in rows { writer.add(row, to: &bytes) }
        writer.finish { append in append(&bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `names with a point are members of one object`() {
        var row = Sample()
        #expect(
            json(row) == """
                {"name":"=Joe, \\"x\\"\\n","distance_m":1609.344,"start":null,\
                "flags":["edited","merged"],"gaps":{"count":3,"seconds":1.500},"more":3,\
                "kind":"row"}
                """
        )
        row.place = Coordinate(latitude: 51.5, longitude: -0.25)
        row.distance = nil
        row.count = nil
        row.flags = []
        #expect(
            json(row) == """
                {"name":"=Joe, \\"x\\"\\n","distance_m":null,"start":{"lat":51.5,"lon":-0.25},\
                "flags":[],"gaps":{"count":null,"seconds":1.500},"kind":"row"}
                """
        )
    }

    @Test func `a spreadsheet gets one field for each column, and no formula`() {
        #expect(
            csv(Sample(), unit: nil) == """
                name,distance_m,start_lat,start_lon,flags,gaps_count,gaps_seconds,more
                "'=Joe, ""x""\n",1609.344,,,edited; merged,3,1.500,3

                """
        )
        #expect(
            csv(Sample(), unit: .miles) == """
                name,distance_mi,start_lat,start_lon,flags,gaps_count,gaps_seconds,more
                "'=Joe, ""x""\n",1.000000,,,edited; merged,3,1.500,3

                """
        )
    }

    /// Law: each heading of CSV, fed back, chooses the column below it.
    @Test(arguments: [nil] + DistanceUnit.allCases.map(Optional.some))
    func `each heading of CSV is a name of its column`(unit: DistanceUnit?) throws {
        var bytes: [UInt8] = []
        Self.columns.appendCSVTitles(to: &bytes, CSVForm(unit: unit))
        let line = String(decoding: bytes, as: UTF8.self).dropLast()
        for heading in line.split(separator: ",").map(String.init) {
            var chosen: [UInt8] = []
            try Self.columns.choosing([heading], as: .csv)
                .appendCSVTitles(to: &chosen, CSVForm(unit: unit))
            #expect(String(decoding: chosen, as: UTF8.self) == "\(heading)\n")
        }
    }

    @Test func `people see titles, aligned cells and a hyphen for no value`() {
        var other = Sample()
        other.name = "é"
        other.distance = nil
        other.flags = []
        #expect(
            text([Sample(), other]) == #"""
                NAME            DISTANCE mi  FLAGS           GAPS  BOTH
                =Joe, "x"\u{a}         1.00  edited, merged     3  =Joe, "x"\u{a}2
                é                         -  -                  3  é0

                """#
        )
        #expect(text([]) == "")
    }

    @Test func `the documentation names every column that programs see`() {
        let descriptions = Self.columns.descriptions
        #expect(
            descriptions.map(\.name) == [
                "name", "distance_m", "start.lat", "start.lon", "flags", "gaps.count",
                "gaps.seconds", "more", "kind",
            ]
        )
        #expect(descriptions.filter(\.isOptional).map(\.name) == ["more"])
        #expect(descriptions.filter { $0.csvName == nil }.map(\.name) == ["kind"])
    }

    /// A list in which people read what programs put together.
    private static let trips = Columns<Sample> {
        Column.text("name", "NAME") { $0.name }
        Column.shown("PURPOSE") { row in row.count.map { .text("\($0) calls") } ?? .none }
        Column.shown("MARKS") { _ in .none }.optional
        Column.integer("purpose") { $0.count }.optional
    }

    private static func chosen(
        _ names: [String],
        as format: RowFormat,
        _ rows: [Sample]
    ) throws -> String {
        var bytes: [UInt8] = []
        var writer = RowWriter(try trips.choosing(names, as: format), as: format)
        writer.begin(to: &bytes)
        for row in rows { writer.add(row, to: &bytes) }
        writer.finish { append in append(&bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// How often the columns of an inner row were made.
    private static let timesMade = Mutex(0)

    private static var innerColumns: Columns<Int> {
        timesMade.withLock { $0 += 1 }
        return Columns { Column.integer("number") { $0 } }
    }

    @Test func `the columns of rows in a row are made when the first of them is written`() {
        let columns = Columns<[Int]> { Column.rows("rows", Self.innerColumns) { $0 } }
        func json(_ row: [Int]) -> String {
            var bytes: [UInt8] = []
            columns.appendJSON(row, to: &bytes, by: nil)
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(json([]) == #"{"rows":[]}"#)
        #expect(Self.timesMade.withLock { $0 } == 0)
        #expect(json([7, 8]) == #"{"rows":[{"number":7},{"number":8}]}"#)
        #expect(Self.timesMade.withLock { $0 } == 1)
        #expect(columns.descriptions.map(\.name) == ["rows", "rows[].number"])
    }

    @Test func `columns that are asked for by name stand, whether a row has a value or not`() throws
    {
        let empty = Sample(name: "a", count: nil)
        let names = ["name", "purpose", "marks"]
        #expect(
            try Self.chosen(names, as: .text, [empty]) == """
                NAME  PURPOSE  MARKS
                a     -

                """
        )
        #expect(try Self.chosen(names, as: .csv, [empty]) == "name,purpose,marks\na,,\n")
        #expect(try Self.chosen(names, as: .csv, []) == "name,purpose,marks\n")
    }

    @Test func `of two columns of one name, text has the one for people, CSV that for programs`()
        throws
    {
        let row = Sample(name: "a", count: 3)
        #expect(
            try Self.chosen(["purpose"], as: .text, [row]) == """
                PURPOSE
                3 calls

                """
        )
        #expect(try Self.chosen(["purpose"], as: .csv, [row]) == "purpose\n3\n")
    }
}
