package import SystemPackage

/// One of the two snapshots that a data file holds, read without LMDB.
///
/// LMDB keeps the pages of the last two transactions, whose meta pages take turns: transaction n is
/// in meta page n modulo 2. The layout is that of `MDB_page`, `MDB_node` and `MDB_db` in LMDB 0.9's
/// mdb.c on a little-endian machine.
package struct StoredSnapshot: Sendable {
    /// The number of the transaction that wrote it.
    package let transaction: UInt64

    /// The size of every page of the file, in bytes.
    package let pageBytes: Int

    private let reader: PageReader
    private let lastPage: Int
    private let mainRoot: Int?
    private let freeRoot: Int?

    init(_ meta: MetaPage, _ reader: PageReader) {
        transaction = meta.transaction
        pageBytes = meta.pageBytes
        lastPage = meta.lastPage
        mainRoot = meta.mainRoot
        freeRoot = meta.freeRoot
        self.reader = reader
    }

    /// Reads the snapshots of both meta pages of a data file, that of page 0 first.
    ///
    /// - Throws: `.foreignFile` if one of them is not a meta page.
    package static func both(
        in file: FileDescriptor,
        at path: FilePath
    ) throws(LMDBError) -> [StoredSnapshot] {
        let reader = PageReader(descriptor: file, path: path)
        guard let first = try MetaPage(reader, offset: 0),
            let second = try MetaPage(reader, offset: first.pageBytes)
        else { throw LMDBError(code: .foreignFile, operation: "pread", path: path) }
        return [StoredSnapshot(first, reader), StoredSnapshot(second, reader)]
    }

    /// Reads the snapshots whose meta pages are still there, that of page 0 first; the second page
    /// is looked for at every place that it may have if the first one does not say where it is.
    ///
    /// - Throws: `.system` if the file cannot be read.
    package static func readable(
        in file: FileDescriptor,
        at path: FilePath
    ) throws(LMDBError) -> [StoredSnapshot] {
        let reader = PageReader(descriptor: file, path: path)
        var pages: [MetaPage] = []
        var offsets = MetaPage.possiblePageBytes
        if let first = try MetaPage(reader, offset: 0) {
            pages.append(first)
            offsets = [first.pageBytes]
        }
        for offset in offsets {
            guard let second = try MetaPage(reader, offset: offset), second.pageBytes == offset
            else { continue }
            pages.append(second)
            break
        }
        return pages.map { StoredSnapshot($0, reader) }
    }

    /// Returns the value of a key in a table, or `nil` if there is none, if it is not in a page of
    /// its table, or if a page on the way is damaged.
    package func value(inTable table: String, forKey key: [UInt8]) throws(LMDBError) -> [UInt8]? {
        guard let mainRoot,
            let (description, flags) = try node(Array(table.utf8), below: mainRoot),
            flags & PageLayout.tableNodeFlag != 0, description.count == 48
        else { return nil }
        // Bytes have no padding, which alone makes this property unsafe.
        let root = unsafe description.span.bytes.number(at: 40, as: UInt64.self)
        guard let root = Int(exactly: root),
            let (value, valueFlags) = try node(key, below: root),
            valueFlags & PageLayout.overflowNodeFlag == 0
        else { return nil }
        return value
    }

    /// Returns the keys of the table of tables, which are their names; `nil` if they do not stand
    /// in one page, or if that page is damaged.
    package func tableNames() throws(LMDBError) -> [String]? {
        guard let mainRoot, mainRoot >= 2, mainRoot <= lastPage else { return nil }
        let content = try reader.bytes(at: mainRoot * pageBytes, count: pageBytes)
        guard content.count == pageBytes else { return nil }
        // Bytes have no padding, which alone makes this property unsafe.
        let bytes = unsafe content.span.bytes
        let lower = Int(bytes.number(at: 12, as: UInt16.self))
        guard bytes.number(at: 10, as: UInt16.self) == PageLayout.leafFlag, lower <= pageBytes
        else { return nil }
        var names: [String] = []
        for slot in stride(from: PageLayout.pageHeaderBytes, to: lower - 1, by: 2) {
            let offset = Int(bytes.number(at: slot, as: UInt16.self))
            guard let key = Self.key(at: offset, content, bytes) else { return nil }
            names.append(String(decoding: key, as: UTF8.self))
        }
        return names
    }

    /// Finds the node of a key below a page.
    private func node(
        _ key: [UInt8],
        below root: Int
    ) throws(LMDBError) -> (data: [UInt8], flags: UInt16)? {
        var page = root
        for _ in 0..<PageLayout.maximumDepth {
            guard page >= 2, page <= lastPage else { return nil }
            let content = try reader.bytes(at: page * pageBytes, count: pageBytes)
            guard content.count == pageBytes else { return nil }
            // Bytes have no padding, which alone makes this property unsafe.
            let bytes = unsafe content.span.bytes
            let isBranch = bytes.number(at: 10, as: UInt16.self) == PageLayout.branchFlag
            guard isBranch || bytes.number(at: 10, as: UInt16.self) == PageLayout.leafFlag,
                let offset = lastNode(upTo: key, content, bytes)
            else { return nil }
            let low = Int(bytes.number(at: offset, as: UInt32.self))
            let flags = bytes.number(at: offset + 4, as: UInt16.self)
            if isBranch {
                page = low | Int(flags) << 32
                continue
            }
            let keyEnd = offset + PageLayout.nodeHeaderBytes + key.count
            guard Self.key(at: offset, content, bytes)?.elementsEqual(key) == true,
                keyEnd + low <= pageBytes
            else { return nil }
            return (Array(content[keyEnd..<keyEnd + low]), flags)
        }
        return nil
    }

    /// Returns the offset of the last node of a page whose key is not above `key`.
    private func lastNode(upTo key: [UInt8], _ content: [UInt8], _ bytes: RawSpan) -> Int? {
        let lower = Int(bytes.number(at: 12, as: UInt16.self))
        guard lower > PageLayout.pageHeaderBytes, lower <= pageBytes else { return nil }
        var found: Int?
        for slot in stride(from: PageLayout.pageHeaderBytes, to: lower - 1, by: 2) {
            let offset = Int(bytes.number(at: slot, as: UInt16.self))
            guard let nodeKey = Self.key(at: offset, content, bytes) else { return nil }
            if found != nil, key.lexicographicallyPrecedes(nodeKey) { break }
            found = offset
        }
        return found
    }

    private static func key(
        at offset: Int,
        _ content: [UInt8],
        _ bytes: RawSpan
    ) -> ArraySlice<UInt8>? {
        guard offset >= PageLayout.pageHeaderBytes,
            offset + PageLayout.nodeHeaderBytes <= content.count
        else {
            return nil
        }
        let start = offset + PageLayout.nodeHeaderBytes
        let end = start + Int(bytes.number(at: offset + 6, as: UInt16.self))
        return end <= content.count ? content[start..<end] : nil
    }
}

// MARK: - Pages

extension StoredSnapshot {
    private static let tableRootOffset = 40
    private static let noPage = UInt64.max

    /// Returns the number of a page of any table, or of the list of free pages, that is not what
    /// it must be: its number, its kind or its bounds; `nil` if all are sound.
    ///
    /// Reading does not need most of that, but the next write does. ``Cursor/hasSoundPages`` checks
    /// the pages of large values.
    package func damagedPage() throws(LMDBError) -> Int? {
        var visited: Set<Int> = []
        for root in [mainRoot, freeRoot] {
            guard let root else { continue }
            if let page = try damagedPage(from: root, &visited) { return page }
        }
        return nil
    }

    private func damagedPage(
        from page: Int,
        _ visited: inout Set<Int>
    ) throws(LMDBError) -> Int? {
        // In a tree no page has two parents.
        guard page >= 2, page <= lastPage, visited.insert(page).inserted else { return page }
        let content = try reader.bytes(at: page * pageBytes, count: pageBytes)
        guard content.count == pageBytes else { return page }
        // Bytes have no padding, which alone makes this property unsafe.
        let bytes = unsafe content.span.bytes
        let flags = bytes.number(at: 10, as: UInt16.self)
        let lower = Int(bytes.number(at: 12, as: UInt16.self))
        let upper = Int(bytes.number(at: 14, as: UInt16.self))
        guard bytes.number(at: 0, as: UInt64.self) == UInt64(page),
            flags == PageLayout.branchFlag || flags == PageLayout.leafFlag,
            lower >= PageLayout.pageHeaderBytes, lower <= upper, upper <= pageBytes
        else { return page }
        for slot in stride(from: PageLayout.pageHeaderBytes, to: lower - 1, by: 2) {
            let node = Int(bytes.number(at: slot, as: UInt16.self))
            guard let key = Self.key(at: node, content, bytes) else { return page }
            let nodeFlags = bytes.number(at: node + 4, as: UInt16.self)
            let child: UInt64
            if flags == PageLayout.branchFlag {
                let low = UInt64(bytes.number(at: node, as: UInt32.self))
                child = low | UInt64(nodeFlags) << 32
            } else if nodeFlags & PageLayout.tableNodeFlag != 0 {
                child = bytes.number(at: key.endIndex + Self.tableRootOffset, as: UInt64.self)
                if child == Self.noPage { continue }
            } else {
                continue
            }
            guard let child = Int(exactly: child) else { return page }
            if let damaged = try damagedPage(from: child, &visited) { return damaged }
        }
        return nil
    }
}

extension Environment {
    /// Calls `body` with the two snapshots that the data file holds, that of meta page 0 first.
    ///
    /// - Returns: What `body` returns; `nil` if writers changed the snapshots in each of ten
    ///   attempts.
    package func withStoredSnapshots<Result>(
        _ body: (_ pages: [StoredSnapshot]) throws -> Result
    ) throws -> Result? {
        guard gate.enterReading() else { throw closedError("pread") }
        defer { gate.leaveReading() }
        for _ in 1...10 {
            let snapshots = try dataFile.snapshots(in: path)
            let result = try body(snapshots)
            // While a transaction runs, both snapshots stay; the one after it may take pages of
            // the older one.
            let after = try dataFile.snapshots(in: path)
            if after.map(\.transaction) == snapshots.map(\.transaction) { return result }
        }
        return nil
    }
}
