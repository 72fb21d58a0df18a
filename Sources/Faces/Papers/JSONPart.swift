import JSONText

/// The reason why a JSON text is not a picture or document.
package struct PaperFault: Error {
    /// A sentence without a full stop that names the part.
    package let sentence: String
}

/// A part of a picture or document as JSON, which is read member by member.
struct JSONPart {
    /// No page is longer: Cairo's images end there.
    private static let largest = 32_000.0

    /// No person reads a longer text on paper (bytes of UTF-8).
    private static let longestText = 16_384

    let value: JSONValue

    /// Where it is, such as `the document.blocks[0]`.
    let name: String

    init(_ value: JSONValue, _ name: String) {
        self.value = value
        self.name = name
    }

    func fault(_ text: String) -> PaperFault { PaperFault(sentence: "\(name)\(text)") }

    func has(_ member: String) -> Bool { value[member] != nil }

    /// Checks that there are no other members: none may be ignored.
    func checkMembers(_ names: Set<String>) throws(PaperFault) {
        guard case .object(let members) = value else { throw fault(" is no object") }
        if let member = members.first(where: { !names.contains($0.name) }) {
            throw fault(" has a member that cannot be printed: \(member.name)")
        }
    }

    /// Returns a member as a part that knows its place.
    func part(_ member: String) throws(PaperFault) -> JSONPart {
        guard let value = value[member] else { throw fault(" has no \(member)") }
        return JSONPart(value, "\(name).\(member)")
    }

    /// Returns the elements of a list, each read as a part that knows its place.
    func list<Element>(
        _ member: String,
        most: Int = .max,
        _ element: (JSONPart) throws(PaperFault) -> Element
    ) throws(PaperFault) -> [Element] {
        guard case .list(let values) = value[member] else {
            throw fault(" has no list \(member)")
        }
        guard values.count <= most else {
            throw fault(".\(member) has more than \(most) elements")
        }
        var elements: [Element] = []
        elements.reserveCapacity(values.count)
        for (index, value) in values.enumerated() {
            elements.append(try element(JSONPart(value, "\(name).\(member)[\(index)]")))
        }
        return elements
    }
}

/// Texts and choices.
extension JSONPart {
    func text(_ member: String) throws(PaperFault) -> String {
        guard case .text(let text) = value[member] else { throw fault(" has no text \(member)") }
        return text
    }

    /// Returns a text that a person can read on paper.
    func shortText(_ member: String) throws(PaperFault) -> String {
        let text = try text(member)
        guard text.utf8.count <= Self.longestText else {
            throw fault(".\(member) is longer than \(Self.longestText) bytes")
        }
        return text
    }

    /// Returns a list of texts that a person can read on paper.
    func shortTexts(_ member: String, most: Int) throws(PaperFault) -> [String] {
        let texts = try texts(member, most: most)
        guard texts.allSatisfy({ $0.utf8.count <= Self.longestText }) else {
            throw PaperFault(
                sentence: "a text of \(name).\(member) is longer than \(Self.longestText) bytes"
            )
        }
        return texts
    }

    /// Returns a list of texts of any length.
    func texts(_ member: String, most: Int) throws(PaperFault) -> [String] {
        guard case .list(let values) = value[member] else {
            throw fault(" has no list \(member)")
        }
        guard values.count <= most else {
            throw fault(".\(member) has more than \(most) elements")
        }
        var texts: [String] = []
        texts.reserveCapacity(values.count)
        for value in values {
            guard case .text(let text) = value else {
                throw fault(".\(member) is no list of texts")
            }
            texts.append(text)
        }
        return texts
    }

    func boolean(_ member: String) throws(PaperFault) -> Bool {
        guard case .boolean(let boolean) = value[member] else {
            throw fault(".\(member) is neither true nor false")
        }
        return boolean
    }

    /// Returns the value that a text names.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ member: String
    ) throws(PaperFault) -> Choice {
        guard let choice = Choice(rawValue: try text(member)) else {
            let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw fault(".\(member) is none of \(words)")
        }
        return choice
    }

    func color(_ member: String) throws(PaperFault) -> Ink {
        guard let color = Color(try text(member)) else {
            throw fault(".\(member) is no colour such as #1d5687")
        }
        return .color(color)
    }

    func optionalColor(_ member: String) throws(PaperFault) -> Ink? {
        has(member) ? try color(member) : nil
    }
}

/// Lengths.
extension JSONPart {
    func number(_ member: String) throws(PaperFault) -> Double {
        guard let number = try optionalNumber(member) else {
            throw fault(" has no number \(member)")
        }
        return number
    }

    func optionalNumber(_ member: String) throws(PaperFault) -> Double? {
        guard let value = value[member] else { return nil }
        return try JSONPart(value, "\(name).\(member)").number()
    }

    /// Returns the length of a side of a page.
    func side(_ member: String) throws(PaperFault) -> Double {
        let side = try number(member)
        guard side >= 1, side <= Self.largest else {
            throw fault(".\(member) is not between 1 and \(Int(Self.largest))")
        }
        return side
    }

    /// Returns the numbers that this part is a list of.
    func numbers(count: Int) throws(PaperFault) -> [Double] {
        guard case .list(let values) = value, values.count == count else {
            throw fault(" is no list of \(count) numbers")
        }
        var numbers: [Double] = []
        for value in values { numbers.append(try JSONPart(value, name).number()) }
        return numbers
    }

    private func number() throws(PaperFault) -> Double {
        guard case .number(let literal) = value, let number = Double(literal),
            number.magnitude <= 1e6
        else { throw fault(" is no length") }
        return number
    }
}

extension [UInt8] {
    /// Appends a list.
    mutating func appendList<Member>(
        _ members: [Member],
        _ append: (Member, inout [UInt8]) -> Void
    ) {
        self.append(UInt8(ascii: "["))
        for (index, member) in members.enumerated() {
            if index > 0 { self.append(UInt8(ascii: ",")) }
            append(member, &self)
        }
        self.append(UInt8(ascii: "]"))
    }

    /// Appends a length, rounded to hundredths.
    mutating func append(length: Double) {
        FixedPoint.append(Int64((length * 100).rounded()), decimals: 2, to: &self)
    }
}
