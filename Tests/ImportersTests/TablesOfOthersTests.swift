import Importers
import Testing
import TripEvents
import TripLedger

/// Tables with points, with blanks between thousands, with the positions of both ends of trips, and
/// the ledger's own.
@Suite struct TablesOfOthersTests {
    private func options(_ map: String) throws -> ImportOptions {
        let bytes = Array(map.utf8)
        var options = ImportOptions(zone: .utc)
        options.columnMap = try ColumnMap(json: bytes.span)
        return options
    }

    private func proposal(_ table: String) -> ColumnSuggestion? {
        let bytes = Array(table.utf8)
        return ColumnSuggestion(head: bytes.span)
    }

    // MARK: Points

    @Test(arguments: [
        ("POINT (4.3 52.1)", true), ("POINT(4.3 52.1)", true), ("point (4.3 52.1)", true),
        ("SRID=4326;POINT(4.3 52.1)", true), ("POINT Z (4.3 52.1 7)", true),
        ("Point ZM (4.3 52.1 7 1)", true), ("POINT (4.3)", false), ("POINT (4.3 52.1", false),
        ("POINT EMPTY", false), ("LINESTRING (4.3 52.1, 4.4 52.1)", false), ("POINT (a b)", false),
    ])
    func `a point of well-known text has its longitude first`(text: String, isOne: Bool) throws {
        let map = #"{"rows":"fixes","columns":{"time":"t","lat":"geom","lon":"geom"}}"#
        let table = "t;geom\n2024-03-01T07:00:00Z;\"\(text)\"\n"
        let imported = try Imported(table, as: .csv, options: options(map))
        let fix =
            #"{"type":"fix_recorded","source":"csv","occurred_at":"2024-03-01T07:00:00.000Z","#
            + #""lat":52.1,"lon":4.3}"#
        #expect(imported.events == (isOne ? [fix] : []), "\(imported)")
        #expect(imported.rejected == (isOne ? [] : ["2 invalid_number"]), "\(imported)")
    }

    @Test func `a map is proposed for a column of points`() throws {
        let table = "time,where\n2024-03-01T07:00:00Z,POINT (4.3 52.1)\n"
        let suggestion = try #require(proposal(table))
        #expect(suggestion.isComplete && suggestion.notes.isEmpty)
        #expect(suggestion.json.contains(#""lat": "where""#), "\(suggestion.json)")
        #expect(suggestion.json.contains(#""lon": "where""#))
        let imported = try Imported(table, as: .csv, options: options(suggestion.json))
        #expect(imported.events.count == 1 && imported.rejected.isEmpty)
        let words = "time,where\n2024-03-01T07:00:00Z,POINT OF NO RETURN\n"
        #expect(proposal(words)?.isComplete == false)
    }

    // MARK: Thousands

    @Test(arguments: [
        ("12 345", "12345000"), ("12\u{A0}345,5", "12345500"), ("1\u{202F}234", "1234000"),
        ("12'345,25", "12345250"), ("12\u{2019}345", "12345000"), ("12\u{2009}345 km", "12345000"),
        ("-", nil), ("12 34", nil), ("12 3456", nil), ("1 2", nil), (" 345", "345000"),
        ("12 345,6 7", nil),
    ])
    func `blanks and apostrophes stand between thousands, and nowhere else`(
        written: String,
        meters: String?
    ) throws {
        let map =
            #"{"rows":"trips","decimal_mark":",","columns":{"started_at":"a","ended_at":"b","#
            + #""distance":{"column":"km","unit":"km"}}}"#
        let table = "a;b;km\n2024-03-01T07:00:00Z;2024-03-01T08:00:00Z;\(written)\n"
        let imported = try Imported(table, as: .csv, options: options(map))
        if let meters {
            #expect(imported.events.first?.contains(#""distance_m":\#(meters)"#) == true)
        } else {
            #expect(imported.events.isEmpty && imported.rejected == ["2 invalid_number"])
        }
    }

    // MARK: Both ends of trips

    private static let trips =
        #"{"rows":"trips","columns":{"started_at":"a","ended_at":"b","#
        + #""distance":{"column":"m","unit":"m"},"start_lat":"p","start_lon":"q","#
        + #""end_lat":"r","end_lon":"s"}}"#

    @Test(arguments: [
        ("52.1,4.3,52.2,4.4", #""lat":52.1,"lon":4.3,"to_lat":52.2,"to_lon":4.4"#, false),
        ("52.1,4.3,,", #""lat":52.1,"lon":4.3"#, false),
        (",,52.2N,4.4W", #""to_lat":52.2,"to_lon":-4.4"#, false),
        ("52.1,,,4.4", "", false), ("home,4.3,91,4.4", "", true),
    ])
    func `a trip has the positions of its ends, or does without`(
        cells: String,
        members: String,
        isUnread: Bool
    ) throws {
        let table = "a,b,m,p,q,r,s\n2024-03-01T07:00:00Z,2024-03-01T08:00:00Z,9,\(cells)\n"
        let imported = try Imported(table, as: .csv, options: options(Self.trips))
        let event = try #require(imported.events.first, "\(imported)")
        #expect(imported.rejected.isEmpty)
        #expect(
            event.contains("\(members.isEmpty ? "" : members + ",")\"distance_m\":9"),
            "\(event)"
        )
        #expect(event.contains(#""lat""#) == members.contains(#""lat""#) || isUnread)
        #expect(event.contains("unread") == isUnread, "\(event)")
    }

    // MARK: The ledger's own table

    private static let own =
        "id,started_at,ended_at,distance_m,from,to,class,adjusted_distance_m,left_out,status,"
        + "vehicle,source,start_lat,start_lon,end_lat,end_lon,title,purpose,notes,category,client,"
        + "driver,from_address,to_address\n"

    private func ownRow(
        _ minute: Int,
        _ adjusted: String,
        _ leftOut: String,
        _ status: String
    )
        -> String
    {
        "0\(minute),2024-03-01T08:0\(minute):00+01:00,2024-03-01T08:0\(minute):30+01:00,1200.5,"
            + "\"Home, 1\",Office,business,\(adjusted),\(leftOut),\(status),van,phone,"
            + "52.1,4.3,52.2,4.4,,Roof,,,,Eva,,\"Kade 3, Delft\"\n"
    }

    @Test func `the ledger's own table of trips needs no map`() throws {
        let table =
            Self.own + ownRow(1, "", "", "completed") + ownRow(2, "1500", "", "completed")
            + ownRow(3, "", "true", "completed") + ownRow(4, "", "", "active")
        let bytes = Array(table.utf8)
        #expect(ImportFormat.recognized(in: bytes.span) == .csv)
        let imported = try Imported(table, as: .csv)
        func trip(_ minute: Int, _ meters: String) -> String {
            #"{"type":"trip_reported","source":"phone","#
                + #""occurred_at":"2024-03-01T08:0\#(minute):30.000+01:00","#
                + #""started_at":"2024-03-01T08:0\#(minute):00.000+01:00","#
                + #""ended_at":"2024-03-01T08:0\#(minute):30.000+01:00","from":"Home, 1","#
                + #""to":"Office","to_address":"Kade 3, Delft","lat":52.1,"lon":4.3,"#
                + #""to_lat":52.2,"to_lon":4.4,"#
                + #""distance_m":\#(meters),"imported_from":"Trip Ledger","purpose":"Roof","#
                + #""vehicle":"van","driver":"Eva","class":"business"}"#
        }
        // A distance that a person set counts; what did not count there does not here.
        #expect(imported.events == [trip(1, "1200.5"), trip(2, "1500")], "\(imported)")
        #expect(imported.ignored == ["4 not_selected", "5 not_selected"])
        #expect(imported.rejected.isEmpty)
    }

    @Test func `the ledger's own table of inferences needs no map`() throws {
        let table = """
            inferred_by,inference,started_at,ended_at,activity,mode,place,place_id,lat,lon,to_lat,\
            to_lon,claimed_distance_m,measured,probability,confidence,source
            Google,activity,2025-03-03T08:30:00+01:00,2025-03-03T08:36:00+01:00,IN_BUS,bus,,,\
            51.927,4.362,51.942,4.485,12300.500,false,0.87,,google
            Google,visit,2025-03-03T08:36:00+01:00,2025-03-03T17:05:00+01:00,,,WORK,ChIJ1,\
            51.942,4.485,,,,false,,high,google
            Google,dream,2025-03-03T08:36:00+01:00,2025-03-03T17:05:00+01:00,,,,,,,,,,false,,,google

            """
        let bytes = Array(table.utf8)
        #expect(ImportFormat.recognized(in: bytes.span) == .csv)
        let imported = try Imported(table, as: .csv)
        func inference(_ kind: String, _ start: String, _ end: String, _ rest: String) -> String {
            #"{"type":"inference_reported","source":"google","occurred_at":"2025-03-03T\#(end)","#
                + #""inferred_by":"Google","inference":"\#(kind)","#
                + #""started_at":"2025-03-03T\#(start)","ended_at":"2025-03-03T\#(end)",\#(rest)}"#
        }
        #expect(
            imported.events == [
                inference(
                    "activity",
                    "08:30:00.000+01:00",
                    "08:36:00.000+01:00",
                    #""activity":"IN_BUS","mode":"bus","lat":51.927,"lon":4.362,"to_lat":51.942,"#
                        + #""to_lon":4.485,"distance_m":12300.5,"probability":0.87"#
                ),
                inference(
                    "visit",
                    "08:36:00.000+01:00",
                    "17:05:00.000+01:00",
                    #""place":"WORK","place_id":"ChIJ1","confidence":"high","lat":51.942,"#
                        + #""lon":4.485"#
                ),
            ],
            "\(imported)"
        )
        #expect(imported.rejected == ["4 missing_field"])
    }

    // MARK: Positions that are none

    @Test func `fixes at 0, 0 are counted, and half of it is not`() throws {
        let rows = ["0,0", "0.0,-0.000", "0,4.3", "52.1,0", "0.1,0"]
        let text = Array(
            ("time,lat,lon\n" + rows.map { "2024-03-01T07:00:00Z,\($0)\n" }.joined()).utf8
        )
        var importer = try #require(FileImporter(.csv))
        var batch = ImportBatch()
        importer.take(text.span, into: &batch)
        importer.finish(into: &batch)
        #expect(batch.items.count == rows.count)
        #expect(batch.nullCoordinates == 2)
        batch.removeAll()
        #expect(batch.nullCoordinates == 0)
    }
}
