import TripEvents

/// Sentences of NMEA 0183: RMC, GGA, GLL and GNS with one time make one fix; ZDA gives the
/// date, as RMC does.
///
/// Latitudes are degrees and minutes, speeds are in knots, times and dates are UTC. A date that is
/// 1,024 weeks before the last one is that of a receiver whose count of weeks has begun anew.
struct NMEAFormat: LineFormat {
    /// The content of the sentences of one time.
    private struct Epoch {
        var record: Int

        /// Milliseconds since midnight.
        var millisecondOfDay: Int64

        var date: CivilDate?
        var latitude: ScaledDecimal?
        var longitude: ScaledDecimal?
        var speed: ScaledDecimal?
        var course: ScaledDecimal?
        var altitude: ScaledDecimal?
    }

    /// The most fixes that wait for their date.
    private static let mostUndated = 100_000

    private let source: String
    private var epoch: Epoch?

    /// Fixes from before the first date.
    private var undated: [Epoch] = []

    /// The date and time of day of the last dated fix.
    private var latest: (date: CivilDate, millisecondOfDay: Int64)?

    init(_ options: ImportOptions) {
        source = options.source ?? "nmea"
    }

    mutating func take(
        _ text: Span<UInt8>,
        _ line: Range<Int>,
        _ number: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        guard let sentence = try NMEASentence(text, line) else {
            return batch.ignore("other", record: number)
        }
        if try !take(sentence, number, into: &batch) {
            batch.ignore(sentence.type, record: number)
        }
    }

    mutating func finish(into batch: inout ImportBatch) {
        endEpoch(into: &batch)
        for epoch in undated {
            let sentence = "No sentence of the input tells the date."
            batch.reject(
                Rejection(.missingField, field: "date", sentence: sentence),
                record: epoch.record
            )
        }
        undated = []
    }

    /// Takes a sentence; returns whether it tells a position or a date.
    private mutating func take(
        _ sentence: NMEASentence,
        _ number: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) -> Bool {
        switch sentence.type {
        case "RMC":
            guard sentence[2] == "A" else { return false }
            let time = try sentence.millisecondOfDay(1)
            begin(time, number, into: &batch)
            try place(sentence, from: 3)
            if let speed = sentence.number(7) { epoch?.speed = speed }
            if let course = sentence.number(8) { epoch?.course = course }
            if let date = sentence.date(9) { setDate(date, into: &batch) }
        case "GGA":
            guard !["", "0"].contains(sentence[6]) else { return false }
            begin(try sentence.millisecondOfDay(1), number, into: &batch)
            try place(sentence, from: 2)
            if let altitude = sentence.number(9) { epoch?.altitude = altitude }
        case "GLL":
            guard sentence[6] == "A" else { return false }
            begin(try sentence.millisecondOfDay(5), number, into: &batch)
            try place(sentence, from: 1)
        case "GNS":
            guard sentence[6].contains(where: { $0 != "N" }) else { return false }
            begin(try sentence.millisecondOfDay(1), number, into: &batch)
            try place(sentence, from: 2)
            if let altitude = sentence.number(9) { epoch?.altitude = altitude }
        case "ZDA":
            guard let date = sentence.fullDate else { return false }
            let time = try sentence.millisecondOfDay(1)
            if epoch?.millisecondOfDay != time { endEpoch(into: &batch) }
            if epoch == nil { latest = (date, time) }
            setDate(date, into: &batch)
        default: return false
        }
        return true
    }

    private mutating func begin(_ time: Int64, _ number: Int, into batch: inout ImportBatch) {
        guard epoch?.millisecondOfDay != time else { return }
        endEpoch(into: &batch)
        epoch = Epoch(record: number, millisecondOfDay: time)
    }

    private mutating func place(
        _ sentence: NMEASentence,
        from field: Int
    ) throws(Rejection) {
        let latitude = try sentence.angle(field, "S", "lat")
        let longitude = try sentence.angle(field + 2, "W", "lon")
        guard epoch?.latitude == nil else { return }
        epoch?.latitude = latitude
        epoch?.longitude = longitude
    }

    private mutating func setDate(_ written: CivilDate, into batch: inout ImportBatch) {
        let date = rolledOver(written)
        epoch?.date = date
        guard !undated.isEmpty else { return }
        // Going back from here, a later time of day belongs to the day before.
        var day = date.daysSince1970
        var next = epoch?.millisecondOfDay ?? latest?.millisecondOfDay ?? 0
        for index in undated.indices.reversed() {
            if undated[index].millisecondOfDay > next + Timestamp.millisecondsPerDay / 2 {
                day -= 1
            }
            next = undated[index].millisecondOfDay
            undated[index].date = CivilDate(daysSince1970: day)
        }
        for epoch in undated { write(epoch, into: &batch) }
        undated = []
    }

    /// Returns a date with the 1,024 weeks that a receiver has lost, if the last one tells so.
    private func rolledOver(_ date: CivilDate) -> CivilDate {
        guard let latest else { return date }
        let behind = latest.date.daysSince1970 - date.daysSince1970
        guard (Self.daysOfRollover - 1...Self.daysOfRollover + 1).contains(behind) else {
            return date
        }
        return CivilDate(daysSince1970: date.daysSince1970 + Self.daysOfRollover)
    }

    private static let daysOfRollover = 7 * 1_024

    private mutating func endEpoch(into batch: inout ImportBatch) {
        guard var ended = epoch else { return }
        epoch = nil
        if ended.date == nil, let latest {
            // The date holds until midnight.
            let isNextDay =
                ended.millisecondOfDay + Timestamp.millisecondsPerDay / 2 < latest.millisecondOfDay
            ended.date = CivilDate(daysSince1970: latest.date.daysSince1970 + (isNextDay ? 1 : 0))
        }
        guard ended.date != nil else {
            guard undated.count < Self.mostUndated else {
                let sentence = "No sentence before it tells the date."
                return batch.reject(
                    Rejection(.missingField, field: "date", sentence: sentence),
                    record: ended.record
                )
            }
            return undated.append(ended)
        }
        write(ended, into: &batch)
    }

    private mutating func write(_ epoch: Epoch, into batch: inout ImportBatch) {
        guard let date = epoch.date, let latitude = epoch.latitude,
            let longitude = epoch.longitude
        else { return }
        latest = (date, epoch.millisecondOfDay)
        let day = Int64(date.daysSince1970) * Timestamp.millisecondsPerDay
        let time = EventTime(Timestamp(milliseconds: day + epoch.millisecondOfDay))
        var fix = batch.begin(.fixRecorded, of: source, at: PreciseTime(time))
        batch.add("lat", latitude, to: &fix)
        batch.add("lon", longitude, to: &fix)
        if let altitude = epoch.altitude { batch.add("altitude", altitude, to: &fix) }
        batch.add("speed", epoch.speed, in: .knots, to: &fix)
        if let course = epoch.course, course.significand >= 0 {
            batch.add("course", course, to: &fix)
        }
        batch.add("provider", text: FixProvider.gps.rawValue, to: &fix)
        batch.end(fix, record: epoch.record)
    }
}

/// A sentence: `$GPRMC,…*43`, its talker, type and fields.
struct NMEASentence {
    /// The type without its talker: `RMC`; the whole name of one that a maker made up.
    let type: String

    private let fields: [Substring]

    /// Takes a line apart; `nil` if it is no sentence.
    ///
    /// - Throws: `Rejection` with `.invalidChecksum`.
    init?(_ text: Span<UInt8>, _ line: Range<Int>) throws(Rejection) {
        guard Self.looksLikeOne(text, line) else { return nil }
        let range = NumberText.trimmed(text, line)
        var end = range.upperBound
        var sum: UInt8 = 0
        for position in range.dropFirst() {
            guard text[position] != UInt8(ascii: "*") else {
                end = position
                break
            }
            sum ^= text[position]
        }
        if end < range.upperBound {
            let digits = text.bytes(in: end + 1..<min(end + 3, range.upperBound))
            let written = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            guard written == sum else {
                throw Rejection(
                    .invalidChecksum,
                    sentence: "The checksum of the sentence is not that of its characters."
                )
            }
        }
        let content = String(decoding: text.bytes(in: range.lowerBound + 1..<end), as: UTF8.self)
        fields = content.split(separator: ",", omittingEmptySubsequences: false)
        let name = fields[0]
        type = name.hasPrefix("P") ? String(name) : String(name.dropFirst(2))
    }

    /// Whether a line may be a sentence.
    static func looksLikeOne(_ text: Span<UInt8>, _ line: Range<Int>) -> Bool {
        let range = NumberText.trimmed(text, line)
        guard range.count > 6, text[range.lowerBound] == UInt8(ascii: "$") else { return false }
        for position in range.dropFirst().prefix(3) {
            guard (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(text[position]) else {
                return false
            }
        }
        return range.dropFirst(4).prefix(8).contains { text[$0] == UInt8(ascii: ",") }
    }

    /// The text of a field; nothing if the sentence is shorter.
    subscript(index: Int) -> String { index < fields.count ? String(fields[index]) : "" }

    /// Returns the number of a field; `nil` if there is none.
    func number(_ index: Int) -> ScaledDecimal? {
        let bytes = Array(self[index].utf8)
        return NumberText.decimal(bytes.span, bytes.indices)
    }

    /// Returns the time of day of a field, `HHMMSS.sss`, in milliseconds.
    func millisecondOfDay(_ index: Int) throws(Rejection) -> Int64 {
        let written = self[index]
        if written.utf8.prefix(7).dropFirst(6).allSatisfy({ $0 == UInt8(ascii: ".") }),
            let time = number(index)?.units(places: 9), time >= 0, written.utf8.count >= 6
        {
            let nanosecondsPerSecond: Int64 = 1_000_000_000
            let whole = time / nanosecondsPerSecond
            let (hours, minutes, seconds) = (whole / 10_000, whole / 100 % 100, whole % 100)
            // A leap second, and midnight at the end of a day, are the beginning of the next.
            let isDayEnd = whole == 240_000 && time % nanosecondsPerSecond == 0
            if hours < 24 || isDayEnd, minutes < 60, seconds <= 60 {
                let fraction = time % nanosecondsPerSecond / 1_000_000
                return ((hours * 60 + minutes) * 60 + seconds) * 1_000 + fraction
            }
        }
        throw Rejection(
            .invalidTime,
            field: "time",
            sentence: "\(Excerpt.of(written)) is no time of day."
        )
    }

    /// Returns the date of a field, `DDMMYY`; `nil` if it is not one.
    func date(_ index: Int) -> CivilDate? {
        let digits = self[index]
        guard digits.utf8.count == 6, let number = Int(digits), number >= 0 else { return nil }
        let year = number % 100
        // GPS began in 1980.
        return CivilDate(
            year: year < 80 ? 2_000 + year : 1_900 + year,
            month: number / 100 % 100,
            day: number / 10_000
        )
    }

    /// The date of a ZDA sentence.
    var fullDate: CivilDate? {
        guard let day = Int(self[2]), let month = Int(self[3]), let year = Int(self[4]) else {
            return nil
        }
        return CivilDate(year: year, month: month, day: day)
    }

    /// Returns an angle in degrees: `DDMM.mmmm` in a field and its hemisphere in the next.
    ///
    /// It has as many decimals as tell its minutes apart, and at least seven.
    func angle(_ index: Int, _ negative: String, _ name: String) throws(Rejection) -> ScaledDecimal
    {
        guard let written = number(index), written.significand >= 0 else {
            throw Rejection(
                .invalidNumber,
                field: name,
                sentence: "\(name) is \(Excerpt.of(self[index])), which is no angle."
            )
        }
        var scale: Int128 = 1
        for _ in 0..<written.decimals { scale *= 10 }
        let (degrees, minutes) = Int128(written.significand)
            .quotientAndRemainder(dividingBy: 100 * scale)
        let decimals = max(7, Int(written.decimals) + 2)
        var unit: Int128 = 1
        for _ in 0..<decimals { unit *= 10 }
        // Minutes ÷ 60, rounded to the nearest.
        let part = (2 * minutes * unit + 60 * scale) / (120 * scale)
        guard minutes < 60 * scale, let magnitude = UInt64(exactly: degrees * unit + part),
            let angle = ScaledDecimal(
                magnitude: magnitude,
                decimals: decimals,
                isNegative: self[index + 1] == negative
            )
        else {
            throw Rejection(
                .coordinateOutOfRange,
                field: name,
                sentence: "\(name) is \(Excerpt.of(self[index])), which is no angle."
            )
        }
        return angle
    }
}
