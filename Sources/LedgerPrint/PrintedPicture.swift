import JSONText

/// A picture as it is read: `picture.v1.schema.json`.
struct PrintedPicture {
    /// A page with its layers.
    struct Page {
        let width: Double
        let height: Double
        let layers: [Layer]
    }

    /// Things that are drawn together, and the rectangle beyond which they are not.
    struct Layer {
        let clip: [Double]?
        let items: [Item]
    }

    /// One thing that is drawn.
    enum Item {
        case path(Path)
        case mark(Mark)
        case label(Label)
    }

    /// Lines, or an area between lines.
    struct Path {
        let lines: [[[Double]]]
        let fill: Color?
        let stroke: Color?
        let width: Double
        let dash: Double?
        let opacity: Double
    }

    /// A sign.
    struct Mark {
        let shape: String
        let at: [Double]
        let radius: Double
        let color: Color
    }

    /// A line of words.
    struct Label {
        let text: String
        let at: [Double]
        let size: Double
        let color: Color
        let isBold: Bool
        let anchor: String
        let halo: Color?
    }

    /// A colour, each part 0 … 1.
    struct Color {
        let red: Double
        let green: Double
        let blue: Double
    }

    /// The pages, at least one.
    let pages: [Page]

    /// Reads a picture.
    ///
    /// - Throws: `PrintError` that says what is no picture.
    init(_ bytes: [UInt8]) throws(PrintError) {
        let value: JSONValue
        let spaces: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
        let end = bytes.lastIndex { !spaces.contains($0) } ?? -1
        do {
            value = try JSONValue(Array(bytes[...end]).span)
        } catch {
            throw PrintError("the input is no JSON: \(error.sentence) (column \(error.column))")
        }
        let reader = PictureReader(value, "the picture")
        var pages: [Page] = []
        for page in try reader.list("pages") { pages.append(try Page(page)) }
        guard !pages.isEmpty else { throw PrintError("the picture has no page") }
        self.pages = pages
    }
}

/// What is not printed, and why.
struct PrintError: Error {
    let sentence: String

    init(_ sentence: String) {
        self.sentence = sentence
    }
}

/// Reads the members of a part of a picture.
struct PictureReader {
    /// No page is longer: Cairo's images end there.
    private static let largest = 32_000.0

    let value: JSONValue
    let name: String

    init(_ value: JSONValue, _ name: String) {
        self.value = value
        self.name = name
    }

    /// Returns a list; each element knows its place.
    func list(_ member: String) throws(PrintError) -> [PictureReader] {
        guard case .list(let elements) = value[member] else {
            throw PrintError("\(name) has no list \(member)")
        }
        return elements.enumerated().map { PictureReader($1, "\(name).\(member)[\($0)]") }
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
}

extension PrintedPicture.Page {
    fileprivate init(_ reader: PictureReader) throws(PrintError) {
        width = try reader.side("width")
        height = try reader.side("height")
        var layers: [PrintedPicture.Layer] = []
        for layer in try reader.list("layers") { layers.append(try PrintedPicture.Layer(layer)) }
        self.layers = layers
    }
}

extension PrintedPicture.Layer {
    fileprivate init(_ reader: PictureReader) throws(PrintError) {
        clip = reader.value["clip"] == nil ? nil : try reader.numbers("clip", count: 4)
        var items: [PrintedPicture.Item] = []
        for item in try reader.list("items") {
            if item.value["path"] != nil {
                items.append(.path(try PrintedPicture.Path(item)))
            } else if item.value["mark"] != nil {
                items.append(.mark(try PrintedPicture.Mark(item)))
            } else {
                items.append(.label(try PrintedPicture.Label(item)))
            }
        }
        self.items = items
    }
}

extension PrintedPicture.Path {
    fileprivate init(_ reader: PictureReader) throws(PrintError) {
        var lines: [[[Double]]] = []
        for line in try reader.list("path") {
            guard case .list(let points) = line.value else {
                throw PrintError("\(line.name) is no list of points")
            }
            var numbers: [[Double]] = []
            for point in points {
                numbers.append(try PictureReader.numbers(point, line.name, count: 2))
            }
            lines.append(numbers)
        }
        self.lines = lines
        fill = try reader.color("fill")
        stroke = try reader.color("stroke")
        width = try reader.optionalNumber("width") ?? 1
        dash = try reader.optionalNumber("dash").flatMap { $0 > 0 ? $0 : nil }
        opacity = try reader.optionalNumber("opacity") ?? 1
    }
}

extension PrintedPicture.Mark {
    fileprivate init(_ reader: PictureReader) throws(PrintError) {
        shape = try reader.text("mark")
        at = try reader.numbers("at", count: 2)
        radius = try reader.number("radius")
        guard let color = try reader.color("color") else {
            throw PrintError("\(reader.name) has no color")
        }
        self.color = color
    }
}

extension PrintedPicture.Label {
    fileprivate init(_ reader: PictureReader) throws(PrintError) {
        text = try reader.text("text")
        at = try reader.numbers("at", count: 2)
        size = try reader.number("size")
        guard let color = try reader.color("color") else {
            throw PrintError("\(reader.name) has no color")
        }
        self.color = color
        if case .boolean(true) = reader.value["bold"] { isBold = true } else { isBold = false }
        anchor = try reader.optionalText("anchor") ?? "start"
        halo = try reader.color("halo")
    }
}
