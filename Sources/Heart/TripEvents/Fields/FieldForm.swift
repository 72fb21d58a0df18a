/// The form of a field's value, in JSON and in bytes.
///
/// ``check(_:of:)`` is the only check of a value, whether a program made it, a JSON line said it or
/// stored bytes hold it.
enum FieldForm {
    case text(TextRule)
    case number(NumberRule)
    case integer(ClosedRange<UInt64>)
    case boolean

    /// RFC 3339, or milliseconds since 1970.
    case time

    /// `YYYY-MM-DD`.
    case date

    /// 32 lower-case hexadecimal digits.
    case trip

    /// 64 lower-case hexadecimal digits.
    case digest

    /// Positions of entries, such as `12-40,55`.
    case positions

    /// Runs of entries and the records from which they came, such as `~1,2-40`.
    case records

    /// Three capital letters (ISO 4217).
    case currency

    /// Two small letters, or these, a hyphen and two capital letters (BCP 47).
    case language

    /// Two small letters (ISO 3166-1).
    case country

    /// One of a few words.
    case choice([String])

    /// A list of some of a few words, each once.
    case choices([String])

    /// A list of texts.
    case texts(count: ClosedRange<Int>, TextRule)

    /// A list of trips.
    case trips(count: ClosedRange<Int>)

    /// An object of texts, numbers, booleans and nulls.
    case values

    static let maximumValues = 100

    /// What the JSON value must be, as a sentence calls it.
    var typeName: String {
        switch self {
        case .text, .date, .trip, .digest, .positions, .records, .currency, .language, .country,
            .choice:
            "a text"
        case .number: "a number"
        case .integer: "a whole number"
        case .boolean: "true or false"
        case .time: "a time"
        case .texts, .trips, .choices: "a list of texts"
        case .values: "an object"
        }
    }
}

extension FieldForm {
    /// Throws if a value breaks the rules of the form; a null, which clears a detail, breaks none.
    func check(_ value: FieldValue, of name: String) throws(Rejection) {
        switch (self, value) {
        case (_, .null), (.boolean, .boolean): break
        case (.text(let rule), .text(let text)): try rule.check(text.utf8, of: name)
        case (.number(let rule), .number(let number)): try rule.check(number, of: name)
        case (.integer(let range), .integer(let integer)):
            guard range.contains(integer) else {
                throw .outOfRange("\(integer)", range, of: name)
            }
        case (.time, .time(let time)): try Self.check(time, of: name)
        case (.date, .text(let text)), (.positions, .text(let text)), (.records, .text(let text)),
            (.currency, .text(let text)), (.language, .text(let text)), (.country, .text(let text)):
            try check(word: text, of: name)
        case (.trip, .text(let text)): try Self.check(hexadecimal: text, digits: 32, of: name)
        case (.digest, .text(let text)): try Self.check(hexadecimal: text, digits: 64, of: name)
        case (.choice(let choices), .text(let text)):
            guard choices.contains(text) else { throw .unknownValue(text, choices, of: name) }
        case (.choices(let choices), .texts(let texts)):
            try Self.check(count: texts.count, in: 1...choices.count, of: name)
            for text in texts where !choices.contains(text) {
                throw .unknownValue(text, choices, of: name)
            }
            guard Set(texts).count == texts.count else {
                throw Rejection(
                    .invalidValue,
                    field: name,
                    sentence: "\(name) names the same one twice."
                )
            }
        case (.texts(let count, let rule), .texts(let texts)):
            try Self.check(count: texts.count, in: count, of: name)
            for text in texts { try rule.check(text.utf8, of: name) }
        case (.trips(let count), .texts(let texts)):
            try Self.check(count: texts.count, in: count, of: name)
            for text in texts { try Self.check(hexadecimal: text, digits: 32, of: name) }
        case (.values, .values(let fields)): try Self.check(fields, of: name)
        default:
            preconditionFailure("\(name) holds a value of another form")
        }
    }

    /// Throws unless a text is a word of this form.
    private func check(word: String, of name: String) throws(Rejection) {
        let (isRight, expected): (Bool, String)
        switch self {
        case .date: (isRight, expected) = (CivilDate(word) != nil, "a date as YYYY-MM-DD")
        case .positions:
            (isRight, expected) = (PositionRanges(word) != nil, "positions such as 12-40,55")
        case .records: (isRight, expected) = (RecordRuns(word) != nil, "records such as ~1,2-40")
        case .currency:
            isRight = word.utf8.count == 3 && word.utf8.allSatisfy { $0 &- 0x41 < 26 }
            expected = "three capital letters such as EUR"
        case .language:
            (isRight, expected) = (Self.isLanguage(word), "a language such as de or en-GB")
        case .country:
            isRight = word.utf8.count == 2 && word.utf8.allSatisfy { $0 &- 0x61 < 26 }
            expected = "two small letters such as de"
        case .text, .number, .integer, .boolean, .time, .trip, .digest, .choice, .choices, .texts,
            .trips, .values:
            preconditionFailure("\(name) is of another form")
        }
        guard isRight else { throw .invalidValue(word, of: name, expected: expected) }
    }

    /// Throws if a time cannot be written as RFC 3339 with every offset.
    static func check(_ time: EventTime, of name: String) throws(Rejection) {
        guard !RFC3339.writable.contains(time.timestamp) else { return }
        // The instants of the years 1 … 9999 in UTC; only local times in these years have a text.
        let calendar: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999
        let milliseconds = time.timestamp.milliseconds
        let offset = Int64(time.utcOffset?.minutes ?? 0) * 60_000
        let local = milliseconds.addingReportingOverflow(offset)
        let shown =
            !local.overflow && calendar.contains(local.partialValue)
            ? RFC3339.text(time.timestamp, utcOffset: time.utcOffset)
            : "\(milliseconds), in milliseconds since 1970,"
        let sentence = "\(name) \(shown) is not in the years 1 to 6428, whatever the offset."
        throw Rejection(.timeOutOfRange, field: name, sentence: sentence)
    }

    /// Returns whether a text is `xx` or `xx-YY`.
    private static func isLanguage(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard let language = parts.first, language.count == 2, parts.count <= 2,
            language.allSatisfy({ $0 &- 0x61 < 26 })
        else { return false }
        return parts.dropFirst()
            .allSatisfy { region in
                region.count == 2 && region.allSatisfy { $0 &- 0x41 < 26 }
            }
    }

    private static func check(
        hexadecimal text: String,
        digits: Int,
        of name: String
    ) throws(Rejection) {
        let isRight =
            text.utf8.count == digits
            && text.utf8.allSatisfy { $0 &- 0x30 < 10 || $0 &- 0x61 < 6 }
        guard isRight else {
            let expected = "\(digits) lower-case hexadecimal digits"
            throw .invalidValue(text, of: name, expected: expected)
        }
    }

    private static func check(
        count: Int,
        in allowed: ClosedRange<Int>,
        of name: String
    ) throws(Rejection) {
        guard !allowed.contains(count) else { return }
        throw Rejection(
            .invalidValue,
            field: name,
            sentence: "\(name) has \(count) elements; it must have \(allowed.lowerBound) to "
                + "\(allowed.upperBound)."
        )
    }

    private static func check(_ fields: CustomFields, of name: String) throws(Rejection) {
        guard fields.all.count <= maximumValues else {
            throw Rejection(
                .invalidValue,
                field: name,
                sentence: "\(name) has \(fields.all.count) members; \(maximumValues) are allowed."
            )
        }
        for field in fields.all {
            try TextRule.key.check(field.key.utf8, of: "A key of \(name)")
            if case .text(let text) = field.value {
                try TextRule.long.check(text.utf8, of: "A text in \(name)")
            }
        }
    }
}

extension Rejection {
    /// Returns the reason for a text that does not say a value of its form.
    fileprivate static func invalidValue(
        _ text: String,
        of name: String,
        expected: String
    ) -> Rejection {
        Rejection(
            .invalidValue,
            field: name,
            sentence: "\(name) is \(Excerpt.of(text)); it must be \(expected)."
        )
    }

    /// Returns the reason for a word that is not allowed.
    static func unknownValue(_ text: String, _ known: [String], of name: String) -> Rejection {
        Rejection(
            .unknownValue,
            field: name,
            sentence: "\(name) is \(Excerpt.of(text)); it must be one of "
                + known.joined(separator: ", ") + "."
        )
    }

    /// Returns the reason for a whole number that is too small or too large.
    static func outOfRange(
        _ literal: String,
        _ range: ClosedRange<UInt64>,
        of name: String
    ) -> Rejection {
        Rejection(
            .numberOutOfRange,
            field: name,
            sentence: "\(name) is \(Excerpt.of(literal)); it must be \(range.lowerBound) to "
                + "\(range.upperBound)."
        )
    }
}

/// What a text may be.
struct TextRule {
    /// How many bytes of UTF-8 it may have.
    let maximumBytes: Int

    /// Whether it may hold line feeds and tabs.
    var allowsLineBreaks = false

    static let source = TextRule(maximumBytes: 128)
    static let id = TextRule(maximumBytes: 255)
    static let short = TextRule(maximumBytes: 200)
    static let long = TextRule(maximumBytes: 4_000, allowsLineBreaks: true)
    static let key = TextRule(maximumBytes: 64)
    static let group = TextRule(maximumBytes: 64)
    static let rate = TextRule(maximumBytes: 4_000)

    /// Throws if a text, given as valid UTF-8, breaks the rule.
    func check(_ text: some Collection<UInt8>, of name: String) throws(Rejection) {
        guard !text.isEmpty else {
            throw Rejection(
                .emptyText,
                field: name,
                sentence: "\(name) is empty; it has 1 to \(maximumBytes) bytes."
            )
        }
        guard text.count <= maximumBytes else {
            throw Rejection(
                .textTooLong,
                field: name,
                sentence: "\(name) has \(text.count) bytes; \(maximumBytes) are allowed."
            )
        }
        var previous: UInt8 = 0
        for byte in text {
            // U+0080 … U+009F are control characters too: 0xC2 and a byte below 0xA0.
            let isHighControl = previous == 0xC2 && byte < 0xA0
            let isBreak = byte == 0x0A || byte == 0x09
            if byte < 0x20 && !(isBreak && allowsLineBreaks) || byte == 0x7F || isHighControl {
                throw Rejection(
                    .invalidText,
                    field: name,
                    sentence: "\(name) holds the control character \(Excerpt.hexadecimal(byte)); "
                        + (allowsLineBreaks ? "only \\n and \\t are allowed." : "none is allowed.")
                )
            }
            previous = byte
        }
    }
}

/// What a number may be.
enum NumberRule {
    case any
    case notNegative

    /// A part of one: 0 … 1.
    case fraction

    /// Degrees, −90 … 90.
    case latitude

    /// Degrees, −180 … 180.
    case longitude

    /// Returns whether a number keeps the rule.
    func allows(_ number: ExactDecimal) -> Bool {
        switch self {
        case .any: true
        case .notNegative: number.doubleValue >= 0
        case .fraction: number.doubleValue >= 0 && Self.isAngle(number, atMost: 1)
        case .latitude: Self.isAngle(number, atMost: 90)
        case .longitude: Self.isAngle(number, atMost: 180)
        }
    }

    /// Returns whether a number of degrees lies between −limit and limit, exactly.
    static func isAngle(_ number: ScaledDecimal, atMost limit: UInt64) -> Bool {
        let scaled = limit.multipliedReportingOverflow(
            by: PowersOfTen.integers[Int(number.decimals)]
        )
        // A significand has at most 18 digits, so a limit beyond 64 bits is beyond it.
        return scaled.overflow || number.significand.magnitude <= scaled.partialValue
    }

    private static func isAngle(_ number: ExactDecimal, atMost limit: UInt64) -> Bool {
        guard let scaled = number.scaled else {
            return number.doubleValue.magnitude <= Double(limit)
        }
        return isAngle(scaled, atMost: limit)
    }

    /// Throws if a number breaks the rule.
    func check(_ number: ExactDecimal, of name: String) throws(Rejection) {
        guard !allows(number) else { return }
        switch self {
        case .any, .notNegative:
            throw Rejection(
                .numberOutOfRange,
                field: name,
                sentence: "\(name) is \(number.shortDescription); it must not be negative."
            )
        case .fraction:
            throw Rejection(
                .numberOutOfRange,
                field: name,
                sentence: "\(name) is \(number.shortDescription); it must be 0 to 1."
            )
        case .latitude, .longitude:
            let limit = self == .latitude ? 90 : 180
            throw Rejection(
                .coordinateOutOfRange,
                field: name,
                sentence: "\(name) \(number.shortDescription) is out of range (-\(limit) to "
                    + "\(limit))."
            )
        }
    }
}

extension ExactDecimal {
    /// The number as a sentence shows it.
    fileprivate var shortDescription: String {
        description.utf8.count <= 40 ? description : String(doubleValue)
    }
}

extension FieldForm {
    /// Returns the value that JSON says, and of a time the nanoseconds after its millisecond.
    ///
    /// - Throws: `Rejection` as ``value(from:of:)`` does.
    func preciseValue(
        from json: JSONValue,
        of name: String
    ) throws(Rejection) -> (value: FieldValue, nanoseconds: UInt32) {
        guard case .time = self else { return (try value(from: json, of: name), 0) }
        let precise = try Self.time(from: json, of: name)
        try check(.time(precise.time), of: name)
        return (.time(precise.time), precise.nanoseconds)
    }

    /// Returns the value that JSON says, checked by ``check(_:of:)``; a time is cut to the
    /// millisecond.
    ///
    /// - Throws: `Rejection` if the JSON is of another type or says no such value.
    func value(from json: JSONValue, of name: String) throws(Rejection) -> FieldValue {
        let value = try converted(from: json, of: name)
        try check(value, of: name)
        return value
    }

    private func converted(from json: JSONValue, of name: String) throws(Rejection) -> FieldValue {
        switch (self, json) {
        case (.text, .text(let text)), (.date, .text(let text)), (.trip, .text(let text)),
            (.digest, .text(let text)), (.positions, .text(let text)), (.choice, .text(let text)),
            (.records, .text(let text)), (.currency, .text(let text)),
            (.language, .text(let text)), (.country, .text(let text)):
            return .text(text)
        case (.number, .number(let literal)):
            return .number(try Self.number(literal, of: name))
        case (.integer(let range), .number(let literal)):
            return .integer(try Self.integer(literal, in: range, of: name))
        case (.boolean, .boolean(let boolean)):
            return .boolean(boolean)
        case (.time, .text), (.time, .number):
            return .time(try Self.time(from: json, of: name).time)
        case (.texts, .list(let elements)), (.trips, .list(let elements)),
            (.choices, .list(let elements)):
            return .texts(try Self.texts(elements, of: name))
        case (.values, .object(let members)):
            var fields: [CustomFields.Field] = []
            for member in members {
                let value = try Self.custom(member.value, of: name)
                fields.append(CustomFields.Field(key: member.name, value: value))
            }
            return .values(CustomFields(fields))
        default:
            throw .wrongType(name, expected: typeName, found: json.typeName)
        }
    }

    /// Returns the number that a literal writes.
    static func number(_ literal: String, of name: String) throws(Rejection) -> ExactDecimal {
        do throws(NumberProblem) {
            return try ExactDecimal(literal: literal.utf8)
        } catch {
            throw Rejection(
                .numberOutOfRange,
                field: name,
                sentence: "\(name) is \(Excerpt.of(literal)), which is beyond every number "
                    + "that a ledger holds (about -1.8e308 to 1.8e308)."
            )
        }
    }

    private static func integer(
        _ literal: String,
        in range: ClosedRange<UInt64>,
        of name: String
    ) throws(Rejection) -> UInt64 {
        let digits = literal == "-0" ? "0" : literal
        guard digits.utf8.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) else {
            throw Rejection(
                .invalidValue,
                field: name,
                sentence: "\(name) is \(Excerpt.of(literal)); it must be a whole number in "
                    + "digits only."
            )
        }
        guard let integer = UInt64(digits) else { throw .outOfRange(literal, range, of: name) }
        return integer
    }

    /// Returns the time that a JSON value says: RFC 3339, or whole milliseconds since 1970.
    static func time(from json: JSONValue, of name: String) throws(Rejection) -> PreciseTime {
        switch json {
        case .text(let text):
            do throws(TimeProblem) {
                return try RFC3339.preciseTime(Array(text.utf8))
            } catch {
                throw invalidTime(text, error, of: name)
            }
        case .number(let literal):
            guard let milliseconds = Int64(literal) else {
                throw invalidTime(literal, .malformed, of: name)
            }
            return PreciseTime(EventTime(Timestamp(milliseconds: milliseconds)))
        default:
            throw .wrongType(name, expected: FieldForm.time.typeName, found: json.typeName)
        }
    }

    private static func invalidTime(
        _ text: String,
        _ problem: TimeProblem,
        of name: String
    ) -> Rejection {
        let why =
            switch problem {
            case .malformed:
                "is no time; write RFC 3339, such as 2026-03-14T16:09:26+01:00 (Z and -00:00 say "
                    + "that the offset of local time is not known, +00:00 that it is zero), or "
                    + "whole milliseconds since 1970"
            case .leapSecond: "is a leap second, which has no place on a scale without them"
            case .tooPrecise: "says more than nanoseconds; round it to nine digits"
            }
        return Rejection(
            .invalidTime,
            field: name,
            sentence: "\(name) \(Excerpt.of(text)) \(why)."
        )
    }

    private static func texts(
        _ elements: [JSONValue],
        of name: String
    ) throws(Rejection) -> [String] {
        var texts: [String] = []
        for element in elements {
            guard case .text(let text) = element else {
                throw .wrongType(
                    "An element of \(name)",
                    expected: "a text",
                    found: element.typeName
                )
            }
            texts.append(text)
        }
        return texts
    }

    private static func custom(
        _ value: JSONValue,
        of name: String
    ) throws(Rejection) -> CustomValue {
        switch value {
        case .null: return .null
        case .boolean(let boolean): return .boolean(boolean)
        case .number(let literal): return .number(try number(literal, of: name))
        case .text(let text): return .text(text)
        case .list, .object:
            throw .wrongType(
                "A member of \(name)",
                expected: "a text, a number, true, false or null",
                found: value.typeName
            )
        }
    }
}

extension JSONWriter {
    /// Appends a field's value.
    static func append(_ value: FieldValue, to bytes: inout [UInt8]) {
        switch value {
        case .text(let text): append(text, to: &bytes)
        case .number(let number): bytes.append(contentsOf: number.description.utf8)
        case .integer(let integer): bytes.append(contentsOf: String(integer).utf8)
        case .boolean(let boolean): bytes.append(contentsOf: (boolean ? "true" : "false").utf8)
        case .time(let time):
            bytes.append(UInt8(ascii: "\""))
            RFC3339.append(time.timestamp, utcOffset: time.utcOffset, to: &bytes)
            bytes.append(UInt8(ascii: "\""))
        case .null: bytes.append(contentsOf: "null".utf8)
        case .texts(let texts): append(texts, to: &bytes)
        case .values(let fields): append(fields, to: &bytes)
        }
    }

    /// Appends custom fields as an object.
    package static func append(_ fields: CustomFields, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        for field in fields.all {
            appendName(field.key, to: &bytes)
            append(field.value, to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Appends the value of a custom field.
    package static func append(_ value: CustomValue, to bytes: inout [UInt8]) {
        switch value {
        case .text(let text): append(text, to: &bytes)
        case .number(let number): bytes.append(contentsOf: number.description.utf8)
        case .boolean(let boolean): append(FieldValue.boolean(boolean), to: &bytes)
        case .null: append(FieldValue.null, to: &bytes)
        }
    }
}
