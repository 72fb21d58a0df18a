import Glibc

/// Finds out whether a page of memory is of a file, in a process that crashes.
enum MappedPage {
    /// Returns whether a file is mapped where an address is.
    ///
    /// It calls only functions that a handler of a signal may call (signal-safety(7)), and reads
    /// `/proc/self/maps` byte by byte: lines such as
    /// `7f21a2c00000-7f21a2e00000 r--s 00000000 08:01 1234567    /path`.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - path: The file's absolute path without symbolic links, which ends with a zero byte.
    /// - Returns: Whether it is; `false` too if it is not known.
    static func isAddress(_ address: UInt, of path: UnsafePointer<CChar>) -> Bool {
        // Safe: the name is a text of the program's own.
        let descriptor = unsafe open("/proc/self/maps", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var line = Line()
        var byte: UInt8 = 0
        // Safe: it writes the one byte.
        while unsafe read(descriptor, &byte, 1) == 1 {
            guard byte == UInt8(ascii: "\n") else {
                // The path ends with a zero byte, and nothing is compared behind that.
                line.add(byte, unsafe UInt8(bitPattern: path[line.length]))
                continue
            }
            if line.start <= address, address < line.end {
                // The line and the path are the same as far as they were compared, so it is no
                // longer than the path.
                return unsafe line.isSame && path[line.length] == 0
            }
            line = Line()
        }
        return false
    }

    /// A line, as far as it was read.
    private struct Line {
        /// The first address, and the one behind the last.
        private(set) var start: UInt = 0
        private(set) var end: UInt = 0

        /// How many bytes of the path it has, and whether they are those of the file's.
        private(set) var length = 0
        private(set) var isSame = true

        /// How many parts are over: start, end, rights, offset, device and number.
        private var partCount = 0

        /// Adds a byte; if it is of the path, it has to be the expected one.
        mutating func add(_ byte: UInt8, _ expected: UInt8) {
            let isSpace = byte == UInt8(ascii: " ")
            switch partCount {
            case 0 where byte == UInt8(ascii: "-"), 1..<6 where isSpace: partCount += 1
            case 0: start = start &* 16 &+ Self.digit(byte)
            case 1: end = end &* 16 &+ Self.digit(byte)
            case 6 where !isSpace || length > 0:
                isSame = isSame && byte == expected
                if isSame { length += 1 }
            default: break
            }
        }

        private static func digit(_ byte: UInt8) -> UInt {
            byte >= UInt8(ascii: "a")
                ? UInt(byte) &- UInt(UInt8(ascii: "a")) &+ 10
                : UInt(byte) &- UInt(UInt8(ascii: "0"))
        }
    }
}
