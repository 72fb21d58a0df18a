import Papers

/// The parts of a chart in SVG 1.1.
///
/// Source: w3.org/TR/SVG11.
struct SVGDrawing {
    /// A rectangle in pixels.
    struct Box {
        let x: Int
        let y: Int
        let width: Int
        let height: Int
    }

    /// The colours of nothing, little and ever more.
    static let shades = ["#ebedf0", "#b7d3ea", "#7aaed6", "#3f82b8", "#1d5687"]

    /// The size of letters in pixels.
    static let letterSize = 12.0

    /// The margin around all parts.
    private static let margin = 8

    let width: Int
    let height: Int

    /// Appends the text before the first part.
    ///
    /// - Parameters:
    ///   - title: What the picture shows, for readers who cannot see it.
    ///   - bytes: Receives it.
    func begin(_ title: String, to bytes: inout [UInt8]) {
        let (margin, width) = (Self.margin, width + 2 * Self.margin)
        let height = height + 2 * margin
        bytes +=
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="\(width)" \
            height="\(height)" viewBox="\(-margin) \(-margin) \(width) \(height)" \
            font-family="sans-serif" font-size="\(Int(Self.letterSize))">

            """
            .utf8
        XMLElement.appendShown("title", title, to: &bytes)
        bytes += "\n<rect x=\"\(-margin)\" y=\"\(-margin)\" width=\"\(width)\" ".utf8
        bytes += "height=\"\(height)\" fill=\"#ffffff\"/>\n".utf8
    }

    /// Appends a text whose first character stands at a place.
    func append(
        _ text: String,
        x: Int,
        y: Int,
        isBold: Bool = false,
        to bytes: inout [UInt8]
    ) {
        let weight = isBold ? " font-weight=\"bold\"" : ""
        let place = "x=\"\(x)\" y=\"\(y)\"\(weight)"
        XMLElement.appendShown("text", attributes: place, text, to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Appends a rectangle that says what it is when it is pointed at.
    func append(_ box: Box, _ title: String, fill: String, to bytes: inout [UInt8]) {
        bytes += "<rect x=\"\(box.x)\" y=\"\(box.y)\" width=\"\(box.width)\" ".utf8
        bytes += "height=\"\(box.height)\" fill=\"\(fill)\">".utf8
        XMLElement.appendShown("title", title, to: &bytes)
        bytes += "</rect>\n".utf8
    }

    /// Appends what stands behind the last part.
    func end(to bytes: inout [UInt8]) { bytes += "</svg>\n".utf8 }
}
