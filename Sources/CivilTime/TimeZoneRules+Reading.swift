// Source: RFC 9636, "The Time Zone Information Format (TZif)", sections 3 and 4.
extension TimeZoneRules {
    /// Reads a file of the tz database.
    ///
    /// - Parameters:
    ///   - name: the zone's name, which does not stand in the file.
    ///   - bytes: the file.
    /// - Throws: what is wrong with the file; nothing of it is believed then.
    public init(name: String, file bytes: [UInt8]) throws(TimeZoneProblem) {
        var reader = TimeZoneFileReader(bytes)
        let old = try reader.readHeader()
        guard old.version > 1 else {
            let block = try reader.readBlock(old, timeByteCount: 4)
            try reader.finish()
            self.init(name: name, block, yearlyRule: nil)
            return
        }
        // The first block repeats, for old readers, what fits into 32 bits.
        try reader.skip(old.byteCount(timeByteCount: 4))
        let header = try reader.readHeader()
        guard header.version == old.version else { throw .invalidCount }
        let block = try reader.readBlock(header, timeByteCount: 8)
        let rule = try reader.readFooter()
        try reader.finish()
        self.init(
            name: name,
            block,
            yearlyRule: rule.isEmpty ? nil : try YearlyOffsetRule(posix: rule)
        )
    }

    private init(name: String, _ block: TimeZoneFileBlock, yearlyRule: YearlyOffsetRule?) {
        self.init(
            name: name,
            transitions: block.transitions,
            offsets: block.offsets,
            firstOffset: block.firstOffset,
            yearlyRule: yearlyRule
        )
    }
}
