import TripEvents

/// A table whose first line names its columns: GPSLogger's, Traccar's, the ledger's own, and any
/// other with a time, a latitude and a longitude.
///
/// Cells are separated by commas, semicolons or tabs, and quoted as RFC 4180 says. If cells are not
/// separated by commas, numbers may have a decimal comma. Traccar quotes nothing: if a line has
/// more cells than columns, those from the address on are left out.
struct CSVFormat: LineFormat {
    /// The most lines that may stand before the one that names the columns.
    private static let mostLinesBefore = 20

    private let options: ImportOptions
    private var header: CSVHeader?

    /// The table, if its rows are not fixes: the ledger's own, or one that a column map explains.
    private var table: (any LineFormat)?

    private var lineCount = 0
    private var motion: MotionMemory
    private var odometers: OdometerMemory

    init(_ options: ImportOptions) {
        self.options = options
        motion = MotionMemory(options)
        odometers = OdometerMemory(options)
    }

    mutating func take(
        _ text: Span<UInt8>,
        _ line: Range<Int>,
        _ number: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        if let header {
            let cells = CSVCells(text, line, separator: header.separator)
            do throws(Rejection) {
                return try read(text, cells, header, number, into: &batch)
            } catch {
                // A file that was written in parts names its columns again.
                guard CSVHeader(text, line) != nil else { throw error }
                return batch.ignore("header", record: number)
            }
        }
        if table != nil {
            try table?.take(text, line, number, into: &batch)
            return
        }
        header = CSVHeader(text, line)
        if header != nil { return }
        if KnownTables.tables.contains(where: { ColumnHeader($0, text, line) != nil }) {
            table = MappedTableFormat(KnownTables.tables, .csv, options)
        } else if InferenceTableFormat.namesColumns(text, line) {
            table = InferenceTableFormat(options)
        }
        if table != nil {
            try table?.take(text, line, number, into: &batch)
            return
        }
        lineCount += 1
        guard lineCount > Self.mostLinesBefore else {
            return batch.ignore("preamble", record: number)
        }
        let sentence = "No line before it names the columns of a time, a latitude and a longitude."
        throw Rejection(.invalidValue, sentence: sentence)
    }

    mutating func finish(into batch: inout ImportBatch) {}

    private mutating func read(
        _ text: Span<UInt8>,
        _ cells: CSVCells,
        _ header: CSVHeader,
        _ number: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        var cells = cells
        if header.format == .traccar, cells.ranges.count > header.columnCount,
            let address = header[.address]
        {
            cells.cut(to: address)
        }
        try cells.check(columnCount: header.columnCount)
        if cells.boolean(header[.validity], text) == false {
            return batch.ignore("invalid", record: number)
        }
        let time = try readTime(text, cells, header)
        let source = options.source ?? header.source(of: text, cells)
        if let isOn = cells.boolean(header[.ignition], text) {
            let state: MotionState = isOn ? .automotive : .stationary
            motion.note(state, .medium, of: source, at: time, record: number, into: &batch)
        }
        if header.format == .traccar, let range = cells.range(of: header[.odometer]) {
            let meters = NumberText.decimal(text, range)
            odometers.note(meters, of: source, at: time, record: number, into: &batch)
        }
        var fix = batch.begin(.fixRecorded, of: source, at: time)
        batch.add("lat", angle: (.latitude, .northSouth), of: text, cells, header, to: &fix)
        batch.add("lon", angle: (.longitude, .eastWest), of: text, cells, header, to: &fix)
        for (column, name) in [(CSVColumn.accuracy, "accuracy"), (.course, "course")] {
            guard let range = cells.range(of: header[column]) else { continue }
            // A negative value means that it is not known.
            if text[range.lowerBound] == UInt8(ascii: "-"), range.count > 1 { continue }
            // No receiver is exact to the millimetre: 0 means that it is not known.
            let point = CSVHeader.point(text, range, header.separator)
            let number = NumberText.decimal(text, range, point: point)
            if column == .accuracy, number?.significand == 0 { continue }
            batch.add(name, reading: range, of: text, header.separator, to: &fix)
        }
        let altitude = cells.range(of: header[.altitude])
        batch.add("altitude", reading: altitude, of: text, header.separator, to: &fix)
        if let (column, unit) = header.speed, let range = cells.range(of: column) {
            let (number, unit) = Self.speed(text, range, unit, header.separator)
            if let number {
                batch.add("speed", number, in: unit, to: &fix)
            } else {
                batch.leave("speed", unread: text, range, of: &fix)
            }
        }
        if let range = cells.range(of: header[.provider]) {
            let name = String(decoding: text.bytes(in: range), as: UTF8.self).lowercased()
            if let provider = FixProvider(rawValue: name) {
                batch.add("provider", text: provider.rawValue, to: &fix)
            }
        }
        batch.end(fix, record: number)
    }

    /// Returns a speed and its unit, which may stand in the cell: `0.865 km/h`.
    private static func speed(
        _ text: Span<UInt8>,
        _ range: Range<Int>,
        _ unit: SpeedUnit,
        _ separator: UInt8
    ) -> (ScaledDecimal?, SpeedUnit) {
        let point = CSVHeader.point(text, range, separator)
        if let number = NumberText.decimal(text, range, point: point) { return (number, unit) }
        let words = String(decoding: text.bytes(in: range), as: UTF8.self).split(separator: " ")
        guard words.count == 2, let spelled = ColumnMap.Unit.spelled(String(words[1]))?.speed
        else { return (nil, unit) }
        let digits = Array(words[0].utf8)
        return (NumberText.decimal(digits.span, digits.indices, point: point), spelled)
    }

    /// Returns the time of a row, with the offset of the phone's clock if GPSLogger wrote that
    /// beside it.
    private func readTime(
        _ text: Span<UInt8>,
        _ cells: CSVCells,
        _ header: CSVHeader
    ) throws(Rejection) -> PreciseTime {
        var time = try readTimeAlone(text, cells, header)
        if header.format == .gpslogger, let range = cells.range(of: header[.offset]),
            let offset = GPSLoggerQueries.offset(text.bytes(in: range))
        {
            time.time = EventTime(time.time.timestamp, utcOffset: offset)
        }
        return time
    }

    private func readTimeAlone(
        _ text: Span<UInt8>,
        _ cells: CSVCells,
        _ header: CSVHeader
    ) throws(Rejection) -> PreciseTime {
        if let range = cells.range(of: header[.milliseconds]),
            let milliseconds = NumberText.decimal(text, range)?.units(places: 0)
        {
            return PreciseTime(EventTime(Timestamp(milliseconds: milliseconds)))
        }
        guard let range = cells.range(of: header[.time]) else { throw .missingField("time") }
        let clock = TimeText(
            zone: options.zone,
            isUTCUnlessSaid: header.isUTC,
            isZeroUTC: header.format == .traccar
        )
        if let day = cells.range(of: header[.day]), Self.isTimeOfDay(text, range) {
            let joined = text.bytes(in: day) + [UInt8(ascii: "T")] + text.bytes(in: range)
            return try clock.time(joined.span, joined.indices, in: "time")
        }
        if let number = NumberText.decimal(text, range), number.significand > 0 {
            return try TimeText.sinceEpoch(number, in: "time")
        }
        return try clock.time(text, range, in: "time")
    }
}

extension CSVFormat {
    /// Whether a time has no day: `07:00:00`, with decimals or an offset.
    private static func isTimeOfDay(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        let digits = range.prefix { text[$0] &- UInt8(ascii: "0") < 10 }
        return (1...2).contains(digits.count) && digits.upperBound < range.upperBound
            && text[digits.upperBound] == UInt8(ascii: ":")
    }
}

extension ImportBatch {
    /// Adds the reading of a cell, if something is in it.
    fileprivate mutating func add(
        _ name: String,
        reading range: Range<Int>?,
        of text: Span<UInt8>,
        _ separator: UInt8,
        to draft: inout Draft
    ) {
        guard let range else { return }
        let point = CSVHeader.point(text, range, separator)
        if point != UInt8(ascii: "."), let number = NumberText.decimal(text, range, point: point) {
            return add(name, number, to: &draft)
        }
        add(name, reading: text, range, to: &draft)
    }

    /// Adds the number of a cell.
    fileprivate mutating func add(
        _ name: String,
        cell range: Range<Int>?,
        of text: Span<UInt8>,
        _ separator: UInt8,
        to draft: inout Draft
    ) {
        guard let range else { return }
        let point = CSVHeader.point(text, range, separator)
        if point != UInt8(ascii: "."), let number = NumberText.decimal(text, range, point: point) {
            return add(name, number, to: &draft)
        }
        add(name, number: text, range, to: &draft)
    }
}

extension ImportBatch {
    /// Adds a latitude or longitude, whose half of the earth may be a letter beside it or in a
    /// column of its own.
    fileprivate mutating func add(
        _ name: String,
        angle columns: (degrees: CSVColumn, half: CSVColumn),
        of text: Span<UInt8>,
        _ cells: CSVCells,
        _ header: CSVHeader,
        to draft: inout Draft
    ) {
        guard let range = cells.range(of: header[columns.degrees]) else {
            draft.rejection = draft.rejection ?? .missingField(name)
            return
        }
        let half = cells.range(of: header[columns.half])
        let isPlain = half == nil && !header.hasE7
        let end = text[range.upperBound - 1]
        guard
            !isPlain || AngleText.isHemisphere(end)
                || AngleText.isHemisphere(text[range.lowerBound])
        else { return add(name, cell: range, of: text, header.separator, to: &draft) }
        let point = CSVHeader.point(text, range, header.separator)
        let letter = half.map { text.bytes(in: $0) } ?? []
        let unit: ColumnMap.Unit = header.hasE7 ? .e7 : .degrees
        let degrees = AngleText.degrees(text.bytes(in: range) + letter, point: point)
            .flatMap { unit.converted($0) }
        guard let degrees else { return add(name, number: text, range, to: &draft) }
        add(name, degrees, to: &draft)
    }
}

/// A column that a table of fixes may have.
enum CSVColumn: CaseIterable {
    case time
    case day
    case milliseconds
    case offset
    case latitude
    case longitude
    case northSouth
    case eastWest
    case accuracy
    case altitude
    case course
    case provider
    case device
    case validity
    case ignition
    case odometer
    case address

    /// The columns by the names that others give them.
    private static let called = Dictionary(
        uniqueKeysWithValues: allCases.flatMap { column in column.names.map { ($0, column) } }
    )

    /// Finds a column by the name that others give it, as ``CSVCells/names(_:)`` has it.
    fileprivate init?(called name: String) {
        guard let column = Self.called[name] else { return nil }
        self = column
    }

    private var names: [String] {
        switch self {
        case .time:
            [
                "time", "timestamp", "datetime", "utc", "utctime", "occurredat", "fixtime",
                "gpstime", "recordedat", "timeutc", "datetimeutc", "utcdatetime", "timestamputc",
            ]
        case .day: ["utcdate", "dateutc", "gpsdate", "date", "day"]
        case .milliseconds: ["timestampms", "timems", "epochms"]
        case .offset: ["timeoffset"]
        case .latitude: ["lat", "latitude", "latdeg", "late7", "latitudee7"]
        case .longitude:
            ["lon", "lng", "long", "longitude", "londeg", "lone7", "lnge7", "longitudee7"]
        case .northSouth: ["ns", "nors", "northsouth"]
        case .eastWest: ["ew", "eorw", "eastwest"]
        case .accuracy: ["accuracy", "accuracym", "acc", "horizontalaccuracy", "hacc"]
        case .altitude: ["altitude", "altitudem", "elevation", "elevationm", "ele", "alt"]
        case .course: ["course", "bearing", "heading", "cog", "direction"]
        case .provider: ["provider", "source"]
        case .device: ["deviceid"]
        case .validity: ["valid"]
        case .ignition: ["ignition"]
        case .odometer: ["odometer"]
        case .address: ["address"]
        }
    }
}

/// The line of a table that names its columns.
struct CSVHeader {
    /// What separates cells.
    let separator: UInt8

    /// How many columns are named.
    let columnCount: Int

    /// The app that wrote it, recognised by a combination of names that no other app has.
    let format: ImportFormat

    /// The column of speeds, and their unit.
    let speed: (column: Int, unit: SpeedUnit)?

    /// Whether angles are whole numbers of 10⁻⁷ degrees.
    let hasE7: Bool

    /// Whether the name of the column of times contains UTC.
    let isUTC: Bool

    private let columns: [CSVColumn: Int]

    /// The index of a column; `nil` if there is none.
    subscript(column: CSVColumn) -> Int? { columns[column] }

    /// Reads a line; `nil` if it does not name a time, a latitude and a longitude.
    init?(_ text: Span<UInt8>, _ line: Range<Int>) {
        let counts = CSVCellCounts(text, line)
        for separator in CSVCells.separators where counts[separator] >= 3 {
            let cells = CSVCells(text, line, separator: separator)
            let names = cells.names(text)
            var columns: [CSVColumn: Int] = [:]
            for (index, name) in names.enumerated() {
                guard let column = CSVColumn(called: name), columns[column] == nil else { continue }
                columns[column] = index
            }
            let hasTime = columns[.time] != nil || columns[.milliseconds] != nil
            guard hasTime, columns[.latitude] != nil, columns[.longitude] != nil else { continue }
            self.separator = separator
            self.columns = columns
            columnCount = names.count
            format = Self.format(names)
            speed = Self.speed(in: names, format)
            hasE7 = columns[.latitude].map { names[$0].hasSuffix("e7") } ?? false
            isUTC = columns[.time].map { names[$0].contains("utc") } ?? false
            return
        }
        return nil
    }

    private static func format(_ names: [String]) -> ImportFormat {
        let formats: [(ImportFormat, Set<String>)] = [
            (.gpslogger, ["satellites", "hdop"]), (.traccar, ["deviceid", "protocol", "fixtime"]),
        ]
        return formats.first { $0.1.isSubset(of: names) }?.0 ?? .csv
    }

    private static func speed(
        in names: [String],
        _ format: ImportFormat
    ) -> (column: Int, unit: SpeedUnit)? {
        if format == .traccar { return names.firstIndex(of: "speed").map { ($0, .knots) } }
        let units: [(SpeedUnit, Set<String>)] = [
            (.metersPerSecond, ["speed", "speedmps", "speedms", "velocity"]),
            (.kilometersPerHour, ["speedkmh", "speedkph", "velocitykmh"]),
            (.milesPerHour, ["speedmph"]),
            (.knots, ["speedknots", "speedkn", "speedkt"]),
        ]
        for (unit, spellings) in units {
            if let column = names.firstIndex(where: { spellings.contains($0) }) {
                return (column, unit)
            }
        }
        return nil
    }

    /// Returns the source that a line names, or else that of all lines.
    func source(of text: Span<UInt8>, _ cells: CSVCells) -> String {
        guard format == .traccar, let device = cells.range(of: self[.device]) else {
            return format.rawValue
        }
        return "traccar/\(String(decoding: text.bytes(in: device), as: UTF8.self))"
    }

    /// Returns the decimal separator of a number: a comma, if it has one and commas separate no
    /// cells.
    static func point(_ text: Span<UInt8>, _ range: Range<Int>, _ separator: UInt8) -> UInt8 {
        let hasComma =
            separator != UInt8(ascii: ",") && range.contains { text[$0] == UInt8(ascii: ",") }
        return hasComma ? UInt8(ascii: ",") : UInt8(ascii: ".")
    }
}
