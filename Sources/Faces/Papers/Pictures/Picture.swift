/// Pages of lines, marks and words as values, independent of the format in which they are drawn.
///
/// `ledger` writes it as SVG, or as JSON (`picture.v1.schema.json`), from which `ledger-print`
/// makes PNG and PDF.
package struct Picture: Hashable, Sendable {
    /// What it shows, in a line.
    package var title: String

    /// The pages; a picture for the screen has one.
    package var pages: [Page]

    /// Creates a picture.
    package init(title: String, pages: [Page]) {
        self.title = title
        self.pages = pages
    }
}

/// One page.
///
/// All lengths are in CSS pixels, 96 to the inch, from its left upper corner.
package struct Page: Hashable, Sendable {
    /// How wide it is.
    package var width: Double

    /// How high it is.
    package var height: Double

    /// What is drawn, the lowest layer first.
    package var layers: [Layer]

    /// Creates a page.
    package init(width: Double, height: Double, layers: [Layer] = []) {
        self.width = width
        self.height = height
        self.layers = layers
    }
}

/// A point on a page.
package struct Point: Hashable, Sendable {
    /// How far from the left.
    package var x: Double

    /// How far from the top.
    package var y: Double

    /// Creates a point.
    package init(_ x: Double, _ y: Double) {
        self.x = x
        self.y = y
    }
}

/// A rectangle on a page.
package struct Box: Hashable, Sendable {
    /// Its left upper corner.
    package var origin: Point

    /// How wide it is.
    package var width: Double

    /// How high it is.
    package var height: Double

    /// Creates a rectangle.
    package init(x: Double, y: Double, width: Double, height: Double) {
        origin = Point(x, y)
        self.width = width
        self.height = height
    }

    /// Its right edge.
    package var right: Double { origin.x + width }

    /// Its lower edge.
    package var bottom: Double { origin.y + height }

    /// Its middle.
    package var center: Point { Point(origin.x + width / 2, origin.y + height / 2) }

    /// Returns a rectangle that is larger on each side.
    package func expanded(by x: Double, _ y: Double) -> Box {
        Box(x: origin.x - x, y: origin.y - y, width: width + 2 * x, height: height + 2 * y)
    }

    /// Returns whether a point lies in it or on its edge.
    package func contains(_ point: Point) -> Bool {
        (origin.x...right).contains(point.x) && (origin.y...bottom).contains(point.y)
    }

    /// Returns whether two rectangles have more than an edge in common.
    package func overlaps(_ other: Box) -> Bool {
        origin.x < other.right && other.origin.x < right && origin.y < other.bottom
            && other.origin.y < bottom
    }

    /// Its outline, to be filled.
    package var outline: [Point] {
        [origin, Point(right, origin.y), Point(right, bottom), Point(origin.x, bottom)]
    }
}

/// Items that are drawn together.
package struct Layer: Hashable, Sendable {
    /// What a reader of the page may do with it.
    package enum Motion: Hashable, Sendable {
        /// It stays where it is.
        case fixed

        /// It is a part of a map that can be moved and enlarged.
        case map
    }

    /// What a reader may do with it.
    package var motion: Motion

    /// Nothing is drawn beyond it; `nil` is the page.
    package var clip: Box?

    /// What is drawn, in order.
    package var items: [Item]

    /// Creates a layer.
    package init(_ motion: Motion = .fixed, clip: Box? = nil, _ items: [Item] = []) {
        self.motion = motion
        self.clip = clip
        self.items = items
    }
}

/// One thing that is drawn.
package enum Item: Hashable, Sendable {
    case path(Path)
    case mark(Mark)
    case label(Label)
}

/// Lines, or an area between lines.
package struct Path: Hashable, Sendable {
    /// The lines; for an area, its outlines: a point within an even number of them is outside.
    package var lines: [[Point]]

    /// The colour of the area; `nil` for lines only.
    package var fill: Ink?

    /// The colour of the lines; `nil` for an area without them.
    package var stroke: Ink?

    /// How wide the lines are.
    package var width: Double

    /// How long dashes and the gaps between them are; `nil` for a line without any.
    package var dash: Double?

    /// How much of what lies below is hidden, 0 … 1.
    package var opacity: Double

    /// A short description, for a reader who points at it.
    package var title: String?

    /// Creates lines.
    package init(
        _ lines: [[Point]],
        fill: Ink? = nil,
        stroke: Ink? = nil,
        width: Double = 1,
        dash: Double? = nil,
        opacity: Double = 1,
        title: String? = nil
    ) {
        self.lines = lines
        self.fill = fill
        self.stroke = stroke
        self.width = width
        self.dash = dash
        self.opacity = opacity
        self.title = title
    }
}

/// A sign at a point, of the same size at any enlargement.
package struct Mark: Hashable, Sendable {
    /// What it looks like.
    package enum Shape: String, CaseIterable, Sendable {
        /// A disc with an edge.
        case disc

        /// A square with an edge.
        case square

        /// A circle.
        case ring

        /// Two lines that cross.
        case cross
    }

    /// Where its middle is.
    package var at: Point

    /// What it looks like.
    package var shape: Shape

    /// Half its width.
    package var radius: Double

    /// Its colour.
    package var ink: Ink

    /// A short description, for a reader who points at it.
    package var title: String?

    /// Creates a sign.
    package init(
        _ shape: Shape,
        at point: Point,
        radius: Double,
        _ ink: Ink,
        title: String? = nil
    ) {
        at = point
        self.shape = shape
        self.radius = radius
        self.ink = ink
        self.title = title
    }
}

/// A line of words.
package struct Label: Hashable, Sendable {
    /// The part of it that stands at its point.
    package enum Anchor: String, CaseIterable, Sendable {
        case start, middle, end
    }

    /// The words.
    package var text: String

    /// The point that it is about.
    package var at: Point

    /// How far from that point its base line begins, is in the middle, or ends.
    package var offset: Point

    /// How large its letters are.
    package var size: Double

    /// Whether it is bold.
    package var isBold: Bool

    /// The part of it that stands at its point.
    package var anchor: Anchor

    /// Its colour.
    package var ink: Ink

    /// The colour that covers the ground around its letters, so that lines do not cross them;
    /// `nil` leaves the ground as it is.
    package var halo: Ink?

    /// Creates a line of words.
    package init(
        _ text: String,
        at point: Point,
        offset: Point = Point(0, 0),
        size: Double = 13,
        isBold: Bool = false,
        anchor: Anchor = .start,
        _ ink: Ink = .text,
        halo: Ink? = nil
    ) {
        self.text = text
        at = point
        self.offset = offset
        self.size = size
        self.isBold = isBold
        self.anchor = anchor
        self.ink = ink
        self.halo = halo
    }

    /// Where its base line begins, is in the middle, or ends.
    package var base: Point { Point(at.x + offset.x, at.y + offset.y) }

    /// About how wide it is: nothing here knows the letters of a font.
    package var estimatedWidth: Double { TextWidth.estimate(text) * size * (isBold ? 1.07 : 1) }

    /// About where it is.
    package var estimatedBox: Box {
        let width = estimatedWidth
        let left =
            switch anchor {
            case .start: base.x
            case .middle: base.x - width / 2
            case .end: base.x - width
            }
        return Box(x: left, y: base.y - 0.8 * size, width: width, height: 1.05 * size)
    }
}

/// How wide texts are in a usual font.
package enum TextWidth {
    /// Returns about how wide a text is, in parts of the size of its letters.
    package static func estimate(_ text: String) -> Double {
        text.unicodeScalars.reduce(0) { $0 + width(of: $1) }
    }

    /// Returns as much of a text as fits, with `…` if that is not all.
    package static func fitting(_ text: String, size: Double, into width: Double) -> String {
        guard estimate(text) * size > width else { return text }
        var (kept, used) = ("", estimate("…") * size)
        for character in text {
            used += estimate(String(character)) * size
            guard used <= width else { break }
            kept.append(character)
        }
        return kept + "…"
    }

    /// Returns as much of the beginning and the end of a text as fits, with `…` between them if
    /// that is not all.
    ///
    /// A name is recognised by its beginning, and a title has its figures at the end.
    package static func fittingEnds(_ text: String, size: Double, into width: Double) -> String {
        guard estimate(text) * size > width else { return text }
        let characters = Array(text)
        var (first, last) = (0, characters.count)
        var used = estimate("…") * size
        while first < last {
            // The beginning gets the odd one.
            let takesFirst = first <= characters.count - last
            let next = String(characters[takesFirst ? first : last - 1])
            used += estimate(next) * size
            guard used <= width else { break }
            if takesFirst { first += 1 } else { last -= 1 }
        }
        return String(characters[..<first]) + "…" + String(characters[last...])
    }

    private static func width(of scalar: Unicode.Scalar) -> Double {
        switch scalar {
        case "i", "j", "l", "I", ".", ",", ":", ";", "'", "|", "!": 0.3
        case " ", "f", "r", "t", "(", ")", "/", "-", "·": 0.38
        case "m", "w", "M", "W", "—", "…": 0.9
        case "A"..."Z", "0"..."9": 0.64
        // Marks that stand on the letter before them.
        case "\u{300}"..."\u{36F}", "\u{200B}"..."\u{200F}": 0
        // Writing of East Asia, and pictures.
        case "\u{1100}"..."\u{115F}", "\u{2E80}"..."\u{D7FF}", "\u{F900}"..."\u{FAFF}",
            "\u{FF00}"..."\u{FF60}", "\u{1F000}"..."\u{3FFFF}":
            1
        default: 0.56
        }
    }
}
