import CivilTime

/// Writes files as the tz database has them (RFC 9636), right or wrong.
struct TimeZoneFile {
    var version: UInt8 = UInt8(ascii: "2")
    var transitions: [(seconds: Int64, kind: UInt8)] = [(1_000_000_000, 1), (1_100_000_000, 0)]
    var kinds: [(offset: Int32, isSummer: UInt8, name: UInt8)] = [(3_600, 0, 0), (7_200, 1, 4)]
    var names: [UInt8] = Array("CET\0CEST\0".utf8)
    var leapSeconds: [Int64] = []
    var standardIndicators: [UInt8] = [1, 1]
    var universalIndicators: [UInt8] = [1, 1]
    var footer = "\nCET-1CEST,M3.5.0,M10.5.0/3\n"

    /// The file.
    var bytes: [UInt8] {
        let old = header + block(timeByteCount: 4)
        return version == 0 ? old : old + header + block(timeByteCount: 8) + Array(footer.utf8)
    }

    private var header: [UInt8] {
        let counts = [
            universalIndicators.count, standardIndicators.count, leapSeconds.count,
            transitions.count, kinds.count, names.count,
        ]
        return Array("TZif".utf8) + [version] + Array(repeating: 0, count: 15)
            + counts.flatMap { Self.bigEndian(Int64($0), byteCount: 4) }
    }

    private func block(timeByteCount: Int) -> [UInt8] {
        var bytes = transitions.flatMap { Self.bigEndian($0.seconds, byteCount: timeByteCount) }
        bytes += transitions.map(\.kind)
        for kind in kinds {
            bytes += Self.bigEndian(Int64(kind.offset), byteCount: 4) + [kind.isSummer, kind.name]
        }
        bytes += names
        for (index, seconds) in leapSeconds.enumerated() {
            bytes += Self.bigEndian(seconds, byteCount: timeByteCount)
            bytes += Self.bigEndian(Int64(index + 1), byteCount: 4)
        }
        return bytes + standardIndicators + universalIndicators
    }

    private static func bigEndian(_ number: Int64, byteCount: Int) -> [UInt8] {
        (1...byteCount).map { UInt8(truncatingIfNeeded: number >> Int64(8 * (byteCount - $0))) }
    }
}
