import TripEvents

/// Values of a trip's fields, for people.
enum ShownValue {
    /// Returns a value by itself; `-` for none.
    static func text(_ value: CustomValue?) -> String {
        switch value {
        case nil, .null?: "-"
        case .number(let number)?: number.description
        case .boolean(let boolean)?: boolean ? "true" : "false"
        case .text(let words)?: Excerpt.escaped(words)
        }
    }

    /// Returns what a line of a trip's history says that a field was or became: what people wrote
    /// between quotes, ids short, times local.
    static func text(_ value: CustomValue?, of field: String) -> String {
        guard case .text(let words)? = value else { return text(value) }
        switch field {
        case "status", "class": return words
        case "merged":
            return words.split(separator: " ").map { TripID(String($0))?.short ?? String($0) }
                .joined(separator: " ")
        case "split_at": return RFC3339.time(words).map(LocalTime.text) ?? words
        default: return "\"\(Excerpt.escaped(words))\""
        }
    }
}
