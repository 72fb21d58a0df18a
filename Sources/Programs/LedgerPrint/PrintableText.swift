import Papers

/// A drawing or document that is not printed, and the reason.
struct PrintError: Error {
    let sentence: String

    init(_ sentence: String) {
        self.sentence = sentence
    }
}

/// Changes texts so that Cairo and Pango can set them.
enum PrintableText {
    /// A longer word may be broken anywhere (characters).
    private static let longestWord = 100

    /// Returns a text of a document as it can be set.
    static func lines(_ text: String) -> String {
        let clean = clean(text)
        return clean.utf8.count > longestWord ? breakable(clean) : clean
    }

    /// Returns a text without zeros and noncharacters, which end it in Cairo or are refused,
    /// without control characters, which metadata cannot have, and without characters that turn the
    /// text after them (``DirectionMarks``).
    static func clean(_ text: String) -> String {
        let text = DirectionMarks.shown(text)
        // In UTF-8 noncharacters begin with these bytes, from U+FDD0 on.
        guard text.utf8.contains(where: { isControl($0) || $0 >= 0xEF }) else { return text }
        let scalars = text.unicodeScalars.map { scalar in
            let isRefused =
                UInt8(exactly: scalar.value).map(isControl) ?? false
                || scalar.properties.isNoncharacterCodePoint
            return isRefused ? "\u{FFFD}" : scalar
        }
        return String(String.UnicodeScalarView(scalars))
    }

    /// Whether a character below U+0100, or a byte of UTF-8, is a control character that neither
    /// begins a line nor is a tabulator.
    private static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D
    }

    /// Returns a text whose longest words may be broken at some places (U+200B): without them Pango
    /// would scan the whole rest of a word for each line.
    private static func breakable(_ text: String) -> String {
        var broken = ""
        var length = 0
        for character in text {
            length = character.isWhitespace ? 0 : length + 1
            if length > longestWord {
                broken.append("\u{200B}")
                length = 1
            }
            broken.append(character)
        }
        return broken
    }
}

extension Document {
    /// Returns the document with texts that can be set.
    consuming func printable() -> Document {
        title = PrintableText.lines(title)
        foot = foot.map(PrintableText.lines)
        pageWords = PrintableText.lines(pageWords)
        for index in facts.indices {
            facts[index].label = PrintableText.lines(facts[index].label)
            facts[index].text = PrintableText.lines(facts[index].text)
        }
        blocks = blocks.map { $0.printable() }
        return self
    }
}

extension Document.Block {
    fileprivate func printable() -> Document.Block {
        switch self {
        case .heading(let text): return .heading(PrintableText.lines(text))
        case .paragraph(let text): return .paragraph(PrintableText.lines(text))
        case .table(var table):
            for index in table.columns.indices {
                table.columns[index].title = PrintableText.lines(table.columns[index].title)
            }
            table.lines = table.lines.map { line in
                Document.Table.Line(line.cells.map(PrintableText.lines), kind: line.kind)
            }
            return .table(table)
        case .picture(let page, let alternative):
            return .picture(page.printable(), alternative: PrintableText.lines(alternative))
        }
    }
}

extension Picture {
    /// Returns the picture with words that can be set.
    func printable() -> Picture {
        Picture(title: title, pages: pages.map { $0.printable() })
    }
}

extension Page {
    fileprivate func printable() -> Page {
        var page = self
        for layer in page.layers.indices {
            for index in page.layers[layer].items.indices {
                guard case .label(var label) = page.layers[layer].items[index] else { continue }
                label.text = PrintableText.clean(label.text)
                page.layers[layer].items[index] = .label(label)
            }
        }
        return page
    }
}
