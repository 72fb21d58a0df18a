/// What a compact block says about entries of one shape before their columns.
struct CompactGroup {
    /// How many entries there are.
    let count: Int

    /// What kind of events they are (Formats, *Kinds*).
    let kind: UInt8

    /// How their payloads are written.
    let form: UInt8

    /// How each field of their payloads is written.
    let codes: [UInt8]

    /// What each column begins at.
    let bases: [UInt64]

    /// Reads the description of a group that is not raw, or returns `nil` if there is none.
    init?(_ reader: inout ByteReader, fieldCount: Int, count: Int) {
        guard fieldCount <= CompactBlock.maximumFieldCount,
            let kind = reader.number(byteCount: 1), let form = reader.number(byteCount: 1)
        else { return nil }
        var codes: [UInt8] = []
        for _ in 0..<fieldCount {
            guard let code = reader.number(byteCount: 1).map({ UInt8($0) }),
                1...EntryField.maximumNumberByteCount ~= code
                    || EntryField.firstDecimalCode...EntryField.lastDecimalCode ~= code
            else { return nil }
            codes.append(code)
        }
        var bases: [UInt64] = []
        for _ in 0..<CompactBlock.commonColumnCount + fieldCount {
            guard let base = reader.number(byteCount: 8) else { return nil }
            bases.append(base)
        }
        self.count = count
        self.kind = UInt8(kind)
        self.form = UInt8(form)
        self.codes = codes
        self.bases = bases
    }
}
