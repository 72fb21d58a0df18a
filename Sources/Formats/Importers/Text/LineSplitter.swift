import TripEvents

/// Cuts pieces of a text into lines, whatever their ends: LF, CR LF or CR.
struct LineSplitter {
    /// The longest line, in bytes.
    static let maximumByteCount = 1 << 20

    /// The beginning of a line whose end has not come yet.
    private var rest: [UInt8] = []

    /// Whether the rest of a line that is too long is being skipped.
    private var isSkipping = false

    /// Whether the last line ended with a carriage return, so that a line feed belongs to it.
    private var endedWithReturn = false

    /// The number of the last line, from 1.
    private(set) var number = 0

    /// A line, or the reason why there is none.
    enum Line {
        case text(Range<Int>)
        case overlong
    }

    /// Takes it out of the variable that holds it: with two references, each piece copies the
    /// unfinished line.
    mutating func takeOut() -> LineSplitter {
        let splitter = self
        self = LineSplitter()
        return splitter
    }

    /// Hands out the lines that end in a piece of the text.
    mutating func split(
        _ text: Span<UInt8>,
        _ take: (_ text: Span<UInt8>, _ line: Line, _ number: Int) -> Void
    ) {
        var start = 0
        for position in text.indices {
            let byte = text[position]
            guard byte == 0x0A || byte == 0x0D else { continue }
            let isSecond = byte == 0x0A && endedWithReturn && position == start && rest.isEmpty
            endedWithReturn = byte == 0x0D
            if !isSecond { end(text, start..<position, take) }
            start = position + 1
        }
        if start < text.count {
            endedWithReturn = false
            keep(text, start..<text.count)
        }
    }

    /// Hands out the last line, if it does not end with a line feed.
    mutating func finish(_ take: (_ text: Span<UInt8>, _ line: Line, _ number: Int) -> Void) {
        guard !rest.isEmpty || isSkipping else { return }
        end([UInt8]().span, 0..<0, take)
    }

    private mutating func end(
        _ text: Span<UInt8>,
        _ range: Range<Int>,
        _ take: (Span<UInt8>, Line, Int) -> Void
    ) {
        number += 1
        guard !rest.isEmpty || isSkipping else {
            let isTooLong = range.count > Self.maximumByteCount
            return take(text, isTooLong ? .overlong : .text(range), number)
        }
        keep(text, range)
        let isTooLong = isSkipping
        isSkipping = false
        take(rest.span, isTooLong ? .overlong : .text(rest.indices), number)
        rest.removeAll(keepingCapacity: true)
    }

    private mutating func keep(_ text: Span<UInt8>, _ range: Range<Int>) {
        guard !isSkipping, rest.count + range.count <= Self.maximumByteCount else {
            isSkipping = true
            rest = []
            return
        }
        for position in range { rest.append(text[position]) }
    }
}
