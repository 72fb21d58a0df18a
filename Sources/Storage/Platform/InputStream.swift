import Glibc
public import SystemPackage

/// Bytes from a file, a pipe or a terminal, read in large pieces into one reused buffer.
public struct InputStream: ~Copyable {
    /// Bytes asked for at a time.
    package static let chunkByteCount = 1 << 18

    /// The size that a pipe should have, in bytes: the most that Linux grants without privileges.
    private static let pipeByteCount: CInt = 1 << 20

    /// `F_SETPIPE_SZ` and `F_GETPIPE_SZ` of Linux, which Glibc shows only to C.
    private static let setPipeSize: CInt = 1_031
    private static let getPipeSize: CInt = 1_032

    /// Where the bytes come from.
    private enum Origin {
        case descriptor(FileDescriptor, isOwned: Bool)
        case bytes((inout OutputSpan<UInt8>) throws -> Void)
    }

    private let origin: Origin

    /// Reads from standard input.
    public static var standardInput: InputStream {
        InputStream(descriptor: .standardInput, isOwned: false)
    }

    /// Opens a file for reading.
    ///
    /// - Throws: `Errno`.
    public init(at path: FilePath) throws {
        let descriptor = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
        origin = .descriptor(descriptor, isOwned: true)
    }

    /// Opens a regular file for reading: a pipe without a writer would keep the caller waiting, and
    /// a device may never end.
    ///
    /// - Throws: `Errno`; `.invalidArgument` if it is something else.
    package init(atFile path: FilePath) throws {
        origin = .descriptor(try Self.openFile(path), isOwned: true)
    }

    private static func openFile(_ path: FilePath) throws -> FileDescriptor {
        let descriptor = try FileDescriptor.open(
            path,
            .readOnly,
            options: [.closeOnExec, .nonBlocking]
        )
        if let type = try? Stat(descriptor).type, type == .regular { return descriptor }
        try descriptor.close()
        throw Errno.invalidArgument
    }

    /// Reads from a descriptor; an owned one is closed at the end.
    package init(descriptor: FileDescriptor, isOwned: Bool) {
        origin = .descriptor(descriptor, isOwned: isOwned)
    }

    /// Reads what is made of something else, such as a compressed file.
    ///
    /// - Parameter next: Appends the next bytes to a span that has room; none at the end.
    package init(reading next: @escaping (inout OutputSpan<UInt8>) throws -> Void) {
        origin = .bytes(next)
    }

    deinit {
        // Nothing was written through it, so there is nothing that closing could lose.
        if case .descriptor(let descriptor, isOwned: true) = origin { try? descriptor.close() }
    }

    /// The number of bytes in the file, or `nil` if this is not a regular file.
    public var fileByteCount: Int64? {
        guard case .descriptor(let descriptor, _) = origin,
            let status = try? Stat(descriptor), status.type == .regular
        else { return nil }
        return status.size
    }

    /// Lets a pipe hold more, so that its other end goes on while what was read is stored.
    ///
    /// The corresponding C function is `fcntl` with `F_SETPIPE_SZ`.
    package func widenPipe() {
        guard case .descriptor(let descriptor, _) = origin else { return }
        // Files have no such size, and a larger one is left alone.
        let byteCount = fcntl(descriptor.rawValue, Self.getPipeSize)
        guard 1..<Self.pipeByteCount ~= byteCount else { return }
        // Best effort: the system may grant less.
        _ = fcntl(descriptor.rawValue, Self.setPipeSize, Self.pipeByteCount)
    }

    /// Reads what is there, at most one chunk, into `buffer` from `count` on, where it ends then;
    /// waits for at least one byte.
    ///
    /// - Returns: The bytes read; 0 at the end.
    package func read(into buffer: inout [UInt8], from count: Int) throws -> Int {
        buffer.removeLast(buffer.count - count)
        // Room that nothing is read into is not even cleared: a single event is far smaller.
        try buffer.append(addingCapacity: Self.chunkByteCount) { output throws in
            try read(into: &output)
        }
        return buffer.count - count
    }

    /// Appends what is there to a span that has room; waits for at least one byte, and appends none
    /// at the end.
    package func read(into output: inout OutputSpan<UInt8>) throws {
        switch origin {
        case .bytes(let next): try next(&output)
        case .descriptor(let descriptor, _):
            // The system writes at most as many bytes as there is room for, and keeps no pointer.
            try unsafe output.withUnsafeMutableBufferPointer { buffer, filled in
                let room = unsafe UnsafeMutableRawBufferPointer(
                    UnsafeMutableBufferPointer(rebasing: buffer[filled...])
                )
                filled += try unsafe descriptor.read(into: room)
            }
        }
    }

    /// Whether bytes, or the end, can be read without waiting; always `true` if the bytes are made
    /// of something else.
    package var isReadable: Bool {
        guard case .descriptor(let descriptor, _) = origin else { return true }
        var request = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        // One request, which lives as long as the call.
        return unsafe poll(&request, 1, 0) > 0
    }
}

/// The state of a file that shows whether it was written to: its size, and the time of its last
/// change.
package struct FileState: Hashable, Sendable {
    private let byteCount: Int64
    private let seconds: Int64
    private let nanoseconds: Int64

    /// Asks for the state of the file at a path.
    ///
    /// - Throws: `Errno`.
    package init(of path: FilePath) throws {
        let status = try Stat(path)
        byteCount = status.size
        seconds = Int64(status.st_mtim.tv_sec)
        nanoseconds = Int64(status.st_mtim.tv_nsec)
    }
}

/// Cuts a stream into lines without copying them.
package struct LineBuffer {
    /// The longest line, in bytes, unless another limit is given.
    package static let maximumLineByteCount = 1 << 20

    /// What stands next in the stream.
    package enum Piece {
        /// A line without its line feed: a range of `bytes`.
        case line(Range<Int>)

        /// A line of more bytes than are handed out, which was skipped.
        case overlong

        /// No whole piece is there before more is read.
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

    /// Whether a line goes on that has more bytes than are handed out.
    package private(set) var isSkipping = false

    private let maximumLineByteCount: Int

    /// Prepares to hand out lines of at most so many bytes, beginning with the head, which was read
    /// from the stream already.
    ///
    /// Longer lines are skipped, and reported as ``Piece/overlong``.
    package init(
        head: [UInt8] = [],
        maximumLineByteCount: Int = LineBuffer.maximumLineByteCount
    ) {
        bytes = head
        end = head.count
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
            guard let lineFeed = bytes.firstLineFeed(in: searched..<end) else {
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
}

extension [UInt8] {
    /// Returns where the first line feed in a range stands, or `nil` if there is none.
    package func firstLineFeed(in range: Range<Int>) -> Int? {
        guard !range.isEmpty else { return nil }
        precondition(indices.contains(range.lowerBound) && range.upperBound <= count)
        // memchr reads only the bytes it is given, and its result is turned into an index at once.
        return unsafe withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress,
                let found = unsafe memchr(
                    base + range.lowerBound,
                    Int32(UInt8(ascii: "\n")),
                    range.count
                )
            else { return nil }
            return unsafe base.distance(to: found)
        }
    }
}
