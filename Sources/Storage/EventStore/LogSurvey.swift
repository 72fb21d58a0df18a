internal import LMDB
internal import Platform
package import Proofs
package import SystemPackage

/// A survey of what can still be found in the bytes of a damaged `data.mdb`, read without LMDB.
///
/// A block says where it belongs and has a checksum, so it is found whatever became of the pages
/// that led to it: at the start of an overflow page, or in a leaf page behind its key. Other places
/// are not searched, because an event's own text could look like a block there.
package struct LogSurvey: Sendable {
    /// A block that was found.
    package struct Block: Hashable, Sendable {
        /// The position of its first entry.
        package let firstPosition: UInt64

        /// The number of its entries.
        package let count: Int

        /// Where it starts in the file.
        let offset: Int

        /// Its length in bytes.
        let length: Int

        /// The checksum in its header, which is right.
        let checksum: UInt32

        /// Whether its entries are compressed.
        let isCompact: Bool

        /// The position after its last entry.
        package var endPosition: UInt64 { firstPosition + UInt64(count) }
    }

    /// The size of a page where no meta page says what it is: that of the usual machine.
    private static let usualPageBytes = 4_096
    private static let pageHeaderBytes = 16
    private static let leafFlag: UInt8 = 0x02
    private static let pagesPerWindow = 256

    /// The longest block, and the shortest: a header and one entry.
    private static let longestBlock = BlockHeader.byteCount + EntryView.maximumByteCount
    private static let shortestBlock = BlockHeader.byteCount + EntryView.minimumByteCount

    /// Blocks with a right checksum, each version of one that was still open among them.
    package private(set) var blocks: Set<Block> = []

    /// The roots of 256-leaf subtrees that are stored, by subtree.
    package private(set) var roots: [UInt64: Set<Digest>] = [:]

    /// The heads of the log's state at the ends of transactions.
    package private(set) var heads: Set<TreeHead> = []

    /// The head that the last transaction left, or `nil` if the pages that say so are damaged.
    package private(set) var lastHead: TreeHead?

    /// The head that the transaction before may have left, if the last one's is not known.
    package private(set) var earlierHead: TreeHead?

    private let file: FileDescriptor
    private let pageBytes: Int

    /// Searches a file.
    ///
    /// - Parameters:
    ///   - file: The data file, open for reading; it MUST stay open as long as blocks are read.
    ///   - onProgress: Told how many bytes have been looked at.
    /// - Throws: `Errno`.
    package init(of file: FileDescriptor, onProgress: (_ bytes: UInt64) -> Void) throws {
        self.file = file
        let snapshots = try StoredSnapshot.readable(in: file, at: "data.mdb")
            .sorted { $0.transaction > $1.transaction }
        pageBytes = snapshots.first?.pageBytes ?? Self.usualPageBytes
        let heads = snapshots.map(Self.head)
        // Where only one of the two is left, it may be the older one.
        if heads.count == 2 { lastHead = heads[0] }
        if lastHead == nil { earlierHead = heads.compactMap(\.self).first }
        let windowBytes = Self.pagesPerWindow * pageBytes
        var start = 0
        // A part that takes no room on the disk holds no block, however long it is.
        while let data = FileHoles.nextData(in: file, from: Int64(start)) {
            start = max(start, Int(data) / windowBytes * windowBytes)
            let window = try Self.bytes(
                of: file,
                at: start,
                count: windowBytes + Self.longestBlock + Self.pageHeaderBytes
            )
            guard !window.isEmpty else { return }
            for page in stride(from: 0, to: min(windowBytes, window.count), by: pageBytes) {
                survey(window, page, startingAt: start)
            }
            start += windowBytes
            onProgress(UInt64(start))
        }
    }

    private static func head(of snapshot: StoredSnapshot) -> TreeHead? {
        guard let value = try? snapshot.value(inTable: "state", forKey: LogState.key),
            let state = try? LogState(value.span)
        else { return nil }
        return TreeHead(size: state.frontier.size, root: state.frontier.root)
    }

    /// Reads a block again and hands it over.
    ///
    /// - Throws: `EventLogError.damaged` if it is not the one that was found, `Errno`.
    package func withBlock<Result>(
        _ block: Block,
        _ body: (BlockView) throws -> Result
    ) throws -> Result {
        let bytes = try Self.bytes(of: file, at: block.offset, count: block.length)
        var buffer = BlockBuffer()
        return try body(
            BlockView(bytes.span, at: block.firstPosition, decodedInto: &buffer)
        )
    }

    /// Returns the leaf hashes of a block's entries, and how many of them are tombstones.
    ///
    /// - Throws: `EventLogError.damaged` if it is not the one that was found, `Errno`.
    func leaves(of block: Block) throws -> (hashes: [Digest], tombstones: Int) {
        try withBlock(block) { block in
            var hashes: [Digest] = []
            var tombstones = 0
            var entries = block.entries
            while let entry = try entries.next() {
                hashes.append(entry.leafHash)
                if entry.isTombstone { tombstones += 1 }
            }
            return (hashes, tombstones)
        }
    }

    private mutating func survey(_ window: [UInt8], _ page: Int, startingAt start: Int) {
        let first = page + Self.pageHeaderBytes
        if let block = Self.block(window, at: first, fileOffset: start) {
            blocks.insert(block)
            return
        }
        let end = min(page + pageBytes, window.count)
        guard page + 11 < end, window[page + 10] & Self.leafFlag != 0 else { return }
        for offset in stride(from: first, to: end - 16, by: 2) {
            let keyBytes = Int(window[offset + 6]) | Int(window[offset + 7]) << 8
            guard keyBytes == 8 || keyBytes == 3 else { continue }
            surveyNode(window[..<end], offset, keyBytes: keyBytes, fileOffset: start)
        }
    }

    /// Records what the node of a leaf page at an offset holds, if there is one.
    private mutating func surveyNode(
        _ page: ArraySlice<UInt8>,
        _ offset: Int,
        keyBytes: Int,
        fileOffset: Int
    ) {
        let length = (0..<4).reduce(0) { $0 | Int(page[offset + $1]) << (8 * $1) }
        let key = offset + 8
        let value = key + keyBytes
        guard length >= Digest.byteCount, value + length <= page.endIndex else { return }
        if keyBytes == 3 {
            guard page[key..<value].elementsEqual(LogState.key) else { return }
            let bytes = Array(page[value..<value + length])
            if let state = try? LogState(bytes.span) {
                heads.insert(TreeHead(size: state.frontier.size, root: state.frontier.root))
            }
            return
        }
        let number = Array(page[key..<value]).span.bigEndian(at: 0)
        if length == Digest.byteCount {
            guard LogLimits.positions.contains(number),
                let root = Digest(Array(page[value..<value + length]))
            else { return }
            roots[number, default: []].insert(root)
        } else if length >= Self.shortestBlock,
            let block = Self.block(
                Array(page[value..<value + length]),
                at: 0,
                fileOffset: fileOffset + value
            ),
            block.firstPosition == number, block.length == length
        {
            blocks.insert(block)
        }
    }

    /// Returns the block that starts at an offset, or `nil` if there is none.
    private static func block(_ bytes: [UInt8], at offset: Int, fileOffset: Int) -> Block? {
        guard offset + shortestBlock <= bytes.count,
            [BlockHeader.version, CompactBlock.version].contains(bytes[offset + 6]),
            bytes[offset + 7] == 0
        else { return nil }
        let rest = bytes.span.extracting(droppingFirst: offset)
        guard let header = BlockHeader(rest), header.length >= shortestBlock,
            header.length <= min(longestBlock, rest.count)
        else { return nil }
        let content = rest.extracting(first: header.length)
        var buffer = BlockBuffer()
        let view = try? BlockView(content, at: header.firstPosition, decodedInto: &buffer)
        guard view != nil else { return nil }
        return Block(
            firstPosition: header.firstPosition,
            count: header.count,
            offset: fileOffset + offset,
            length: header.length,
            checksum: header.checksum,
            isCompact: header.version == CompactBlock.version
        )
    }

    /// Reads up to `count` bytes of a file; fewer only at its end.
    private static func bytes(
        of file: FileDescriptor,
        at offset: Int,
        count: Int
    ) throws -> [UInt8] {
        // The buffer is filled from its start, by as many bytes as are counted.
        try unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, read in
            let room = UnsafeMutableRawBufferPointer(buffer)
            while read < count {
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: room[read...])
                let now = unsafe try file.read(
                    fromAbsoluteOffset: Int64(offset + read),
                    into: rest
                )
                if now == 0 { break }
                read += now
            }
        }
    }
}
