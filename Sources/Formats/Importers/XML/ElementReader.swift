import TripEvents

/// A format that reads elements of XML, one after the other.
///
/// Names have no prefixes here. Text between elements belongs to neither.
protocol ElementFormat {
    /// The names of elements that are records, or hold one with all that belongs to it.
    static var recordNames: Set<String> { get }

    /// The names of outermost elements.
    static var rootNames: Set<String> { get }

    /// The number of records that have begun.
    var record: Int { get set }

    /// Whether the attributes and the text of the current element are needed.
    var isInRecord: Bool { get }

    /// Notes the beginning of an element.
    mutating func begin(_ bytes: Span<UInt8>, _ name: Range<Int>, into batch: inout ImportBatch)

    /// Takes an attribute of the element that has just begun.
    mutating func take(_ bytes: Span<UInt8>, _ attribute: Range<Int>, _ value: Range<Int>)

    /// Takes an element that has ended, with its text.
    mutating func end(
        _ bytes: Span<UInt8>,
        _ name: Range<Int>,
        _ text: Span<UInt8>,
        into batch: inout ImportBatch
    )

    /// Leaves the current record and the elements around it, which begin again.
    mutating func beginAgain()

    /// Takes note of the end of the input.
    mutating func finish(into batch: inout ImportBatch)
}

extension ElementFormat {
    mutating func finish(into batch: inout ImportBatch) {}

    mutating func beginAgain() {}

    mutating func take(_ bytes: Span<UInt8>, _ attribute: Range<Int>, _ value: Range<Int>) {}
}

/// Reads a format of XML.
///
/// Text that is no XML is passed over up to the next record, or to the next text that begins in the
/// same input; each such stretch is rejected once, with how much of the input cannot be read.
struct ElementReader<Format: ElementFormat>: FormatReader {
    /// The most bytes of a text that is kept: a longer one is cut, and gets an ending that keeps it
    /// from being a number.
    private let mostTextBytes = 256

    /// The most stretches that are passed over.
    private let mostStretches = 1_000

    private var format: Format
    private var scanner = XMLScanner(isUTF8: true)

    /// The text of the innermost element.
    private var text: [UInt8] = []

    /// The bytes that the scanner may still need, and where in the input they begin.
    private var kept: [UInt8] = []
    private var keptFrom = 0

    /// Where in the input the scanner's text begins, and how many lines come before that.
    ///
    /// The tags that open the elements again stand before the text that is read again.
    private var scannedFrom = 0
    private var linesBefore = 0

    /// The place in the input at which reading began again last.
    private var begunAt = 0

    /// What ended the text, once it is no XML any more.
    private var problem: XMLProblem?

    /// The stretch that is being passed over.
    private var stretch: Stretch?
    private var stretchCount = 0

    /// Something that is no XML.
    private struct Stretch {
        /// What is wrong, and in which line of the input.
        let message: String
        let line: Int

        /// Where in the input it begins.
        let start: Int

        /// Whether it stands behind a whole text.
        let isBehindText: Bool

        /// The elements in which it stands, outside of records.
        let elements: [[UInt8]]
    }

    init(_ format: Format) {
        self.format = format
    }

    mutating func take(_ bytes: Span<UInt8>, into batch: inout ImportBatch) {
        guard problem == nil else { return }
        kept.append(contentsOf: bytes)
        let start = kept.count - bytes.count
        read(from: start, isLast: false, into: &batch)
    }

    mutating func finish(into batch: inout ImportBatch) {
        if problem == nil { read(from: kept.count, isLast: true, into: &batch) }
        if let stretch { end(stretch, at: keptFrom + kept.count, into: &batch) }
        format.finish(into: &batch)
        guard let problem else { return }
        reject(problem.sentence, into: &batch)
    }

    private mutating func reject(_ sentence: String, into batch: inout ImportBatch) {
        format.record += 1
        batch.reject(Rejection(.invalidXML, sentence: sentence), record: format.record)
    }

    /// Reads what was kept, from a place in it on.
    private mutating func read(from start: Int, isLast: Bool, into batch: inout ImportBatch) {
        var start = start
        repeat {
            if let stretch {
                guard let next = resume(after: stretch, isLast: isLast, into: &batch) else {
                    return
                }
                start = next
            }
            // Lent for the call, so that it is not copied.
            var bytes: [UInt8] = []
            swap(&bytes, &kept)
            let problem = scan(bytes.span.extracting(start..<bytes.count), isLast, into: &batch)
            swap(&bytes, &kept)
            if let problem {
                pass(over: problem)
            } else {
                forget(before: scannedFrom + scanner.offset)
            }
        } while stretch != nil
    }

    /// Gives bytes to the scanner; returns what is wrong with them.
    private mutating func scan(
        _ bytes: Span<UInt8>,
        _ isLast: Bool,
        into batch: inout ImportBatch
    ) -> XMLProblem? {
        do throws(XMLProblem) {
            try scanner.read(bytes, isLast: isLast) { tokens in
                let bytes = tokens.bytes.span
                // The name of the attribute whose value comes next.
                var attribute = 0..<0
                for token in tokens.tokens { take(token, bytes, &attribute, into: &batch) }
            }
            return nil
        } catch {
            return error
        }
    }

    /// Forgets bytes before a place in the input.
    private mutating func forget(before place: Int) {
        let count = min(max(0, place - keptFrom), kept.count)
        kept.removeFirst(count)
        keptFrom += count
    }

    /// Begins to pass over what is no XML; everything else that is wrong ends the input.
    private mutating func pass(over problem: XMLProblem) {
        guard case .malformed(let message) = problem.cause, stretchCount < mostStretches else {
            self.problem = problem
            kept = []
            return
        }
        stretchCount += 1
        let open = scanner.openElements
        let outside = open.prefix { !Format.recordNames.contains(XMLName.local($0)) }
        let start = max(scannedFrom + problem.offset, keptFrom)
        stretch = Stretch(
            message: message,
            line: linesBefore + problem.line,
            start: start,
            isBehindText: open.isEmpty,
            elements: Array(outside)
        )
        linesBefore += problem.line - 1
        // A text that is wrong from its first byte on is not tried again at the same place.
        forget(before: start <= begunAt ? start + 1 : start)
    }
}

// MARK: - Reading on

extension ElementReader {
    /// Looks for what can be read again, and begins there; returns the place in what is kept, or
    /// `nil` if it has not come yet.
    private mutating func resume(
        after stretch: Stretch,
        isLast: Bool,
        into batch: inout ImportBatch
    ) -> Int? {
        var position = 0
        while let tag = kept[position...].firstIndex(of: UInt8(ascii: "<")) {
            guard let name = XMLName.written(in: kept, from: tag + 1) else {
                // The rest of the name is still to come; a name without an end is not a name.
                if isLast || kept.count - tag > XMLName.mostBytes {
                    position = tag + 1
                    continue
                }
                break
            }
            let local = XMLName.local(name)
            let isText = local == "?xml" || Format.rootNames.contains(local)
            guard isText || Format.recordNames.contains(local) else {
                position = tag + 1
                continue
            }
            begin(at: tag, inside: isText ? [] : stretch.elements, after: stretch, into: &batch)
            return 0
        }
        let rest = kept[position...].firstIndex(of: UInt8(ascii: "<")) ?? kept.count
        linesBefore += kept[..<rest].count { $0 == UInt8(ascii: "\n") }
        forget(before: keptFrom + rest)
        return nil
    }

    /// Begins a text at a place in what is kept, inside of elements that were open before.
    private mutating func begin(
        at tag: Int,
        inside elements: [[UInt8]],
        after stretch: Stretch,
        into batch: inout ImportBatch
    ) {
        linesBefore += kept[..<tag].count { $0 == UInt8(ascii: "\n") }
        forget(before: keptFrom + tag)
        begunAt = keptFrom
        end(stretch, at: keptFrom, into: &batch)
        scanner = XMLScanner(isUTF8: true)
        text.removeAll(keepingCapacity: true)
        format.beginAgain()
        let opening = elements.flatMap { [UInt8(ascii: "<")] + $0 + [UInt8(ascii: ">")] }
        scannedFrom = keptFrom - opening.count
        guard !opening.isEmpty else { return }
        problem = scan(opening.span, false, into: &batch)
    }

    /// Reports the loss of a stretch: none if one complete text ends and the next one begins.
    private mutating func end(_ stretch: Stretch, at end: Int, into batch: inout ImportBatch) {
        self.stretch = nil
        let lost = end - stretch.start
        guard lost > 0 else {
            // One text was cut off, and another one begins there.
            return stretch.isBehindText ? () : reject(XMLProblem.Cause.cutSentence, into: &batch)
        }
        let count = lost == 1 ? "1 byte" : "\(lost) bytes"
        reject(
            "Line \(stretch.line) is no XML: \(stretch.message); \(count) from there on cannot be "
                + "read.",
            into: &batch
        )
    }
}

/// Names of elements as they are written.
private enum XMLName {
    /// The longest name that is looked for, with its prefix.
    static let mostBytes = 64

    /// Returns the name at a place; `nil` if it has no end yet.
    static func written(in bytes: [UInt8], from start: Int) -> [UInt8]? {
        let ends: [UInt8] = [0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ">"), UInt8(ascii: "/")]
        let limit = min(bytes.count, start + mostBytes)
        // An end tag begins with a character that ends names.
        guard start < limit, let end = bytes[start..<limit].firstIndex(where: ends.contains)
        else { return nil }
        return Array(bytes[start..<end])
    }

    /// Returns a name without its prefix.
    static func local(_ name: [UInt8]) -> String {
        let colon = name.lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? 0
        return String(decoding: name[colon...], as: UTF8.self)
    }
}

// MARK: - Tokens

extension ElementReader {
    private mutating func take(
        _ token: XMLTokens.Token,
        _ bytes: Span<UInt8>,
        _ attribute: inout Range<Int>,
        into batch: inout ImportBatch
    ) {
        let range = token.range
        switch token.kind {
        case .start:
            text.removeAll(keepingCapacity: true)
            format.begin(bytes, range, into: &batch)
        case .attribute: attribute = range
        case .value:
            guard format.isInRecord, range.count <= mostTextBytes else { return }
            format.take(bytes, attribute, range)
        case .text:
            guard format.isInRecord else { return }
            // A text may come in parts, and is cut at the same place regardless of them.
            text.append(
                contentsOf: bytes.extracting(range.prefix(mostTextBytes - text.count))
            )
            if text.count == mostTextBytes { text[mostTextBytes - 1] = UInt8(ascii: "~") }
        case .end:
            // Lent for the call, so that it is not copied.
            var ended: [UInt8] = []
            swap(&ended, &text)
            format.end(bytes, range, ended.span, into: &batch)
            ended.removeAll(keepingCapacity: true)
            swap(&ended, &text)
        }
    }
}
