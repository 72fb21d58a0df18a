import Importers
import Testing
import TripEvents
import TripLedger

/// Tables as programs and people of several languages write them: the map that is proposed for one
/// reads it.
@Suite struct ForeignTablesTests {
    /// A table, and what its proposed map makes of it.
    struct Table: CustomTestStringConvertible, Sendable {
        let name: String
        let text: String

        /// What each event has in it.
        let parts: [String]

        var testDescription: String { name }

        init(_ name: String, _ lines: [String], _ parts: String...) {
            self.name = name
            text = lines.map { $0 + "\n" }.joined()
            self.parts = parts
        }
    }

    private static func read(_ text: String) throws -> Imported {
        let bytes = Array(text.utf8)
        let proposal = ColumnSuggestion(head: bytes.span)
        let suggestion = try #require(proposal)
        let json = Array(suggestion.json.utf8)
        var options = ImportOptions { try? TimeZoneRules.ofMachine(named: $0) }
        options.zone = try .ofMachine(named: "UTC")
        options.columnMap = try ColumnMap(json: json.span)
        return try Imported(bytes, as: .csv, options: options)
    }

    private static let fixes = [
        Table(
            "Dutch fixes",
            ["Datum;Tijd;Breedtegraad;Lengtegraad", "31-12-2024;08:05:00;52,1;4,3"],
            "2024-12-31T08:05:00",
            #""lat":52.1,"lon":4.3"#
        ),
        Table(
            "German fixes",
            ["Datum;Uhrzeit;Breitengrad;Längengrad", "31.12.2024;08:05:00;52,1;4,3"],
            "2024-12-31T08:05:00",
            #""lat":52.1,"lon":4.3"#
        ),
        Table(
            "French fixes",
            ["Date;Heure;Latitude;Longitude", "31/12/2024;08:05:00;52,1;4,3"],
            "2024-12-31T08:05:00",
            #""lat":52.1,"lon":4.3"#
        ),
        Table(
            "Spanish fixes",
            ["Fecha;Hora;Latitud;Longitud", "31/12/2024;08:05:00;52,1;4,3"],
            "2024-12-31T08:05:00",
            #""lat":52.1,"lon":4.3"#
        ),
        Table(
            "Italian fixes",
            ["Data;Ora;Latitudine;Longitudine", "31/12/2024;08:05:00;52,1;4,3"],
            "2024-12-31T08:05:00",
            #""lat":52.1,"lon":4.3"#
        ),
        Table(
            "a day and a time in UTC",
            ["UTC Date,UTC Time,Lat,Lon", "2024-12-31,08:05:00,52.1,4.3"],
            "2024-12-31T08:05:00",
            #""lat":52.1,"lon":4.3"#
        ),
        Table(
            "seconds since 1970",
            ["Epoch,Lat,Lon", "1735632300,52.1,4.3"],
            "2024-12-31T08:05:00",
            #""lat":52.1,"lon":4.3"#
        ),
        Table(
            "a day of the week, and words",
            ["Time,Lat,Lon", "Tuesday 31 December 2024 at 08:05:00,52.1,4.3"],
            "2024-12-31T08:05:00",
            #""lat":52.1,"lon":4.3"#
        ),
    ]

    private static let trips = [
        Table(
            "Dutch trips",
            [
                "Datum;Vertrektijd;Aankomsttijd;Vertrek;Aankomst;Kilometers;Doel",
                "31-12-2024;08:05;08:45;Thuis;Kantoor;12,5;Werk",
            ],
            #""started_at":"2024-12-31T08:05"#,
            #""ended_at":"2024-12-31T08:45"#,
            #""from":"Thuis","to":"Kantoor","distance_m":12500"#,
            #""purpose":"Werk""#
        ),
        Table(
            "German trips",
            [
                "Datum;Abfahrt;Ankunft;Startort;Zielort;Kilometer;Fahrzeug",
                "31.12.2024;08:05;08:45;Zuhause;Büro;1.212,5;Van",
            ],
            #""started_at":"2024-12-31T08:05"#,
            #""distance_m":1212500"#,
            #""from":"Zuhause","to":"Büro""#,
            #""vehicle":"Van""#
        ),
        Table(
            "French trips",
            [
                "Date;Heure de départ;Heure d'arrivée;Départ;Arrivée;Distance (km);Motif",
                "31/12/2024;08:05;08:45;Maison;Bureau;1 212,5;Travail",
            ],
            #""started_at":"2024-12-31T08:05"#,
            #""ended_at":"2024-12-31T08:45"#,
            #""from":"Maison","to":"Bureau","distance_m":1212500"#,
            #""purpose":"Travail""#
        ),
        Table(
            "Spanish trips",
            [
                "Fecha;Hora de salida;Hora de llegada;Salida;Llegada;Kilómetros;Vehículo",
                "31/12/2024;08:05;08:45;Casa;Oficina;12,5;Van",
            ],
            #""started_at":"2024-12-31T08:05"#,
            #""ended_at":"2024-12-31T08:45"#,
            #""from":"Casa","to":"Oficina","distance_m":12500"#,
            #""vehicle":"Van""#
        ),
        Table(
            "Italian trips",
            [
                "Data;Ora di partenza;Ora di arrivo;Partenza;Arrivo;Chilometri;Veicolo",
                "31/12/2024;08:05;08:45;Casa;Ufficio;12,5;Van",
            ],
            #""started_at":"2024-12-31T08:05"#,
            #""ended_at":"2024-12-31T08:45"#,
            #""from":"Casa","to":"Ufficio","distance_m":12500"#,
            #""vehicle":"Van""#
        ),
    ]

    /// Tables that have a day for the start and one for the end, beside the times of day.
    private static let twoDays = [
        Table(
            "the program's own table for a Dutch spreadsheet",
            [
                "date;start;end_date;end;duration;from;to;purpose;class;vehicle;distance_km",
                "31-12-2024;23:50:00;01-01-2025;00:20:00;0:30;Thuis;Kantoor;Werk;business;v;12,5",
            ],
            #""started_at":"2024-12-31T23:50"#,
            #""ended_at":"2025-01-01T00:20"#,
            #""from":"Thuis","to":"Kantoor","distance_m":12500"#
        ),
        Table(
            "a day of arrival",
            [
                "date,departure,end_date,arrival,distance_km",
                "2024-12-31,23:50,2025-01-01,00:20,12.5",
            ],
            #""started_at":"2024-12-31T23:50"#,
            #""ended_at":"2025-01-01T00:20"#
        ),
        Table(
            "German days",
            [
                "Datum;Beginn;Enddatum;Ende;Kilometer",
                "30.12.2024;23:50;01.01.2025;00:20;12,5",
            ],
            #""started_at":"2024-12-30T23:50"#,
            #""ended_at":"2025-01-01T00:20"#
        ),
        Table(
            "days and times in pairs",
            [
                "Start date,Start time,End date,End time,Distance (km)",
                "2024-12-30,23:50,2025-01-01,00:20,12.5",
            ],
            #""started_at":"2024-12-30T23:50"#,
            #""ended_at":"2025-01-01T00:20"#
        ),
        Table(
            "one day of the start",
            [
                "Start date,Start time,End time,Distance (km)",
                "2024-12-30,08:05,08:45,12.5",
            ],
            #""started_at":"2024-12-30T08:05"#,
            #""ended_at":"2024-12-30T08:45"#
        ),
    ]

    private static let expenses = [
        Table(
            "a bank's list",
            ["date,vendor,amount,currency,category", "2024-12-31,Shell,\"45,10\",EUR,Fuel"],
            #""type":"expense_recorded""#,
            "2024-12-31T12:00:00",
            #""kind":"fuel","amount":45.1,"currency":"EUR""#,
            #""day":"2024-12-31""#,
            #""merchant":"Shell""#
        ),
        Table(
            "a German list",
            ["Datum;Betrag;Art;Fahrzeug;Händler", "31.12.2024;4,50 EUR;Parken;Van;P+R"],
            #""kind":"parking","amount":4.5,"currency":"EUR","vehicle":"Van""#,
            #""day":"2024-12-31""#,
            #""merchant":"P+R""#
        ),
        Table(
            "a French list",
            ["Date;Montant;Catégorie", "31/12/2024;€ 12,50;Péage"],
            #""kind":"toll","amount":12.5,"currency":"EUR""#
        ),
        Table(
            "a Dutch list",
            ["Datum;Bedrag;Soort;Valuta", "31-12-2024;3,00;Wasstraat;EUR"],
            #""kind":"other","amount":3,"currency":"EUR""#,
            #""notes":"Wasstraat""#
        ),
        Table(
            "fuel with litres and a time",
            ["Time,Liters,Total,Type,Vehicle", "2024-12-31T08:05:00Z,40.5,£61.20,diesel,van"],
            "2024-12-31T08:05:00",
            #""kind":"fuel","amount":61.2,"currency":"GBP","vehicle":"van""#,
            #""quantity":40.5,"quantity_unit":"l""#
        ),
    ]

    @Test(arguments: fixes + trips + twoDays + expenses)
    func `the map that is proposed reads the table`(table: Table) throws {
        let imported = try Self.read(table.text)
        #expect(imported.rejected.isEmpty && imported.events.count == 1, "\(imported)")
        let event = try #require(imported.events.first)
        for part in table.parts { #expect(event.contains(part), "\(part) in \(event)") }
    }

    @Test func `an expense without an amount or a currency is none`() throws {
        let text = """
            Date,Amount,Currency,Category
            2024-12-31,4.50,EUR,toll
            2024-12-31,,EUR,toll
            2024-12-31,4.50,,toll
            2024-12-31,$4.50,,toll
            2024-12-31,4.50,euro,toll
            2024-12-31,-4.50,EUR,toll
            ,4.50,EUR,toll
            Total,18.00,,

            """
        let imported = try Self.read(text)
        #expect(imported.events.count == 1, "\(imported)")
        #expect(imported.rejected.count == 6 && imported.ignored.count == 1, "\(imported)")
    }

    @Test(arguments: [
        ("EEE MMM dd HH:mm:ss X yyyy", "Wed Aug 05 18:57:56 GMT+01:00 2026"),
        ("EEEE, d MMMM yyyy 'at' HH:mm:ss X", "mercredi, 5 August 2026 at 17:57:56 UTC"),
        ("yyyy-MM-dd HH:mm:ss Z", "2026-08-05 17:57:56 +0000 UTC"),
        ("yyyy-MM-dd'T'HH:mm:ssX", "2026-08-05T18:57:56+01:00[Europe/London]"),
        ("d. MMM yyyy, HH 'o''clock' mm:ss X", "5. Aug 2026, 17 o'clock 57:56 Z"),
    ])
    func `a pattern has days of the week, words and offsets`(
        pattern: String,
        text: String
    ) throws {
        let json =
            Array(
                #"{"rows":"fixes","delimiter":";","time_format":"\#(pattern)","columns":"#.utf8
            )
            + Array(#"{"time":"t","lat":"lat","lon":"lon"}}"#.utf8)
        var options = ImportOptions()
        options.columnMap = try ColumnMap(json: json.span)
        let table = "t;lat;lon\n\(text);52.1;4.3\n\(text)x;52.1;4.3\n"
        let imported = try Imported(table, as: .csv, options: options)
        #expect(imported.events.count == 1 && imported.rejected.count == 1, "\(imported)")
        let time = imported.events.first ?? ""
        #expect(time.contains("T18:57:56.000+01:00") || time.contains("T17:57:56.000"), "\(time)")
    }

    /// With a day beside the time, no map is needed.
    @Test(arguments: ["UTC Date,UTC Time", "date,time", "Day,GPS Time", "Date UTC,Time UTC"])
    func `a day and a time in two columns are one time`(names: String) throws {
        let text =
            "\(names),lat,lon\n2024-12-31,08:05:00,52.1,4.3\n2024-12-31,08:05:01.5,52.1,4.3\n"
        let bytes = Array(text.utf8)
        #expect(ImportFormat.recognized(in: bytes.span) == .csv)
        let imported = try Imported(
            bytes,
            as: .csv,
            options: ImportOptions(zone: try .ofMachine(named: "UTC"))
        )
        #expect(imported.events.count == 2 && imported.rejected.isEmpty, "\(imported)")
        #expect(imported.events[1].contains("2024-12-31T08:05:01.500"))
    }
}
