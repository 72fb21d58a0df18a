package import TripEvents

/// How rows are shown to people.
package struct TextStyle: Sendable {
    /// The unit of distances.
    package var unit: DistanceUnit

    /// The zone of all times; `nil` where each has its own offset from UTC beside it.
    package var zone: TimeZoneRules?

    /// How many characters a line may have; `nil` for any number.
    package var width: Int?

    /// Whether lines may be set off by control sequences (ECMA-48).
    package var usesEmphasis = false

    /// Creates a style.
    package init(
        unit: DistanceUnit = .kilometers,
        zone: TimeZoneRules? = nil,
        width: Int? = nil
    ) {
        self.unit = unit
        self.zone = zone
        self.width = width
    }

    /// Returns sentences with line ends where a line would not fit: between words.
    package func wrapped(_ text: String) -> String {
        guard let width else { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { Self.wrapped($0, to: width) }
            .joined(separator: "\n")
    }

    private static func wrapped(_ line: Substring, to width: Int) -> String {
        guard line.count > width else { return String(line) }
        let indentation = line.prefix { $0 == " " }
        var lines: [String] = []
        for word in line.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append("\(indentation)\(word)")
            }
        }
        return lines.joined(separator: "\n")
    }
}

/// How a line is set off from others.
package enum Emphasis: UInt8, Sendable {
    case none

    /// What goes on now.
    case strong

    /// What counts nowhere.
    case faint

    /// The control sequence that begins it: Select Graphic Rendition (ECMA-48, 8.3.117).
    var sequence: StaticString {
        switch self {
        case .none: ""
        case .strong: "\u{1B}[1m"
        case .faint: "\u{1B}[2m"
        }
    }

    /// The control sequence that ends it.
    static let end: StaticString = "\u{1B}[0m"
}
