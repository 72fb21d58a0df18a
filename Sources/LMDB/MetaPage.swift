/// Holds what one of the two meta pages of a data file says.
struct MetaPage {
    private static let byteCount = 152
    private static let metaFlag: UInt16 = 0x08
    private static let magic: UInt32 = 0xBEEF_C0DE
    private static let formatVersion: UInt32 = 1
    private static let pageByteRange: ClosedRange<UInt32> = 512...32_768
    private static let noPage = UInt64.max

    /// The sizes that pages of a file may have, in bytes.
    static let possiblePageBytes = (9...15).map { 1 << $0 }

    /// The size of every page of the file, in bytes.
    let pageBytes: Int

    /// The size of the map, in bytes.
    let mapBytes: Int

    /// The number of the last used page.
    let lastPage: Int

    /// The number of the transaction that wrote it.
    let transaction: UInt64

    /// The root page of the list of free pages, or `nil` if there are none.
    let freeRoot: Int?

    /// The root page of the table of tables, or `nil` if there are none.
    let mainRoot: Int?

    /// Whether the roots of the two built-in tables are pages of the file.
    let hasPlausibleRoots: Bool

    /// Reads the page at `offset`, or returns `nil` if no meta page of LMDB is there.
    init?(_ reader: PageReader, offset: Int) throws(LMDBError) {
        let page = try reader.bytes(at: offset, count: Self.byteCount)
        // Bytes have no padding, which alone makes this property unsafe.
        let bytes = unsafe page.span.bytes
        let pageBytes = bytes.number(at: 40, as: UInt32.self)
        guard page.count == Self.byteCount,
            bytes.number(at: 10, as: UInt16.self) & Self.metaFlag != 0,
            bytes.number(at: 16, as: UInt32.self) == Self.magic,
            bytes.number(at: 20, as: UInt32.self) == Self.formatVersion,
            Self.pageByteRange.contains(pageBytes), pageBytes.nonzeroBitCount == 1,
            let mapBytes = Int(exactly: bytes.number(at: 32, as: UInt64.self)),
            let lastPage = Int(exactly: bytes.number(at: 136, as: UInt64.self)),
            lastPage < Int.max / Int(pageBytes)
        else { return nil }
        self.pageBytes = Int(pageBytes)
        self.mapBytes = mapBytes
        self.lastPage = lastPage
        transaction = bytes.number(at: 144, as: UInt64.self)
        let roots = [bytes.number(at: 80, as: UInt64.self), bytes.number(at: 128, as: UInt64.self)]
        hasPlausibleRoots = roots.allSatisfy { root in
            root == Self.noPage || (root >= 2 && root <= lastPage)
        }
        freeRoot = roots[0] == Self.noPage ? nil : Int(exactly: roots[0])
        mainRoot = roots[1] == Self.noPage ? nil : Int(exactly: roots[1])
    }
}
