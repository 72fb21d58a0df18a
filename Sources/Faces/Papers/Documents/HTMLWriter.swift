import TripEvents

/// Writes a document as one HTML page that needs nothing but itself: no script, no network.
///
/// It is read on phones and dark screens, and by screen readers; on paper it has the document's
/// size, the titles of tables on every page, and the foot if the browser supports margin boxes.
/// Elements are closed as XML requires, so any XML parser can read it, too.
///
/// Source: the HTML Living Standard, "The XML syntax"; CSS Paged Media Level 3.
package struct HTMLWriter {
    /// A longer word of a title may be broken.
    private static let longestWord = 10

    private let document: Document

    /// The id of the last heading, which names the tables below it.
    private var headingID = "title"
    private var headingCount = 0
    private var tableCount = 0

    /// Creates a writer of a document.
    package init(_ document: Document) {
        self.document = document
    }

    /// Appends the page.
    package mutating func append(to bytes: inout [UInt8]) {
        let language = document.language.rawValue
        bytes +=
            """
            <!DOCTYPE html>
            <html xmlns="http://www.w3.org/1999/xhtml" lang="\(language)" xml:lang="\(language)">
            <head>
            <meta charset="utf-8"/>
            <meta name="viewport" content="width=device-width,initial-scale=1"/>
            <meta name="referrer" content="no-referrer"/>
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
            style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"/>

            """
            .utf8
        XMLElement.appendShown("title", document.title, to: &bytes)
        bytes += "\n<style>\n\(HTMLStyle(document).text)</style>\n</head>\n<body>\n".utf8
        appendHead(to: &bytes)
        bytes += "<main>\n".utf8
        var pictures = SVGWriter(.page)
        for block in document.blocks { append(block, &pictures, to: &bytes) }
        bytes += "</main>\n".utf8
        appendFoot(to: &bytes)
        bytes += "</body>\n</html>\n".utf8
    }

    private func appendHead(to bytes: inout [UInt8]) {
        bytes += "<header>\n".utf8
        XMLElement.appendShown("h1", attributes: "id=\"title\"", document.title, to: &bytes)
        bytes += "\n<dl>\n".utf8
        for fact in document.facts {
            XMLElement.appendShown("dt", fact.label, to: &bytes)
            XMLElement.appendShown("dd", fact.text, to: &bytes)
            bytes += "\n".utf8
        }
        bytes += "</dl>\n</header>\n".utf8
    }

    private mutating func append(
        _ block: Document.Block,
        _ pictures: inout SVGWriter,
        to bytes: inout [UInt8]
    ) {
        switch block {
        case .heading(let text):
            headingCount += 1
            headingID = "h\(headingCount)"
            XMLElement.appendShown("h2", attributes: "id=\"\(headingID)\"", text, to: &bytes)
            bytes += "\n".utf8
        case .paragraph(let text):
            XMLElement.appendShown("p", text, to: &bytes)
            bytes += "\n".utf8
        case .table(let table): append(table, to: &bytes)
        case .picture(let page, let alternative):
            bytes += "<figure>\n".utf8
            pictures.append(page, titled: alternative, to: &bytes)
            bytes += "</figure>\n".utf8
        }
    }

    /// Appends a table, which can be moved sideways where the screen is too narrow for it.
    private mutating func append(_ table: Document.Table, to bytes: inout [UInt8]) {
        tableCount += 1
        let name = "aria-labelledby=\"\(headingID)\""
        bytes += "<div role=\"region\" tabindex=\"0\" \(name)>\n".utf8
        bytes += "<table id=\"t\(tableCount)\" \(name)>\n<thead><tr>".utf8
        for column in table.columns {
            let title = Self.unbroken(column.title)
            XMLElement.appendShown("th", attributes: "scope=\"col\"", title, to: &bytes)
        }
        bytes += "</tr></thead>\n<tbody>\n".utf8
        for line in table.lines {
            bytes += (line.kind == .line ? "<tr>" : "<tr class=\"\(line.kind.rawValue)\">").utf8
            for (index, cell) in line.cells.enumerated() {
                if index == 0 {
                    XMLElement.appendShown("th", attributes: "scope=\"row\"", cell, to: &bytes)
                } else {
                    XMLElement.appendShown("td", cell, to: &bytes)
                }
            }
            bytes += "</tr>\n".utf8
        }
        bytes += "</tbody>\n</table>\n</div>\n".utf8
    }

    /// Returns a title without the soft hyphens of words that are short enough to stay whole: a
    /// browser uses every permitted break, even if other columns could give up room.
    private static func unbroken(_ title: String) -> String {
        title.split(separator: "\n", omittingEmptySubsequences: false)
            .map { line in
                line.split(separator: " ", omittingEmptySubsequences: false)
                    .map { word in
                        let whole = String(word).replacing("\u{AD}", with: "")
                        return whole.count > longestWord ? String(word) : whole
                    }
                    .joined(separator: " ")
            }
            .joined(separator: "\n")
    }

    private func appendFoot(to bytes: inout [UInt8]) {
        guard !document.foot.isEmpty || document.code != nil else { return }
        bytes += "<footer>\n".utf8
        if let code = document.code { code.appendSVG(to: &bytes) }
        bytes += "<div>\n".utf8
        for line in document.foot {
            XMLElement.appendShown("p", line, to: &bytes)
            bytes += "\n".utf8
        }
        bytes += "</div>\n</footer>\n".utf8
    }
}

extension Document.Code {
    /// The margin that cameras need, in modules (ISO/IEC 18004).
    private static let margin = 4

    /// Appends it as a picture, dark on light on every screen.
    fileprivate func appendSVG(to bytes: inout [UInt8]) {
        let side = modules.count + 2 * Self.margin
        bytes += "<svg class=\"code\" xmlns=\"http://www.w3.org/2000/svg\" ".utf8
        bytes += "viewBox=\"0 0 \(side) \(side)\" role=\"img\" ".utf8
        bytes += "shape-rendering=\"crispEdges\">\n".utf8
        XMLElement.appendShown("title", text, to: &bytes)
        bytes += "\n<rect width=\"\(side)\" height=\"\(side)\"/><path d=\"".utf8
        for (y, row) in modules.enumerated() {
            var x = 0
            while x < row.count {
                let length = row[x...].prefix { $0 }.count
                if length > 0 {
                    bytes += "M\(x + Self.margin) \(y + Self.margin)h\(length)v1h-\(length)z".utf8
                }
                x += max(1, length)
            }
        }
        bytes += "\"/>\n</svg>\n".utf8
    }
}
