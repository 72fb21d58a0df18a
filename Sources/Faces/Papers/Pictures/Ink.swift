/// A role of drawn items: each role has a colour on white paper and one on a dark screen.
package enum Ink: Hashable, Sendable {
    /// Behind everything.
    case paper

    /// Behind a map of a region: water.
    case sea

    /// Land on a map.
    case land

    /// Where land and sea meet.
    case shore

    /// Where countries meet.
    case border

    /// Lines of equal latitude or longitude, and of equal values in a diagram.
    case grid

    /// Words and figures that matter most.
    case text

    /// Words and figures beside them.
    case faint

    /// The edge of a line, so that it is seen on any ground.
    case casing

    /// Where something began.
    case start

    /// Where it ended.
    case end

    /// What was not counted.
    case rejected

    /// A place that has a name.
    case place

    /// The first of the colours that tell lines apart.
    case line1, line2, line3, line4, line5, line6, line7, line8

    /// The frequency of use, from seldom to often.
    case heat1, heat2, heat3, heat4, heat5

    /// A colour without a role, the same on paper and on screens: a picture that was read as JSON
    /// has only these.
    case color(Color)

    /// The inks that have a role.
    package static let roles: [Ink] =
        [
            .paper, .sea, .land, .shore, .border, .grid, .text, .faint, .casing, .start, .end,
            .rejected, .place,
        ] + lines + heat

    /// The colours that tell lines apart, also to people who see few colours.
    package static let lines: [Ink] = [
        .line1, .line2, .line3, .line4, .line5, .line6, .line7, .line8,
    ]

    /// The colours of ever higher counts.
    package static let heat: [Ink] = [.heat1, .heat2, .heat3, .heat4, .heat5]

    /// Its colour on white paper, such as `#1d5687`.
    package var light: String { colors.light }

    /// Its colour on a dark screen.
    package var dark: String { colors.dark }

    private var colors: (light: String, dark: String) {
        switch self {
        case .paper: ("#ffffff", "#16191d")
        case .sea: ("#dce8ee", "#1a2731")
        case .land: ("#f5f3ee", "#22262a")
        case .shore: ("#93a9b5", "#52687a")
        case .border: ("#b9aea0", "#5e5a55")
        case .grid: ("#d8d6cf", "#353b41")
        case .text: ("#1f252b", "#e8eaec")
        case .faint: ("#5f6871", "#a3abb3")
        case .casing: ("#ffffff", "#16191d")
        case .start: ("#1a7f4b", "#4cc283")
        case .end: ("#b3261e", "#f28b82")
        case .rejected: ("#a0356f", "#e58bbd")
        case .place: ("#6b5b12", "#d9c36a")
        case .line1: ("#0b62a8", "#6bb2ee")
        case .line2: ("#c4500a", "#f39a5f")
        case .line3: ("#0a7d5c", "#54c9a5")
        case .line4: ("#7d4698", "#c79be0")
        case .line5: ("#a3213f", "#ee7f98")
        case .line6: ("#3f5b12", "#a7c66a")
        case .line7: ("#2f4858", "#9fbccd")
        case .line8: ("#7a5200", "#d9b25e")
        case .heat1: ("#7fa8cf", "#3f658a")
        case .heat2: ("#5a7fc0", "#5f85c9")
        case .heat3: ("#6d4fa8", "#a583d6")
        case .heat4: ("#b0307f", "#e57bb8")
        case .heat5: ("#d7301f", "#ffb27a")
        case .color(let color): (color.text, color.text)
        }
    }
}

/// A colour of paper or screens (sRGB), each part 0 … 1.
package struct Color: Hashable, Sendable {
    /// Its parts.
    package let red, green, blue: Double

    /// Creates a colour; parts MUST be 0 … 1.
    package init(red: Double, green: Double, blue: Double) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Reads a text such as `#1d5687`, or returns `nil` if it is none.
    package init?(_ text: String) {
        guard text.utf8.count == 7, text.hasPrefix("#"),
            text.dropFirst().allSatisfy(\.isHexDigit), let number = Int(text.dropFirst(), radix: 16)
        else { return nil }
        red = Double(number >> 16 & 255) / 255
        green = Double(number >> 8 & 255) / 255
        blue = Double(number & 255) / 255
    }

    /// The nearest text such as `#1d5687`.
    package var text: String {
        let parts = [red, green, blue]
            .map { part in
                let number = Int((part * 255).rounded())
                return (number < 16 ? "0" : "") + String(number, radix: 16)
            }
        return "#" + parts.joined()
    }
}
