package import JSONText

/// Writes pictures as JSON and reads them: `picture.v1.schema.json`.
///
/// JSON has only what is visible on white paper: the colours there, and lengths with at most two
/// decimals. It does not have which layers may be moved, nor the descriptions of lines and signs. A
/// picture without these is read back as it was written.
extension Picture {
    /// The picture as JSON.
    package var json: [UInt8] {
        var bytes: [UInt8] = []
        bytes += "{\"title\":".utf8
        JSONWriter.append(title, to: &bytes)
        bytes += ",\"pages\":".utf8
        bytes.appendList(pages) { $0.append(to: &$1) }
        bytes += "}".utf8
        return bytes
    }

    /// Reads a picture; it may lack its title, which is drawn nowhere.
    ///
    /// - Throws: `PaperFault` that says why it is no picture.
    package init(json value: JSONValue) throws(PaperFault) {
        let part = JSONPart(value, "the picture")
        title = part.has("title") ? try part.text("title") : ""
        pages = try part.list("pages", Page.init(json:))
        guard !pages.isEmpty else { throw part.fault(" has no page") }
    }
}

extension Page {
    func append(to bytes: inout [UInt8]) {
        bytes += "{\"width\":".utf8
        bytes.append(length: width)
        bytes += ",\"height\":".utf8
        bytes.append(length: height)
        bytes += ",\"layers\":".utf8
        bytes.appendList(layers) { $0.append(to: &$1) }
        bytes += "}".utf8
    }

    init(json part: JSONPart) throws(PaperFault) {
        width = try part.side("width")
        height = try part.side("height")
        layers = try part.list("layers", Layer.init(json:))
    }
}

extension Layer {
    fileprivate func append(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        if let clip {
            bytes += "\"clip\":".utf8
            bytes.appendList([clip.origin.x, clip.origin.y, clip.width, clip.height]) {
                $1.append(length: $0)
            }
            bytes.append(UInt8(ascii: ","))
        }
        bytes += "\"items\":".utf8
        bytes.appendList(items) { item, bytes in
            switch item {
            case .path(let path): path.append(to: &bytes)
            case .mark(let mark): mark.append(to: &bytes)
            case .label(let label): label.append(to: &bytes)
            }
        }
        bytes += "}".utf8
    }

    fileprivate init(json part: JSONPart) throws(PaperFault) {
        motion = .fixed
        clip = nil
        if part.has("clip") {
            let sides = try part.part("clip").numbers(count: 4)
            clip = Box(x: sides[0], y: sides[1], width: sides[2], height: sides[3])
        }
        items = try part.list("items") { (item) throws(PaperFault) in
            if item.has("path") { return .path(try Path(json: item)) }
            if item.has("mark") { return .mark(try Mark(json: item)) }
            return .label(try Label(json: item))
        }
    }
}

extension Point {
    fileprivate func append(to bytes: inout [UInt8]) {
        bytes.appendList([x, y]) { $1.append(length: $0) }
    }

    fileprivate init(json part: JSONPart) throws(PaperFault) {
        let numbers = try part.numbers(count: 2)
        self.init(numbers[0], numbers[1])
    }
}

extension Path {
    fileprivate func append(to bytes: inout [UInt8]) {
        bytes += "{\"path\":".utf8
        bytes.appendList(lines) { line, bytes in
            bytes.appendList(line) { $0.append(to: &$1) }
        }
        if let fill { bytes += ",\"fill\":\"\(fill.light)\"".utf8 }
        if let stroke {
            bytes += ",\"stroke\":\"\(stroke.light)\",\"width\":".utf8
            bytes.append(length: width)
            if let dash {
                bytes += ",\"dash\":".utf8
                bytes.append(length: dash)
            }
        }
        if opacity != 1 {
            bytes += ",\"opacity\":".utf8
            bytes.append(length: opacity)
        }
        bytes += "}".utf8
    }

    fileprivate init(json part: JSONPart) throws(PaperFault) {
        let lines = try part.list("path") { (line) throws(PaperFault) in
            guard case .list(let values) = line.value else {
                throw line.fault(" is no list of points")
            }
            var points: [Point] = []
            points.reserveCapacity(values.count)
            for value in values {
                points.append(try Point(json: JSONPart(value, line.name)))
            }
            return points
        }
        self.init(
            lines,
            fill: try part.optionalColor("fill"),
            stroke: try part.optionalColor("stroke"),
            width: try part.optionalNumber("width") ?? 1,
            // Cairo stops at a dash of no length.
            dash: try part.optionalNumber("dash").flatMap { $0 > 0 ? $0 : nil },
            opacity: try part.optionalNumber("opacity") ?? 1
        )
    }
}

extension Mark {
    fileprivate func append(to bytes: inout [UInt8]) {
        bytes += "{\"mark\":\"\(shape.rawValue)\",\"at\":".utf8
        at.append(to: &bytes)
        bytes += ",\"radius\":".utf8
        bytes.append(length: radius)
        bytes += ",\"color\":\"\(ink.light)\"}".utf8
    }

    fileprivate init(json part: JSONPart) throws(PaperFault) {
        self.init(
            try part.choice("mark"),
            at: try Point(json: try part.part("at")),
            radius: try part.number("radius"),
            try part.color("color")
        )
    }
}

extension Label {
    fileprivate func append(to bytes: inout [UInt8]) {
        bytes += "{\"text\":".utf8
        JSONWriter.append(text, to: &bytes)
        bytes += ",\"at\":".utf8
        base.append(to: &bytes)
        bytes += ",\"size\":".utf8
        bytes.append(length: size)
        bytes += ",\"color\":\"\(ink.light)\"".utf8
        if isBold { bytes += ",\"bold\":true".utf8 }
        if anchor != .start { bytes += ",\"anchor\":\"\(anchor.rawValue)\"".utf8 }
        if let halo { bytes += ",\"halo\":\"\(halo.light)\"".utf8 }
        bytes += "}".utf8
    }

    fileprivate init(json part: JSONPart) throws(PaperFault) {
        self.init(
            try part.text("text"),
            at: try Point(json: try part.part("at")),
            size: try part.number("size"),
            isBold: part.has("bold") ? try part.boolean("bold") : false,
            anchor: part.has("anchor") ? try part.choice("anchor") : .start,
            try part.color("color"),
            halo: try part.optionalColor("halo")
        )
    }
}
