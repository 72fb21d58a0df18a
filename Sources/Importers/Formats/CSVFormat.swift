import TripEvents

/// A table whose first line names its columns: GPSLogger's, Traccar's, and any other with a time, a
/// latitude and a longitude.
///
/// Cells are separated by commas, semicolons or tabs, and quoted as RFC 4180 says. Where commas
/// separate no cells, numbers may have a decimal comma. Traccar quotes nothing: of a line with more
/// cells than columns, those from the address on are left out.
struct CSVFormat: LineFormat {
    /// So many lines may stand before the one that names the columns.
    private static let mostLinesBefore = 20

    private let options: ImportOptions
    private var header: CSVHeader?
    private var lineCount = 0
    private var motion = MotionMemory()

    init(_ options: ImportOptions) {
        self.options = options
    }

    mutating func take(
        _ text: Span<UInt8>,
        _ line: Range<Int>,
        _ number: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        if let header {
            let cells = CSVCells(text, line, separator: header.separator)
            return try read(text, cells, header, number, into: &batch)
        }
        header = CSVHeader(text, line)
        if header != nil { return }
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
        var fix = batch.begin(.fixRecorded, of: source, at: time)
        let lat = cells.range(of: header[.latitude])
        batch.add("lat", cell: lat, of: text, header.separator, isRequired: true, to: &fix)
        let lon = cells.range(of: header[.longitude])
        batch.add("lon", cell: lon, of: text, header.separator, isRequired: true, to: &fix)
        for (column, name) in [(CSVColumn.accuracy, "accuracy"), (.course, "course")] {
            guard let range = cells.range(of: header[column]), text[range.lowerBound] != 0x2D
            else { continue }
            // Traccar writes 0 where no accuracy is known.
            if header.format == .traccar, column == .accuracy,
                NumberText.decimal(text, range)?.significand == 0
            {
                continue
            }
            batch.add(name, cell: range, of: text, header.separator, to: &fix)
        }
        let altitude = cells.range(of: header[.altitude])
        batch.add("altitude", cell: altitude, of: text, header.separator, to: &fix)
        if let (column, unit) = header.speed, let range = cells.range(of: column) {
            let point = CSVHeader.point(text, range, header.separator)
            batch.add("speed", NumberText.decimal(text, range, point: point), in: unit, to: &fix)
        }
        if let range = cells.range(of: header[.provider]) {
            let name = String(decoding: text.bytes(in: range), as: UTF8.self).lowercased()
            if let provider = FixProvider(rawValue: name) {
                batch.add("provider", text: provider.rawValue, to: &fix)
            }
        }
        batch.end(fix, record: number)
    }

    private func readTime(
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
        if let number = NumberText.decimal(text, range), number.significand > 0 {
            return try TimeText.sinceEpoch(number, in: "time")
        }
        return try TimeText(zone: options.zone).time(text, range, in: "time")
    }
}

extension ImportBatch {
    /// Adds the number of a cell.
    fileprivate mutating func add(
        _ name: String,
        cell range: Range<Int>?,
        of text: Span<UInt8>,
        _ separator: UInt8,
        isRequired: Bool = false,
        to draft: inout Draft
    ) {
        guard let range else {
            if isRequired { draft.rejection = draft.rejection ?? .missingField(name) }
            return
        }
        let point = CSVHeader.point(text, range, separator)
        if point != UInt8(ascii: "."), let number = NumberText.decimal(text, range, point: point) {
            return add(name, number, to: &draft)
        }
        add(name, number: text, range, to: &draft)
    }
}

/// A column that a table of fixes may have.
enum CSVColumn: CaseIterable {
    case time
    case milliseconds
    case latitude
    case longitude
    case accuracy
    case altitude
    case course
    case provider
    case device
    case validity
    case ignition
    case address

    /// What others call it, as ``CSVCells/names(_:)`` has it.
    fileprivate var names: Set<String> {
        switch self {
        case .time:
            [
                "time", "timestamp", "datetime", "utc", "utctime", "occurredat", "fixtime",
                "gpstime", "recordedat",
            ]
        case .milliseconds: ["timestampms", "timems", "epochms"]
        case .latitude: ["lat", "latitude", "latdeg"]
        case .longitude: ["lon", "lng", "long", "longitude", "londeg"]
        case .accuracy: ["accuracy", "accuracym", "acc", "horizontalaccuracy", "hacc"]
        case .altitude: ["altitude", "altitudem", "elevation", "elevationm", "ele", "alt"]
        case .course: ["course", "bearing", "heading", "cog", "direction"]
        case .provider: ["provider", "source"]
        case .device: ["deviceid"]
        case .validity: ["valid"]
        case .ignition: ["ignition"]
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

    /// Whose it is, as the names tell that no other app has together.
    let format: ImportFormat

    /// The column of speeds, and their unit.
    let speed: (column: Int, unit: SpeedUnit)?

    private let columns: [CSVColumn: Int]

    /// The index of a column; `nil` if there is none.
    subscript(column: CSVColumn) -> Int? { columns[column] }

    /// Reads a line; `nil` if it does not name a time, a latitude and a longitude.
    init?(_ text: Span<UInt8>, _ line: Range<Int>) {
        for separator in CSVCells.separators {
            let names = CSVCells(text, line, separator: separator).names(text)
            var columns: [CSVColumn: Int] = [:]
            for column in CSVColumn.allCases {
                columns[column] = names.firstIndex { column.names.contains($0) }
            }
            let hasTime = columns[.time] != nil || columns[.milliseconds] != nil
            guard hasTime, columns[.latitude] != nil, columns[.longitude] != nil else { continue }
            self.separator = separator
            self.columns = columns
            columnCount = names.count
            format = Self.format(names)
            speed = Self.speed(in: names, format)
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

    /// Returns what stands before the decimals of a number: a comma, if it has one and commas
    /// separate no cells.
    static func point(_ text: Span<UInt8>, _ range: Range<Int>, _ separator: UInt8) -> UInt8 {
        let hasComma =
            separator != UInt8(ascii: ",") && range.contains { text[$0] == UInt8(ascii: ",") }
        return hasComma ? UInt8(ascii: ",") : UInt8(ascii: ".")
    }
}

/// The cells of a line, without their quotes; quotes within cells stay doubled.
struct CSVCells {
    /// What may separate cells.
    static let separators: [UInt8] = [
        UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"),
    ]

    /// Where they stand, without white space around them.
    private(set) var ranges: [Range<Int>] = []

    /// Finds the cells of a line.
    init(_ text: Span<UInt8>, _ line: Range<Int>, separator: UInt8) {
        var start = line.lowerBound
        var isQuoted = false
        for position in line {
            if text[position] == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if text[position] == separator, !isQuoted {
                append(text, start..<position)
                start = position + 1
            }
        }
        append(text, start..<line.upperBound)
    }

    private mutating func append(_ text: Span<UInt8>, _ range: Range<Int>) {
        var range = NumberText.trimmed(text, range)
        if range.count >= 2, text[range.lowerBound] == UInt8(ascii: "\""),
            text[range.upperBound - 1] == UInt8(ascii: "\"")
        {
            range = NumberText.trimmed(text, range.lowerBound + 1..<range.upperBound - 1)
        }
        ranges.append(range)
    }

    /// Makes sure that there are no more cells than columns.
    ///
    /// - Throws: `Rejection`.
    func check(columnCount: Int) throws(Rejection) {
        guard ranges.count <= columnCount else {
            throw Rejection(
                .invalidValue,
                sentence: "The line has \(ranges.count) cells; \(columnCount) columns are named."
            )
        }
    }

    /// Returns the cells as names of columns: in small letters, without spaces, hyphens and other
    /// marks.
    func names(_ text: Span<UInt8>) -> [String] {
        ranges.map { range in
            String(decoding: text.bytes(in: range), as: UTF8.self).lowercased()
                .filter { $0.isLetter || $0.isNumber }
        }
    }

    /// Returns the text in the cell of a column; `nil` if nothing is in it.
    ///
    /// An apostrophe that keeps a spreadsheet from computing the cell is no part of it.
    func text(_ column: Int?, _ text: Span<UInt8>) -> String? {
        guard let range = range(of: column) else { return nil }
        let written = String(decoding: text.bytes(in: range), as: UTF8.self)
            .replacing("\"\"", with: "\"")
        let isGuarded =
            written.hasPrefix("'") && written.dropFirst().first.map { "=+-@".contains($0) } ?? false
        return isGuarded ? String(written.dropFirst()) : written
    }

    /// Leaves out the cells from an index on.
    mutating func cut(to count: Int) {
        ranges.removeLast(max(0, ranges.count - count))
    }

    /// Returns the truth in the cell of a column; `nil` if there is none.
    func boolean(_ column: Int?, _ text: Span<UInt8>) -> Bool? {
        guard let range = range(of: column) else { return nil }
        return Bool(String(decoding: text.bytes(in: range), as: UTF8.self).lowercased())
    }

    /// Returns where the cell of a column stands; `nil` if there is none or nothing is in it.
    func range(of column: Int?) -> Range<Int>? {
        guard let column, column < ranges.count, !ranges[column].isEmpty else { return nil }
        return ranges[column]
    }
}
