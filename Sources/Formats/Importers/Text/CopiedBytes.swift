extension [UInt8] {
    /// Appends the bytes of a span: room is made once, not checked for each byte.
    mutating func append(contentsOf source: Span<UInt8>) {
        append(addingCapacity: source.count) { room in
            for position in source.indices { room.append(source[position]) }
        }
    }
}
