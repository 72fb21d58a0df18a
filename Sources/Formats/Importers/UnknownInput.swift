import TripEvents

/// The apparent kind of an input that is in no known format.
public enum UnknownInput: String, CaseIterable, Sendable {
    case empty
    case webPage
    case calendar
    case contacts
    case flightLog
    case pdf
    case spreadsheet
    case officeDocument
    case database
    case picture
    case film
    case otherXML
    case otherJSON
    case emptyList
    case text
    case binary

    /// Looks at how an input begins; `nil` if it may be lines of events, whose faults are reported
    /// line by line.
    ///
    /// - Parameter head: The first ``ImportFormat/headByteCount`` bytes, or all if there are fewer.
    public init?(_ head: Span<UInt8>) {
        let text = TextDecoding.utf8(of: head)
        let start = JSONLexer.skipSpace(text.span, from: 0)
        guard start < text.count else {
            // Events may come after that many blanks.
            guard head.count < ImportFormat.headByteCount else { return nil }
            self = .empty
            return
        }
        let signatures: [(UnknownInput, [UInt8])] = [
            (.pdf, Array("%PDF".utf8)), (.database, Array("SQLite format 3".utf8)),
            (.spreadsheet, [0xD0, 0xCF, 0x11, 0xE0]), (.picture, [0x89, 0x50, 0x4E, 0x47]),
            (.picture, [0xFF, 0xD8, 0xFF]), (.picture, Array("GIF8".utf8)),
            (.officeDocument, Array("{\\rtf".utf8)), (.film, Array("RIFF".utf8)),
            (.calendar, Array("BEGIN:VCALENDAR".utf8)),
            (.contacts, Array("BEGIN:VCARD".utf8)), (.flightLog, Array("HFDTE".utf8)),
        ]
        let bytes = head.bytes(in: 0..<head.count)
        if let found = signatures.first(where: { bytes.starts(with: $0.1) }) {
            self = found.0
        } else if bytes.dropFirst(4).starts(with: "ftyp".utf8) {
            self = .film
        } else if Self.isFlightLog(text.span) {
            self = .flightLog
        } else if text[start] == UInt8(ascii: "<") {
            self = Self.isWebPage(text.span, from: start) ? .webPage : .otherXML
        } else if text.contains(0), !"{[".utf8.contains(text[start]) {
            self = .binary
        } else if Self.isEmptyList(text.span, from: start) {
            self = .emptyList
        } else if Self.isOtherJSON(text.span, from: start) {
            self = .otherJSON
        } else if !Self.hasObject(text.span, from: start) {
            self = .text
        } else {
            return nil
        }
    }

    /// Whether it may also be a program's lines that are all invalid, each of which is reported if
    /// they come through a pipe.
    public var isMaybeLines: Bool { self == .text || self == .emptyList }

    /// Recognises a document of an office program by the first file in its archive.
    public init?(firstFile name: String) {
        guard name == "[Content_Types].xml" || name == "mimetype" else { return nil }
        self = .officeDocument
    }

    /// What it is, as the end of a sentence.
    public var what: String {
        switch self {
        case .empty: "the file is empty"
        case .webPage: "this is a web page, perhaps one to log in: download the file itself"
        case .calendar: "this is a calendar, which holds no positions"
        case .contacts: "these are contacts, which hold no trips"
        case .flightLog: "this is a flight log (IGC): save it as GPX with another program"
        case .pdf: "this is a PDF: export GPX, CSV or JSON instead"
        case .spreadsheet: "this is a spreadsheet: save it as CSV"
        case .officeDocument:
            "this is a document of an office program: save the table in it as CSV"
        case .database: "this is an SQLite database: export what is in it as CSV or GPX"
        case .picture: "this is a picture"
        case .film: "this is a film, a sound or a picture"
        case .otherXML: "this is XML, but none of GPX, KML and TCX"
        case .otherJSON: "this is JSON, but of no app that is known"
        case .emptyList: "the list in it is empty"
        case .text: "this is text, but in no format of events that is known"
        case .binary: "this is no text, and no format of events that is known"
        }
    }

    /// What it is, in a word or two; `nil` if there is none for it.
    public var name: String? {
        switch self {
        case .empty: "empty"
        case .webPage: "a web page"
        case .calendar: "a calendar"
        case .contacts: "contacts"
        case .flightLog: "a flight log"
        case .pdf: "a PDF"
        case .spreadsheet: "a spreadsheet"
        case .officeDocument: "an office document"
        case .database: "a database"
        case .picture: "a picture"
        case .film: "a film"
        case .emptyList: "an empty list"
        case .text: "text"
        case .otherXML, .otherJSON, .binary: nil
        }
    }

    private static func isWebPage(_ text: Span<UInt8>, from start: Int) -> Bool {
        let beginning = text.bytes(in: start..<min(text.count, start + 1_024))
        let head = String(decoding: beginning, as: UTF8.self).lowercased()
        return head.hasPrefix("<!doctype html") || head.contains("<html") || head.contains("<head")
    }

    /// An IGC file begins with the maker's code, and has records of positions in lines with `B`.
    private static func isFlightLog(_ text: Span<UInt8>) -> Bool {
        guard text.count > 7, text[0] == UInt8(ascii: "A") else { return false }
        return text.contains("\nHFDTE", from: 0) || text.contains("\rHFDTE", from: 0)
    }

    /// `[]`, or an object with one member that is an empty list.
    private static func isEmptyList(_ text: Span<UInt8>, from start: Int) -> Bool {
        guard text.count - start <= 200 else { return false }
        let whole = text.bytes(in: start..<text.count).filter { !" \t\r\n".utf8.contains($0) }
        if whole == Array("[]".utf8) { return true }
        let isObject =
            whole.starts(with: "{\"".utf8) && whole.suffix(5).elementsEqual("\":[]}".utf8)
        return isObject && whole.count { $0 == UInt8(ascii: ":") } == 1
    }

    /// Whether a line begins as an object or a list does.
    private static func hasObject(_ text: Span<UInt8>, from start: Int) -> Bool {
        var position = start
        while position < text.count {
            if text[position] == UInt8(ascii: "{") || text[position] == UInt8(ascii: "[") {
                return true
            }
            guard let end = text.firstLineFeed(from: position) else { return false }
            position = JSONLexer.skipSpace(text, from: end + 1)
        }
        return false
    }

    /// A list or object over several lines: none of them is an event.
    private static func isOtherJSON(_ text: Span<UInt8>, from start: Int) -> Bool {
        let isContainer = text[start] == UInt8(ascii: "{") || text[start] == UInt8(ascii: "[")
        guard isContainer, let end = text.firstLineFeed(from: start + 1) else { return false }
        let line = NumberText.trimmed(text, start..<end)
        return line.last.map { !"}]".utf8.contains(text[$0]) } ?? false
    }
}
