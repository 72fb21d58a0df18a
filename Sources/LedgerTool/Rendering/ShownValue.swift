import TripEvents

/// A value that a trip's field has or had, for people.
struct ShownValue {
    /// Fields whose texts the program writes; all others hold what people wrote.
    private static let names: Set = ["status", "class"]

    /// The value: `-` for none, and what people wrote between quotes.
    let text: String

    init(_ value: CustomValue?, of field: String) {
        switch value {
        case nil, .null: text = "-"
        case .number(let number): text = number.description
        case .boolean(let boolean): text = boolean ? "true" : "false"
        case .text(let words):
            switch field {
            case "merged":
                text = words.split(separator: " ").map { TripID(String($0))?.short ?? String($0) }
                    .joined(separator: " ")
            case "split_at":
                text = RFC3339.time(words).map(LocalTime.text) ?? Excerpt.escaped(words)
            default:
                let escaped = Excerpt.escaped(words)
                text = Self.names.contains(field) ? escaped : "\"\(escaped)\""
            }
        }
    }
}
