import TripEvents

/// The members of a JSON object of a rate table.
///
/// Each is taken once; a member that is left over is an error, so that a misspelt name is never
/// ignored.
struct RateMembers {
    private let place: String
    private let defaults: [JSONValue.Member]
    private var members: [JSONValue.Member]

    /// Begins to read an object.
    ///
    /// - Parameters:
    ///   - value: what should be an object.
    ///   - defaults: members that the object has too unless it says otherwise.
    ///   - place: where it stands, as a sentence says it.
    /// - Throws: ``RateProblem`` if it is no object.
    init(
        _ value: JSONValue,
        defaults: [JSONValue.Member] = [],
        place: String
    ) throws(RateProblem) {
        guard case .object(let members) = value else {
            throw RateProblem(place, "it is \(value.typeName); it must be an object")
        }
        self.place = place
        self.defaults = defaults.filter { member in
            !members.contains { $0.name == member.name }
        }
        self.members = members + self.defaults
    }

    /// Throws if there are members that were not taken; those of the defaults may be left over.
    func finish() throws(RateProblem) {
        let left = members.first { member in
            !defaults.contains { $0.name == member.name }
        }
        if let left { throw problem("it has no member \(Excerpt.of(left.name))") }
    }

    /// Returns a problem at this place.
    func problem(_ sentence: String) -> RateProblem { RateProblem(place, sentence) }

    private mutating func take(_ name: String) -> JSONValue? {
        guard let index = members.firstIndex(where: { $0.name == name }) else { return nil }
        let value = members.remove(at: index).value
        if case .null = value { return nil }
        return value
    }

    private func wrong(
        _ name: String,
        _ value: JSONValue,
        expected: String
    ) -> RateProblem {
        let found =
            switch value {
            case .text(let text): Excerpt.of(text)
            case .number(let literal): literal
            default: value.typeName
            }
        return problem("\"\(name)\" is \(found); it must be \(expected)")
    }

    // MARK: Values

    /// Takes a text of at most 500 bytes, if there is one.
    mutating func optionalText(_ name: String) throws(RateProblem) -> String? {
        guard let value = take(name) else { return nil }
        guard case .text(let text) = value, (1...500).contains(text.utf8.count),
            text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { throw wrong(name, value, expected: "a text of 1 to 500 bytes in one line") }
        return text
    }

    /// Takes a text.
    mutating func text(_ name: String) throws(RateProblem) -> String {
        guard let text = try optionalText(name) else { throw problem("\"\(name)\" is missing") }
        return text
    }

    /// Takes a name in small letters, digits, `_`, `-` and `.`, if there is one.
    mutating func optionalName(_ name: String) throws(RateProblem) -> String? {
        guard let text = try optionalText(name) else { return nil }
        let isName = text.utf8.allSatisfy {
            $0 &- 0x61 < 26 || $0 &- 0x30 < 10 || "_-.".utf8.contains($0)
        }
        guard isName, text.utf8.count <= 100 else {
            let expected = "small letters, digits, '_', '-' and '.', at most 100"
            throw wrong(name, .text(text), expected: expected)
        }
        return text
    }

    /// Takes a name in small letters, digits, `_`, `-` and `.`.
    mutating func name(_ name: String) throws(RateProblem) -> String {
        guard let text = try optionalName(name) else { throw problem("\"\(name)\" is missing") }
        return text
    }

    /// Takes a day, if there is one.
    mutating func optionalDay(_ name: String) throws(RateProblem) -> CivilDate? {
        guard let text = try optionalText(name) else { return nil }
        guard let day = CivilDate(text) else {
            throw wrong(name, .text(text), expected: "a day such as 2026-01-31")
        }
        return day
    }

    /// Takes one of the names of an enumeration, if there is one.
    mutating func optionalChoice<Choice: RawRepresentable & CaseIterable>(
        _ name: String,
        of _: Choice.Type
    ) throws(RateProblem) -> Choice? where Choice.RawValue == String {
        guard let text = try optionalText(name) else { return nil }
        return try choice(text, in: name)
    }

    /// Takes a list of names of an enumeration, each once; an empty one if there is none.
    mutating func choices<Choice: RawRepresentable & CaseIterable & Hashable>(
        _ name: String,
        of _: Choice.Type
    ) throws(RateProblem) -> [Choice] where Choice.RawValue == String {
        var choices: [Choice] = []
        for value in try optionalList(name) ?? [] {
            guard case .text(let text) = value else {
                throw wrong(name, value, expected: "a list of texts")
            }
            choices.append(try choice(text, in: name))
        }
        guard Set(choices).count == choices.count else {
            throw problem("\"\(name)\" names the same one twice")
        }
        return choices
    }

    private func choice<Choice: RawRepresentable & CaseIterable>(
        _ text: String,
        in name: String
    ) throws(RateProblem) -> Choice where Choice.RawValue == String {
        guard let choice = Choice(rawValue: text) else {
            let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw wrong(name, .text(text), expected: "one of \(names)")
        }
        return choice
    }

    /// Takes a truth value; `false` if there is none.
    mutating func flag(_ name: String) throws(RateProblem) -> Bool {
        guard let value = take(name) else { return false }
        guard case .boolean(let flag) = value else {
            throw wrong(name, value, expected: "true or false")
        }
        return flag
    }

    /// Takes a whole number, if there is one.
    mutating func optionalInteger(
        _ name: String,
        in range: ClosedRange<Int64>
    ) throws(RateProblem) -> Int64? {
        guard let value = take(name) else { return nil }
        guard case .number(let literal) = value, let integer = Int64(literal),
            range.contains(integer)
        else {
            let expected = "a whole number, \(range.lowerBound) to \(range.upperBound)"
            throw wrong(name, value, expected: expected)
        }
        return integer
    }

    /// Takes a decimal that is written as a text, so that no program reads it as a nearby one.
    mutating func optionalDecimal(
        _ name: String,
        below limit: Int64,
        places: UInt8
    ) throws(RateProblem) -> ExactDecimal? {
        guard let value = take(name) else { return nil }
        let scale = (0..<places).reduce(Int64(1)) { scale, _ in scale * 10 }
        guard case .text(let text) = value, let decimal = ExactDecimal(literal: text),
            let units = decimal.units(places: places), (0..<limit * scale).contains(units)
        else {
            let expected =
                "a number in quotes, such as \"0.45\", of 0 to below \(limit) with at most "
                + "\(places) decimals"
            throw wrong(name, value, expected: expected)
        }
        return decimal
    }

    /// Takes a list, if there is one.
    mutating func optionalList(_ name: String) throws(RateProblem) -> [JSONValue]? {
        guard let value = take(name) else { return nil }
        guard case .list(let list) = value, list.count <= 2_000 else {
            throw wrong(name, value, expected: "a list of at most 2000 elements")
        }
        return list
    }

    /// Takes a list.
    mutating func list(_ name: String) throws(RateProblem) -> [JSONValue] {
        guard let list = try optionalList(name) else { throw problem("\"\(name)\" is missing") }
        return list
    }

    /// Takes the members of an object; none if there is none.
    mutating func optionalObject(_ name: String) throws(RateProblem) -> [JSONValue.Member] {
        guard let value = take(name) else { return [] }
        guard case .object(let members) = value else {
            throw wrong(name, value, expected: "an object")
        }
        return members
    }
}
