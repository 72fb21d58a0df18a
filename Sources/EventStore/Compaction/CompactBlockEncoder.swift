/// Writes entries as a compact block (Formats, *Compact blocks*).
struct CompactBlockEncoder {
    /// Fewer entries of one source than this go together with those of others.
    private static let leastOfOneSource = 32

    /// Fewer entries of one shape than this are kept as they are.
    private static let leastOfOneShape = 4

    /// A block has at most so many groups, the raw one included.
    private static let maximumGroupCount = 255

    private let fields: EntryField.Reading

    /// Creates an encoder that takes payloads apart as `fields` says.
    init(fields: @escaping EntryField.Reading) {
        self.fields = fields
    }

    /// Writes some entries as a block.
    ///
    /// - Parameters:
    ///   - entries: At most 64 KiB of entries, one after the other.
    ///   - firstPosition: The position of the first.
    ///   - count: How many there are.
    /// - Returns: The block, or `nil` if it would not be shorter, or would not give back the same
    ///   entries.
    /// - Throws: `EventLogError.damaged` if these are no entries.
    func encode(
        _ entries: Span<UInt8>,
        firstPosition: UInt64,
        count: Int
    ) throws(EventLogError) -> [UInt8]? {
        guard count > 0, count <= CompactBlock.maximumCount,
            entries.count <= CompactBlock.maximumContentLength
        else { return nil }
        var walk = EntryIterator(entries, firstPosition: firstPosition, count: count)
        var earliest = Int64.max
        var latest = Int64.min
        var parts: [TakenApartEntry?] = []
        while let entry = try walk.next() {
            earliest = min(earliest, entry.occurredAt)
            latest = max(latest, entry.occurredAt)
            parts.append(fields(entry).flatMap { TakenApartEntry(entry, fields: $0) })
        }
        var buffer = BlockBuffer()
        let content = try Self.content(of: entries, parts, firstPosition: firstPosition)
        guard BlockHeader.byteCount + content.count < entries.count,
            buffer.decode(content.span, count: count),
            buffer.entries.hasSameBytes(as: entries)
        else { return nil }
        var header = BlockHeader(
            count: count,
            length: BlockHeader.byteCount + content.count,
            times: earliest...latest,
            firstPosition: firstPosition
        )
        header.version = CompactBlock.version
        return header.sealing(content)
    }

    private static func content(
        of entries: Span<UInt8>,
        _ parts: [TakenApartEntry?],
        firstPosition: UInt64
    ) throws(EventLogError) -> [UInt8] {
        var groups: [[UInt8]] = []
        // The group of each entry; `nil` until it is in one.
        var order: [UInt64?] = Array(repeating: nil, count: parts.count)
        for (shape, members) in groupMembers(parts) where groups.count < maximumGroupCount - 1 {
            let scales = shape.fields.indices.map { field in
                members.reduce(0) { max($0, parts[$1]?.decimals[field] ?? 0) }
            }
            var writer = CompactGroupWriter(shape, scales: scales)
            let taken = members.filter { parts[$0].map { writer.add($0) } ?? false }
            guard !taken.isEmpty, let bytes = writer.bytes else { continue }
            for member in taken { order[member] = UInt64(groups.count) }
            groups.append(bytes)
        }
        if order.contains(nil) {
            groups.append(try rawGroup(of: entries, order, firstPosition: firstPosition))
        }
        let raw = UInt64(groups.count - 1)
        var content: [UInt8] = []
        content.append(littleEndian: UInt64(entries.count), byteCount: 4)
        content.append(UInt8(groups.count))
        if groups.count > 1 {
            var writer = ColumnWriter(base: 0, bitCount: 64)
            let numbers = order.map { $0 ?? raw }
            for start in stride(from: 0, to: numbers.count, by: CompactBlock.frameCount) {
                let frame = start..<min(start + CompactBlock.frameCount, numbers.count)
                precondition(writer.append(numbers[frame], to: &content), "they are small")
            }
        }
        for group in groups { content += group }
        content.append(contentsOf: repeatElement(0, count: CompactBlock.paddingByteCount))
        return content
    }

    /// Returns the indices of the entries that go into each group, in order of the first of them.
    private static func groupMembers(
        _ parts: [TakenApartEntry?]
    ) -> [(shape: TakenApartEntry.Shape, members: [Int])] {
        var groups: [(shape: TakenApartEntry.Shape, members: [Int])] = []
        var numbers: [TakenApartEntry.Shape: Int] = [:]
        func gather(_ shape: TakenApartEntry.Shape, _ member: Int) {
            let number = numbers[shape] ?? groups.count
            if number == groups.count {
                numbers[shape] = number
                groups.append((shape, []))
            }
            groups[number].members.append(member)
        }
        for (member, part) in parts.enumerated() {
            if let part { gather(part.shape, member) }
        }
        let bySource = groups.filter { $0.members.count >= leastOfOneSource }
        let small = groups.filter { $0.members.count < leastOfOneSource }
        (groups, numbers) = ([], [:])
        for member in small.flatMap(\.members).sorted() {
            guard var shape = parts[member]?.shape else { continue }
            shape.source = nil
            gather(shape, member)
        }
        return bySource + groups.filter { $0.members.count >= leastOfOneShape }
    }

    /// Returns the group of the entries that are in no other.
    private static func rawGroup(
        of entries: Span<UInt8>,
        _ order: [UInt64?],
        firstPosition: UInt64
    ) throws(EventLogError) -> [UInt8] {
        var bytes: [UInt8] = []
        var walk = EntryIterator(entries, firstPosition: firstPosition, count: order.count)
        for group in order {
            guard let entry = try walk.next() else { break }
            if group == nil { bytes.append(contentsOf: entry.bytes) }
        }
        var group: [UInt8] = []
        group.append(littleEndian: UInt64(order.count { $0 == nil }), byteCount: 2)
        group.append(CompactBlock.rawMark)
        group.append(littleEndian: UInt64(bytes.count), byteCount: 4)
        return group + bytes
    }
}
