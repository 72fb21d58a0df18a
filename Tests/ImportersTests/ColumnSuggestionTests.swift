import Importers
import Testing
import TripEvents
import TripLedger

/// Maps that are proposed for tables: what they propose is what the table says, and the rest is
/// asked.
@Suite struct ColumnSuggestionTests {
    private func proposal(_ table: String) -> ColumnSuggestion? {
        let bytes = Array(table.utf8)
        return ColumnSuggestion(head: bytes.span)
    }

    @Test func `a map is proposed for a table of fixes`() throws {
        let table =
            "Tracker log\n\nDevice;Date;Time;Lat.;Long.;Speed (km/h);Alt [m]\n"
            + "van;31/12/2024;08:05:00;52,1;4,3;36,5;3\n"
        let suggestion = try #require(proposal(table))
        #expect(
            suggestion.json == """
                {
                  "rows": "fixes",
                  "delimiter": ";",
                  "decimal_mark": ",",
                  "time_format": "dd/MM/yyyy HH:mm:ss",
                  "columns": {
                    "source": "Device",
                    "time": ["Date", "Time"],
                    "lat": "Lat.",
                    "lon": "Long.",
                    "altitude": {"column": "Alt [m]", "unit": "m"},
                    "speed": {"column": "Speed (km/h)", "unit": "km/h"}
                  }
                }

                """
        )
        #expect(suggestion.notes.isEmpty && suggestion.isComplete)
    }

    @Test func `a map is proposed for a table of trips`() throws {
        let table = """
            Start,End,From,To,Miles,Trip type,Purpose,Start odometer
            1/31/2024 8:05 AM,1/31/2024 8:45 AM,"Main St, 1",Office,12.5,Business,Roof,100
            """
        let suggestion = try #require(proposal(table))
        #expect(
            suggestion.json == """
                {
                  "rows": "trips",
                  "time_format": "MM/dd/yyyy hh:mm a",
                  "columns": {
                    "started_at": "Start",
                    "ended_at": "End",
                    "distance": {"column": "Miles", "unit": "mi"},
                    "from": "From",
                    "to": "To",
                    "purpose": "Purpose",
                    "class": "Trip type",
                    "vehicle": {"value": "car"},
                    "odometer_start": {"column": "Start odometer", "unit": "km"}
                  }
                }

                """
        )
        #expect(
            suggestion.notes == [
                "No column names the vehicle of the odometer: \"car\" is proposed.",
                "The unit of odometer_start is not in its name: km is proposed.",
            ]
        )
    }

    @Test func `where start and stop are places, they are no times`() throws {
        let suggestion = try #require(
            proposal("Date,Start,Stop,Distance (mi)\n2024-01-31,Main St,Office,1\n")
        )
        #expect(suggestion.json.contains(#""started_at": "Date""#))
        #expect(suggestion.json.contains(#""from": "Start""#))
        #expect(suggestion.json.contains(#""to": "Stop""#))
        #expect(suggestion.isComplete && suggestion.notes.isEmpty)
    }

    @Test func `an end that is a day alone is told where starts have times`() throws {
        let bare = try #require(
            proposal("date,start,end_date,distance_km\n2024-12-31,08:05,2024-12-31,5\n")
        )
        #expect(bare.json.contains(#""started_at": ["date", "start"]"#), "\(bare.json)")
        #expect(bare.json.contains(#""ended_at": "end_date""#), "\(bare.json)")
        #expect(bare.notes.contains { $0.contains("is read as noon") }, "\(bare.notes)")
        for sure in [
            "date,start,end_date,end,distance_km\n2024-12-31,08:05,2024-12-31,08:45,5\n",
            "start_date,end_date,distance_km\n2024-12-31,2025-01-01,5\n",
            "start_date,end_date,distance_km\n2024-12-31 08:05,2024-12-31 08:45,5\n",
        ] {
            let notes = try #require(proposal(sure)).notes
            #expect(!notes.contains { $0.contains("noon") }, "\(sure): \(notes)")
        }
    }

    @Test func `what is not sure is asked`() throws {
        let days = try #require(proposal("Date,Distance\n02/03/2024,5\n"))
        #expect(
            days.notes == [
                "The unit of distance is not in its name: km is proposed.",
                "Times such as \"02/03/2024\" may be dd/MM/yyyy or MM/dd/yyyy: check time_format.",
            ]
        )
        let half = try #require(proposal("Date,From,To,Purpose\n2024-01-31,A,B,C\n"))
        #expect(!half.isComplete)
        #expect(half.notes == ["No column looks like distance: add it to \"columns\"."])
        let odd = try #require(proposal("Date,Miles\nthe other day,5\n"))
        #expect(
            odd.notes == [
                "No way is known in which \"the other day\" is written: add time_format."
            ]
        )
        for text in ["", "\n", "hello", "a,b,c\n1,2,3\n", "{}", "<gpx/>"] {
            #expect(proposal(text) == nil, "\(text)")
        }
    }

    @Test func `what is proposed is a map, and reads the table that it is for`() throws {
        let table = "When;Y;X\n31.12.2024 08:05:00;52,1;4,3\n"
        let suggestion = try #require(
            proposal(table.replacing("When", with: "Time").replacing("Y;X", with: "lat;lon"))
        )
        let json = Array(suggestion.json.utf8)
        var options = ImportOptions(zone: try .ofMachine(named: "UTC"))
        options.columnMap = try ColumnMap(json: json.span)
        let renamed = table.replacing("When;Y;X", with: "Time;lat;lon")
        let imported = try Imported(renamed, as: .csv, options: options)
        #expect(imported.events.count == 1 && imported.rejected.isEmpty)
    }

    @Test func `what was paid for is proposed by the vendors, and asked where none is known`()
        throws
    {
        let table =
            "Datum;Händler;Betrag;Währung\n2025-01-06;SHELL Station 42;61,20;EUR\n"
            + "2025-01-07;Parkhaus Mitte;5,00;EUR\n2025-01-08;EnBW Ladepark;12,10;EUR\n"
        let suggestion = try #require(proposal(table))
        #expect(
            suggestion.json.contains(
                #""kind": {"column": "Händler", "words": {"enbw": "charging", "#
                    + #""ladepark": "charging", "parkhaus": "parking", "shell": "fuel"}}"#
            ),
            "\(suggestion.json)"
        )
        #expect(suggestion.isComplete)
        #expect(suggestion.notes.contains { $0.contains("taken from the vendors' names") })
        let unknown = try #require(
            proposal("Date,Vendor,Amount,Currency\n2025-01-06,Espresso Bar,6.20,EUR\n")
        )
        #expect(!unknown.json.contains("kind"))
        #expect(unknown.notes.contains { $0.contains("all is \"other\"") }, "\(unknown.notes)")
    }
}
