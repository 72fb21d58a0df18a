import SystemPackage

/// Counts free pages by walking LMDB's own table of them, page by page.
///
/// A file may end before its last used page, where that page and all after the end are free: LMDB
/// does not write a page that was taken and given back by the same transaction.
struct FreePages {
    private let reader: PageReader
    private let pageBytes: Int
    private let lastPage: Int
    private let range: Range<Int>
    private var count = 0

    /// Returns whether all pages from `firstPage` to the last used one are free.
    static func contain(
        pagesFrom firstPage: Int,
        _ meta: MetaPage,
        _ reader: PageReader
    ) throws(LMDBError) -> Bool {
        guard let root = meta.freeRoot, firstPage <= meta.lastPage else { return false }
        let range = firstPage..<(meta.lastPage + 1)
        var pages = FreePages(
            reader: reader,
            pageBytes: meta.pageBytes,
            lastPage: meta.lastPage,
            range: range
        )
        guard try pages.visit(root, depth: 0) else { return false }
        return pages.count == range.count
    }

    private init(reader: PageReader, pageBytes: Int, lastPage: Int, range: Range<Int>) {
        self.reader = reader
        self.pageBytes = pageBytes
        self.lastPage = lastPage
        self.range = range
    }

    /// Counts below a page; returns `false` if there is no sound page.
    private mutating func visit(_ page: Int, depth: Int) throws(LMDBError) -> Bool {
        guard depth < PageLayout.maximumDepth, page >= 2, page <= lastPage else { return false }
        let content = try reader.bytes(at: page * pageBytes, count: pageBytes)
        guard content.count == pageBytes else { return false }
        // Bytes have no padding, which alone makes this property unsafe.
        let bytes = unsafe content.span.bytes
        let flags = bytes.number(at: 10, as: UInt16.self)
        let lower = Int(bytes.number(at: 12, as: UInt16.self))
        guard lower >= PageLayout.pageHeaderBytes, lower <= pageBytes else { return false }
        for slot in stride(from: PageLayout.pageHeaderBytes, to: lower, by: 2) {
            let node = Int(bytes.number(at: slot, as: UInt16.self))
            let isSound =
                switch flags {
                case PageLayout.branchFlag: try visit(child(bytes, node), depth: depth + 1)
                case PageLayout.leafFlag: try countRecord(bytes, node)
                default: false
                }
            guard isSound else { return false }
        }
        return true
    }

    private func child(_ bytes: RawSpan, _ node: Int) -> Int {
        let low = Int(bytes.number(at: node, as: UInt32.self))
        return low | Int(bytes.number(at: node + 4, as: UInt16.self)) << 32
    }

    private mutating func countRecord(_ bytes: RawSpan, _ node: Int) throws(LMDBError) -> Bool {
        let flags = bytes.number(at: node + 4, as: UInt16.self)
        let keyBytes = Int(bytes.number(at: node + 6, as: UInt16.self))
        let start = node + PageLayout.nodeHeaderBytes + keyBytes
        guard flags & PageLayout.overflowNodeFlag != 0 else {
            let byteCount = Int(bytes.number(at: node, as: UInt32.self))
            guard start + byteCount <= bytes.byteCount else { return false }
            return countList(bytes.extracting(start..<(start + byteCount)))
        }
        guard let page = Int(exactly: bytes.number(at: start, as: UInt64.self)), page >= 2,
            page <= lastPage
        else { return false }
        let byteCount = Int(bytes.number(at: node, as: UInt32.self))
        guard byteCount <= (lastPage + 2) * 8 else { return false }
        let offset = page * pageBytes + PageLayout.pageHeaderBytes
        let content = try reader.bytes(at: offset, count: byteCount)
        // Bytes have no padding, which alone makes this property unsafe.
        return unsafe countList(content.span.bytes)
    }

    /// Counts a record: how many pages, then their numbers.
    private mutating func countList(_ bytes: RawSpan) -> Bool {
        let length = bytes.number(at: 0, as: UInt64.self)
        guard length <= UInt64(lastPage), (Int(length) + 1) * 8 <= bytes.byteCount else {
            return false
        }
        for index in 0..<Int(length) {
            let page = bytes.number(at: (index + 1) * 8, as: UInt64.self)
            if let page = Int(exactly: page), range.contains(page) { count += 1 }
        }
        return true
    }
}

/// Reads a data file without LMDB and without mapping it, so that a short file cannot harm.
struct PageReader {
    /// The data file.
    let descriptor: FileDescriptor

    /// Where it is.
    let path: FilePath

    /// Reads up to `count` bytes; fewer only at the end of the file.
    func bytes(at offset: Int, count: Int) throws(LMDBError) -> [UInt8] {
        // The buffer is filled from its start, by as many bytes as are counted.
        try LMDBError.system("pread", path) {
            unsafe try [UInt8](unsafeUninitializedCapacity: count) { buffer, read in
                let room = UnsafeMutableRawBufferPointer(buffer)
                while read < count {
                    let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: room[read...])
                    let now = unsafe try descriptor.read(
                        fromAbsoluteOffset: Int64(offset + read),
                        into: rest
                    )
                    if now == 0 { break }
                    read += now
                }
            }
        }
    }
}

extension RawSpan {
    /// Reads a number in the machine's byte order, as LMDB writes it, or 0 if it is not all there.
    func number<Number: FixedWidthInteger & BitwiseCopyable>(
        at offset: Int,
        as type: Number.Type
    ) -> Number {
        guard offset >= 0, offset <= byteCount - MemoryLayout<Number>.size else { return 0 }
        // Any bits make a number, and the line above keeps within the bounds.
        return unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: type)
    }
}

/// The layout of `MDB_page` and `MDB_node` in LMDB 0.9's mdb.c on a little-endian machine.
enum PageLayout {
    static let pageHeaderBytes = 16
    static let nodeHeaderBytes = 8
    static let branchFlag: UInt16 = 0x01
    static let leafFlag: UInt16 = 0x02
    static let overflowNodeFlag: UInt16 = 0x01
    static let tableNodeFlag: UInt16 = 0x02

    /// How deep a tree of pages may be: far more than any file needs.
    static let maximumDepth = 32
}
