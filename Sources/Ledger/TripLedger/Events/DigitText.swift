import EventStore
import TripEvents

/// A text of at most 16 bytes, to be written eight bytes at a time.
struct ShortText: Sendable {
    /// The most room that it needs, in bytes.
    static let room = 24

    private let first: UInt64
    private let second: UInt64
    private let count: Int

    /// Takes over a text, which MUST have at most 16 bytes.
    init(_ text: String) {
        count = text.utf8.count
        precondition(count <= 16, "the text is short")
        var words: InlineArray<2, UInt64> = [0, 0]
        for (index, byte) in text.utf8.enumerated() {
            words[index / 8] |= UInt64(byte) << UInt64(8 * (index % 8))
        }
        first = words[0]
        second = words[1]
    }

    /// Appends the text.
    @inline(__always)
    func append(to span: inout OutputSpan<UInt8>) {
        span.append(words: first, second, byteCount: count)
    }
}

/// Decimal digits in words, the first digit in the lowest byte.
///
/// Lines of the log consist of numbers, times and names of a few bytes each. To write all of these
/// eight bytes at a time, in this file, takes 1,400 instructions a line of JSON less.
enum DigitText {
    /// The room that a number needs.
    static let room = FixedPoint.longestText + 8

    /// How many digits a word has, and the numbers below which they all are.
    private static let digitCount = 8
    private static let limit: UInt64 = 100_000_000

    private static let zeros: UInt64 = 0x3030_3030_3030_3030

    /// Returns the eight decimal digits of a number below 100,000,000, each as a number.
    ///
    /// Source: D. Lemire, "Converting integers to fixed-digit representations quickly" (2021): the
    /// whole is split into two numbers below ten thousand, those into four below a hundred, and
    /// those into eight, with multiplications instead of divisions.
    @inline(__always)
    private static func digits(_ number: UInt64) -> UInt64 {
        let halves = number / 10_000 | (number % 10_000) << 32
        let upper = (halves &* 10_486) >> 20 & 0x0000_007F_0000_007F
        let quarters = upper &+ (halves &- upper &* 100) << 16
        let tens = (quarters &* 103) >> 10 & 0x000F_000F_000F_000F
        return tens &+ (quarters &- tens &* 10) << 8
    }

    /// Returns the text of the eight decimal digits of a number below 100,000,000.
    @inline(__always)
    static func word(_ number: Int) -> UInt64 {
        digits(UInt64(number)) | zeros
    }

    /// Appends number ÷ 10^decimals with as few decimals as that needs.
    @inline(__always)
    static func append(_ number: Int64, decimals: Int, to span: inout OutputSpan<UInt8>) {
        guard 0...digitCount ~= decimals else { return appendLong(number, decimals, to: &span) }
        let (whole, fraction) =
            decimals == 0
            ? (number.magnitude, 0)
            : number.magnitude.quotientAndRemainder(dividingBy: PowersOfTen.integers[decimals])
        guard whole < limit else { return appendLong(number, decimals, to: &span) }
        if number < 0 { span.append(UInt8(ascii: "-")) }
        let digits = digits(whole)
        let leadingZeros = min(digits.trailingZeroBitCount / 8, digitCount - 1)
        span.append(
            word: (digits | zeros) >> UInt64(8 * leadingZeros),
            byteCount: digitCount - leadingZeros
        )
        guard fraction > 0 else { return }
        span.append(UInt8(ascii: "."))
        let decimalDigits = Self.digits(fraction)
        span.append(
            word: (decimalDigits | zeros) >> UInt64(8 * (digitCount - decimals)),
            // The last digits stand in the highest bytes.
            byteCount: decimals - decimalDigits.leadingZeroBitCount / 8
        )
    }

    @inline(never)
    private static func appendLong(
        _ number: Int64,
        _ decimals: Int,
        to span: inout OutputSpan<UInt8>
    ) {
        var (number, decimals) = (number, decimals)
        while decimals > 0, number % 10 == 0 { (number, decimals) = (number / 10, decimals - 1) }
        FixedPoint.append(number, decimals: decimals, to: &span)
    }
}

/// A date as RFC 3339 writes it, in words.
struct DateText: Sendable {
    fileprivate let daysSince1970: Int64

    /// `YYYY-MM-`, and `DD`.
    fileprivate let yearAndMonth: UInt64
    fileprivate let dayOfMonth: UInt64

    /// Writes a date, whose year MUST be one from 1 to 9999.
    init(daysSince1970: Int64) {
        let date = CivilDate(daysSince1970: Int(daysSince1970))
        self.daysSince1970 = daysSince1970
        // Digits that stand where a hyphen is to be are zeros, and are made into that.
        yearAndMonth =
            DigitText.word(date.year * 10_000 + date.month * 10) - (0x03 << 32 + 0x03 << 56)
        dayOfMonth = DigitText.word(date.day) >> 48
    }
}

/// A time as RFC 3339 writes it, ``RFC3339``, in words.
struct TimeText: Sendable {
    /// The room that it needs.
    static let room = 48

    private var words: InlineArray<4, UInt64>
    private var count: Int

    /// Writes a time, whose local year MUST be one from 1 to 9999.
    init(_ time: EventTime) {
        var date = DateText(daysSince1970: 0)
        self.init(time, &date)
    }

    /// Writes a time with the date of the one before, or with its own, which is kept then: times of
    /// one log are mostly those of one drive.
    @inline(__always)
    init(_ time: EventTime, _ date: inout DateText) {
        let minutes = Int(time.utcOffset?.minutes ?? 0)
        let local = time.timestamp.milliseconds + Int64(minutes) * 60_000
        let day = local.flooredQuotient(by: Timestamp.millisecondsPerDay)
        if day != date.daysSince1970 { date = DateText(daysSince1970: day) }
        let milliseconds = Int(local - day * Timestamp.millisecondsPerDay)
        let second = milliseconds / 1_000
        // Digits that stand where another character is to be are zeros, and are made into that.
        let clock = DigitText.word(
            second / 3_600 * 1_000_000 + second / 60 % 60 * 1_000 + second % 60
        )
        let thousandths = DigitText.word(milliseconds % 1_000) >> 32
        let colons = clock + (0x0A << 16 + 0x0A << 40)
        let point = thousandths - 0x02
        // YYYY-MM- · DDTHH:MM · :SS.mmm and what follows.
        words = [
            date.yearAndMonth,
            date.dayOfMonth | UInt64(UInt8(ascii: "T")) << 16 | colons << 24,
            colons >> 40 | point << 24 | UInt64(UInt8(ascii: "Z")) << 56,
            0,
        ]
        count = 24
        guard time.utcOffset != nil else { return }
        let offset = DigitText.word(abs(minutes) / 60 * 1_000 + abs(minutes) % 60) >> 24
        let sign = UInt64(UInt8(ascii: minutes < 0 ? "-" : "+"))
        words[2] = words[2] & ~(0xFF << 56) | sign << 56
        words[3] = offset + 0x0A << 16
        count = 29
    }

    /// Appends the time.
    @inline(__always)
    func append(to span: inout OutputSpan<UInt8>) {
        span.append(word: words[0], byteCount: 8)
        span.append(word: words[1], byteCount: 8)
        span.append(word: words[2], byteCount: 8)
        if count > 24 { span.append(word: words[3], byteCount: count - 24) }
    }
}
