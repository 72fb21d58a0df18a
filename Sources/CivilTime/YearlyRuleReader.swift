/// Reads the parts of a rule such as `CET-1CEST,M3.5.0,M10.5.0/3`.
struct YearlyRuleReader {
    private static let defaultSecondOfDay = 2 * 3_600
    private static let leastNameByteCount = 3

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Whether everything has been read.
    var isAtEnd: Bool { position == bytes.count }

    /// Reads a character if it comes next, and returns whether it did.
    mutating func takes(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else {
            return false
        }
        position += 1
        return true
    }

    /// Reads the name of a kind of time: three letters or more, or `<+03>`.
    mutating func skipName() throws(TimeZoneProblem) {
        let isQuoted = takes("<")
        let start = position
        while position < bytes.count, Self.isOfName(bytes[position], isQuoted: isQuoted) {
            position += 1
        }
        guard position - start >= Self.leastNameByteCount, !isQuoted || takes(">") else {
            throw .invalidRule
        }
    }

    /// Reads `[+-]hh[:mm[:ss]]`, in seconds.
    mutating func readSeconds(hours: ClosedRange<Int>) throws(TimeZoneProblem) -> Int {
        let isNegative = takes("-")
        if !isNegative { _ = takes("+") }
        var seconds = try readNumber(in: hours) * 3_600
        if takes(":") {
            seconds += try readNumber(in: 0...59) * 60
            if takes(":") { seconds += try readNumber(in: 0...59) }
        }
        return isNegative ? -seconds : seconds
    }

    /// Reads `Jn`, `n` or `Mm.w.d`, and the time after a stroke.
    mutating func readMoment() throws(TimeZoneProblem) -> YearlyMoment {
        let day: YearlyMoment.Day
        if takes("J") {
            day = .ofCommonYear(try readNumber(in: 1...365))
        } else if takes("M") {
            let month = try readNumber(in: 1...12)
            guard takes(".") else { throw .invalidRule }
            let week = try readNumber(in: 1...5)
            guard takes(".") else { throw .invalidRule }
            day = .ofWeek(month: month, week: week, weekday: try readNumber(in: 0...6))
        } else {
            day = .ofYear(try readNumber(in: 0...365))
        }
        let second = takes("/") ? try readSeconds(hours: 0...167) : Self.defaultSecondOfDay
        return YearlyMoment(day: day, secondOfDay: second)
    }

    private mutating func readNumber(in range: ClosedRange<Int>) throws(TimeZoneProblem) -> Int {
        let start = position
        var number = 0
        while position < bytes.count, position - start < 3, bytes[position] &- 0x30 < 10 {
            number = number * 10 + Int(bytes[position] - 0x30)
            position += 1
        }
        guard position > start, range.contains(number) else { throw .invalidRule }
        return number
    }

    private static func isOfName(_ byte: UInt8, isQuoted: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"): isQuoted
        default: false
        }
    }
}
