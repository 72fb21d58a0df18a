/// Times as RFC 3339 writes them, with milliseconds: `2026-03-14T15:09:26.535+01:00`.
///
/// `Z` and `-00:00` mean that the offset of local time is not known (RFC 3339 §4.3).
public enum RFC3339 {
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
        bytes.append(contentsOf: CivilDate(daysSince1970: day).description.utf8)
        bytes.append(UInt8(ascii: "T"))
        append(millisecondOfDay / 3_600_000, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(millisecondOfDay / 60_000 % 60, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(millisecondOfDay / 1_000 % 60, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "."))
        append(millisecondOfDay % 1_000, digits: 3, to: &bytes)
        guard utcOffset != nil else {
            bytes.append(UInt8(ascii: "Z"))
            return
        }
        bytes.append(offsetMinutes < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
        append(abs(offsetMinutes) / 60, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(abs(offsetMinutes) % 60, digits: 2, to: &bytes)
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

    private static func append(_ number: Int, digits: Int, to bytes: inout [UInt8]) {
        var unit = Int(PowersOfTen.integers[digits - 1])
        while unit > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(number / unit % 10))
            unit /= 10
        }
    }
}
