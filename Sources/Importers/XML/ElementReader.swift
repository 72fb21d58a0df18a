import TripEvents
import XMLText

/// What a format makes of elements of XML, one after the other.
///
/// Names have no prefixes here. What stands between elements is no text of either.
protocol ElementFormat {
    /// So many records have begun.
    var record: Int { get set }

    /// Whether the values of attributes and the text of the element that goes on are of use.
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
}

extension ElementFormat {
    mutating func take(_ bytes: Span<UInt8>, _ attribute: Range<Int>, _ value: Range<Int>) {}
}

/// Reads a format of XML.
///
/// What is no XML any more is rejected once, and ends the input.
struct ElementReader<Format: ElementFormat>: FormatReader {
    /// The most bytes of a text that is kept: one that is as long is cut, and ends so that it is no
    /// number.
    private let mostTextBytes = 256

    private var format: Format
    private let scanner = XMLScanner()

    /// The text of the innermost element.
    private var text: [UInt8] = []

    private var isBroken = false

    init(_ format: Format) {
        self.format = format
    }

    mutating func take(_ bytes: Span<UInt8>, into batch: inout ImportBatch) {
        read(bytes, isLast: false, into: &batch)
    }

    mutating func finish(into batch: inout ImportBatch) {
        read([UInt8]().span, isLast: true, into: &batch)
    }

    private mutating func read(_ bytes: Span<UInt8>, isLast: Bool, into batch: inout ImportBatch) {
        guard !isBroken else { return }
        do throws(XMLProblem) {
            try scanner.read(bytes, isLast: isLast) { tokens in
                let bytes = tokens.bytes.span
                // Where the name of the attribute is whose value comes next.
                var attribute = 0..<0
                for token in tokens.tokens { take(token, bytes, &attribute, into: &batch) }
            }
        } catch {
            isBroken = true
            format.record += 1
            let rejection = Rejection(.invalidXML, sentence: error.sentence)
            batch.reject(rejection, record: format.record)
        }
    }

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
            // A text may come in parts, and is cut at the same place whatever they are.
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
