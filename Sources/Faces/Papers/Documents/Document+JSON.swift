package import JSONText
import TripEvents

/// The limits of a document: no report of a ledger exceeds them, and more would not fit on a page
/// or in memory.
private enum Most {
    static let lines = 100_000
    static let columns = 40
    static let blocks = 10_000
    static let facts = 1_000

    /// Bytes of UTF-8 in the cells of a line.
    static let lineText = 32_768
    static let footLines = 6

    /// The largest QR code (ISO/IEC 18004, version 40).
    static let codeRows = 177
}

/// Writes documents as JSON and reads them: `document.v1.schema.json`.
///
/// A document is read back as it was written, except that its pictures get their colours on white
/// paper.
extension Document {
    /// The document as JSON.
    package var json: [UInt8] {
        var bytes = Array("{\"document\":1,\"title\":".utf8)
        JSONWriter.append(title, to: &bytes)
        bytes += ",\"language\":\"\(language.rawValue)\",\"paper\":\"\(paper.rawValue)\"".utf8
        bytes += ",\"orientation\":\"\(orientation.rawValue)\",\"foot\":".utf8
        JSONWriter.append(foot, to: &bytes)
        bytes += ",\"page\":".utf8
        JSONWriter.append(pageWords, to: &bytes)
        bytes += ",\"code\":".utf8
        if let code { code.append(to: &bytes) } else { bytes += "null".utf8 }
        bytes += ",\"facts\":".utf8
        bytes.appendList(facts) { $0.append(to: &$1) }
        bytes += ",\"blocks\":".utf8
        bytes.appendList(blocks) { $0.append(to: &$1) }
        bytes += "}".utf8
        return bytes
    }

    /// Whether JSON is meant to be a document.
    package static func isMeant(by value: JSONValue) -> Bool { value["document"] != nil }

    /// Reads a document.
    ///
    /// - Throws: `PaperFault` that says why it is no document, or what is too large for paper.
    package init(json value: JSONValue) throws(PaperFault) {
        let part = JSONPart(value, "the document")
        guard try part.number("document") == 1 else {
            throw part.fault(
                " is of a version that this ledger-print does not know; use that of the same"
                    + " release as `ledger`"
            )
        }
        try part.checkMembers([
            "document", "title", "language", "paper", "orientation", "foot", "page", "code",
            "facts", "blocks",
        ])
        let title = try part.shortText("title")
        let language: Language = try part.choice("language")
        let paper: Paper = try part.choice("paper")
        let orientation: Orientation = try part.choice("orientation")
        let foot = try part.shortTexts("foot", most: Most.footLines)
        let pageWords = try part.shortText("page")
        let code = try Code(json: try part.part("code"))
        let facts = try part.list("facts", most: Most.facts, Fact.init(json:))
        var lineCount = 0
        let blocks = try part.list("blocks", most: Most.blocks) { (part) throws(PaperFault) in
            let block = try Block(json: part)
            if case .table(let table) = block { lineCount += table.lines.count }
            try Self.check(lineCount)
            return block
        }
        self.init(
            title: title,
            language: language,
            paper: paper,
            orientation: orientation,
            foot: foot,
            pageWords: pageWords,
            code: code,
            facts: facts,
            blocks: blocks
        )
    }

    fileprivate static func check(_ lineCount: Int) throws(PaperFault) {
        guard lineCount <= Most.lines else {
            throw PaperFault(
                sentence: "the document has more than \(Most.lines) lines in tables; print a"
                    + " shorter period"
            )
        }
    }
}

extension Document.Code {
    fileprivate func append(to bytes: inout [UInt8]) {
        bytes += "{\"text\":".utf8
        JSONWriter.append(text, to: &bytes)
        bytes += ",\"rows\":".utf8
        bytes.appendList(modules) { row, bytes in
            bytes += "\"\(row.map { $0 ? "1" : "0" }.joined())\"".utf8
        }
        bytes += "}".utf8
    }

    /// Reads a code, or returns `nil` if the part is null.
    fileprivate init?(json part: JSONPart) throws(PaperFault) {
        if case .null = part.value { return nil }
        let text = try part.text("text")
        let rows = try part.texts("rows", most: Most.codeRows)
        let isSquare = rows.allSatisfy { row in
            row.utf8.count == rows.count && row.allSatisfy { $0 == "0" || $0 == "1" }
        }
        guard !rows.isEmpty, isSquare else {
            throw part.fault(".rows is no square of 0 and 1")
        }
        self.init(text: text, modules: rows.map { $0.utf8.map { $0 == UInt8(ascii: "1") } })
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

    fileprivate init(json part: JSONPart) throws(PaperFault) {
        try part.checkMembers(["label", "text"])
        self.init(label: try part.shortText("label"), text: try part.shortText("text"))
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
            page.append(to: &bytes)
            bytes += ",\"alternative\":".utf8
            JSONWriter.append(alternative, to: &bytes)
        }
        bytes += "}".utf8
    }

    fileprivate init(json part: JSONPart) throws(PaperFault) {
        if part.has("heading") {
            try part.checkMembers(["heading"])
            self = .heading(try part.shortText("heading"))
        } else if part.has("paragraph") {
            try part.checkMembers(["paragraph"])
            self = .paragraph(try part.shortText("paragraph"))
        } else if part.has("table") {
            try part.checkMembers(["table"])
            self = .table(try Document.Table(json: try part.part("table")))
        } else if part.has("picture") {
            try part.checkMembers(["picture", "alternative"])
            let page = try Page(json: try part.part("picture"))
            self = .picture(page, alternative: try part.shortText("alternative"))
        } else {
            throw part.fault(" is no heading, paragraph, table or picture")
        }
    }
}

extension Document.Table {
    fileprivate func append(to bytes: inout [UInt8]) {
        bytes += "{\"columns\":".utf8
        bytes.appendList(columns) { $0.append(to: &$1) }
        bytes += ",\"lines\":".utf8
        bytes.appendList(lines) { $0.append(to: &$1) }
        bytes += "}".utf8
    }

    fileprivate init(json part: JSONPart) throws(PaperFault) {
        try part.checkMembers(["columns", "lines"])
        let columns = try part.list("columns", most: Most.columns, Column.init(json:))
        guard !columns.isEmpty else { throw part.fault(" has no column") }
        if case .list(let elements) = part.value["lines"] { try Document.check(elements.count) }
        let lines = try part.list("lines") { (part) throws(PaperFault) in
            let line = try Line(json: part)
            guard line.cells.count == columns.count else {
                throw part.fault(" has not as many cells as the table has columns")
            }
            return line
        }
        self.init(columns, lines)
    }
}

extension Document.Table.Column {
    private enum Alignment: String, CaseIterable {
        case left, right
    }

    fileprivate func append(to bytes: inout [UInt8]) {
        let alignment = isNumber ? Alignment.right : .left
        bytes += "{\"title\":".utf8
        JSONWriter.append(title, to: &bytes)
        bytes += ",\"alignment\":\"\(alignment.rawValue)\",\"wraps\":\(wraps)}".utf8
    }

    fileprivate init(json part: JSONPart) throws(PaperFault) {
        try part.checkMembers(["title", "alignment", "wraps"])
        let title = try part.shortText("title")
        let alignment: Alignment = try part.choice("alignment")
        self.init(
            title: title,
            isNumber: alignment == .right,
            wraps: try part.boolean("wraps")
        )
    }
}

extension Document.Table.Line {
    fileprivate func append(to bytes: inout [UInt8]) {
        bytes += "{\"kind\":\"\(kind.rawValue)\",\"cells\":".utf8
        JSONWriter.append(cells, to: &bytes)
        bytes += "}".utf8
    }

    fileprivate init(json part: JSONPart) throws(PaperFault) {
        try part.checkMembers(["kind", "cells"])
        let kind: Kind = try part.choice("kind")
        let cells = try part.shortTexts("cells", most: Most.columns)
        guard cells.reduce(0, { $0 + $1.utf8.count }) <= Most.lineText else {
            throw part.fault(" is longer than \(Most.lineText) bytes")
        }
        self.init(cells, kind: kind)
    }
}
