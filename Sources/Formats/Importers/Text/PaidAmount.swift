import TripEvents

/// An amount of money as a table has it: `$4.50`, `4.50 GBP`, `1,250.00`.
struct PaidAmount: Hashable {
    /// The number.
    let number: ScaledDecimal

    /// The sign or the three letters of the currency; empty if none stands there.
    let currency: String

    /// Reads an amount, whose thousands may have commas between them; `nil` if it is none.
    init?(_ text: String) {
        let letters = text.filter { !Self.isOfNumber($0) }
        let digits = text.filter(Self.isOfNumber)
        guard letters.isEmpty || Self.signs.contains(letters) || Self.isCode(letters),
            let plain = Self.withoutThousands(digits),
            let number = NumberText.decimal(plain.span, plain.indices)
        else { return nil }
        self.number = number
        currency = letters.uppercased()
    }

    /// Creates the amount of a number that was read, from the text that it stood in.
    init(_ number: ScaledDecimal, in text: String) {
        let letters = text.filter { !Self.isOfNumber($0) && $0 != "'" && $0 != "\u{2019}" }
        self.number = number
        currency = Self.signs.contains(letters) || Self.isCode(letters) ? letters.uppercased() : ""
    }

    /// The three letters of the currency; `nil` if none is given, or if it is a dollar of an
    /// unknown country.
    var code: String? {
        switch currency {
        case "€": "EUR"
        case "£": "GBP"
        case "", "$": nil
        default: currency
        }
    }

    private static let signs: Set<String> = ["$", "£", "€"]

    private static func isCode(_ letters: String) -> Bool {
        letters.count == 3 && letters.allSatisfy { $0.isASCII && $0.isLetter }
    }

    private static func isOfNumber(_ character: Character) -> Bool {
        character.isASCII && character.isNumber || ".,-+".contains(character)
            || character.isWhitespace
    }

    /// Returns the digits without commas between thousands; `nil` if commas stand elsewhere.
    private static func withoutThousands(_ text: String) -> [UInt8]? {
        let trimmed = text.filter { !$0.isWhitespace }
        let whole = trimmed.prefix { $0 != "." }
        let groups = whole.split(separator: ",", omittingEmptySubsequences: false)
        guard groups.dropFirst().allSatisfy({ $0.count == 3 }),
            !trimmed.dropFirst(whole.count).contains(",")
        else { return nil }
        return Array(trimmed.utf8.filter { $0 != UInt8(ascii: ",") })
    }
}
