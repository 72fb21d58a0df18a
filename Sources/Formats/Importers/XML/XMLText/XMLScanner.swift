import CExpat

/// Reads XML 1.0 piece by piece with Expat: strictly, but for prefixes that were never declared.
///
/// Documents that declare a type are refused: entities of their own are the only way in which a
/// small text can grow, and no format of records needs them.
///
/// A class, because Expat calls it back.
// @safe because the parser is its own, and is freed with it.
@safe package final class XMLScanner {
    /// How deep elements may be nested.
    package static let maximumDepth = 64

    /// The most bytes of a tag, a comment or anything else that Expat keeps until it is whole.
    package static let maximumTokenByteCount = 1 << 20

    /// The number of bytes that are read at a time: so the place at which a token is found to be
    /// too long does not depend on how the text is cut.
    private static let sliceByteCount = 1 << 16

    /// The error codes of Expat for a text that ends too early.
    private static let endCodes = [
        XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN, XML_ERROR_PARTIAL_CHAR,
        XML_ERROR_UNCLOSED_CDATA_SECTION,
    ]

    private let parser: OpaquePointer
    private var tokens = XMLTokens()
    private var refusal: XMLProblem.Cause?
    private var depth = 0

    /// How many bytes Expat has been given.
    private var byteCount = 0

    /// The number of bytes of white space before the text that Expat was not given.
    private var skippedByteCount = 0

    /// The names of the elements that are open, as they were written, one behind the other, and
    /// how long each is.
    private var openNames: [UInt8] = []
    private var openNameByteCounts: [Int] = []

    /// The names of the elements that are open, with their prefixes, the outermost first.
    package var openElements: [[UInt8]] {
        var start = 0
        return openNameByteCounts.map { count in
            defer { start += count }
            return Array(openNames[start..<start + count])
        }
    }

    /// The number of bytes of the text that are processed: the next token begins there.
    package var offset: Int {
        // The parser is alive; before anything began, it has no place.
        skippedByteCount + max(0, Int(unsafe XML_GetCurrentByteIndex(parser)))
    }

    /// Whether something other than white space was read.
    private var hasBegun = false

    /// Prepares to read a text.
    ///
    /// - Parameter isUTF8: Whether it is in UTF-8 regardless of its declaration; else it is in
    ///   UTF-8, UTF-16 or ISO 8859-1, as it declares.
    package init(isUTF8: Bool = false) {
        // It returns nothing only if memory is exhausted.
        let parser = unsafe isUTF8 ? XML_ParserCreate("UTF-8") : XML_ParserCreate(nil)
        guard let parser = unsafe parser else {
            preconditionFailure("Expat has no memory for a parser")
        }
        unsafe self.parser = parser
        // The parser calls back only while this object reads, and goes with it.
        unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        unsafe XML_SetElementHandler(
            parser,
            { data, name, attributes in unsafe XMLScanner.of(data)?.start(name, attributes) },
            { data, name in unsafe XMLScanner.of(data)?.end(name) }
        )
        unsafe XML_SetCharacterDataHandler(parser) { data, text, count in
            unsafe XMLScanner.of(data)?.take(text, count)
        }
        unsafe XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in
            unsafe XMLScanner.of(data)?.refuse(.doctype)
        }
    }

    deinit {
        // Nothing else has the parser.
        unsafe XML_ParserFree(parser)
    }

    /// Reads the next bytes.
    ///
    /// - Parameters:
    ///   - bytes: A piece of the text.
    ///   - isLast: Whether the text ends with it.
    ///   - take: Gets what the piece consists of.
    /// - Throws: `XMLProblem`; what was before it has been handed over. Nothing more can be read.
    package func read(
        _ bytes: Span<UInt8>,
        isLast: Bool,
        _ take: (XMLTokens) -> Void
    ) throws(XMLProblem) {
        var start = 0
        if !hasBegun {
            // Files begin with spaces before their declaration, which XML does not allow.
            let spaces: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
            while start < bytes.count, spaces.contains(bytes[start]) { start += 1 }
            hasBegun = start < bytes.count
            skippedByteCount += start
        }
        repeat {
            let room = Self.sliceByteCount - byteCount % Self.sliceByteCount
            let end = min(bytes.count, start + room)
            let isXML = parse(
                bytes.extracting(start..<end),
                isLast: isLast && end == bytes.count
            )
            take(tokens)
            tokens.removeAll()
            guard isXML, refusal == nil else { throw problem }
            start = end
        } while start < bytes.count
    }

    /// Gives bytes to Expat; returns whether they are XML.
    private func parse(_ slice: Span<UInt8>, isLast: Bool) -> Bool {
        // Expat copies what it keeps of the bytes.
        let status = unsafe slice.withUnsafeBytes { buffer in
            let text = unsafe buffer.bindMemory(to: CChar.self)
            return unsafe XML_Parse(parser, text.baseAddress, CInt(text.count), isLast ? 1 : 0)
        }
        byteCount += slice.count
        if byteCount % Self.sliceByteCount == 0 {
            // The parser is alive; before anything began, it has no place.
            let begun = max(0, Int(unsafe XML_GetCurrentByteIndex(parser)))
            if byteCount - begun > Self.maximumTokenByteCount { refusal = refusal ?? .overlong }
        }
        return status != XML_STATUS_ERROR
    }

    private var problem: XMLProblem {
        // The parser is alive, and its messages are constants.
        let line = Int(unsafe XML_GetCurrentLineNumber(parser))
        if let refusal { return XMLProblem(refusal, line: line, offset: offset) }
        let code = unsafe XML_GetErrorCode(parser)
        if Self.endCodes.contains(where: { $0 == code }) {
            return XMLProblem(.cut, line: line, offset: offset)
        }
        let message = unsafe XML_ErrorString(code)
        let text = unsafe message.map { unsafe String(cString: $0) }
        return XMLProblem(.malformed(text ?? "it is something else"), line: line, offset: offset)
    }
}

extension XMLScanner {
    /// Returns the scanner that a callback belongs to.
    private static func of(_ data: UnsafeMutableRawPointer?) -> XMLScanner? {
        // It is reading right now, and so alive.
        unsafe data.map { unsafe Unmanaged<XMLScanner>.fromOpaque($0).takeUnretainedValue() }
    }

    private func start(
        _ name: UnsafePointer<CChar>?,
        _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) {
        depth += 1
        guard depth <= Self.maximumDepth else { return refuse(.tooDeep) }
        // Pairs of names and values, until there is none; all live until the callback returns.
        unsafe append(.start, name, isName: true)
        unsafe noteOpen(name)
        var index = 0
        while let attributes = unsafe attributes, let name = unsafe attributes[index] {
            unsafe append(.attribute, name, isName: true)
            unsafe append(.value, attributes[index + 1], isName: false)
            index += 2
        }
    }

    private func end(_ name: UnsafePointer<CChar>?) {
        depth -= 1
        openNames.removeLast(openNameByteCounts.popLast() ?? 0)
        // The name lives until the callback returns.
        unsafe append(.end, name, isName: true)
    }

    private func noteOpen(_ name: UnsafePointer<CChar>?) {
        var count = 0
        // A C text of the callback that is going on.
        while let byte = unsafe name?[count], byte != 0 {
            openNames.append(UInt8(bitPattern: byte))
            count += 1
        }
        openNameByteCounts.append(count)
    }

    private func take(_ text: UnsafePointer<CChar>?, _ count: CInt) {
        // The text lives until the callback returns.
        let buffer = unsafe UnsafeBufferPointer(start: text, count: Int(count))
        unsafe tokens.append(.text, buffer)
    }

    private func refuse(_ cause: XMLProblem.Cause) {
        refusal = refusal ?? cause
        // Expat finishes its current step, and then reports that it was stopped.
        _ = unsafe XML_StopParser(parser, 0)
    }

    private func append(
        _ kind: XMLTokens.Token.Kind,
        _ text: UnsafePointer<CChar>?,
        isName: Bool
    ) {
        // A C text of the callback that is going on.
        var start = 0
        var count = 0
        while let byte = unsafe text?[count], byte != 0 {
            count += 1
            if isName, byte == CChar(UInt8(ascii: ":")) { start = count }
        }
        let buffer = unsafe UnsafeBufferPointer(start: text, count: count)
        unsafe tokens.append(kind, UnsafeBufferPointer(rebasing: buffer[start...]))
    }
}

/// Why a text cannot be read as XML.
package struct XMLProblem: Error, Hashable, Sendable {
    /// What is wrong.
    package enum Cause: Hashable, Sendable {
        /// It is not XML; the error in Expat's words.
        case malformed(String)

        /// It ends before its elements do.
        case cut

        /// It declares a document type.
        case doctype

        /// Elements are nested too deep.
        case tooDeep

        /// A tag, or something else that has to be whole, is too long.
        case overlong

        /// What is said of a text that ends before its elements do.
        static let cutSentence = "It ends in the middle: what came before it is read."
    }

    /// What is wrong.
    package let cause: Cause

    /// The line where it was seen, from 1.
    package let line: Int

    /// How many bytes come before it.
    package let offset: Int

    init(_ cause: Cause, line: Int, offset: Int) {
        self.cause = cause
        self.line = line
        self.offset = offset
    }

    /// What is wrong, as a sentence.
    package var sentence: String {
        switch cause {
        case .malformed(let message): "Line \(line) is no XML: \(message)."
        case .cut: Cause.cutSentence
        case .doctype: "Line \(line) declares a document type, which is refused."
        case .tooDeep:
            "In line \(line), elements are nested more than \(XMLScanner.maximumDepth) deep."
        case .overlong:
            "In line \(line), something has more than \(XMLScanner.maximumTokenByteCount) bytes."
        }
    }
}
