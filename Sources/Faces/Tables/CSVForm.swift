import Geodesy
package import TripEvents

/// How CSV is written (RFC 4180): for programs, or for a spreadsheet program.
///
/// For programs, lines end with a line feed, numbers have a point, times are those of RFC 3339, and
/// nothing stands before the names of the columns. For a spreadsheet program, everything is written
/// so that it opens the file correctly: a byte order mark, line ends as in Windows, the decimal
/// mark and the separator of its language, and times in a form that it recognises.
package struct CSVForm: Sendable {
    /// The unit of distances; `nil` for metres.
    let unit: DistanceUnit?

    /// The decimal mark of a spreadsheet program; `nil` for other programs.
    let spreadsheet: DecimalMark?

    /// The clock in which times are written; `nil` for each time's own offset.
    let clock: LocalDay?

    /// Creates a form.
    ///
    /// - Parameters:
    ///   - style: How people see rows, and whether it is in a spreadsheet program: there, distances
    ///     are in the unit of people.
    ///   - unit: The unit of distances for programs; `nil` for metres.
    package init(_ style: TextStyle = TextStyle(), unit: DistanceUnit? = nil) {
        self.unit = style.spreadsheet == nil ? unit : style.unit
        spreadsheet = style.spreadsheet
        clock = style.clock
    }

    /// The character between fields.
    package var separator: UInt8 { (spreadsheet ?? .point).separator }

    /// Appends what stands before the first record.
    func begin(to bytes: inout [UInt8]) {
        // The byte order mark: without it, spreadsheet programs take UTF-8 for an older encoding.
        if spreadsheet != nil { bytes += [0xEF, 0xBB, 0xBF] }
    }

    /// Appends the end of a record.
    package func endRecord(in bytes: inout [UInt8]) {
        if spreadsheet != nil { bytes.append(UInt8(ascii: "\r")) }
        bytes.append(UInt8(ascii: "\n"))
    }
}

extension Cell {
    /// Exact to the millimetre in kilometres; miles have no finite number of decimals.
    private static let distanceDecimals = 6
    private static let quote = UInt8(ascii: "\"")

    /// Appends the value as a field of CSV.
    ///
    /// Texts are made safe for spreadsheets: one that would be taken for a formula gets an
    /// apostrophe (``FormulaGuard``), in a file for spreadsheet programs also before each part that
    /// would be taken for one. Lists are separated by semicolons.
    package func appendCSV(to bytes: inout [UInt8], _ form: CSVForm) {
        switch self {
        case .none: break
        case .text(let text), .name(let text): Self.appendCSV(text, to: &bytes, form)
        case .phrase(let phrase): Self.appendCSV(phrase.english, to: &bytes, form)
        case .telling(let text): Self.appendCSV(text(form.clock), to: &bytes, form)
        case .list(let texts): Self.appendCSV(texts.joined(separator: "; "), to: &bytes, form)
        case .figures(let text): Self.appendCSV(Self.marked(text, form), to: &bytes, form)
        case .distance(let distance): Self.appendCSV(distance, to: &bytes, form)
        case .integer, .hundredths, .thousandths, .duration, .decimal, .number, .printedDistance:
            let start = bytes.count
            appendPlain(to: &bytes, by: nil)
            Self.markDecimals(from: start, in: &bytes, form)
        case .time(let time), .said(let time):
            guard form.spreadsheet != nil else { return appendPlain(to: &bytes, by: form.clock) }
            bytes.append(contentsOf: LocalTime.text(time, by: form.clock).utf8)
        case .namedDistance(let distance): Self.appendCSV(distance, to: &bytes, form)
        case .boolean, .day, .trip, .stretch, .minute, .dayAndMinute:
            appendPlain(to: &bytes, by: form.clock)
        case .position:
            // Needs quotes for its comma; a minus sign begins no formula here.
            bytes.append(Self.quote)
            appendPlain(to: &bytes, by: nil)
            bytes.append(Self.quote)
        case .value(let value):
            switch value {
            case .text(let text): Self.appendCSV(text, to: &bytes, form)
            case .number(let number): Cell.decimal(number).appendCSV(to: &bytes, form)
            case .boolean(let isTrue): Cell.boolean(isTrue).appendPlain(to: &bytes, by: nil)
            case .null: break
            }
        case .json(let json):
            Self.appendCSV(String(decoding: json, as: UTF8.self), to: &bytes, form)
        case .jsonByClock(let append):
            var json: [UInt8] = []
            append(form.clock, &json)
            Cell.json(json).appendCSV(to: &bytes, form)
        }
    }

    private static func appendCSV(
        _ distance: Distance,
        to bytes: inout [UInt8],
        _ form: CSVForm
    ) {
        let start = bytes.count
        if let unit = form.unit {
            bytes.append(addingCapacity: DistanceText.longest) {
                DistanceText.append(distance, in: unit, decimals: distanceDecimals, to: &$0)
            }
        } else {
            Cell.distance(distance).appendPlain(to: &bytes, by: nil)
        }
        markDecimals(from: start, in: &bytes, form)
    }

    /// Returns figures with the mark of a spreadsheet program before their decimals.
    private static func marked(_ figures: String, _ form: CSVForm) -> String {
        guard let mark = form.spreadsheet?.character else { return figures }
        return figures.replacing(".", with: String(UnicodeScalar(mark)))
    }

    /// Puts the mark of a spreadsheet program before the decimals of a number.
    private static func markDecimals(from start: Int, in bytes: inout [UInt8], _ form: CSVForm) {
        guard let mark = form.spreadsheet?.character, mark != UInt8(ascii: ".") else { return }
        for index in bytes.indices[start...] where bytes[index] == UInt8(ascii: ".") {
            bytes[index] = mark
        }
    }

    /// Appends a text as a field of CSV.
    package static func appendCSV(_ text: String, to bytes: inout [UInt8], _ form: CSVForm) {
        guard !text.isEmpty else { return }
        let isForPrograms = form.spreadsheet == nil
        let isFormula = isForPrograms && FormulaGuard.beginsFormula(text)
        let text = isForPrograms ? text : FormulaGuard.guarded(text)
        let separator = form.separator
        let needsQuotes = text.utf8.contains { byte in
            switch byte {
            case separator, quote, UInt8(ascii: ","), UInt8(ascii: "\r"), UInt8(ascii: "\n"): true
            default: false
            }
        }
        if needsQuotes { bytes.append(quote) }
        if isFormula { bytes.append(UInt8(ascii: "'")) }
        guard needsQuotes else { return bytes.append(contentsOf: text.utf8) }
        for byte in text.utf8 {
            bytes.append(byte)
            if byte == quote { bytes.append(byte) }
        }
        bytes.append(quote)
    }
}
