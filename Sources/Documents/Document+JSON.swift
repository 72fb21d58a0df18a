import Drawing
import JSONText

/// Writes documents as JSON: `document.v1.schema.json`.
extension Document {
    /// The document as JSON.
    package var json: [UInt8] {
        var bytes = Array("{\"document\":1,\"title\":".utf8)
        JSONWriter.append(title, to: &bytes)
        bytes += ",\"language\":\"\(language.rawValue)\",\"paper\":\"\(paper.rawValue)\"".utf8
        bytes += ",\"orientation\":\"\(orientation.rawValue)\",\"foot\":".utf8
        JSONWriter.append(foot, to: &bytes)
        bytes += ",\"page\":".utf8
        JSONWriter.append(language.pageWords, to: &bytes)
        bytes += ",\"code\":".utf8
        if let code { code.append(to: &bytes) } else { bytes += "null".utf8 }
        bytes += ",\"facts\":".utf8
        Self.append(facts, to: &bytes) { $0.append(to: &$1) }
        bytes += ",\"blocks\":".utf8
        Self.append(blocks, to: &bytes) { $0.append(to: &$1) }
        bytes += "}".utf8
        return bytes
    }

    fileprivate static func append<Element>(
        _ elements: [Element],
        to bytes: inout [UInt8],
        _ append: (Element, inout [UInt8]) -> Void
    ) {
        bytes.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(element, &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }
}

extension Document.Code {
    fileprivate func append(to bytes: inout [UInt8]) {
        bytes += "{\"text\":".utf8
        JSONWriter.append(text, to: &bytes)
        bytes += ",\"rows\":".utf8
        Document.append(modules, to: &bytes) { row, bytes in
            bytes += "\"\(row.map { $0 ? "1" : "0" }.joined())\"".utf8
        }
        bytes += "}".utf8
    }
}

extension Document.Fact {
    fileprivate func append(to bytes: inout [UInt8]) {
        bytes += "{\"label\":".utf8
        JSONWriter.append(label, to: &bytes)
        bytes += ",\"text\":".utf8
        JSONWriter.append(text, to: &bytes)
        bytes += "}".utf8
    }
}

extension Document.Block {
    fileprivate func append(to bytes: inout [UInt8]) {
        switch self {
        case .heading(let text):
            bytes += "{\"heading\":".utf8
            JSONWriter.append(text, to: &bytes)
        case .paragraph(let text):
            bytes += "{\"paragraph\":".utf8
            JSONWriter.append(text, to: &bytes)
        case .table(let table):
            bytes += "{\"table\":".utf8
            table.append(to: &bytes)
        case .picture(let page, let alternative):
            bytes += "{\"picture\":".utf8
            page.appendJSON(to: &bytes)
            bytes += ",\"alternative\":".utf8
            JSONWriter.append(alternative, to: &bytes)
        }
        bytes += "}".utf8
    }
}

extension Document.Table {
    fileprivate func append(to bytes: inout [UInt8]) {
        bytes += "{\"columns\":".utf8
        Document.append(columns, to: &bytes) { column, bytes in
            bytes += "{\"title\":".utf8
            JSONWriter.append(column.title, to: &bytes)
            bytes += ",\"alignment\":\"\(column.isNumber ? "right" : "left")\"".utf8
            bytes += ",\"wraps\":\(column.wraps)}".utf8
        }
        bytes += ",\"lines\":".utf8
        Document.append(lines, to: &bytes) { line, bytes in
            bytes += "{\"kind\":\"\(line.kind.rawValue)\",\"cells\":".utf8
            JSONWriter.append(line.cells, to: &bytes)
            bytes += "}".utf8
        }
        bytes += "}".utf8
    }
}
