/// An entry as numbers, from which the same bytes can be made again.
struct TakenApartEntry {
    /// What entries have to have in common to stand in one group.
    struct Shape: Hashable {
        let kind: UInt8
        let form: UInt8
        let fields: [EntryField]

        /// The number of the source, where entries of one source are kept apart from others.
        var source: UInt32?
    }

    /// The shape, with its source.
    let shape: Shape

    /// Source, occurred_at, recorded_at, then one number for each field: of a decimal, its
    /// significand.
    let values: [UInt64]

    /// The decimals of each field that is a decimal, 0 for others.
    let decimals: [Int]

    /// What is kept as it is.
    let nonce: UInt64

    /// Takes an entry apart, or returns `nil` if its payload is not made of these fields, or the
    /// same bytes could not be made of them.
    init?(_ entry: EntryView, fields: [EntryField]) {
        guard !entry.isTombstone, !entry.hasID, entry.bytes[0] != 0,
            fields.count <= CompactBlock.maximumFieldCount
        else { return nil }
        var values = [
            UInt64(entry.source), UInt64(bitPattern: entry.occurredAt),
            UInt64(bitPattern: entry.recordedAt),
        ]
        var decimals: [Int] = []
        var reader = ByteReader(entry.payload)
        for field in fields {
            switch field {
            case .number(let byteCount):
                guard 1...EntryField.maximumNumberByteCount ~= byteCount,
                    let number = reader.number(byteCount: Int(byteCount))
                else { return nil }
                values.append(number)
                decimals.append(0)
            case .decimal:
                guard let decimal = DecimalBytes.read(reader.bytes, at: &reader.offset) else {
                    return nil
                }
                values.append(UInt64(bitPattern: decimal.significand))
                decimals.append(decimal.decimals)
            }
        }
        guard reader.offset == reader.bytes.count else { return nil }
        shape = Shape(kind: entry.kind, form: entry.form, fields: fields, source: entry.source)
        self.values = values
        self.decimals = decimals
        nonce = entry.bytes.littleEndian(at: 18)
    }
}
