import TripEvents

/// The texts of a row, by their fields.
struct MappedRow {
    private let map: ColumnMap
    private let separator: UInt8
    private let texts: [ColumnMap.Field: String]

    /// Takes the texts that are there out of the cells of a line.
    init(_ map: ColumnMap, _ header: ColumnHeader, _ cells: CSVCells, _ text: Span<UInt8>) {
        self.map = map
        separator = header.separator
        var texts: [ColumnMap.Field: String] = [:]
        for (field, column) in map.columns {
            let parts = header[field].compactMap { cells.text($0, text) }
            let said = column.takesFirst ? parts.first : parts.joined(separator: " ")
            guard let value = parts.isEmpty ? column.constant : said else { continue }
            texts[field] = column.prefix + (column.words[value.lowercased()] ?? value)
        }
        self.texts = texts
    }

    /// The text of a field; `nil` if it is empty.
    subscript(field: ColumnMap.Field) -> String? { texts[field] }

    /// Returns the number of a field in the unit of the ledger; `nil` if there is none.
    ///
    /// Odometers keep their unit.
    ///
    /// - Throws: `Rejection` if something else stands there.
    func number(_ field: ColumnMap.Field) throws(Rejection) -> ScaledDecimal? {
        guard let written = self[field] else { return nil }
        let column = map.columns[field]
        if field.isAngle {
            if let number = WellKnownPoint.number(written, isLatitude: field.isLatitude) {
                return number
            }
            let point = point(of: Array(written.utf8))
            guard let degrees = AngleText.degrees(written.utf8, point: point),
                let converted = (column?.unit ?? .degrees).converted(degrees)
            else { throw Self.rejection(written, field) }
            return converted
        }
        var unit = column?.unit
        // Three letters beside an amount of money are its currency.
        let digits = field.isMoney ? written.filter { !$0.isLetter } : written
        guard let number = plainNumber(digits, &unit) else {
            throw Self.rejection(written, field)
        }
        guard let unit, field != .odometerStart, field != .odometerEnd else {
            guard unit == column?.unit else { throw Self.rejection(written, field) }
            return number
        }
        guard field.units.contains(unit) else { throw Self.rejection(written, field) }
        // A negative speed means that it is not known.
        return unit.converted(number) ?? (number.significand < 0 ? number : nil)
    }

    /// Returns how long a trip took, in milliseconds: a number, or `1:30` or `1:30:00`.
    func duration() throws(Rejection) -> Int64? {
        guard let written = self[.duration] else { return nil }
        let parts = written.split(separator: ":", omittingEmptySubsequences: false)
            .map { Int64($0) }
        if parts.count == 2 || parts.count == 3 {
            let numbers = parts.compactMap { $0 }
            guard numbers.count == parts.count, numbers.allSatisfy({ (0..<100_000).contains($0) })
            else { throw Self.rejection(written, .duration) }
            return (numbers.reduce(0) { $0 * 60 + $1 }) * (parts.count == 2 ? 60_000 : 1_000)
        }
        guard let seconds = try number(.duration), seconds.significand >= 0,
            seconds.doubleValue < Double(Self.longestSeconds)
        else { throw Self.rejection(written, .duration) }
        return Int64((seconds.doubleValue * 1_000).rounded())
    }

    /// A year.
    private static let longestSeconds: Int64 = 366 * 86_400

    // MARK: Numbers

    /// Returns a number without the sign of a currency, marks of thousands and its unit, which
    /// counts if it is there.
    private func plainNumber(_ written: String, _ unit: inout ColumnMap.Unit?) -> ScaledDecimal? {
        var text = written.drop { Self.currencies.contains($0) || $0 == " " }
        let letters = text.reversed().prefix { $0.isLetter || $0 == "/" }
        if !letters.isEmpty, letters.count < text.count {
            guard let spelled = ColumnMap.Unit.spelled(String(letters.reversed())) else {
                return nil
            }
            unit = spelled
            text = text.dropLast(letters.count)
        }
        while let last = text.last, last == " " || Self.currencies.contains(last) {
            text = text.dropLast()
        }
        guard let digits = Self.withoutBlanks(text) else { return nil }
        guard let plain = withoutThousands(digits) else { return nil }
        return NumberText.decimal(plain.span, plain.indices, point: point(of: plain))
    }

    private static let currencies: Set<Character> = ["$", "€", "£"]

    /// The marks that stand only between thousands: blanks of several widths, and apostrophes.
    private static let blanks: Set<Character> = [
        " ", "\u{A0}", "\u{2009}", "\u{202F}", "'", "\u{2019}",
    ]

    /// Returns a number without blanks between its thousands; `nil` if they stand elsewhere.
    private static func withoutBlanks(_ text: Substring) -> [UInt8]? {
        // Fast path: few numbers have any.
        guard text.contains(where: { blanks.contains($0) }) else { return Array(text.utf8) }
        let whole = text.prefix { $0 != "." && $0 != "," }
        let rest = text.dropFirst(whole.count)
        let groups = whole.split(omittingEmptySubsequences: false) { blanks.contains($0) }
        guard let first = groups.first, 1...4 ~= first.count,
            groups.dropFirst().allSatisfy({ $0.count == 3 }),
            !rest.contains(where: { blanks.contains($0) })
        else { return nil }
        return Array(groups.joined().utf8) + Array(rest.utf8)
    }

    /// Returns a number without the marks between thousands; `nil` if one stands elsewhere, too.
    ///
    /// The meaning of the other mark is known only if the map gives the decimal mark.
    private func withoutThousands(_ digits: [UInt8]) -> [UInt8]? {
        guard let decimalMark = map.decimalMark else { return digits }
        let mark = decimalMark == UInt8(ascii: ",") ? UInt8(ascii: ".") : UInt8(ascii: ",")
        let whole = digits.prefix { $0 != decimalMark }
        guard whole.contains(mark) else { return digits }
        let groups = whole.split(separator: mark, omittingEmptySubsequences: false)
        guard groups.dropFirst().allSatisfy({ $0.count == 3 }), groups.first?.isEmpty == false
        else { return nil }
        return Array(groups.joined()) + digits.dropFirst(whole.count)
    }

    /// Returns the decimal mark of a number.
    private func point(of digits: [UInt8]) -> UInt8 {
        if let mark = map.decimalMark { return mark }
        let hasComma = separator != UInt8(ascii: ",") && digits.contains(UInt8(ascii: ","))
        return hasComma ? UInt8(ascii: ",") : UInt8(ascii: ".")
    }

    private static func rejection(_ written: String, _ field: ColumnMap.Field) -> Rejection {
        let units = field.units.map(\.rawValue).joined(separator: ", ")
        let kind = units.isEmpty ? "no number" : "no number in \(units)"
        return Rejection(
            .invalidNumber,
            field: field.rawValue,
            sentence: "\(field.rawValue) is \(Excerpt.of(written)), which is \(kind)."
        )
    }
}
