import TripEvents

/// The maps of tables that apps write, whose columns are known.
enum KnownTables {
    /// TeslaMate's tables `drives` and `positions`, as its database copies them to CSV, which is
    /// how its makers say to take the data along.
    ///
    /// Times are in UTC and have no offset. Distances and odometers are in kilometres, speeds in
    /// kilometres per hour, elevations in metres. Drives are what TeslaMate made of the car's own
    /// reports: they are reported here, and never measured.
    ///
    /// Source: the schemas of both tables, github.com/teslamate-org/teslamate.
    static let teslamate = teslamateMaps.map { SoughtColumns($0) }

    private static let teslamateMaps: [ColumnMap] = [
        ColumnMap(
            rows: .trips,
            app: ImportFormat.teslamate.title,
            isUTC: true,
            columns: [
                .source: car,
                .vehicle: car,
                .startedAt: ColumnMap.Column("start_date"),
                .endedAt: ColumnMap.Column("end_date"),
                .distance: ColumnMap.Column("distance", in: .kilometers),
                .odometerStart: ColumnMap.Column("start_km", in: .kilometers),
                .odometerEnd: ColumnMap.Column("end_km", in: .kilometers),
            ]
        ),
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

    private static let leastCount = (teslamate + [columbus]).map(\.leastCount).min() ?? 0

    /// Finds the map of a table of TeslaMate or a Columbus logger by the line that names its
    /// columns.
    static func format(_ text: Span<UInt8>, _ line: Range<Int>) -> ImportFormat? {
        // Nearly every line of other formats has fewer cells.
        guard CSVCellCounts(text, line).most >= leastCount else { return nil }
        let names = LineNames(text, line)
        if teslamate.contains(where: { ColumnHeader($0, names) != nil }) { return .teslamate }
        return ColumnHeader(columbus, names) == nil ? nil : .csv
    }
}

extension ColumnMap.Column {
    /// The column of a name.
    fileprivate init(_ name: String, in unit: ColumnMap.Unit? = nil) {
        self.init(places: [.name(name)], unit: unit)
    }
}
