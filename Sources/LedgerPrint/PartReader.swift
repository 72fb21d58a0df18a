import JSONText

/// What is not printed, and why.
struct PrintError: Error {
    let sentence: String

    init(_ sentence: String) {
        self.sentence = sentence
    }
}

/// Reads the members of a part of a picture or document.
struct PartReader {
    /// No page is longer: Cairo's images end there.
    private static let largest = 32_000.0

    /// A longer text is none that a person reads on paper (bytes of UTF-8).
    private static let longestText = 16_384

    /// A longer word may be broken anywhere (characters).
    private static let longestWord = 100

    let value: JSONValue
    let name: String

    init(_ value: JSONValue, _ name: String) {
        self.value = value
        self.name = name
    }

    /// Returns a list; each element knows its place.
    func list(_ member: String) throws(PrintError) -> [PartReader] {
        guard case .list(let elements) = value[member] else {
            throw PrintError("\(name) has no list \(member)")
        }
        return elements.enumerated().map { PartReader($1, "\(name).\(member)[\($0)]") }
    }

    func number(_ member: String) throws(PrintError) -> Double {
        guard let number = try optionalNumber(member) else {
            throw PrintError("\(name) has no number \(member)")
        }
        return number
    }

    func optionalNumber(_ member: String) throws(PrintError) -> Double? {
        guard let value = value[member] else { return nil }
        return try Self.number(value, "\(name).\(member)")
    }

    func numbers(_ member: String, count: Int) throws(PrintError) -> [Double] {
        guard let value = value[member] else { throw PrintError("\(name) has no \(member)") }
        return try Self.numbers(value, "\(name).\(member)", count: count)
    }

    func text(_ member: String) throws(PrintError) -> String {
        guard case .text(let text) = value[member] else {
            throw PrintError("\(name) has no text \(member)")
        }
        return text
    }

    func optionalText(_ member: String) throws(PrintError) -> String? {
        value[member] == nil ? nil : try text(member)
    }

    func color(_ member: String) throws(PrintError) -> PrintedPicture.Color? {
        guard let text = try optionalText(member) else { return nil }
        guard text.utf8.count == 7, text.hasPrefix("#"),
            let number = Int(text.dropFirst(), radix: 16)
        else { throw PrintError("\(name).\(member) is no colour such as #1d5687") }
        return PrintedPicture.Color(
            red: Double(number >> 16 & 255) / 255,
            green: Double(number >> 8 & 255) / 255,
            blue: Double(number & 255) / 255
        )
    }

    static func numbers(
        _ value: JSONValue,
        _ name: String,
        count: Int
    ) throws(PrintError) -> [Double] {
        guard case .list(let elements) = value, elements.count == count else {
            throw PrintError("\(name) is no list of \(count) numbers")
        }
        var numbers: [Double] = []
        for element in elements { numbers.append(try number(element, name)) }
        return numbers
    }

    private static func number(_ value: JSONValue, _ name: String) throws(PrintError) -> Double {
        guard case .number(let literal) = value, let number = Double(literal),
            number.magnitude <= 1e6
        else { throw PrintError("\(name) is no length") }
        return number
    }

    /// Returns the length of a side of a page.
    func side(_ member: String) throws(PrintError) -> Double {
        let side = try number(member)
        guard side >= 1, side <= Self.largest else {
            throw PrintError("\(name).\(member) is not between 1 and \(Int(Self.largest))")
        }
        return side
    }

    /// Returns a text of a document as it can be set.
    ///
    /// - Throws: `PrintError` if it is longer than a person reads on paper.
    static func printable(
        _ text: String,
        _ name: @autoclosure () -> String
    ) throws(PrintError) -> String {
        guard text.utf8.count <= longestText else {
            throw PrintError("\(name()) is longer than \(longestText) bytes")
        }
        let clean = Self.clean(text)
        return clean.utf8.count > longestWord ? breakable(clean) : clean
    }

    /// Returns a text without what Cairo takes for its end or refuses: zeros and noncharacters.
    static func clean(_ text: String) -> String {
        // In UTF-8 noncharacters begin with these bytes, from U+FDD0 on.
        guard text.utf8.contains(where: { $0 == 0 || $0 >= 0xEF }) else { return text }
        let scalars = text.unicodeScalars.map { scalar in
            let isRefused = scalar.value == 0 || scalar.properties.isNoncharacterCodePoint
            return isRefused ? "\u{FFFD}" : scalar
        }
        return String(String.UnicodeScalarView(scalars))
    }

    /// Returns a text whose longest words may be broken at some places (U+200B): without them Pango
    /// would look through all of the rest of a word at each line.
    private static func breakable(_ text: String) -> String {
        var broken = ""
        var length = 0
        for character in text {
            length = character.isWhitespace ? 0 : length + 1
            if length > longestWord {
                broken.append("\u{200B}")
                length = 1
            }
            broken.append(character)
        }
        return broken
    }
}
