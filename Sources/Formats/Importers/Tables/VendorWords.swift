import TripEvents

/// The kinds of expenses that names of vendors suggest: proposed in the map of a table of expenses
/// that does not give them, for people to check and change.
enum VendorWords {
    /// Words in vendors' names that mean one kind of expense, in lower case.
    ///
    /// Ordinary words, and those that occur in many words, such as "total" or "bp", are not
    /// included.
    private static let words: [ExpenseKind: [String]] = [
        .fuel: [
            "shell", "aral", "esso", "q8", "texaco", "chevron", "exxon", "tankstelle",
            "tankstation", "station-service", "gas station", "petrol",
        ],
        .charging: [
            "ionity", "fastned", "allego", "enbw", "chargepoint", "supercharger", "electrify",
            "ladepark", "ladesäule", "laadpaal", "borne de recharge",
        ],
        .parking: [
            "q-park", "apcoa", "indigo park", "parkhaus", "parkplatz", "parkeer", "parking",
            "yellowbrick", "easypark", "paybyphone",
        ],
        .toll: [
            "asfinag", "telepass", "e-zpass", "ezpass", "toll collect", "tunnelmaut", "autoroute",
            "péage", "vignette",
        ],
    ]

    /// Returns the words that occur in names of vendors, each with the kind that it means.
    ///
    /// - Parameter names: The names.
    /// - Returns: The kinds, as a map of columns has them, by the words.
    static func found(in names: [String]) -> [String: String] {
        let names = names.map { $0.lowercased() }
        var found: [String: String] = [:]
        for (kind, words) in words {
            for word in words where names.contains(where: { has(word, in: $0) }) {
                found[word] = kind.rawValue
            }
        }
        return found
    }

    /// Whether a name has a word; a short word must stand alone, because "espresso" does not mean
    /// "esso".
    private static func has(_ word: String, in name: String) -> Bool {
        guard word.count < shortest else { return name.contains(word) }
        return name.split { !$0.isLetter && !$0.isNumber }.contains { $0 == word }
    }

    /// The fewest letters of a word that may be a part of a longer one.
    private static let shortest = 6
}
