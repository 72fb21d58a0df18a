/// Times as RFC 3339 writes them, with milliseconds: `2026-03-14T15:09:26.535+01:00`.
///
/// `Z` and `-00:00` mean that the offset of local time is not known (RFC 3339 §4.3).
public enum RFC3339 {
    /// The bytes of a date, a time with milliseconds and an offset.
    private static let longestText = 29

    /// The bytes of a minute with its offset.
    package static let minuteByteCount = 12

    /// The instants whose local time lies in the years 1 … 9999, whatever the offset.
    @inlinable
    public static var writable: ClosedRange<Timestamp> {
        Timestamp(milliseconds: -62_135_510_400_000)...Timestamp(milliseconds: 253_402_214_399_999)
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
        let (day, millisecondOfDay) = flooredDivision(local, by: 86_400_000)
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
        let minuteOfDay = flooredDivision(local, by: 86_400_000).remainder / 60_000
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

    /// Returns the instant that a text writes, or `nil` if it is not RFC 3339, a leap second, or
    /// says more than milliseconds.
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
