import Glibc

/// Cuts a stream into lines without copying them.
package struct LineBuffer {
    /// The longest line, in bytes, unless another limit is given.
    package static let maximumLineByteCount = 1 << 20

    /// What stands next in the stream.
    package enum Piece {
        /// A line without its line feed: a range of `bytes`.
        case line(Range<Int>)

        /// A line of more bytes than are handed out, which is gone.
        case overlong

        /// Nothing before more is read.
        case incomplete

        /// The stream is over.
        case end
    }

    /// The buffer that ranges refer to; it changes with every `fill`.
    package private(set) var bytes: [UInt8] = []

    private var start = 0
    private var searched = 0
    private var end = 0
    private var isAtEnd = false
    private var isSkipping = false
    private let maximumLineByteCount: Int

    /// Prepares to hand out lines of at most so many bytes; longer ones are passed over, and said
    /// to be.
    package init(maximumLineByteCount: Int = LineBuffer.maximumLineByteCount) {
        self.maximumLineByteCount = maximumLineByteCount
    }

    /// Reads one chunk more.
    ///
    /// - Returns: The bytes read; 0 at the end.
    package mutating func fill(from stream: borrowing InputStream) throws -> Int {
        if start > 0 {
            // Only what is left of a line, and not the room after it, which is a whole chunk.
            for index in start..<end { bytes[index - start] = bytes[index] }
            end -= start
            searched -= start
            start = 0
        }
        let count = try stream.read(into: &bytes, from: end)
        isAtEnd = count == 0
        end += count
        return count
    }

    /// Takes the next piece; a last line need not end with a line feed.
    package mutating func next() -> Piece {
        while true {
            guard let lineFeed = firstLineFeed() else {
                searched = end
                if end - start > maximumLineByteCount {
                    isSkipping = true
                    start = end
                }
                guard isAtEnd else { return .incomplete }
                guard start < end || isSkipping else { return .end }
                return take(upTo: end, next: end)
            }
            searched = lineFeed + 1
            return take(upTo: lineFeed, next: lineFeed + 1)
        }
    }

    private mutating func take(upTo lineEnd: Int, next: Int) -> Piece {
        let line = start..<lineEnd
        start = next
        if isSkipping || line.count > maximumLineByteCount {
            isSkipping = false
            return .overlong
        }
        return .line(line)
    }

    private func firstLineFeed() -> Int? {
        guard searched < end else { return nil }
        // memchr reads only the bytes it is given, and its result is turned into an index at once.
        return unsafe bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress,
                let found = unsafe memchr(
                    base + searched,
                    Int32(UInt8(ascii: "\n")),
                    end - searched
                )
            else { return nil }
            return unsafe base.distance(to: found)
        }
    }
}
