internal import SystemPackage

/// Holds what one of the two meta pages of a data file says.
///
/// Numbers are in the machine's byte order, as LMDB writes them.
struct MetaPage {
    private static let byteCount = 152
    private static let metaFlag: UInt16 = 0x08
    private static let magic: UInt32 = 0xBEEF_C0DE
    private static let formatVersion: UInt32 = 1
    private static let pageByteRange: ClosedRange<UInt32> = 512...32_768
    private static let noPage = UInt64.max

    /// The size of every page of the file, in bytes.
    let pageBytes: Int

    /// The size of the map, in bytes.
    let mapBytes: Int

    /// The number of the last used page.
    let lastPage: UInt64

    /// The number of the transaction that wrote it.
    let transaction: UInt64

    private let roots: [UInt64]

    /// Reads the page at `offset`, or returns `nil` if no meta page of LMDB is there.
    init?(_ descriptor: FileDescriptor, offset: Int, _ path: FilePath) throws(LMDBError) {
        let page = try LMDBError.system("pread", path) {
            unsafe try [UInt8](unsafeUninitializedCapacity: Self.byteCount) { buffer, count in
                count = unsafe try descriptor.read(
                    fromAbsoluteOffset: Int64(offset),
                    into: UnsafeMutableRawBufferPointer(buffer)
                )
            }
        }
        guard page.count == Self.byteCount else { return nil }
        // Bytes have no padding, which alone makes this property unsafe.
        let bytes = unsafe page.span.bytes
        let pageBytes = Self.load(bytes, 40, as: UInt32.self)
        guard Self.load(bytes, 10, as: UInt16.self) & Self.metaFlag != 0,
            Self.load(bytes, 16, as: UInt32.self) == Self.magic,
            Self.load(bytes, 20, as: UInt32.self) == Self.formatVersion,
            Self.pageByteRange.contains(pageBytes), pageBytes.nonzeroBitCount == 1,
            let mapBytes = Int(exactly: Self.load(bytes, 32, as: UInt64.self))
        else { return nil }
        self.pageBytes = Int(pageBytes)
        self.mapBytes = mapBytes
        roots = [Self.load(bytes, 80, as: UInt64.self), Self.load(bytes, 128, as: UInt64.self)]
        lastPage = Self.load(bytes, 136, as: UInt64.self)
        transaction = Self.load(bytes, 144, as: UInt64.self)
    }

    /// Whether the roots of the two built-in tables are pages of the file.
    var hasPlausibleRoots: Bool {
        roots.allSatisfy { $0 == Self.noPage || (2...max(2, lastPage)).contains($0) }
    }

    /// How long the file must be to hold the last used page, or `nil` if no file can be.
    var neededBytes: Int? {
        guard let pages = Int(exactly: lastPage), pages < Int.max / pageBytes else { return nil }
        return (pages + 1) * pageBytes
    }

    private static func load<Number: FixedWidthInteger & BitwiseCopyable>(
        _ bytes: RawSpan,
        _ offset: Int,
        as type: Number.Type
    ) -> Number {
        precondition(offset + MemoryLayout<Number>.size <= bytes.byteCount)
        // Any bits make a number, and the line above keeps within the bounds.
        return unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: type)
    }
}
