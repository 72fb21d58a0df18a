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
