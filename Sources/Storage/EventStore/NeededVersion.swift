import Platform

/// The oldest version that reads a log. The log states it, so that an older program can name it.
extension ProgramVersion {
    /// The first version, which reads every log that names none.
    static let first = ProgramVersion(0, 1, 0)

    /// Reads the version that a log needs from its bytes, of which zeros mean the first one.
    ///
    /// - Throws: `EventLogError.newerFormat` if this program is older; `.notALog` if no log can
    ///   name such a version.
    init(needed bytes: Span<UInt8>) throws(EventLogError) {
        guard bytes[0] != 0 || bytes[1] != 0 || bytes[2] != 0 else {
            self = Self.first
            return
        }
        self.init(bytes[0], bytes[1], bytes[2])
        guard Self.first < self else { throw .notALog("its state names no version of ledger") }
        guard self <= Self.current else {
            throw .newerFormat("it needs ledger \(self) or newer; this is \(Self.current)")
        }
    }

    /// The bytes of the version in a log that needs it.
    var needed: [UInt8] {
        self == Self.first ? [0, 0, 0] : [major, minor, patch]
    }
}
