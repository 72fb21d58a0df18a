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
    init(_ value: JSONValue) throws(PrintError) {
        let reader = PartReader(value, "the picture")
        var pages: [Page] = []
        for page in try reader.list("pages") { pages.append(try Page(page)) }
        guard !pages.isEmpty else { throw PrintError("the picture has no page") }
        self.pages = pages
    }
}

extension PrintedPicture.Page {
    /// Reads a page, or a picture in a document.
    init(_ reader: PartReader) throws(PrintError) {
        width = try reader.side("width")
        height = try reader.side("height")
        var layers: [PrintedPicture.Layer] = []
        for layer in try reader.list("layers") { layers.append(try PrintedPicture.Layer(layer)) }
        self.layers = layers
    }
}

extension PrintedPicture.Layer {
    fileprivate init(_ reader: PartReader) throws(PrintError) {
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
    fileprivate init(_ reader: PartReader) throws(PrintError) {
        var lines: [[[Double]]] = []
        for line in try reader.list("path") {
            guard case .list(let points) = line.value else {
                throw PrintError("\(line.name) is no list of points")
            }
            var numbers: [[Double]] = []
            for point in points {
                numbers.append(try PartReader.numbers(point, line.name, count: 2))
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
    fileprivate init(_ reader: PartReader) throws(PrintError) {
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
    fileprivate init(_ reader: PartReader) throws(PrintError) {
        text = PartReader.clean(try reader.text("text"))
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
