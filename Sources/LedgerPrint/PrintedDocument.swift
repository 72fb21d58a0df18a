import JSONText
import Pagination

/// A document as it is read: `document.v1.schema.json`.
struct PrintedDocument {
    /// A line of what the document is about.
    struct Fact {
        let label: String
        let text: String
    }

    /// A part of the document.
    enum Block {
        case heading(String)
        case paragraph(String)
        case table(Table)
        case picture(PrintedPicture.Page, alternative: String)
    }

    /// Lines under titles.
    struct Table {
        let columns: [Column]
        let lines: [Line]
    }

    /// A column of a table.
    struct Column {
        let title: String
        let isRight: Bool
        let wraps: Bool
    }

    /// A line of a table, with a cell for each column.
    struct Line {
        let kind: Kind
        let cells: [String]
    }

    /// How a line looks.
    enum Kind: String {
        case line
        case total
        case faint
    }

    let title: String
    let language: String
    let paper: Paper

    /// Lines at the foot of every page.
    let foot: [String]

    /// What says the number of a page: `{page}` and `{pages}` stand for numbers.
    let page: String

    /// The dark fields of a code, row by row; `nil` for a draft.
    let code: [[Bool]]?
    let facts: [Fact]
    let blocks: [Block]
}

/// More is no paper of a ledger, and would not fit on a page or in memory.
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

extension PrintedDocument {
    /// Whether JSON is meant to be a document.
    static func isMeant(by value: JSONValue) -> Bool { value["document"] != nil }

    /// Reads a document.
    ///
    /// - Throws: `PrintError` that says what is no document.
    init(_ value: JSONValue) throws(PrintError) {
        let reader = PartReader(value, "the document")
        guard try reader.number("document") == 1 else {
            throw PrintError(
                "the document is of a version that this ledger-print does not know; use that of"
                    + " the same release as `ledger`"
            )
        }
        try reader.checkMembers([
            "document", "title", "language", "paper", "orientation", "foot", "page", "code",
            "facts", "blocks",
        ])
        title = try reader.printable("title")
        language = try reader.choice("language", of: ["en", "nl", "de", "fr"])
        let upright: Paper =
            try reader.choice("paper", of: ["a4", "letter"]) == "a4" ? .a4 : .letter
        let orientation = try reader.choice("orientation", of: ["portrait", "landscape"])
        paper = orientation == "landscape" ? upright.turned : upright
        foot = try reader.printables("foot", most: Most.footLines)
        page = try reader.printable("page")
        code = try reader.code("code")
        var facts: [Fact] = []
        for fact in try reader.list("facts", most: Most.facts) {
            try fact.checkMembers(["label", "text"])
            facts.append(
                Fact(label: try fact.printable("label"), text: try fact.printable("text"))
            )
        }
        self.facts = facts
        var blocks: [Block] = []
        var lineCount = 0
        for block in try reader.list("blocks", most: Most.blocks) {
            blocks.append(try Block(block))
            if case .table(let table) = blocks.last { lineCount += table.lines.count }
            try Self.check(lineCount)
        }
        self.blocks = blocks
    }

    fileprivate static func check(_ lineCount: Int) throws(PrintError) {
        guard lineCount <= Most.lines else {
            throw PrintError(
                "the document has more than \(Most.lines) lines in tables; print a shorter period"
            )
        }
    }
}

extension PrintedDocument.Block {
    fileprivate init(_ reader: PartReader) throws(PrintError) {
        if reader.value["heading"] != nil {
            try reader.checkMembers(["heading"])
            self = .heading(try reader.printable("heading"))
        } else if reader.value["paragraph"] != nil {
            try reader.checkMembers(["paragraph"])
            self = .paragraph(try reader.printable("paragraph"))
        } else if let table = reader.value["table"] {
            try reader.checkMembers(["table"])
            self = .table(try PrintedDocument.Table(PartReader(table, "\(reader.name).table")))
        } else if let picture = reader.value["picture"] {
            try reader.checkMembers(["picture", "alternative"])
            let page = try PrintedPicture.Page(PartReader(picture, "\(reader.name).picture"))
            self = .picture(page, alternative: try reader.printable("alternative"))
        } else {
            throw PrintError("\(reader.name) is no heading, paragraph, table or picture")
        }
    }
}

extension PrintedDocument.Table {
    fileprivate init(_ reader: PartReader) throws(PrintError) {
        try reader.checkMembers(["columns", "lines"])
        var columns: [PrintedDocument.Column] = []
        for column in try reader.list("columns", most: Most.columns) {
            try column.checkMembers(["title", "alignment", "wraps"])
            columns.append(
                PrintedDocument.Column(
                    title: try column.printable("title"),
                    isRight: try column.choice("alignment", of: ["left", "right"]) == "right",
                    wraps: try column.boolean("wraps")
                )
            )
        }
        guard !columns.isEmpty else { throw PrintError("\(reader.name) has no column") }
        self.columns = columns
        if case .list(let elements) = reader.value["lines"] {
            try PrintedDocument.check(elements.count)
        }
        var lines: [PrintedDocument.Line] = []
        for line in try reader.list("lines") {
            try line.checkMembers(["kind", "cells"])
            let kind = try line.choice("kind", of: ["line", "total", "faint"])
            let cells = try line.printables("cells", most: Most.columns)
            guard cells.count == columns.count else {
                throw PrintError("\(line.name) has not as many cells as the table has columns")
            }
            guard cells.reduce(0, { $0 + $1.utf8.count }) <= Most.lineText else {
                throw PrintError("\(line.name) is longer than \(Most.lineText) bytes")
            }
            lines.append(
                PrintedDocument.Line(
                    kind: PrintedDocument.Kind(rawValue: kind) ?? .line,
                    cells: cells
                )
            )
        }
        self.lines = lines
    }
}

extension PartReader {
    /// Says whether there are no members but these: nothing MUST be left out unseen.
    fileprivate func checkMembers(_ names: [String]) throws(PrintError) {
        guard case .object(let members) = value else { throw PrintError("\(name) is no object") }
        if let member = members.first(where: { !names.contains($0.name) }) {
            throw PrintError("\(name) has a member that cannot be printed: \(member.name)")
        }
    }

    fileprivate func list(_ member: String, most: Int) throws(PrintError) -> [PartReader] {
        if case .list(let elements) = value[member], elements.count > most {
            throw PrintError("\(name).\(member) has more than \(most) elements")
        }
        return try list(member)
    }

    fileprivate func boolean(_ member: String) throws(PrintError) -> Bool {
        guard case .boolean(let boolean) = value[member] else {
            throw PrintError("\(name).\(member) is neither true nor false")
        }
        return boolean
    }

    fileprivate func choice(_ member: String, of words: [String]) throws(PrintError) -> String {
        let text = try text(member)
        guard words.contains(text) else {
            throw PrintError("\(name).\(member) is none of \(words.joined(separator: ", "))")
        }
        return text
    }

    fileprivate func printable(_ member: String) throws(PrintError) -> String {
        try Self.printable(try text(member), "\(name).\(member)")
    }

    fileprivate func printables(_ member: String, most: Int) throws(PrintError) -> [String] {
        var texts = try texts(member, most: most)
        for index in texts.indices {
            texts[index] = try Self.printable(texts[index], "a text of \(name).\(member)")
        }
        return texts
    }

    private func texts(_ member: String, most: Int) throws(PrintError) -> [String] {
        guard case .list(let elements) = value[member] else {
            throw PrintError("\(name) has no list \(member)")
        }
        guard elements.count <= most else {
            throw PrintError("\(name).\(member) has more than \(most) elements")
        }
        var texts: [String] = []
        texts.reserveCapacity(elements.count)
        for element in elements {
            guard case .text(let text) = element else {
                throw PrintError("\(name).\(member) is no list of texts")
            }
            texts.append(text)
        }
        return texts
    }

    /// Returns the dark fields of a code, or `nil` if the member is null.
    fileprivate func code(_ member: String) throws(PrintError) -> [[Bool]]? {
        if case .null = value[member] { return nil }
        guard let code = value[member] else { throw PrintError("\(name) has no \(member)") }
        let rows = try PartReader(code, "\(name).\(member)").texts("rows", most: Most.codeRows)
        let isSquare = rows.allSatisfy { row in
            row.utf8.count == rows.count && row.allSatisfy { $0 == "0" || $0 == "1" }
        }
        guard !rows.isEmpty, isSquare else {
            throw PrintError("\(name).\(member).rows is no square of 0 and 1")
        }
        return rows.map { $0.utf8.map { $0 == UInt8(ascii: "1") } }
    }
}
