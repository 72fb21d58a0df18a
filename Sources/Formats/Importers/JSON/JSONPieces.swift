import TripEvents

/// Cuts JSON of any size into values that fit into memory: the elements of the lists that hold the
/// records of a format, and what stands around them.
///
/// An input is a list, an object or several of them one after the other. Only strings and brackets
/// are looked at; the reader of a piece finds out whether it is JSON.
struct JSONPieces {
    /// What a piece is.
    enum Kind {
        /// An element of the list with this name, or of a list that is the whole input (no name).
        case element(of: String)

        /// A whole value of the input, in which the lists that were cut are empty.
        case root

        /// A value of more bytes than are handed out, which is gone.
        case overlong

        /// Something else where a value should be: the input is not JSON from here on.
        case broken(sentence: String)
    }

    /// The most bytes of a piece.
    static let maximumByteCount = 1 << 20

    /// Where the next byte belongs.
    private enum Place {
        /// Between two values of the input.
        case outside

        /// In a value of the input that is no list, outside the lists that are cut.
        case root

        /// In a list that is cut, before an element or its end.
        case beforeElement(isFirst: Bool)

        /// In an element of that list.
        case element

        /// In that list, behind an element.
        case behindElement

        /// Behind the byte that makes the rest unreadable.
        case broken
    }

    /// The names of the lists that are cut.
    private let listNames: Set<String>

    private var place = Place.outside
    private var root = Piece()
    private var element = Piece()

    /// The name of the list that is being cut.
    private var listName = ""

    /// Whether that list is the whole value, and no member of it.
    private var isWholeList = false

    /// Whether lists in that list are cut too.
    private let cutsInnerLists: Bool

    /// How many lists are open in that list.
    private var innerDepth = 0

    /// The name of the member of the root whose value comes next, between its quotes.
    private var name: [UInt8] = []

    /// Whether a string of the root is a name, and the one that is being read.
    private var isName = false

    /// A value that is being collected.
    private struct Piece {
        var bytes: [UInt8] = []
        var depth = 0
        var isInString = false

        /// In a string, whether the next byte is escaped.
        var isEscaped = false

        var isOverlong = false

        mutating func append(_ byte: UInt8) {
            guard bytes.count < JSONPieces.maximumByteCount else {
                isOverlong = true
                return
            }
            bytes.append(byte)
        }

        mutating func begin() {
            bytes.removeAll(keepingCapacity: true)
            (depth, isInString, isEscaped, isOverlong) = (0, false, false, false)
        }

        /// Appends a byte of a string, which may end it.
        mutating func appendInString(_ byte: UInt8) {
            append(byte)
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString = false
            }
        }
    }

    /// Prepares to cut the lists with these names, which are members of the input's values.
    ///
    /// - Parameters:
    ///   - listNames: The names.
    ///   - innerLists: Whether lists that are elements of a whole list are cut too.
    init(cutting listNames: Set<String>, innerLists: Bool = false) {
        self.listNames = listNames
        cutsInnerLists = innerLists
    }

    /// Takes it out of the variable that holds it: with two references, each piece copies the
    /// unfinished one.
    mutating func takeOut() -> JSONPieces {
        let pieces = self
        self = JSONPieces(cutting: [], innerLists: cutsInnerLists)
        return pieces
    }

    /// Hands out the pieces that end in some bytes.
    mutating func split(_ bytes: Span<UInt8>, _ take: (Span<UInt8>, Kind) -> Void) {
        for position in bytes.indices { split(bytes[position], take) }
    }

    /// Hands out the last piece.
    mutating func finish(_ take: (Span<UInt8>, Kind) -> Void) {
        switch place {
        case .outside, .broken: break
        case .root, .beforeElement, .element, .behindElement:
            fail("It ends in the middle of a value: what came before that is read.", take)
        }
    }

    private mutating func split(_ byte: UInt8, _ take: (Span<UInt8>, Kind) -> Void) {
        switch place {
        case .outside: begin(byte, take)
        case .root: takeRoot(byte, take)
        case .beforeElement(let isFirst):
            guard !Self.isSpace(byte) else { return }
            if byte == UInt8(ascii: "]"), isFirst { return endList(take) }
            guard byte != UInt8(ascii: "]"), byte != UInt8(ascii: ",") else {
                return fail("An element is missing in a list.", take)
            }
            if byte == UInt8(ascii: "["), isWholeList, cutsInnerLists {
                innerDepth += 1
                place = .beforeElement(isFirst: true)
                return
            }
            element.begin()
            place = .element
            takeElement(byte, take)
        case .element: takeElement(byte, take)
        case .behindElement: takeBehindElement(byte, take)
        case .broken: break
        }
    }

    private mutating func begin(_ byte: UInt8, _ take: (Span<UInt8>, Kind) -> Void) {
        // A power cut leaves NULs between values; some separate them with RS (RFC 7464).
        guard !Self.isSpace(byte), byte != 0, byte != 0x1E else { return }
        guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") else {
            // Usually a sentence that says why there is no data.
            return fail("Found \(Excerpt.byte(byte)) where an object or a list should come.", take)
        }
        root.begin()
        if byte == UInt8(ascii: "[") {
            (listName, isWholeList, place) = ("", true, .beforeElement(isFirst: true))
            return
        }
        isWholeList = false
        place = .root
        root.append(byte)
        (root.depth, isName) = (1, true)
        name.removeAll(keepingCapacity: true)
    }

    private mutating func takeRoot(_ byte: UInt8, _ take: (Span<UInt8>, Kind) -> Void) {
        if root.isInString {
            if isName, root.depth == 1, byte != UInt8(ascii: "\"") { name.append(byte) }
            return root.appendInString(byte)
        }
        root.append(byte)
        switch byte {
        case UInt8(ascii: "\""):
            root.isInString = true
            if isName, root.depth == 1 { name.removeAll(keepingCapacity: true) }
        case UInt8(ascii: "["):
            if root.depth == 1, !isName, listNames.contains(String(decoding: name, as: UTF8.self)) {
                listName = String(decoding: name, as: UTF8.self)
                place = .beforeElement(isFirst: true)
            } else {
                root.depth += 1
            }
        case UInt8(ascii: "{"): root.depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            root.depth -= 1
            if root.depth <= 0 { endRoot(take) }
        case UInt8(ascii: ":") where root.depth == 1: isName = false
        case UInt8(ascii: ",") where root.depth == 1: isName = true
        default: break
        }
    }

    private mutating func takeElement(_ byte: UInt8, _ take: (Span<UInt8>, Kind) -> Void) {
        if element.isInString {
            return element.appendInString(byte)
        }
        if element.depth == 0 {
            // A number or a word ends with the list, or before what separates it from the next.
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: "]"):
                endElement(take)
                return takeBehindElement(byte, take)
            case _ where Self.isSpace(byte): return endElement(take)
            default: break
            }
        }
        element.append(byte)
        switch byte {
        case UInt8(ascii: "\""): element.isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): element.depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            element.depth -= 1
            if element.depth == 0 { endElement(take) }
        default: break
        }
    }

    private mutating func takeBehindElement(
        _ byte: UInt8,
        _ take: (Span<UInt8>, Kind) -> Void
    ) {
        switch byte {
        case _ where Self.isSpace(byte): break
        case UInt8(ascii: ","): place = .beforeElement(isFirst: false)
        case UInt8(ascii: "]"): endList(take)
        default: fail("Found \(Excerpt.byte(byte)) where ',' or ']' should come.", take)
        }
    }

    private mutating func endElement(_ take: (Span<UInt8>, Kind) -> Void) {
        take(element.bytes.span, element.isOverlong ? .overlong : .element(of: listName))
        place = .behindElement
    }

    private mutating func endList(_ take: (Span<UInt8>, Kind) -> Void) {
        if innerDepth > 0 {
            innerDepth -= 1
            place = .behindElement
            return
        }
        if isWholeList {
            place = .outside
            return
        }
        root.append(UInt8(ascii: "]"))
        place = .root
    }

    private mutating func endRoot(_ take: (Span<UInt8>, Kind) -> Void) {
        place = .outside
        take(root.bytes.span, root.isOverlong ? .overlong : .root)
    }

    private mutating func fail(_ sentence: String, _ take: (Span<UInt8>, Kind) -> Void) {
        place = .broken
        take([UInt8]().span, .broken(sentence: sentence))
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}
