import JSONText

/// Writes pictures as JSON: `picture.v1.schema.json`.
///
/// Colours are those on white paper. Lengths have two decimals at most.
extension Picture {
    /// The picture as JSON.
    package var json: [UInt8] {
        var bytes: [UInt8] = []
        bytes += "{\"title\":".utf8
        JSONWriter.append(title, to: &bytes)
        bytes += ",\"pages\":[".utf8
        Self.append(pages, to: &bytes) { $0.appendJSON(to: &$1) }
        bytes += "]}".utf8
        return bytes
    }

    fileprivate static func append<Element>(
        _ elements: [Element],
        to bytes: inout [UInt8],
        _ append: (Element, inout [UInt8]) -> Void
    ) {
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(element, &bytes)
        }
    }

    fileprivate static func append(_ point: Point, to bytes: inout [UInt8]) {
        bytes += "[\(JSONLength.text(point.x)),\(JSONLength.text(point.y))]".utf8
    }
}

/// Lengths as JSON has them.
enum JSONLength {
    /// Returns a length rounded to hundredths.
    static func text(_ length: Double) -> String {
        FixedPoint.text(Int64((length * 100).rounded()), decimals: 2)
    }
}

extension Page {
    /// Appends the page as JSON, as a picture has it.
    package func appendJSON(to bytes: inout [UInt8]) {
        bytes += "{\"width\":\(JSONLength.text(width)),".utf8
        bytes += "\"height\":\(JSONLength.text(height)),\"layers\":[".utf8
        Picture.append(layers, to: &bytes) { $0.append(to: &$1) }
        bytes += "]}".utf8
    }
}

extension Layer {
    fileprivate func append(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        if let clip {
            let numbers = [clip.origin.x, clip.origin.y, clip.width, clip.height]
            bytes += "\"clip\":[\(numbers.map(JSONLength.text).joined(separator: ","))],".utf8
        }
        bytes += "\"items\":[".utf8
        Picture.append(items, to: &bytes) { item, bytes in
            switch item {
            case .path(let path): path.append(to: &bytes)
            case .mark(let mark): mark.append(to: &bytes)
            case .label(let label): label.append(to: &bytes)
            }
        }
        bytes += "]}".utf8
    }
}

extension Path {
    fileprivate func append(to bytes: inout [UInt8]) {
        bytes += "{\"path\":[".utf8
        Picture.append(lines, to: &bytes) { line, bytes in
            bytes.append(UInt8(ascii: "["))
            Picture.append(line, to: &bytes) { Picture.append($0, to: &$1) }
            bytes.append(UInt8(ascii: "]"))
        }
        bytes += "]".utf8
        if let fill { bytes += ",\"fill\":\"\(fill.light)\"".utf8 }
        if let stroke {
            bytes += ",\"stroke\":\"\(stroke.light)\",\"width\":\(JSONLength.text(width))".utf8
            if let dash { bytes += ",\"dash\":\(JSONLength.text(dash))".utf8 }
        }
        if opacity != 1 { bytes += ",\"opacity\":\(JSONLength.text(opacity))".utf8 }
        bytes += "}".utf8
    }
}

extension Mark {
    fileprivate func append(to bytes: inout [UInt8]) {
        bytes += "{\"mark\":\"\(shape.rawValue)\",\"at\":".utf8
        Picture.append(at, to: &bytes)
        bytes += ",\"radius\":\(JSONLength.text(radius)),\"color\":\"\(ink.light)\"}".utf8
    }
}

extension Label {
    fileprivate func append(to bytes: inout [UInt8]) {
        bytes += "{\"text\":".utf8
        JSONWriter.append(text, to: &bytes)
        bytes += ",\"at\":".utf8
        Picture.append(Point(at.x + offset.x, at.y + offset.y), to: &bytes)
        bytes += ",\"size\":\(JSONLength.text(size)),\"color\":\"\(ink.light)\"".utf8
        if isBold { bytes += ",\"bold\":true".utf8 }
        if anchor != .start { bytes += ",\"anchor\":\"\(anchor.rawValue)\"".utf8 }
        if hasHalo { bytes += ",\"halo\":\"\(Ink.casing.light)\"".utf8 }
        bytes += "}".utf8
    }
}
