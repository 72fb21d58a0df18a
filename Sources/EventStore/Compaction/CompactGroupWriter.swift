/// Gathers entries of one shape and writes them as columns.
struct CompactGroupWriter {
    private let shape: TakenApartEntry.Shape

    /// The decimals that all numbers of a field are brought to.
    private let scales: [Int]

    /// The numbers, column after column.
    private var columns: [[UInt64]]
    private var nonces: [UInt64] = []

    init(_ shape: TakenApartEntry.Shape, scales: [Int]) {
        self.shape = shape
        self.scales = scales
        columns = Array(
            repeating: [],
            count: CompactBlock.commonColumnCount + shape.fields.count
        )
    }

    /// Adds an entry.
    ///
    /// - Returns: `false` if one of its numbers is too large for the scale of its field.
    mutating func add(_ entry: TakenApartEntry) -> Bool {
        var values = entry.values
        for (index, field) in shape.fields.enumerated() where field == .decimal {
            let column = CompactBlock.commonColumnCount + index
            var number = Int64(bitPattern: values[column])
            for _ in entry.decimals[index]..<scales[index] {
                let (product, isTooLarge) = number.multipliedReportingOverflow(by: 10)
                guard !isTooLarge, product.magnitude < DecimalBytes.largestSignificand else {
                    return false
                }
                number = product
            }
            values[column] = UInt64(bitPattern: number)
        }
        for (column, value) in values.enumerated() { columns[column].append(value) }
        nonces.append(entry.nonce)
        return true
    }

    /// The group's bytes, or `nil` if its entries do not fit into columns.
    var bytes: [UInt8]? {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: UInt64(nonces.count), byteCount: 2)
        bytes += [UInt8(shape.fields.count), shape.kind, shape.form]
        for (field, scale) in zip(shape.fields, scales) {
            switch field {
            case .number(let byteCount): bytes.append(byteCount)
            case .decimal: bytes.append(EntryField.firstDecimalCode + UInt8(scale))
            }
        }
        var writers: [ColumnWriter] = []
        for (column, bitCount) in zip(columns, bitCounts) {
            let base = column.first ?? 0
            bytes.append(littleEndian: base)
            writers.append(ColumnWriter(base: base, bitCount: bitCount))
        }
        for start in stride(from: 0, to: nonces.count, by: CompactBlock.frameCount) {
            let frame = start..<min(start + CompactBlock.frameCount, nonces.count)
            for column in columns.indices {
                guard writers[column].append(columns[column][frame], to: &bytes) else {
                    return nil
                }
            }
            for nonce in nonces[frame] { bytes.append(littleEndian: nonce) }
        }
        return bytes
    }

    /// The bits of each column's numbers that an entry has room for: the source's, those of the two
    /// times (Formats, *Entries*), then the fields'.
    private var bitCounts: [Int] {
        [24, 48, 48]
            + shape.fields.map { field in
                switch field {
                case .number(let byteCount): 8 * Int(byteCount)
                case .decimal: 64
                }
            }
    }
}
