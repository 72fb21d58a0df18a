import Documents
package import Geodesy
package import TripEvents

/// What stands in one column of one row, before it is written as text, JSON or CSV.
package enum Cell: Sendable {
    /// No value.
    case none

    /// A text, which may come from outside.
    case text(String)

    /// One of the names that this program chooses: plain ASCII.
    case name(String)

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

    /// A finite number, written as the shortest text that reads back as the same one.
    case number(Double)

    /// Yes or no.
    case boolean(Bool)

    /// A day.
    case day(CivilDate)

    /// A time, told by the clock by which it counts.
    case time(EventTime)

    /// A time as it was said, with its offset from UTC if that was: evidence, and what the ledger
    /// stored by its own clock. People see it by the clock by which all times are told.
    case said(EventTime)

    /// A length of time in milliseconds: seconds for programs, hours for people.
    case duration(Int64)

    /// A distance: metres in JSON, a unit elsewhere.
    case distance(Distance)

    /// A sum of distances as they are printed, in hundredths of the unit: for people.
    case printedDistance(Int64)

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
    /// `null` in JSON also where a column leaves out what has no value.
    static let null = Cell.json(Array("null".utf8))

    /// Whether there is no value.
    var isNone: Bool {
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
    func appendJSON(to bytes: inout [UInt8], by clock: LocalDay?) {
        switch self {
        case .none: bytes.append(contentsOf: "null".utf8)
        case .text(let text), .name(let text): JSONWriter.append(text, to: &bytes)
        case .telling(let text): JSONWriter.append(text(clock), to: &bytes)
        case .list(let texts): JSONWriter.append(texts, to: &bytes)
        case .value(let value): JSONWriter.append(value, to: &bytes)
        case .json(let json): bytes.append(contentsOf: json)
        case .jsonByClock(let append): append(clock, &bytes)
        case .integer, .hundredths, .thousandths, .duration, .decimal, .number, .boolean,
            .distance, .printedDistance:
            appendPlain(to: &bytes, by: clock)
        case .day, .time, .said, .trip, .position, .minute, .dayAndMinute:
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
        case .distance(let distance):
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
        case .none, .text, .name, .telling, .list, .value, .json, .jsonByClock:
            preconditionFailure("this cell may need escapes")
        }
    }

    /// The value as programs type it: an id or a name.
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
    static let shownDecimals = 2

    /// Appends the value as a cell of a table for people; distances in a unit, without its name.
    func append(to table: inout TextTable, _ style: TextStyle) {
        guard style.language == .en else {
            if isNone {
                table.addEmptyCell()
            } else {
                table.addCell(localized(englishCell(in: style), style))
            }
            return
        }
        switch self {
        case .none: table.addEmptyCell()
        case .text(let text): table.addCell(Excerpt.escaped(text))
        case .name(let text): table.addCell(text)
        case .trip(let trip):
            table.addCell(room: TripID.shortDigitCount) {
                trip.append(digits: TripID.shortDigitCount, to: &$0)
            }
        case .distance(let distance):
            table.addCell(room: DistanceText.longest) {
                DistanceText.append(
                    distance,
                    in: style.unit,
                    decimals: Self.shownDecimals,
                    to: &$0
                )
            }
        case .integer(let number):
            table.addCell(room: FixedPoint.longestText) {
                FixedPoint.append(number, decimals: 0, to: &$0)
            }
        case .day(let day):
            table.addCell(room: CivilDate.textByteCount) { day.append(to: &$0) }
        case .minute(let time, let date):
            table.addCell(room: Self.longestMinute) {
                LocalTime.appendMinute(time, onOtherDayThan: date, by: style.clock, to: &$0)
            }
        case .dayAndMinute(let time):
            table.addCell(room: Self.longestMinute) {
                LocalTime.appendMinute(time, onOtherDayThan: nil, by: style.clock, to: &$0)
            }
        case .position(let position):
            table.addCell(room: Self.longestPosition) { Self.append(position, to: &$0) }
        case .list, .hundredths, .thousandths, .decimal, .number, .boolean, .time, .said, .duration,
            .value, .json, .jsonByClock, .telling, .printedDistance:
            table.addCell(text(in: style))
        }
    }

    /// The value for people, in their language; distances in a unit, without its name.
    package func text(in style: TextStyle) -> String {
        localized(englishText(in: style), style)
    }

    /// The value as a fact that stands alone: a time with its offset.
    func fact(in style: TextStyle) -> String {
        switch self {
        case .time(let time), .said(let time): LocalTime.text(time.told(by: style.clock))
        default: text(in: style)
        }
    }

    /// Returns the value's English text in the language of a style.
    private func localized(_ text: String, _ style: TextStyle) -> String {
        guard style.language != .en else { return text }
        switch self {
        case .name, .boolean: return style.words.text(text)
        case .hundredths, .thousandths, .decimal, .number, .distance, .printedDistance:
            return style.words.number(text)
        case .day, .time, .said, .dayAndMinute, .minute: return style.words.day(text)
        // Degrees keep their point, for a comma stands between them.
        case .none, .text, .list, .integer, .duration, .position, .trip, .value, .json,
            .jsonByClock, .telling:
            return text
        }
    }

    /// The value as a table has it: without the offset of times in the zone that the reader knows.
    private func englishCell(in style: TextStyle) -> String {
        var bytes: [UInt8] = []
        switch self {
        case .minute(let time, let date):
            bytes.append(addingCapacity: Self.longestMinute) {
                LocalTime.appendMinute(time, onOtherDayThan: date, by: style.clock, to: &$0)
            }
        case .dayAndMinute(let time):
            bytes.append(addingCapacity: Self.longestMinute) {
                LocalTime.appendMinute(time, onOtherDayThan: nil, by: style.clock, to: &$0)
            }
        default: return englishText(in: style)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func englishText(in style: TextStyle) -> String {
        switch self {
        case .none: return ""
        case .text(let text): return Excerpt.escaped(text)
        case .name(let text): return text
        case .telling(let text): return Excerpt.escaped(text(style.clock))
        case .list(let texts): return Excerpt.escaped(texts.joined(separator: ", "))
        case .boolean(let isTrue): return isTrue ? "yes" : "no"
        case .time(let time), .said(let time): return LocalTime.text(time, by: style.clock)
        case .duration(let milliseconds): return LocalTime.duration(milliseconds: milliseconds)
        case .distance(let distance):
            return DistanceText.number(distance, in: style.unit, decimals: Self.shownDecimals)
        case .trip(let trip): return trip.short
        case .value(.text(let text)): return Excerpt.escaped(text)
        case .value(.number(let number)): return number.description
        case .value(.boolean(let isTrue)): return isTrue ? "true" : "false"
        case .value(.null): return ""
        case .json(let json): return Excerpt.escaped(String(decoding: json, as: UTF8.self))
        case .jsonByClock(let append):
            var json: [UInt8] = []
            append(style.clock, &json)
            return Excerpt.escaped(String(decoding: json, as: UTF8.self))
        case .integer, .hundredths, .thousandths, .decimal, .number, .day, .position, .minute,
            .dayAndMinute, .printedDistance:
            var bytes: [UInt8] = []
            appendPlain(to: &bytes, by: style.clock)
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}

extension TripID {
    /// How many of the digits of an id people see in lists.
    package static let shortDigitCount = 8

    /// As much of the id as people see in lists.
    package var short: String { String(description.prefix(Self.shortDigitCount)) }
}
