import TripEvents

/// The beginning of a table: the names of its columns, and some rows.
struct SampleTable {
    /// What separates cells.
    let separator: UInt8

    /// The columns, as they are called.
    let names: [String]

    /// The same without their units.
    let parsed: [ColumnAliases.Name]

    private let rows: [[String]]

    /// Takes a line and those below it apart.
    init(_ text: Span<UInt8>, _ header: Range<Int>, _ samples: [Range<Int>]) {
        let separator = ColumnHeader.likeliestSeparator(text, header)
        func texts(_ line: Range<Int>) -> [String] {
            let cells = CSVCells(text, line, separator: separator)
            return cells.ranges.indices.map { cells.text($0, text) ?? "" }
        }
        self.separator = separator
        names = texts(header)
        parsed = names.map { ColumnAliases.Name($0) }
        rows = samples.map { texts($0) }
    }

    /// Returns the columns of the fields that rows of a kind may have.
    func fields(_ rows: ColumnMap.Rows) -> [ColumnMap.Field: Int] {
        var found: [ColumnMap.Field: Int] = [:]
        for field in ColumnMap.Field.allCases where field.isOf(rows) {
            let index = ColumnAliases.index(of: field, in: parsed) { looksLikeTime($0) }
            guard let index, mayHold(field, index) else { continue }
            let isTaken = found.values.contains(index)
            if !isTaken { found[field] = index }
        }
        // One column may hold both angles: `POINT (4.3 52.1)`.
        if rows == .fixes, found[.latitude] == nil, found[.longitude] == nil,
            let point = names.indices.first(where: { holdsPoints($0) })
        {
            (found[.latitude], found[.longitude]) = (point, point)
        }
        return found
    }

    /// Returns the column that tells records apart which are alike otherwise, if no field has it.
    func recordColumn(besides found: [ColumnMap.Field: Int]) -> Int? {
        names.indices.first { index in
            let texts = samples(index)
            return ColumnAliases.isRecord(parsed[index]) && !found.values.contains(index)
                && (texts.isEmpty || texts.contains { $0.contains { $0.isNumber } })
        }
    }

    /// Returns the column with the times of day of a field whose days are in another column; `nil`
    /// if no column has a name of the field.
    func timesOfDay(_ field: ColumnMap.Field, besides day: Int) -> Int? {
        let index = ColumnAliases.index(of: field, in: parsed, besides: day) { looksLikeTime($0) }
        return index.flatMap { looksLikeTime($0) && isTimeOfDay($0) ? $0 : nil }
    }

    /// The texts of a column in the rows, without empty ones.
    func samples(_ column: Int) -> [String] {
        rows.compactMap { row in
            column < row.count && !row[column].isEmpty ? row[column] : nil
        }
    }

    /// Whether a column holds times or days, judged by how its texts begin.
    func looksLikeTime(_ column: Int) -> Bool {
        let texts = samples(column)
        return !texts.isEmpty
            && texts.allSatisfy { text in
                let digits = text.count { $0.isNumber }
                return digits >= 3 && text.contains { [":", "-", "/", "."].contains($0) }
                    && text.count { $0.isLetter } <= 4
            }
    }

    /// Whether a column may hold a field: `Départ` is a place or an odometer.
    private func mayHold(_ field: ColumnMap.Field, _ column: Int) -> Bool {
        let texts = samples(column)
        guard !texts.isEmpty else { return true }
        let areNumbers = texts.allSatisfy { text in
            text.contains { $0.isNumber } && !text.contains { $0.isLetter || $0 == ":" }
        }
        switch field {
        case .origin, .destination: return !areNumbers
        case .odometerStart, .odometerEnd:
            return texts.allSatisfy { $0.first.map { $0.isNumber } ?? false }
        case .amount: return texts.contains { $0.contains { $0.isNumber } }
        default: return true
        }
    }

    /// Whether a column holds points of well-known text.
    private func holdsPoints(_ column: Int) -> Bool {
        let texts = samples(column)
        return !texts.isEmpty && texts.allSatisfy { WellKnownPoint.isOne($0) }
    }

    /// Whether a column holds times without a day.
    func isTimeOfDay(_ column: Int) -> Bool {
        samples(column)
            .allSatisfy { text in
                let first = text.split(separator: ":").first ?? ""
                return text.contains(":") && first.count <= 2
                    || text.count == 6 && Int(text) != nil
            }
    }

    /// Whether a column holds days without a time of day, judged by the lack of a colon.
    func isDay(_ column: Int) -> Bool {
        samples(column).allSatisfy { !$0.contains(":") }
    }

    /// Returns the decimal mark of numbers if a comma in one of them raises the question, and a
    /// number that may be read in two ways.
    func decimalMark(
        _ found: [ColumnMap.Field: Int]
    ) -> (mark: UInt8?, doubtful: String?) {
        let columns = found.filter { $0.key.isNumber }.values.sorted()
        let numbers = columns.map { samples($0) }.joined().filter { $0.contains(",") }
        guard let first = numbers.first else { return (nil, nil) }
        for number in numbers {
            // If a number has both marks, the last one is the decimal mark.
            if let point = number.lastIndex(of: "."), let comma = number.lastIndex(of: ",") {
                return (UInt8(ascii: point < comma ? "," : "."), nil)
            }
            let decimals = (number.split(separator: ",").last ?? "").prefix { $0.isNumber }
            if decimals.count != 3 { return (UInt8(ascii: ","), nil) }
        }
        return (UInt8(ascii: separator == UInt8(ascii: ",") ? "." : ","), first)
    }

    /// Returns the texts of the columns of times, joined as a map says.
    func times(_ map: ColumnMap) -> [String] {
        var texts: [String] = []
        for field in [ColumnMap.Field.time, .startedAt, .endedAt] {
            let columns = (map.columns[field]?.places ?? [])
                .compactMap { place in
                    if case .name(let name) = place { names.firstIndex(of: name) } else { nil }
                }
            guard !columns.isEmpty else { continue }
            for row in rows where columns.allSatisfy({ $0 < row.count && !row[$0].isEmpty }) {
                texts.append(columns.map { row[$0] }.joined(separator: " "))
            }
        }
        return texts
    }
}

/// The pattern in which a table writes its times, guessed from some of them.
struct TimeGuess {
    /// The pattern; `nil` if they are ISO 8601 or numbers, or no pattern fits.
    private(set) var pattern: TimePattern?

    /// A note on what the owner has to check; `nil` for none.
    private(set) var note: String?

    private static let days = [
        "yyyy-MM-dd", "yyyy/MM/dd", "dd/MM/yyyy", "MM/dd/yyyy", "dd.MM.yyyy", "dd-MM-yyyy",
        "MM-dd-yyyy", "dd/MM/yy", "MM/dd/yy", "dd.MM.yy", "MMM dd, yyyy", "dd MMM yyyy", "yyMMdd",
        "yyyyMMdd",
    ]
    private static let named = [
        "EEE dd MMM yyyy", "EEE, dd MMM yyyy", "EEE MMM dd yyyy", "EEE, MMM dd, yyyy",
        "EEE dd/MM/yyyy", "EEE MM/dd/yyyy", "EEE dd.MM.yyyy", "EEE, dd.MM.yyyy",
    ]
    private static let clocks = [
        "", " HH:mm", " HH:mm:ss", " hh:mm a", " hh:mm:ss a", " HHmmss", ", HH:mm", ", hh:mm a",
        " 'at' HH:mm", " 'at' HH:mm:ss", " 'at' hh:mm a", " 'um' HH:mm", " HH:mm:ss X",
        " 'at' hh:mm:ss a",
    ]

    private static let patterns = (days + named).flatMap { day in clocks.map { day + $0 } }
        .compactMap { TimePattern($0) }

    /// Looks at some times.
    init(_ times: [String]) {
        guard !times.isEmpty, !times.allSatisfy({ Self.isPlain($0) }) else { return }
        let fitting = Self.patterns
            .filter { pattern in times.allSatisfy { pattern.iso($0.utf8) != nil } }
        pattern = fitting.first
        guard let pattern else {
            note = "No way is known in which \(Excerpt.of(times[0])) is written: add time_format."
            return
        }
        if fitting.count > 1 {
            note =
                "Times such as \(Excerpt.of(times[0])) may be \(pattern.text) or "
                + "\(fitting[1].text): check time_format."
        }
    }

    /// Whether a time is read without a pattern.
    private static func isPlain(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        if NumberText.decimal(bytes.span, bytes.indices) != nil { return bytes.count >= 9 }
        let clock = TimeText(zone: nil, isUTCUnlessSaid: true)
        let isDay = CivilDate(text) != nil
        return isDay || (try? clock.time(bytes.span, bytes.indices, in: "time")) != nil
    }
}
