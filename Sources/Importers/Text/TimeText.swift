import TripEvents

/// Times as others write them: ISO 8601 in its many forms, and seconds or milliseconds since 1970.
struct TimeText {
    /// The zone of times that name none; `nil` if they cannot be told.
    let zone: TimeZoneRules?

    /// Whether times that name no zone are UTC, because the format says so.
    var isUTCUnlessSaid = false

    /// Reads a time; a rejection names the member or column that it stands in.
    ///
    /// - Throws: `Rejection` with `.invalidTime`.
    func time(
        _ text: Span<UInt8>,
        _ range: Range<Int>,
        in name: String
    ) throws(Rejection) -> PreciseTime {
        if let time = try? RFC3339.time(text, range) { return PreciseTime(time) }
        let bytes = text.bytes(in: NumberText.trimmed(text, range))
        guard let parts = Parts(bytes) else {
            throw Self.rejection(bytes, name, "which is no time")
        }
        guard parts.offset.isEmpty else {
            do throws(TimeProblem) {
                return try RFC3339.preciseTime(parts.local + parts.offset)
            } catch {
                throw Self.rejection(bytes, name, Self.what(error))
            }
        }
        let inUTC: PreciseTime
        do throws(TimeProblem) {
            inUTC = try RFC3339.preciseTime(parts.local + [UInt8(ascii: "Z")])
        } catch {
            throw Self.rejection(bytes, name, Self.what(error))
        }
        guard !isUTCUnlessSaid else { return inUTC }
        return PreciseTime(
            try localTime(inUTC.time.timestamp, written: bytes, in: name),
            nanoseconds: inUTC.nanoseconds
        )
    }

    /// Returns the time that a clock in the zone shows, given as if it were UTC.
    ///
    /// - Throws: `Rejection` if no zone is known, or clocks were changed and it is none or two.
    func localTime(
        _ local: Timestamp,
        written text: [UInt8],
        in name: String
    ) throws(Rejection) -> EventTime {
        guard let zone else {
            throw Self.rejection(text, name, "which has no time zone: say which with --time-zone")
        }
        let date = CivilDate(of: EventTime(local))
        let start = Int64(date.daysSince1970) * Timestamp.millisecondsPerDay
        let moment = CivilMoment(date, millisecondOfDay: local.milliseconds - start)
        let times = moment?.times(in: zone) ?? []
        guard let time = times.first, times.count == 1 else {
            let why = times.isEmpty ? "no time" : "two times"
            throw Self.rejection(text, name, "which is \(why) in \(zone.name): clocks were changed")
        }
        return time
    }

    /// Returns the time of a number of seconds since 1970, with up to nine decimals.
    static func seconds(_ seconds: ScaledDecimal, in name: String) throws(Rejection) -> PreciseTime
    {
        guard let nanoseconds = seconds.units(places: 9) else {
            throw Rejection(
                .invalidTime,
                field: name,
                sentence: "\(name) is no number of seconds with at most nine decimals."
            )
        }
        let perMillisecond = Int64(PreciseTime.nanosecondsPerMillisecond)
        let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: perMillisecond)
        let floor = rest < 0 ? whole - 1 : whole
        return PreciseTime(
            EventTime(Timestamp(milliseconds: floor)),
            nanoseconds: UInt32(nanoseconds - floor * perMillisecond)
        )
    }

    /// Returns the time of a number of seconds or milliseconds since 1970.
    ///
    /// Seconds have ten digits until the year 2286, milliseconds thirteen.
    static func sinceEpoch(
        _ number: ScaledDecimal,
        in name: String
    ) throws(Rejection) -> PreciseTime {
        guard number.decimals == 0, number.significand >= leastMilliseconds else {
            return try seconds(number, in: name)
        }
        let time = PreciseTime(EventTime(Timestamp(milliseconds: number.significand)))
        if let rejection = Rejection.unwritable(time, name) { throw rejection }
        return time
    }

    /// A whole number from here on is milliseconds since 1970.
    private static let leastMilliseconds: Int64 = 100_000_000_000

    private static func what(_ problem: TimeProblem) -> String {
        switch problem {
        case .malformed: "which is no time"
        case .leapSecond: "which is a leap second"
        case .tooPrecise: "which has more than nine decimals of a second"
        }
    }

    private static func rejection(_ text: [UInt8], _ name: String, _ what: String) -> Rejection {
        Rejection(
            .invalidTime,
            field: name,
            sentence: "\(name) is \(Excerpt.of(text.span, text.indices)), \(what)."
        )
    }
}

/// A date and a time of day, as RFC 3339 would write them, and what stands behind them.
private struct Parts {
    /// `YYYY-MM-DDTHH:MM:SS`, with a fraction if there is one.
    private(set) var local: [UInt8] = []

    /// `Z` or an offset with its colon; nothing if none is written.
    private(set) var offset: [UInt8] = []

    private var rest: ArraySlice<UInt8>

    /// Takes a text apart: `2024-01-31 10:00`, `2024/01/31T10:00:00,5 +0100`; `nil` if it is
    /// something else.
    init?(_ text: [UInt8]) {
        rest = text[...]
        guard takeDigits(4), takeSeparator(), takeDigits(2), takeSeparator(), takeDigits(2),
            takeT(), takeDigits(2), take(UInt8(ascii: ":")), takeDigits(2)
        else { return nil }
        if rest.first == UInt8(ascii: ":") {
            guard take(UInt8(ascii: ":")), takeDigits(2), takeFraction() else { return nil }
        } else {
            local += ":00".utf8
        }
        guard takeOffset() else { return nil }
    }

    private mutating func takeDigits(_ count: Int) -> Bool {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy(Self.isDigit) else { return false }
        local += digits
        rest = rest.dropFirst(count)
        return true
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        local.append(byte)
        rest = rest.dropFirst()
        return true
    }

    private mutating func takeSeparator() -> Bool {
        guard let byte = rest.popFirst() else { return false }
        local.append(UInt8(ascii: "-"))
        return byte == UInt8(ascii: "-") || byte == UInt8(ascii: "/")
    }

    private mutating func takeT() -> Bool {
        guard let byte = rest.popFirst() else { return false }
        local.append(UInt8(ascii: "T"))
        return byte | 0x20 == UInt8(ascii: "t") || byte == UInt8(ascii: " ")
    }

    private mutating func takeFraction() -> Bool {
        guard rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: ",") else {
            return true
        }
        let digits = rest.dropFirst().prefix(while: Self.isDigit)
        guard !digits.isEmpty else { return false }
        local.append(UInt8(ascii: "."))
        local += digits
        rest = rest.dropFirst(1 + digits.count)
        return true
    }

    private mutating func takeOffset() -> Bool {
        let text = rest.drop { $0 == UInt8(ascii: " ") }
        rest = []
        guard let sign = text.first else { return true }
        let name = String(decoding: text, as: UTF8.self)
        if ["Z", "z", "UTC", "GMT"].contains(name) {
            offset = [UInt8(ascii: "Z")]
            return true
        }
        let digits = text.dropFirst().filter { $0 != UInt8(ascii: ":") }
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
            digits.allSatisfy(Self.isDigit), [2, 4].contains(digits.count)
        else { return false }
        let minutes = digits.count == 4 ? digits.suffix(2) : Array("00".utf8)[...]
        offset = [sign] + digits.prefix(2) + [UInt8(ascii: ":")] + minutes
        return true
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
