/// Reads a file of the tz database, and checks every count, time and offset in it.
///
/// Source: RFC 9636, sections 3.1 to 3.3.
struct TimeZoneFileReader {
    private static let magic = Array("TZif".utf8)
    private static let reservedByteCount = 15

    /// Offsets that RFC 3339 can write.
    private static let offsets = -86_340...86_340

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads the header of a data block.
    mutating func readHeader() throws(TimeZoneProblem) -> TimeZoneFileHeader {
        guard try Array(take(4)) == Self.magic else { throw .notTimeZoneFile }
        let version: Int
        switch try readByte() {
        case 0: version = 1
        case let digit where (UInt8(ascii: "2")...UInt8(ascii: "4")).contains(digit):
            version = Int(digit - UInt8(ascii: "0"))
        default: throw .unknownVersion
        }
        try skip(Self.reservedByteCount)
        return TimeZoneFileHeader(
            version: version,
            universalCount: try readCount(),
            standardCount: try readCount(),
            leapCount: try readCount(),
            timeCount: try readCount(),
            typeCount: try readCount(),
            nameByteCount: try readCount()
        )
    }

    /// Reads a data block whose times have 4 or 8 bytes.
    mutating func readBlock(
        _ header: TimeZoneFileHeader,
        timeByteCount: Int
    ) throws(TimeZoneProblem) -> TimeZoneFileBlock {
        try check(header, timeByteCount: timeByteCount)
        var transitions: [Int64] = []
        for _ in 0..<header.timeCount {
            let time = try readNumber(byteCount: timeByteCount)
            guard transitions.last.map({ $0 < time }) ?? true else { throw .invalidTransition }
            transitions.append(time)
        }
        let kinds = try take(header.timeCount).map(Int.init)
        guard kinds.allSatisfy({ $0 < header.typeCount }) else { throw .invalidTransition }
        let offsets = try readOffsets(header)
        try checkIndicators(header)
        return TimeZoneFileBlock(
            transitions: transitions,
            offsets: kinds.map { offsets[$0] },
            firstOffset: offsets[0]
        )
    }

    /// Reads the rule that stands between two line feeds after the last block.
    mutating func readFooter() throws(TimeZoneProblem) -> [UInt8] {
        let lineFeed = UInt8(ascii: "\n")
        guard try readByte() == lineFeed else { throw .invalidRule }
        guard let end = bytes[position...].firstIndex(of: lineFeed) else { throw .truncated }
        let rule = try take(end - position)
        try skip(1)
        return Array(rule)
    }

    /// Moves over some bytes.
    mutating func skip(_ count: Int) throws(TimeZoneProblem) {
        _ = try take(count)
    }

    /// Checks that everything has been read.
    func finish() throws(TimeZoneProblem) {
        guard position == bytes.count else { throw .trailingBytes }
    }

    private func check(
        _ header: TimeZoneFileHeader,
        timeByteCount: Int
    ) throws(TimeZoneProblem) {
        guard header.leapCount == 0 else { throw .countsLeapSeconds }
        guard header.typeCount > 0, header.nameByteCount > 0,
            [0, header.typeCount].contains(header.standardCount),
            [0, header.typeCount].contains(header.universalCount)
        else { throw .invalidCount }
        let needed = header.byteCount(timeByteCount: timeByteCount)
        guard needed <= bytes.count - position else { throw .truncated }
    }

    /// Reads the offset of each kind of local time, and checks the rest of what it says.
    private mutating func readOffsets(
        _ header: TimeZoneFileHeader
    ) throws(TimeZoneProblem) -> [Int] {
        var offsets: [Int] = []
        var names: [Int] = []
        for _ in 0..<header.typeCount {
            let offset = Int(try readNumber(byteCount: 4))
            guard Self.offsets.contains(offset), try readByte() < 2 else { throw .invalidOffset }
            offsets.append(offset)
            names.append(Int(try readByte()))
        }
        // Names end with a zero, and may share their ends.
        let text = Array(try take(header.nameByteCount))
        guard text.last == 0, names.allSatisfy({ $0 < text.count }) else { throw .invalidOffset }
        return offsets
    }

    /// Reads the indicators of the clock in which the changes were decreed; they alter no offset.
    private mutating func checkIndicators(
        _ header: TimeZoneFileHeader
    ) throws(TimeZoneProblem) {
        let indicators = try take(header.standardCount + header.universalCount)
        guard indicators.allSatisfy({ $0 < 2 }) else { throw .invalidOffset }
    }

    private mutating func readCount() throws(TimeZoneProblem) -> Int {
        let count = try readNumber(byteCount: 4)
        guard count >= 0 else { throw .invalidCount }
        return Int(count)
    }

    /// Reads a number in two's complement, highest byte first.
    private mutating func readNumber(byteCount: Int) throws(TimeZoneProblem) -> Int64 {
        let bytes = try take(byteCount)
        let sign: Int64 = (bytes.first ?? 0) < 0x80 ? 0 : -1
        return bytes.reduce(sign) { $0 << 8 | Int64($1) }
    }

    private mutating func readByte() throws(TimeZoneProblem) -> UInt8 {
        guard let byte = try take(1).first else { throw .truncated }
        return byte
    }

    private mutating func take(_ count: Int) throws(TimeZoneProblem) -> ArraySlice<UInt8> {
        guard count <= bytes.count - position else { throw .truncated }
        defer { position += count }
        return bytes[position..<position + count]
    }
}

/// The header before each data block of a file of the tz database: what the block holds.
struct TimeZoneFileHeader {
    /// The version of the format, 1 … 4.
    let version: Int

    /// The number of indicators of universal time.
    let universalCount: Int

    /// The number of indicators of standard time.
    let standardCount: Int

    /// The number of leap seconds.
    let leapCount: Int

    /// The number of changes.
    let timeCount: Int

    /// The number of kinds of local time.
    let typeCount: Int

    /// The number of bytes of their names.
    let nameByteCount: Int

    /// Returns the length of the block if its times have 4 or 8 bytes.
    func byteCount(timeByteCount: Int) -> Int {
        timeCount * (timeByteCount + 1) + typeCount * 6 + nameByteCount
            + leapCount * (timeByteCount + 4) + standardCount + universalCount
    }
}

/// What a data block of a file of the tz database says.
struct TimeZoneFileBlock {
    /// When the offset changes, in seconds since 1970; ascending.
    var transitions: [Int64] = []

    /// The offset from each change on, in seconds east of UTC.
    var offsets: [Int] = []

    /// The offset before the first change, in seconds east of UTC.
    var firstOffset: Int
}
