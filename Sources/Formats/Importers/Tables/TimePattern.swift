import TripEvents

/// How a table writes its times, such as `dd/MM/yyyy HH:mm`: letters stand for digits, everything
/// else for itself.
///
/// The letters are those of Unicode's date patterns (UTS #35): `yyyy` or `yy`, `M`, `MM` or `MMM`,
/// `d`, `H` (0–23) or `h` (1–12) with `a` (AM or PM), `m`, `s`, `S` for decimals of a second, `X`
/// for an offset, `E` for a day of the week, which is not checked. Months have English names.
/// Letters between apostrophes stand for themselves, and two apostrophes for one.
struct TimePattern: Hashable, Sendable {
    private enum Part: Hashable, Sendable {
        case year(digits: Int)
        case month
        case monthName
        case day
        case hour
        case halfDayHour
        case half
        case minute
        case second
        case fraction
        case offset
        case weekday
        case literal(UInt8)
    }

    /// What was written.
    let text: String

    private let parts: [Part]

    /// Whether it has a time of day; without one it is a day.
    var hasTimeOfDay: Bool { parts.contains(.hour) || parts.contains(.halfDayHour) }

    /// Reads a pattern; `nil` if it has letters that stand for nothing, or no day.
    init?(_ text: String) {
        self.text = text
        var parts: [Part] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.first {
            if byte == UInt8(ascii: "'") {
                guard let literal = Self.quoted(&rest) else { return nil }
                parts += literal.map { .literal($0) }
                continue
            }
            let letters = rest.prefix { $0 == byte }
            rest = rest.dropFirst(letters.count)
            guard (byte | 0x20) &- UInt8(ascii: "a") < 26, byte != UInt8(ascii: "T") else {
                parts += letters.map { .literal($0) }
                continue
            }
            guard let part = Self.part(byte, letters.count) else { return nil }
            parts.append(part)
        }
        let hasMonth = parts.contains(.month) || parts.contains(.monthName)
        let hasYear = parts.contains { if case .year = $0 { true } else { false } }
        guard hasYear, hasMonth, parts.contains(.day),
            parts.contains(.halfDayHour) == parts.contains(.half)
        else { return nil }
        self.parts = parts
    }

    /// Takes what stands between two apostrophes; `nil` if there is only one.
    private static func quoted(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        let mark = UInt8(ascii: "'")
        rest = rest.dropFirst()
        if rest.first == mark {
            rest = rest.dropFirst()
            return [mark]
        }
        var text: [UInt8] = []
        while let byte = rest.popFirst() {
            guard byte == mark else {
                text.append(byte)
                continue
            }
            guard rest.first == mark else { return text }
            rest = rest.dropFirst()
            text.append(mark)
        }
        return nil
    }

    private static func part(_ letter: UInt8, _ count: Int) -> Part? {
        switch (Character(Unicode.Scalar(letter)), count) {
        case ("y", 2), ("y", 4): .year(digits: count)
        case ("M", 1), ("M", 2): .month
        case ("M", 3), ("M", 4): .monthName
        case ("E", 1...4): .weekday
        case ("d", 1), ("d", 2): .day
        case ("H", 1), ("H", 2): .hour
        case ("h", 1), ("h", 2): .halfDayHour
        case ("a", 1): .half
        case ("m", 1), ("m", 2): .minute
        case ("s", 1), ("s", 2): .second
        case ("S", _): .fraction
        case ("X", _), ("Z", _): .offset
        default: nil
        }
    }

    /// Returns a time as ISO 8601 writes it; `nil` if it is written in another way, or there is no
    /// such day.
    ///
    /// A day without a time of day is its noon.
    func iso(_ written: some Collection<UInt8>) -> [UInt8]? {
        var clock = Clock()
        var rest = Array(written)[...]
        for (index, part) in parts.enumerated() {
            let next = index + 1 < parts.count ? parts[index + 1] : nil
            guard take(part, before: next, &rest, into: &clock) else { return nil }
        }
        return rest.isEmpty ? clock.iso(hasTimeOfDay: hasTimeOfDay) : nil
    }

    private func take(
        _ part: Part,
        before next: Part?,
        _ rest: inout ArraySlice<UInt8>,
        into clock: inout Clock
    ) -> Bool {
        // Numbers without anything between them have two digits each.
        let isTight = next.map { if case .literal = $0 { false } else { $0 != .half } } ?? false
        switch part {
        case .year(let digits):
            guard let year = Self.number(digits...digits, &rest) else { return false }
            clock.year = digits == 2 ? 2_000 + year - (year < 80 ? 0 : 100) : year
        case .month: return Self.take(isTight, &rest, into: &clock.month)
        case .monthName:
            guard let month = Self.month(&rest) else { return false }
            clock.month = month
        case .day: return Self.take(isTight, &rest, into: &clock.day)
        case .hour, .halfDayHour: return Self.take(isTight, &rest, into: &clock.hour)
        case .half:
            let letters = String(decoding: rest.prefix(2), as: UTF8.self).uppercased()
            guard ["AM", "PM"].contains(letters), (1...12).contains(clock.hour) else {
                return false
            }
            clock.hour = clock.hour % 12 + (letters == "PM" ? 12 : 0)
            rest = rest.dropFirst(2)
        case .minute: return Self.take(isTight, &rest, into: &clock.minute)
        case .second: return Self.take(isTight, &rest, into: &clock.second)
        case .fraction:
            clock.fraction = Array(rest.prefix { $0 &- UInt8(ascii: "0") < 10 })
            guard (1...9).contains(clock.fraction.count) else { return false }
            rest = rest.dropFirst(clock.fraction.count)
        case .offset:
            guard let offset = Self.offset(&rest, isLast: next == nil) else { return false }
            clock.offset = offset
        case .weekday:
            let name = rest.prefix { byte in
                byte >= 0x80 || (byte | 0x20) &- UInt8(ascii: "a") < 26
            }
            guard !name.isEmpty else { return false }
            rest = rest.dropFirst(name.count)
            if rest.first == UInt8(ascii: "."), next != .literal(UInt8(ascii: ".")) {
                rest = rest.dropFirst()
            }
        case .literal(let byte): return rest.popFirst() == byte
        }
        return true
    }

    /// Takes an offset: `+01:00`, `+0100`, `Z`, `UTC`, `GMT+01:00`, `+0000 UTC`, with the name of
    /// a zone behind it; `nil` if something else stands there.
    private static func offset(_ rest: inout ArraySlice<UInt8>, isLast: Bool) -> [UInt8]? {
        let written = isLast ? rest : rest.prefix { $0 != UInt8(ascii: " ") }
        var text = String(decoding: written, as: UTF8.self)
        if let zone = text.firstIndex(of: "["), text.hasSuffix("]") { text.removeSubrange(zone...) }
        if text.count > 4, text.hasSuffix(" UTC") || text.hasSuffix(" GMT") { text.removeLast(4) }
        if text.hasPrefix("GMT") || text.hasPrefix("UTC") { text.removeFirst(3) }
        rest = rest.dropFirst(written.count)
        guard !text.isEmpty, text.uppercased() != "Z" else { return [UInt8(ascii: "Z")] }
        let digits = text.dropFirst().filter { $0 != ":" }
        guard text.hasPrefix("+") || text.hasPrefix("-"), [2, 4].contains(digits.count),
            digits.allSatisfy({ $0.isASCII && $0.isNumber })
        else { return nil }
        let minutes = digits.count == 4 ? digits.suffix(2) : "00"
        return Array("\(text.prefix(1))\(digits.prefix(2)):\(minutes)".utf8)
    }

    private static func take(
        _ isTight: Bool,
        _ rest: inout ArraySlice<UInt8>,
        into number: inout Int
    ) -> Bool {
        guard let digits = self.number(isTight ? 2...2 : 1...2, &rest) else { return false }
        number = digits
        return true
    }

    private static func number(
        _ count: ClosedRange<Int>,
        _ rest: inout ArraySlice<UInt8>
    ) -> Int? {
        let digits = rest.prefix(count.upperBound).prefix { $0 &- UInt8(ascii: "0") < 10 }
        guard digits.count >= count.lowerBound else { return nil }
        rest = rest.dropFirst(digits.count)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september",
        "october", "november", "december",
    ]

    /// Takes the English name of a month, or its first three letters.
    private static func month(_ rest: inout ArraySlice<UInt8>) -> Int? {
        let letters = rest.prefix { ($0 | 0x20) &- UInt8(ascii: "a") < 26 }
        let word = String(decoding: letters, as: UTF8.self).lowercased()
        guard word.count >= 3, let index = months.firstIndex(where: { $0.hasPrefix(word) }) else {
            return nil
        }
        rest = rest.dropFirst(letters.count)
        if rest.first == UInt8(ascii: "."), word.count == 3 { rest = rest.dropFirst() }
        return index + 1
    }

    /// What a pattern found.
    private struct Clock {
        var year = 0
        var month = 0
        var day = 0
        var hour = 12
        var minute = 0
        var second = 0
        var fraction: [UInt8] = []
        var offset: [UInt8] = []

        func iso(hasTimeOfDay: Bool) -> [UInt8]? {
            guard CivilDate(year: year, month: month, day: day) != nil, hour < 24, minute < 60,
                second < 60
            else { return nil }
            let zeros = String(repeating: "0", count: max(0, 4 - String(year).count))
            let numbers = [month, day, hour, minute, second].map { $0 < 10 ? "0\($0)" : "\($0)" }
            var text = Array(
                ("\(zeros)\(year)-\(numbers[0])-\(numbers[1])"
                    + "T\(numbers[2]):\(numbers[3]):\(numbers[4])")
                    .utf8
            )
            if !fraction.isEmpty { text += [UInt8(ascii: ".")] + fraction }
            return text + offset
        }
    }
}
