/// Writes a page as SVG 1.1: as a file of its own, or as a part of an HTML page.
///
/// Colours are classes, so that a reader who prefers a dark screen gets one. Lengths are rounded to
/// hundredths of a pixel.
///
/// Source: w3.org/TR/SVG11; `prefers-color-scheme` is of Media Queries Level 5.
package struct SVGWriter {
    /// Where the page is read.
    package enum Place: Sendable {
        /// In a file of its own.
        case file

        /// In an HTML page, whose script moves maps and the signs on them.
        case page
    }

    private let place: Place
    private var clips: [Box] = []

    /// The number of the first clip: clips of several pages in one file have different numbers.
    private var firstClip = 0

    /// Creates a writer.
    package init(_ place: Place) {
        self.place = place
    }

    /// The rules that give everything its colour, for a style sheet.
    package static var styleSheet: String {
        func rules(_ color: (Ink) -> String) -> String {
            Ink.roles
                .map { ink in
                    ".f-\(ink){fill:\(color(ink))}.s-\(ink){stroke:\(color(ink))}"
                }
                .joined(separator: "\n")
        }
        return """
            path{fill:none;stroke-linejoin:round;stroke-linecap:round;fill-rule:evenodd}
            text{font-family:"DejaVu Sans","Noto Sans",Helvetica,Arial,sans-serif}
            .h{paint-order:stroke;stroke-width:3px;stroke-linejoin:round}
            .b{font-weight:bold}
            \(rules(\.light))
            @media (prefers-color-scheme:dark){
            \(rules(\.dark))
            }

            """
    }

    /// Appends a page.
    package mutating func append(_ page: Page, titled title: String, to bytes: inout [UInt8]) {
        let (width, height) = (Self.number(page.width), Self.number(page.height))
        if place == .file { bytes += "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8 }
        bytes += "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" ".utf8
        if place == .file { bytes += "width=\"\(width)\" height=\"\(height)\" ".utf8 }
        bytes += "viewBox=\"0 0 \(width) \(height)\" role=\"img\">\n".utf8
        XMLElement.appendShown("title", title, to: &bytes)
        bytes += "\n".utf8
        if place == .file { bytes += "<style>\n\(Self.styleSheet)</style>\n".utf8 }
        firstClip += clips.count
        clips = Array(
            page.layers.compactMap(\.clip)
                .reduce(into: []) { boxes, box in
                    if !boxes.contains(box) { boxes.append(box) }
                }
        )
        for (index, box) in clips.enumerated() {
            bytes += "<clipPath id=\"c\(firstClip + index)\">".utf8
            bytes += "<rect \(Self.attributes(of: box))/></clipPath>\n".utf8
        }
        bytes += "<rect class=\"f-paper\" width=\"\(width)\" height=\"\(height)\"/>\n".utf8
        for layer in page.layers { append(layer, to: &bytes) }
        bytes += "</svg>\n".utf8
    }

    private func append(_ layer: Layer, to bytes: inout [UInt8]) {
        let clip = layer.clip.flatMap { clips.firstIndex(of: $0) }
        bytes += "<g".utf8
        if let clip { bytes += " clip-path=\"url(#c\(firstClip + clip))\"".utf8 }
        bytes += ">\n".utf8
        let moves = layer.motion == .map && place == .page
        var isInGround = false
        for item in layer.items {
            if case .path(let path) = item {
                if moves, !isInGround { bytes += "<g class=\"ground\">\n".utf8 }
                isInGround = moves
                append(path, to: &bytes)
                continue
            }
            if isInGround { bytes += "</g>\n".utf8 }
            isInGround = false
            switch item {
            case .path: break
            case .mark(let mark): append(mark, moves: moves, to: &bytes)
            case .label(let label): append(label, moves: moves, to: &bytes)
            }
        }
        if isInGround { bytes += "</g>\n".utf8 }
        bytes += "</g>\n".utf8
    }

    private func append(_ path: Path, to bytes: inout [UInt8]) {
        bytes += "<path \(Self.colors(fill: path.fill, stroke: path.stroke))".utf8
        if path.stroke != nil {
            if path.width != 1 { bytes += " stroke-width=\"\(Self.number(path.width))\"".utf8 }
            if let dash = path.dash { bytes += " stroke-dasharray=\"\(Self.number(dash))\"".utf8 }
        }
        if path.opacity != 1 { bytes += " opacity=\"\(Self.number(path.opacity))\"".utf8 }
        bytes += " d=\"".utf8
        for line in path.lines { append(line, isClosed: path.fill != nil, to: &bytes) }
        end("path", titled: path.title, to: &bytes)
    }

    /// Appends a line; its points are rounded first, so that their differences add up.
    private func append(_ line: [Point], isClosed: Bool, to bytes: inout [UInt8]) {
        var last = (x: 0, y: 0)
        for (index, point) in line.enumerated() {
            let next = (x: Self.hundredths(point.x), y: Self.hundredths(point.y))
            if index < 2 { bytes.append(UInt8(ascii: index == 0 ? "M" : "l")) }
            if index > 1, next.x - last.x >= 0 { bytes.append(UInt8(ascii: " ")) }
            bytes += Self.text(hundredths: next.x - last.x).utf8
            if next.y - last.y >= 0 { bytes.append(UInt8(ascii: " ")) }
            bytes += Self.text(hundredths: next.y - last.y).utf8
            last = next
        }
        // A line that goes nowhere would not be drawn.
        if line.count == 1 { bytes += "h0".utf8 }
        if isClosed { bytes += "z".utf8 }
    }

    private func append(_ mark: Mark, moves: Bool, to bytes: inout [UInt8]) {
        begin(at: mark.at, moves: moves, to: &bytes)
        let (x, y) = moves ? (0, 0) : (mark.at.x, mark.at.y)
        let r = mark.radius
        switch mark.shape {
        case .disc, .ring:
            let look =
                mark.shape == .disc
                ? Self.colors(fill: mark.ink, stroke: .casing)
                : Self.colors(stroke: mark.ink) + " fill=\"none\""
            bytes += "<circle \(look) stroke-width=\"1.5\" ".utf8
            bytes += "cx=\"\(Self.number(x))\" cy=\"\(Self.number(y))\" r=\"\(Self.number(r))".utf8
            end("circle", titled: mark.title, to: &bytes)
        case .square:
            let box = Box(x: x - r, y: y - r, width: 2 * r, height: 2 * r)
            let look = Self.colors(fill: mark.ink, stroke: .casing)
            bytes += "<rect \(look) stroke-width=\"1.5\" ".utf8
            bytes += Self.attributes(of: box).dropLast().utf8
            end("rect", titled: mark.title, to: &bytes)
        case .cross:
            let (left, top, size) = (x - r, y - r, Self.number(2 * r))
            bytes += "<path \(Self.colors(stroke: mark.ink)) stroke-width=\"1.6\" d=\"".utf8
            bytes += "M\(Self.number(left)) \(Self.number(top))l\(size) \(size)".utf8
            bytes += "m0-\(size)l-\(size) \(size)".utf8
            end("path", titled: mark.title, to: &bytes)
        }
        if moves { bytes += "</g>\n".utf8 }
    }

    private func append(_ label: Label, moves: Bool, to bytes: inout [UInt8]) {
        begin(at: label.at, moves: moves, to: &bytes)
        let x = label.offset.x + (moves ? 0 : label.at.x)
        let y = label.offset.y + (moves ? 0 : label.at.y)
        let words = (label.isBold ? ["b"] : []) + (label.halo == nil ? [] : ["h"])
        var attributes = Self.colors(fill: label.ink, words, stroke: label.halo)
        attributes += " x=\"\(Self.number(x))\" "
        attributes += "y=\"\(Self.number(y))\" font-size=\"\(Self.number(label.size))\""
        if label.anchor != .start { attributes += " text-anchor=\"\(label.anchor.rawValue)\"" }
        XMLElement.appendShown("text", attributes: attributes, label.text, to: &bytes)
        bytes += (moves ? "</g>\n" : "\n").utf8
    }

    /// Appends what the script needs to keep a sign at its place on the map, and of its size.
    private func begin(at point: Point, moves: Bool, to bytes: inout [UInt8]) {
        guard moves else { return }
        let (x, y) = (Self.number(point.x), Self.number(point.y))
        bytes += "<g class=\"pin\" transform=\"translate(\(x) \(y))\">".utf8
    }

    /// Appends the end of an element whose last attribute is open.
    private func end(_ name: String, titled title: String?, to bytes: inout [UInt8]) {
        guard let title else {
            bytes += "\"/>\n".utf8
            return
        }
        bytes += "\">".utf8
        XMLElement.appendShown("title", title, to: &bytes)
        bytes += "</\(name)>\n".utf8
    }

    /// Returns the attributes that give something its colours: classes for inks that have a role,
    /// with other classes between them, and a style for other colours.
    private static func colors(
        fill: Ink? = nil,
        _ others: [String] = [],
        stroke: Ink? = nil
    ) -> String {
        var (classes, styles): ([String], [String]) = ([], [])
        func add(_ ink: Ink?, _ short: String, _ long: String) {
            switch ink {
            case .color(let color)?: styles.append("\(long):\(color.text)")
            case let role?: classes.append("\(short)-\(role)")
            case nil: break
            }
        }
        add(fill, "f", "fill")
        classes += others
        add(stroke, "s", "stroke")
        let style = styles.isEmpty ? "" : " style=\"\(styles.joined(separator: ";"))\""
        return "class=\"\(classes.joined(separator: " "))\"\(style)"
    }

    private static func attributes(of box: Box) -> String {
        "x=\"\(number(box.origin.x))\" y=\"\(number(box.origin.y))\" "
            + "width=\"\(number(box.width))\" height=\"\(number(box.height))\""
    }

    private static func hundredths(_ length: Double) -> Int { Int((length * 100).rounded()) }

    /// Returns a length as it stands in an attribute.
    package static func number(_ length: Double) -> String { text(hundredths: hundredths(length)) }

    /// Returns hundredths in the fewest characters.
    private static func text(hundredths: Int) -> String {
        let (whole, part) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
        let sign = hundredths < 0 ? "-" : ""
        if part == 0 { return "\(sign)\(whole)" }
        let digits = part % 10 == 0 ? "\(part / 10)" : part < 10 ? "0\(part)" : "\(part)"
        return "\(sign)\(whole == 0 ? "" : String(whole)).\(digits)"
    }
}
