/// Times as RFC 3339 writes them, with milliseconds: `2026-03-14T15:09:26.535+01:00`.
///
/// `Z` and `-00:00` say that the offset of local time is not known (RFC 3339 §4.3), `+00:00` that
/// it is zero.
public enum RFC3339 {
    /// The bytes of a date, a time with milliseconds and an offset.
    private static let longestText = 29

    /// The bytes of a minute with its offset.
    package static let minuteByteCount = 12

    /// How many bytes the offset has.
    package static let offsetByteCount = 6

    /// The instants that entries and views can hold, in 48 bits, and that can be written, whatever
    /// the offset: those whose local time lies in the years 1 … 6428.
    @inlinable
    public static var writable: ClosedRange<Timestamp> {
        Timestamp(milliseconds: -62_135_510_400_000)...Timestamp(milliseconds: 140_712_422_399_999)
    }

    /// Returns an instant as text: with its offset in local time, else in UTC with `Z`.
    ///
    /// - Precondition: the local time lies in the years 1 … 9999.
    public static func text(_ timestamp: Timestamp, utcOffset: UTCOffset? = nil) -> String {
        var bytes: [UInt8] = []
        append(timestamp, utcOffset: utcOffset, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends an instant as ``text(_:utcOffset:)`` writes it.
    public static func append(
        _ timestamp: Timestamp,
        utcOffset: UTCOffset? = nil,
        to bytes: inout [UInt8]
    ) {
        let offsetMinutes = Int(utcOffset?.minutes ?? 0)
        let local = Int(timestamp.milliseconds) + offsetMinutes * 60_000
        let (day, millisecondOfDay) = flooredDivision(local, by: Int(Timestamp.millisecondsPerDay))
        let date = CivilDate(daysSince1970: day)
        bytes.append(addingCapacity: longestText) { span in
            date.append(to: &span)
            span.append(UInt8(ascii: "T"))
            append(twoDigits: millisecondOfDay / 3_600_000, to: &span)
            span.append(UInt8(ascii: ":"))
            append(twoDigits: millisecondOfDay / 60_000 % 60, to: &span)
            span.append(UInt8(ascii: ":"))
            append(twoDigits: millisecondOfDay / 1_000 % 60, to: &span)
            span.append(UInt8(ascii: "."))
            span.append(digit(millisecondOfDay % 1_000 / 100))
            append(twoDigits: millisecondOfDay % 100, to: &span)
            if utcOffset == nil {
                span.append(UInt8(ascii: "Z"))
            } else {
                append(offsetMinutes: offsetMinutes, to: &span)
            }
        }
    }

    /// Appends the minute of a local time without its day, and the offset: `15:09 +01:00`; UTC
    /// where the offset is not known.
    ///
    /// There MUST be room for it: ``minuteByteCount``.
    package static func appendMinute(_ time: EventTime, to span: inout OutputSpan<UInt8>) {
        let offsetMinutes = Int(time.utcOffset?.minutes ?? 0)
        let local = Int(time.timestamp.milliseconds) + offsetMinutes * 60_000
        let (_, millisecondOfDay) = flooredDivision(local, by: Int(Timestamp.millisecondsPerDay))
        let minuteOfDay = millisecondOfDay / 60_000
        append(twoDigits: minuteOfDay / 60, to: &span)
        span.append(UInt8(ascii: ":"))
        append(twoDigits: minuteOfDay % 60, to: &span)
        span.append(UInt8(ascii: " "))
        append(offsetMinutes: offsetMinutes, to: &span)
    }

    private static func append(offsetMinutes: Int, to span: inout OutputSpan<UInt8>) {
        span.append(offsetMinutes < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
        append(twoDigits: abs(offsetMinutes) / 60, to: &span)
        span.append(UInt8(ascii: ":"))
        append(twoDigits: abs(offsetMinutes) % 60, to: &span)
    }

    /// Returns the instant that a text writes, or `nil` if it is not RFC 3339, is a leap second, or
    /// is more precise than milliseconds.
    public static func time(_ text: String) -> EventTime? {
        let bytes = Array(text.utf8)
        return try? Self.time(bytes.span, 0..<bytes.count)
    }

    private static func flooredDivision(
        _ number: Int,
        by divisor: Int
    ) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    /// Appends a number below a hundred with two digits.
    @inline(__always)
    static func append(twoDigits number: Int, to span: inout OutputSpan<UInt8>) {
        let (tens, ones) = number.quotientAndRemainder(dividingBy: 10)
        span.append(digit(tens))
        span.append(digit(ones))
    }

    @inline(__always)
    private static func digit(_ number: Int) -> UInt8 {
        UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number)
    }
}

extension RFC3339 {
    /// Reads a time from part of a line.
    package static func time(
        _ line: Span<UInt8>,
        _ range: Range<Int>
    ) throws(TimeProblem) -> EventTime {
        // A span of its own, so that one comparison with its length shows that all places below
        // exist.
        let text = line.extracting(range)
        // The shortest form is YYYY-MM-DDTHH:MM:SSZ.
        guard text.count >= 20, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
            text[10] | 0x20 == UInt8(ascii: "t"), text[13] == UInt8(ascii: ":"),
            text[16] == UInt8(ascii: ":"),
            let date = CivilDate(
                year: number(text, at: 0, digits: 4),
                month: number(text, at: 5, digits: 2),
                day: number(text, at: 8, digits: 2)
            )
        else { throw .malformed }
        let hour = number(text, at: 11, digits: 2)
        let minute = number(text, at: 14, digits: 2)
        let second = number(text, at: 17, digits: 2)
        guard second != 60 else { throw .leapSecond }
        guard (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second) else {
            throw .malformed
        }
        let (millisecond, offset) = try fractionAndOffset(text)
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

    /// Reads what follows the seconds.
    @inline(__always)
    private static func fractionAndOffset(
        _ text: Span<UInt8>
    ) throws(TimeProblem) -> (millisecond: Int, offset: UTCOffset?) {
        // Most senders write milliseconds and Z.
        if text.count == 24, text[19] == UInt8(ascii: "."), text[23] == UInt8(ascii: "Z") {
            let millisecond = number(text, at: 20, digits: 3)
            if millisecond >= 0 { return (millisecond, nil) }
        }
        var position = 19
        let millisecond = try fraction(text, position: &position, end: text.count)
        return (millisecond, try offset(text, position..<text.count))
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

/// Why a text is no time.
package enum TimeProblem: Error {
    /// It is not written as RFC 3339 says, or the calendar has no such instant.
    case malformed

    /// It is the 61st second of a minute.
    case leapSecond

    /// It has digits beyond the millisecond.
    case tooPrecise
}
