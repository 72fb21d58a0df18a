import TripEvents

/// The maps of tables that apps write, whose columns are known.
enum KnownTables {
    /// TeslaMate's tables `drives` and `positions`, as its database copies them to CSV, as its
    /// makers recommend for moving the data elsewhere.
    ///
    /// Times are in UTC and have no offset. Distances and odometers are in kilometres, speeds in
    /// kilometres per hour, elevations in metres. Drives are what TeslaMate made of the car's own
    /// reports: they are reported here, and never measured. Where the addresses of their ends stand
    /// in the table too, as in what its dashboard of drives exports, they are kept.
    ///
    /// Source: the schemas of both tables, github.com/teslamate-org/teslamate.
    static let teslamate = teslamateMaps.map { SoughtColumns($0) }

    private static let drives: [ColumnMap.Field: ColumnMap.Column] = [
        .source: car,
        .vehicle: car,
        .startedAt: ColumnMap.Column("start_date"),
        .endedAt: ColumnMap.Column("end_date"),
        .distance: ColumnMap.Column("distance", in: .kilometers),
        .odometerStart: ColumnMap.Column("start_km", in: .kilometers),
        .odometerEnd: ColumnMap.Column("end_km", in: .kilometers),
    ]

    private static let addresses: [ColumnMap.Field: ColumnMap.Column] = [
        .originAddress: ColumnMap.Column("start_address"),
        .destinationAddress: ColumnMap.Column("end_address"),
    ]

    private static func mapOfDrives(
        _ columns: [ColumnMap.Field: ColumnMap.Column]
    ) -> ColumnMap {
        ColumnMap(
            rows: .trips,
            app: ImportFormat.teslamate.title,
            isUTC: true,
            columns: columns
        )
    }

    private static let teslamateMaps: [ColumnMap] = [
        mapOfDrives(drives.merging(addresses) { $1 }), mapOfDrives(drives),
        ColumnMap(
            rows: .fixes,
            isUTC: true,
            columns: [
                .source: car,
                .time: ColumnMap.Column("date"),
                .latitude: ColumnMap.Column("latitude"),
                .longitude: ColumnMap.Column("longitude"),
                .altitude: ColumnMap.Column("elevation"),
                .speed: ColumnMap.Column("speed", in: .kilometersPerHour),
            ]
        ),
    ]

    private static let car = ColumnMap.Column(places: [.name("car_id")], prefix: "teslamate/")

    /// The table of a Columbus logger.
    ///
    /// Days and times have six digits and are local, speeds are in kilometres per hour. Rows of
    /// other tags than `T` are marks that the driver set.
    static let columbus = SoughtColumns(columbusMap)

    private static let columbusMap = ColumnMap(
        rows: .fixes,
        timeFormat: TimePattern("yyMMdd HHmmss"),
        columns: [
            .time: ColumnMap.Column(places: [.name("DATE"), .name("TIME")]),
            .latitude: ColumnMap.Column("LATITUDE N/S"),
            .longitude: ColumnMap.Column("LONGITUDE E/W"),
            .altitude: ColumnMap.Column("HEIGHT"),
            .speed: ColumnMap.Column("SPEED", in: .kilometersPerHour),
            .course: ColumnMap.Column("HEADING"),
        ],
        selection: [(.name("TAG"), ["T"])]
    )

    /// The table of trips that the ledger itself writes (`ledger trips --format csv`): what another
    /// ledger counted is reported here, and never measured.
    ///
    /// Trips that did not count there, or went on, are left out.
    static let ledgerTrips = SoughtColumns(ledgerTripsMap)

    private static let ledgerTripsMap = ColumnMap(
        rows: .trips,
        app: "Trip Ledger",
        columns: [
            .source: ColumnMap.Column("source"),
            .startedAt: ColumnMap.Column("started_at"),
            .endedAt: ColumnMap.Column("ended_at"),
            // A distance that a person set is the one that counted.
            .distance: ColumnMap.Column(
                places: [.name("adjusted_distance_m"), .name("distance_m")],
                unit: .meters,
                takesFirst: true
            ),
            .origin: ColumnMap.Column("from"),
            .destination: ColumnMap.Column("to"),
            .originAddress: ColumnMap.Column("from_address"),
            .destinationAddress: ColumnMap.Column("to_address"),
            .startLatitude: ColumnMap.Column("start_lat"),
            .startLongitude: ColumnMap.Column("start_lon"),
            .endLatitude: ColumnMap.Column("end_lat"),
            .endLongitude: ColumnMap.Column("end_lon"),
            .title: ColumnMap.Column("title"),
            .purpose: ColumnMap.Column("purpose"),
            .notes: ColumnMap.Column("notes"),
            .category: ColumnMap.Column("category"),
            .client: ColumnMap.Column("client"),
            .tripClass: ColumnMap.Column("class"),
            .vehicle: ColumnMap.Column("vehicle"),
            .driver: ColumnMap.Column("driver"),
        ],
        selection: [
            (.name("status"), ["completed", "abandoned"]), (.name("left_out"), [""]),
        ]
    )

    /// The tables of ``ImportFormat/csv`` whose columns are known.
    static let tables = [columbus, ledgerTrips]

    private static let leastCount = (teslamate + tables).map(\.leastCount).min() ?? 0

    /// Finds the format of a table of TeslaMate, a Columbus logger or a ledger by the line that
    /// names its columns.
    static func format(_ text: Span<UInt8>, _ line: Range<Int>) -> ImportFormat? {
        if InferenceTableFormat.namesColumns(text, line) { return .csv }
        // Nearly every line of other formats has fewer cells.
        guard CSVCellCounts(text, line).most >= leastCount else { return nil }
        let names = LineNames(text, line)
        if teslamate.contains(where: { ColumnHeader($0, names) != nil }) { return .teslamate }
        return tables.contains { ColumnHeader($0, names) != nil } ? .csv : nil
    }
}

extension ColumnMap.Column {
    /// The column of a name.
    fileprivate init(_ name: String, in unit: ColumnMap.Unit? = nil) {
        self.init(places: [.name(name)], unit: unit)
    }
}
