extension Environment {
    /// How many bytes a scan may keep mapped before it forgets them.
    private static let bytesKeptMapped = 8 << 20

    /// Hands every entry from `start` on to `body`, in order of keys, until that returns `false`.
    ///
    /// An empty `start` means the first key. After every `renewalBytes` of values the snapshot is
    /// renewed, so that a long scan does not keep writers from using pages again: what is written
    /// ahead of the scan meanwhile, it will see. With `forgetsPages`, memory is given back behind
    /// the scan; the process stays small, and the next scan must get the pages anew.
    package func scan(
        _ table: Table,
        from start: [UInt8],
        everyBytes renewalBytes: Int = 16 << 20,
        forgettingPages forgetsPages: Bool,
        _ body: (_ key: Span<UInt8>, _ value: Span<UInt8>) throws -> Bool
    ) throws {
        var next: [UInt8]? = start
        while let key = next {
            next = try read { transaction in
                var cursor = try transaction.cursor(table)
                var region: MappedRegion?
                if forgetsPages { region = MappedRegion(around: &cursor) }
                guard try key.isEmpty ? cursor.first() : cursor.seek(toKeyAtOrAfter: key) else {
                    return nil
                }
                return try Self.scan(
                    &cursor,
                    bytes: renewalBytes,
                    region,
                    body
                )
            }
        }
    }

    /// Scans from where the cursor stands; returns the key to go on at, or `nil` if it is done.
    ///
    /// If there is a `region`, its pages are forgotten in time.
    private static func scan(
        _ cursor: inout Cursor,
        bytes: Int,
        _ region: consuming MappedRegion?,
        _ body: (_ key: Span<UInt8>, _ value: Span<UInt8>) throws -> Bool
    ) throws -> [UInt8]? {
        var byteCount = 0
        defer { region?.forget() }
        while true {
            let value = cursor.value
            guard try body(cursor.key, value) else { return nil }
            byteCount += value.count
            region?.extend(value)
            if region.map({ $0.mappedBytes > bytesKeptMapped }) ?? false { region?.forget() }
            guard try cursor.next() else { return nil }
            if byteCount >= bytes { return Array(copying: cursor.key) }
        }
    }
}

extension [UInt8] {
    /// Copies the bytes of a span.
    init(copying bytes: Span<UInt8>) {
        self.init(capacity: bytes.count) { output in
            for index in bytes.indices { output.append(bytes[index]) }
        }
    }
}
