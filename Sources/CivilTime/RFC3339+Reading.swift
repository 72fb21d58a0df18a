extension RFC3339 {
    /// Reads a time from part of a line.
    package static func time(
        _ line: Span<UInt8>,
        _ range: Range<Int>
    ) throws(TimeProblem) -> EventTime {
        let start = range.lowerBound
        // The shortest form is YYYY-MM-DDTHH:MM:SSZ.
        guard range.count >= 20, line[start + 4] == UInt8(ascii: "-"),
            line[start + 7] == UInt8(ascii: "-"), line[start + 10] | 0x20 == UInt8(ascii: "t"),
            line[start + 13] == UInt8(ascii: ":"), line[start + 16] == UInt8(ascii: ":"),
            let date = CivilDate(
                year: number(line, at: start, digits: 4),
                month: number(line, at: start + 5, digits: 2),
                day: number(line, at: start + 8, digits: 2)
            )
        else { throw .malformed }
        let hour = number(line, at: start + 11, digits: 2)
        let minute = number(line, at: start + 14, digits: 2)
        let second = number(line, at: start + 17, digits: 2)
        guard second != 60 else { throw .leapSecond }
        guard (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second) else {
            throw .malformed
        }
        var position = start + 19
        let millisecond = try fraction(line, position: &position, end: range.upperBound)
        let offset = try offset(line, position..<range.upperBound)
        let secondOfDay = hour * 3_600 + minute * 60 + second
        let local = (date.daysSince1970 * 86_400 + secondOfDay) * 1_000 + millisecond
        return EventTime(
            Timestamp(milliseconds: Int64(local - Int(offset?.minutes ?? 0) * 60_000)),
            utcOffset: offset
        )
    }

    /// Returns the number that `digits` digits write, or −1 if one of them is no digit.
    @inline(__always)
    private static func number(_ line: Span<UInt8>, at start: Int, digits: Int) -> Int {
        var number = 0
        for position in start..<start + digits {
            let digit = line[position] &- UInt8(ascii: "0")
            guard digit < 10 else { return -1 }
            number = number &* 10 &+ Int(digit)
        }
        return number
    }

    private static func fraction(
        _ line: Span<UInt8>,
        position: inout Int,
        end: Int
    ) throws(TimeProblem) -> Int {
        guard line[position] == UInt8(ascii: ".") else { return 0 }
        position += 1
        var millisecond = 0
        let first = position
        while position < end {
            let digit = line[position] &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            if position - first < 3 {
                millisecond = millisecond * 10 + Int(digit)
            } else if digit != 0 {
                throw .tooPrecise
            }
            position += 1
        }
        switch position - first {
        case 0: throw .malformed
        case 1: return millisecond * 100
        case 2: return millisecond * 10
        default: return millisecond
        }
    }

    private static func offset(
        _ line: Span<UInt8>,
        _ range: Range<Int>
    ) throws(TimeProblem) -> UTCOffset? {
        guard let sign = range.first.map({ line[$0] }) else { throw .malformed }
        if range.count == 1, sign | 0x20 == UInt8(ascii: "z") { return nil }
        let start = range.lowerBound
        guard range.count == 6, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
            line[start + 3] == UInt8(ascii: ":")
        else { throw .malformed }
        let hours = number(line, at: start + 1, digits: 2)
        let minutes = number(line, at: start + 4, digits: 2)
        guard (0..<24).contains(hours), (0..<60).contains(minutes) else { throw .malformed }
        let total = hours * 60 + minutes
        guard sign == UInt8(ascii: "-") else { return UTCOffset(minutes: total) }
        // RFC 3339 §4.3: -00:00 says that the offset is not known.
        return total == 0 ? nil : UTCOffset(minutes: -total)
    }
}
