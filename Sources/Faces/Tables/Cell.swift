package import Geodesy
import Papers
package import TripEvents

/// The value in one column of one row, before it is written as text, JSON or CSV.
package enum Cell: Sendable {
    /// No value.
    case none

    /// A text, which may come from outside.
    case text(String)

    /// One of the names that this program chooses: plain ASCII.
    case name(String)

    /// A phrase of the program; programs get it in English.
    case phrase(Phrase)

    /// Texts in their order.
    case list([String])

    /// A whole number.
    case integer(Int64)

    /// An amount of money with two decimals: 1,234 is `12.34`.
    case hundredths(Int64)

    /// A number with three decimals: 1,234 is `1.234`.
    case thousandths(Int64)

    /// A number exactly as it was reported.
    case decimal(ExactDecimal)

    /// Numbers with points before their decimals, such as `0.636` or `0.45 to 10000, 0.25 above`,
    /// that JSON has as a text: no reader rounds them there.
    case figures(String)

    /// A finite number, written as the shortest text that reads back as the same one.
    case number(Double)

    /// Yes or no.
    case boolean(Bool)

    /// A day.
    case day(CivilDate)

    /// A time, written in the clock by which it counts.
    case time(EventTime)

    /// A time as it was reported, with its offset from UTC if there was one: for evidence, and for
    /// times by the ledger's own clock. People see it in the clock of all other times.
    case said(EventTime)

    /// A length of time in milliseconds: seconds for programs, hours for people.
    case duration(Int64)

    /// A distance: metres in JSON, a unit elsewhere.
    case distance(Distance)

    /// A sum of distances as they are printed, in hundredths of the unit: for people.
    case printedDistance(Int64)

    /// A distance with the name of its unit: for people.
    case namedDistance(Distance)

    /// The times from one to another: for people.
    case stretch(EventTime, EventTime)

    /// Latitude and longitude in one cell, to a metre.
    case position(Coordinate)

    /// A trip's id, of which people see the beginning.
    case trip(TripID)

    /// The value of a custom field.
    case value(CustomValue)

    /// A JSON value that is written already.
    case json([UInt8])

    /// A sentence of the program that has times in it, which a clock tells.
    case telling(@Sendable (LocalDay?) -> String)

    /// A JSON value that has times in it, which a clock tells.
    case jsonByClock(@Sendable (LocalDay?, inout [UInt8]) -> Void)

    /// The day and the minute of a time, for people: `2025-03-03 08:30`, with the offset where the
    /// times have no zone in common.
    case dayAndMinute(EventTime)

    /// The minute of a local time, for people: `08:30 +01:00`. The date stands before it unless it
    /// is the given one.
    case minute(EventTime, on: CivilDate)
}

extension Cell {
    /// `null` in JSON, even in a column that leaves out missing values.
    static let null = Cell.json(Array("null".utf8))

    /// Whether there is no value.
    package var isNone: Bool {
        if case .none = self { return true }
        return false
    }
}

// MARK: JSON

extension Cell {
    /// Appends the value as JSON.
    ///
    /// - Parameters:
    ///   - bytes: Receives the value.
    ///   - clock: Tells times; `nil` for the offsets that they have.
    package func appendJSON(to bytes: inout [UInt8], by clock: LocalDay?) {
        switch self {
        case .none: bytes.append(contentsOf: "null".utf8)
        case .text(let text), .name(let text), .figures(let text):
            JSONWriter.append(text, to: &bytes)
        case .phrase(let phrase): JSONWriter.append(phrase.english, to: &bytes)
        case .telling(let text): JSONWriter.append(text(clock), to: &bytes)
        case .list(let texts): JSONWriter.append(texts, to: &bytes)
        case .value(let value): JSONWriter.append(value, to: &bytes)
        case .json(let json): bytes.append(contentsOf: json)
        case .jsonByClock(let append): append(clock, &bytes)
        case .integer, .hundredths, .thousandths, .duration, .decimal, .number, .boolean,
            .distance, .namedDistance, .printedDistance:
            appendPlain(to: &bytes, by: clock)
        case .day, .time, .said, .trip, .position, .stretch, .minute, .dayAndMinute:
            bytes.append(UInt8(ascii: "\""))
            appendPlain(to: &bytes, by: clock)
            bytes.append(UInt8(ascii: "\""))
        }
    }

    /// Appends a value that needs no escapes, distances in metres.
    func appendPlain(to bytes: inout [UInt8], by clock: LocalDay?) {
        switch self {
        case .integer(let number): FixedPoint.append(number, decimals: 0, to: &bytes)
        case .hundredths(let number): FixedPoint.append(number, decimals: 2, to: &bytes)
        case .thousandths(let number), .duration(let number):
            FixedPoint.append(number, decimals: 3, to: &bytes)
        case .distance(let distance), .namedDistance(let distance):
            FixedPoint.append(distance.millimeters, decimals: 3, to: &bytes)
        case .printedDistance(let hundredths):
            FixedPoint.append(hundredths, decimals: Self.shownDecimals, to: &bytes)
        case .decimal(let number): bytes.append(contentsOf: number.description.utf8)
        case .number(let number):
            precondition(number.isFinite, "JSON has no infinity and no NaN")
            bytes.append(contentsOf: number.description.utf8)
        case .boolean(let isTrue): bytes.append(contentsOf: (isTrue ? "true" : "false").utf8)
        case .day(let day): day.append(to: &bytes)
        case .time(let time):
            let told = time.told(by: clock)
            RFC3339.append(told.timestamp, utcOffset: told.utcOffset, to: &bytes)
        case .said(let time): RFC3339.append(time.timestamp, utcOffset: time.utcOffset, to: &bytes)
        case .stretch(let from, let to):
            Cell.said(from).appendPlain(to: &bytes, by: clock)
            bytes.append(UInt8(ascii: "/"))
            Cell.said(to).appendPlain(to: &bytes, by: clock)
        case .trip(let trip):
            bytes.append(addingCapacity: Self.tripDigits) {
                trip.append(digits: Self.tripDigits, to: &$0)
            }
        case .position(let position):
            bytes.append(addingCapacity: Self.longestPosition) { Self.append(position, to: &$0) }
        case .minute(let time, let date):
            bytes.append(addingCapacity: Self.longestMinute) {
                LocalTime.appendMinute(time, onOtherDayThan: date, by: clock, to: &$0)
            }
        case .dayAndMinute(let time):
            bytes.append(addingCapacity: Self.longestMinute) {
                LocalTime.appendMinute(time, onOtherDayThan: nil, by: clock, to: &$0)
            }
        case .none, .text, .name, .figures, .phrase, .telling, .list, .value, .json, .jsonByClock:
            preconditionFailure("this cell may need escapes")
        }
    }

    /// The value as plain text for programs: an id or a name.
    var plainText: String {
        switch self {
        case .text(let text), .name(let text): return text
        case .trip(let trip): return trip.description
        default: preconditionFailure("an id is a text, a name or that of a trip")
        }
    }

    private static let tripDigits = 32
    private static let longestMinute = CivilDate.textByteCount + 1 + RFC3339.minuteByteCount

    /// Degrees are shown with five decimals, which is about a metre.
    private static let positionDecimals = 5

    /// The most bytes of a position: its degrees have three digits before the point.
    private static let longestPosition = 2 + 2 * (positionDecimals + 5)

    private static func append(_ position: Coordinate, to span: inout OutputSpan<UInt8>) {
        append(degrees: position.latitude, to: &span)
        span.append(UInt8(ascii: ","))
        span.append(UInt8(ascii: " "))
        append(degrees: position.longitude, to: &span)
    }

    private static func append(degrees: Double, to span: inout OutputSpan<UInt8>) {
        let scaled = Int64((degrees * 100_000).rounded())
        FixedPoint.append(scaled, decimals: positionDecimals, to: &span)
    }
}

// MARK: Text

extension Cell {
    /// How many decimals of a distance people see.
    package static let shownDecimals = 2

    /// Appends the value as a cell of a table for people; distances in a unit, without its name.
    package func append(to table: inout TextTable, _ style: TextStyle) {
        // Values that English writes as a few ASCII characters are written without a `String`.
        let isEnglish = style.language == .en
        switch self {
        case .none: table.addEmptyCell()
        case .text(let text): table.addCell(Excerpt.escaped(text))
        case .name(let text): table.addCell(text)
        case .phrase(let phrase): table.addCell(style.words.text(phrase))
        case .trip(let trip):
            table.addCell(room: TripID.shortDigitCount) {
                trip.append(digits: TripID.shortDigitCount, to: &$0)
            }
        case .integer(let number):
            table.addCell(room: FixedPoint.longestText) {
                FixedPoint.append(number, decimals: 0, to: &$0)
            }
        case .position(let position):
            table.addCell(room: Self.longestPosition) { Self.append(position, to: &$0) }
        case .distance(let distance) where isEnglish:
            table.addCell(room: DistanceText.longest) {
                DistanceText.append(
                    distance,
                    in: style.unit,
                    decimals: Self.shownDecimals,
                    to: &$0
                )
            }
        case .day(let day) where isEnglish:
            table.addCell(room: CivilDate.textByteCount) { day.append(to: &$0) }
        case .minute(let time, let date) where isEnglish:
            table.addCell(room: Self.longestMinute) {
                LocalTime.appendMinute(time, onOtherDayThan: date, by: style.clock, to: &$0)
            }
        case .dayAndMinute(let time) where isEnglish:
            table.addCell(room: Self.longestMinute) {
                LocalTime.appendMinute(time, onOtherDayThan: nil, by: style.clock, to: &$0)
            }
        case .list, .hundredths, .thousandths, .decimal, .figures, .number, .boolean, .time, .said,
            .duration, .value, .json, .jsonByClock, .telling, .printedDistance, .distance, .day,
            .namedDistance, .stretch, .minute, .dayAndMinute:
            table.addCell(text(in: style))
        }
    }

    /// The value for people, in their language; distances in a unit, without its name.
    package func text(in style: TextStyle) -> String {
        let words = style.words
        switch self {
        case .none: return ""
        case .text(let text): return Excerpt.escaped(text)
        case .name(let text): return text
        case .figures(let text): return words.marked(text)
        case .phrase(let phrase): return words.text(phrase)
        case .telling(let text): return Excerpt.escaped(text(style.clock))
        case .list(let texts): return Excerpt.escaped(texts.joined(separator: ", "))
        case .boolean(let isTrue): return words.text(isTrue ? .yes : .no)
        case .day(let day): return words.day(day)
        case .time(let time), .said(let time):
            return words.time(LocalTime.text(time, by: style.clock), on: day(of: time, style))
        case .minute(let time, _), .dayAndMinute(let time):
            return words.time(plain(style.clock), on: day(of: time, style))
        case .duration(let milliseconds): return LocalTime.duration(milliseconds: milliseconds)
        case .distance(let distance):
            return words.marked(
                DistanceText.number(distance, in: style.unit, decimals: Self.shownDecimals)
            )
        case .namedDistance(let distance):
            return words.text(Phrase("\(distance, in: style.unit)"))
        case .stretch(let from, let to): return Self.stretch(from, to, style)
        case .hundredths, .thousandths, .decimal, .number, .printedDistance:
            return words.marked(plain(style.clock))
        case .trip(let trip): return trip.short
        case .value(.text(let text)): return Excerpt.escaped(text)
        case .value(.number(let number)): return words.marked(number.description)
        case .value(.boolean(let isTrue)): return isTrue ? "true" : "false"
        case .value(.null): return ""
        case .json(let json): return Excerpt.escaped(String(decoding: json, as: UTF8.self))
        case .jsonByClock(let append):
            var json: [UInt8] = []
            append(style.clock, &json)
            return Excerpt.escaped(String(decoding: json, as: UTF8.self))
        // Degrees keep their point, because a comma separates them.
        case .integer, .position: return plain(style.clock)
        }
    }

    /// The value as a fact that stands alone: a time with its offset.
    func fact(in style: TextStyle) -> String {
        switch self {
        case .time(let time), .said(let time): LocalTime.text(time.told(by: style.clock))
        default: text(in: style)
        }
    }

    /// Times from one to another; the day stands once if it is the same.
    private static func stretch(_ from: EventTime, _ to: EventTime, _ style: TextStyle) -> String {
        let day = CivilDate(of: to.told(by: style.clock)).description + " "
        let end = LocalTime.text(to, by: style.clock)
        let isSameDay = LocalTime.text(from, by: style.clock).hasPrefix(day)
        let shownEnd = isSameDay ? String(end.dropFirst(day.count)) : Cell.time(to).text(in: style)
        return "\(Cell.time(from).text(in: style)) – \(shownEnd)"
    }

    private func day(of time: EventTime, _ style: TextStyle) -> CivilDate {
        CivilDate(of: time.told(by: style.clock))
    }

    private func plain(_ clock: LocalDay?) -> String {
        var bytes: [UInt8] = []
        appendPlain(to: &bytes, by: clock)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension TripID {
    /// How many of the digits of an id people see in lists.
    package static let shortDigitCount = 8

    /// The beginning of the id that people see in lists.
    package var short: String { String(description.prefix(Self.shortDigitCount)) }
}
