import TripEvents

/// Times as others write them: ISO 8601 in its many forms, days with the name of their month, and
/// seconds or milliseconds since 1970.
struct TimeText {
    /// The zone of times that name none; `nil` if it is not known.
    let zone: TimeZoneRules?

    /// Whether times that name no zone are UTC, because the format says so.
    var isUTCUnlessSaid = false

    /// Whether the format writes UTC as `+00:00`, which then says nothing of the device's clock;
    /// this also holds if its times are UTC unless they give another offset.
    var isZeroUTC = false

    /// Reads a time; a rejection names the member or column that it stands in.
    ///
    /// - Throws: `Rejection` with `.invalidTime`.
    func time(
        _ text: Span<UInt8>,
        _ range: Range<Int>,
        in name: String
    ) throws(Rejection) -> PreciseTime {
        if let time = try? RFC3339.time(text, range) { return PreciseTime(withoutZero(time)) }
        let bytes = text.bytes(in: NumberText.trimmed(text, range))
        let plain = Self.withoutZoneName(bytes)
        guard let parts = Parts(plain) ?? NamedMonth.iso(plain).flatMap({ Parts($0) }) else {
            throw Self.rejection(bytes, name, "which is no time")
        }
        let offset = parts.offset.isEmpty ? [UInt8(ascii: "Z")] : parts.offset
        var inUTC: PreciseTime
        do throws(TimeProblem) {
            inUTC = try RFC3339.preciseTime(parts.local + offset)
        } catch {
            throw Self.rejection(bytes, name, Self.what(error))
        }
        let late = inUTC.time.timestamp.milliseconds + parts.carriedMilliseconds
        inUTC.time = withoutZero(
            EventTime(Timestamp(milliseconds: late), utcOffset: inUTC.time.utcOffset)
        )
        guard parts.offset.isEmpty, !isUTCUnlessSaid else { return inUTC }
        return PreciseTime(
            try localTime(inUTC.time.timestamp, written: bytes, in: name),
            nanoseconds: inUTC.nanoseconds
        )
    }

    /// Returns a time without its offset if that only means UTC.
    private func withoutZero(_ time: EventTime) -> EventTime {
        guard isZeroUTC || isUTCUnlessSaid, time.utcOffset?.minutes == 0 else { return time }
        return EventTime(time.timestamp)
    }

    /// Returns a time without the name of a zone in brackets, which Java writes behind the offset.
    private static func withoutZoneName(_ text: [UInt8]) -> [UInt8] {
        guard text.last == UInt8(ascii: "]"), let start = text.lastIndex(of: UInt8(ascii: "["))
        else { return text }
        return Array(text[NumberText.trimmed(text.span, 0..<start)])
    }

    /// Returns the time at which a clock in the zone shows a reading, which is given as if it were
    /// UTC.
    ///
    /// - Throws: `Rejection` if no zone is known, or if clocks were changed, so that the time does
    ///   not exist or exists twice.
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

    /// Whole numbers of at least this are milliseconds since 1970.
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

    /// The milliseconds to be added: a second if the sixtieth second is written, a day for
    /// 24:00:00.
    private(set) var carriedMilliseconds: Int64 = 0

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
        carry()
    }

    /// The places of the hour, and of the second, in ``local``.
    private static let hour = 11..<13
    private static let second = 17..<19

    /// Writes a second or an hour that no clock shows as the one before it.
    private mutating func carry() {
        if local[Self.second].elementsEqual("60".utf8) {
            local.replaceSubrange(Self.second, with: "59".utf8)
            carriedMilliseconds = 1_000
        } else if local[Self.hour].elementsEqual("24".utf8),
            local[Self.hour.upperBound...].allSatisfy({ ":.0".utf8.contains($0) })
        {
            local.replaceSubrange(Self.hour, with: "00".utf8)
            carriedMilliseconds = Timestamp.millisecondsPerDay
        }
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
        guard !text.isEmpty else { return true }
        let name = String(decoding: text.prefix { $0 > 0x20 }, as: UTF8.self)
        if ["Z", "z", "UTC", "GMT"].contains(name) {
            offset = [UInt8(ascii: "Z")]
            return text.count == name.utf8.count
        }
        let isPrefixed = name.hasPrefix("UTC") || name.hasPrefix("GMT")
        // Some programs write the zone's name after its offset: `+0100 CET`.
        let written = text.prefix { $0 > 0x20 }.dropFirst(isPrefixed ? 3 : 0)
        guard let sign = written.first, sign == 0x2B || sign == 0x2D else { return false }
        var digits = written.dropFirst().filter { $0 != UInt8(ascii: ":") }
        if digits.count % 2 == 1 { digits.insert(UInt8(ascii: "0"), at: 0) }
        guard digits.allSatisfy(Self.isDigit), [2, 4].contains(digits.count),
            text.dropFirst(name.utf8.count).allSatisfy({ Self.isOfName($0) })
        else { return false }
        let minutes = digits.count == 4 ? digits.suffix(2) : Array("00".utf8)[...]
        offset = [sign] + digits.prefix(2) + [UInt8(ascii: ":")] + minutes
        return true
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26 || " /_-()".utf8.contains(byte)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
