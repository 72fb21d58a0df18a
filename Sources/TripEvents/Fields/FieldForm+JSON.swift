extension FieldForm {
    /// Returns the field that a JSON value stands for, or throws the reason why it stands for none.
    func value(from json: JSONValue, of name: String) throws(Rejection) -> FieldValue {
        switch (self, json) {
        case (.text(let rule), .text(let text)):
            try rule.check(text.utf8, of: name)
            return .text(text)
        case (.number(let rule), .number(let literal)):
            let number = try Self.number(literal, of: name)
            try rule.check(number, of: name)
            return .number(number)
        case (.integer(let range), .number(let literal)):
            return .integer(try Self.integer(literal, in: range, of: name))
        case (.boolean, .boolean(let boolean)):
            return .boolean(boolean)
        case (.time, .text), (.time, .number):
            return .time(try TimeField.time(from: json, of: name))
        case (.date, .text(let text)):
            return .text(
                try Self.word(text, of: name, as: "a date as YYYY-MM-DD") {
                    CivilDate($0) != nil
                }
            )
        case (.trip, .text(let text)):
            return .text(try Self.trip(text, of: name))
        case (.digest, .text(let text)):
            return .text(
                try Self.word(text, of: name, as: "64 lower-case hexadecimal digits") {
                    Self.isHexadecimal($0, digits: 64)
                }
            )
        case (.positions, .text(let text)):
            return .text(
                try Self.word(text, of: name, as: "positions such as 12-40,55") {
                    PositionRanges($0) != nil
                }
            )
        case (.choice(let choices), .text(let text)):
            return .text(try Self.choice(text, from: choices, of: name))
        case (.texts(let count), .list(let elements)):
            return .texts(
                try Self.texts(elements, count: count, of: name) {
                    (text: String) throws(Rejection) in
                    try TextRule.short.check(text.utf8, of: name)
                    return text
                }
            )
        case (.trips(let count), .list(let elements)):
            return .texts(
                try Self.texts(elements, count: count, of: name) {
                    (text: String) throws(Rejection) in try Self.trip(text, of: name)
                }
            )
        case (.values, .object(let members)):
            return .values(try Self.values(members, of: name))
        default:
            throw .wrongType(name, expected: typeName, found: json.typeName)
        }
    }

    /// Returns the number that a literal writes.
    static func number(_ literal: String, of name: String) throws(Rejection) -> ExactDecimal {
        do throws(NumberProblem) {
            return try ExactDecimal(literal: literal.utf8)
        } catch {
            switch error {
            case .negativeZero:
                throw Rejection(
                    .negativeZero,
                    field: name,
                    sentence: "\(name) is a negative zero, which is no number that anyone meant."
                )
            case .malformed, .outOfRange:
                throw Rejection(
                    .numberOutOfRange,
                    field: name,
                    sentence: "\(name) is \(Excerpt.of(literal)), which is beyond every number "
                        + "that a ledger holds (about -1.8e308 to 1.8e308)."
                )
            }
        }
    }

    private static func integer(
        _ literal: String,
        in range: ClosedRange<UInt64>,
        of name: String
    ) throws(Rejection) -> UInt64 {
        guard literal.utf8.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) else {
            throw Rejection(
                .invalidValue,
                field: name,
                sentence: "\(name) is \(Excerpt.of(literal)); it must be a whole number in "
                    + "digits only."
            )
        }
        guard let integer = UInt64(literal), range.contains(integer) else {
            throw Rejection(
                .numberOutOfRange,
                field: name,
                sentence: "\(name) is \(Excerpt.of(literal)); it must be \(range.lowerBound) to "
                    + "\(range.upperBound)."
            )
        }
        return integer
    }

    private static func word(
        _ text: String,
        of name: String,
        as expected: String,
        if isRight: (String) -> Bool
    ) throws(Rejection) -> String {
        guard isRight(text) else {
            throw Rejection(
                .invalidValue,
                field: name,
                sentence: "\(name) is \(Excerpt.of(text)); it must be \(expected)."
            )
        }
        return text
    }

    private static func trip(_ text: String, of name: String) throws(Rejection) -> String {
        try word(text, of: name, as: "32 lower-case hexadecimal digits") {
            isHexadecimal($0, digits: 32)
        }
    }

    private static func isHexadecimal(_ text: String, digits: Int) -> Bool {
        text.utf8.count == digits
            && text.utf8.allSatisfy { $0 &- 0x30 < 10 || $0 &- 0x61 < 6 }
    }

    private static func choice(
        _ text: String,
        from choices: [String],
        of name: String
    ) throws(Rejection) -> String {
        guard choices.contains(text) else {
            throw Rejection(
                .unknownValue,
                field: name,
                sentence: "\(name) is \(Excerpt.of(text)); it must be one of "
                    + choices.joined(separator: ", ") + "."
            )
        }
        return text
    }

    private static func texts(
        _ elements: [JSONValue],
        count: ClosedRange<Int>,
        of name: String,
        check: (String) throws(Rejection) -> String
    ) throws(Rejection) -> [String] {
        guard count.contains(elements.count) else {
            throw Rejection(
                .invalidValue,
                field: name,
                sentence: "\(name) has \(elements.count) elements; it must have "
                    + "\(count.lowerBound) to \(count.upperBound)."
            )
        }
        var texts: [String] = []
        for element in elements {
            guard case .text(let text) = element else {
                throw .wrongType(
                    "An element of \(name)",
                    expected: "a text",
                    found: element.typeName
                )
            }
            texts.append(try check(text))
        }
        return texts
    }

    private static func values(
        _ members: [JSONValue.Member],
        of name: String
    ) throws(Rejection) -> CustomFields {
        guard members.count <= maximumValues else {
            throw Rejection(
                .invalidValue,
                field: name,
                sentence: "\(name) has \(members.count) members; \(maximumValues) are allowed."
            )
        }
        var fields: [CustomFields.Field] = []
        for member in members {
            try TextRule.key.check(member.name.utf8, of: "A key of \(name)")
            fields.append(
                CustomFields.Field(key: member.name, value: try custom(member.value, of: name))
            )
        }
        return CustomFields(fields)
    }

    private static func custom(
        _ value: JSONValue,
        of name: String
    ) throws(Rejection) -> CustomValue {
        switch value {
        case .null: return .null
        case .boolean(let boolean): return .boolean(boolean)
        case .number(let literal): return .number(try number(literal, of: name))
        case .text(let text):
            try TextRule.long.check(text.utf8, of: "A text in \(name)")
            return .text(text)
        case .list, .object:
            throw .wrongType(
                "A member of \(name)",
                expected: "a text, a number, true, false or null",
                found: value.typeName
            )
        }
    }
}
