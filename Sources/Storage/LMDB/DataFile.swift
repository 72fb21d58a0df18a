internal import Platform
internal import SystemPackage

/// Checks `data.mdb` before LMDB opens it, because LMDB crashes on a foreign or short file.
///
/// The layout is that of format version 1 (`MDB_meta` in LMDB 0.9's mdb.c): pages 0 and 1 each have
/// a page header of 16 bytes, then the meta. The one with the greater transaction number counts.
struct DataFile {
    /// The identity of the file.
    let identity: FileIdentity

    /// How large the map was when it was last written.
    let mapBytes: Int

    /// How long the file is.
    let fileBytes: Int

    /// Kept open so that no other file gets its number while the environment lives.
    private let descriptor: FileDescriptor

    /// Reads and checks the meta pages of the file at `path`.
    init(at path: FilePath) throws(LMDBError) {
        let descriptor = try Self.open(path)
        var result = Result<DataFile, LMDBError>
            .failure(
                LMDBError(code: .foreignFile, operation: "open", path: path)
            )
        // Another process may be writing a meta page right now: then the next attempt succeeds.
        for _ in 1...3 {
            result = Result { () throws(LMDBError) in try DataFile(descriptor, path) }
            if case .success = result { break }
        }
        do {
            self = try result.get()
        } catch {
            try? descriptor.close()
            throw error
        }
    }

    /// Closes the file.
    func close() {
        // A failure to close leaves nothing that we could still do.
        try? descriptor.close()
    }

    /// Tells other processes with which lock file this one uses the file, until it is closed.
    ///
    /// - Throws: `.lockFileLost` if one of them uses it with another lock file: LMDB would let both
    ///   write at a time, and neither would know of the other's readers.
    func declareUse(with lockFile: LockFile, in directory: FilePath) throws(LMDBError) {
        let path = directory.appending("data.mdb")
        let isShared = try LMDBError.system("fcntl", path) {
            try FileUse.declare(on: descriptor, with: lockFile.identity)
            return try FileUse.isDeclared(on: descriptor, withOtherThan: lockFile.identity)
        }
        guard !isShared else {
            let path = directory.appending("lock.mdb")
            throw LMDBError(code: .lockFileLost, operation: "open", path: path)
        }
    }

    /// Reads the snapshots of both meta pages.
    func snapshots(in directory: FilePath) throws(LMDBError) -> [StoredSnapshot] {
        let path = directory.appending("data.mdb")
        return try StoredSnapshot.both(in: descriptor, at: path)
    }

    private static func open(_ path: FilePath) throws(LMDBError) -> FileDescriptor {
        let status = try LMDBError.system("lstat", path) {
            try Stat(path, followTargetSymlink: false, retryOnInterrupt: true)
        }
        if status.type == .symbolicLink {
            throw LMDBError(code: .symbolicLink, operation: "open", path: path)
        }
        guard status.type == .regular else {
            throw LMDBError(code: .wrongFileType, operation: "open", path: path)
        }
        return try LMDBError.system("open", path) {
            try FileDescriptor.open(path, .readOnly, options: [.noFollow, .closeOnExec])
        }
    }

    private init(_ descriptor: FileDescriptor, _ path: FilePath) throws(LMDBError) {
        self.descriptor = descriptor
        let reader = PageReader(descriptor: descriptor, path: path)
        let foreign = LMDBError(code: .foreignFile, operation: "open", path: path)
        guard let first = try MetaPage(reader, offset: 0),
            let second = try MetaPage(reader, offset: first.pageBytes),
            second.pageBytes == first.pageBytes
        else { throw foreign }
        let newest = first.transaction < second.transaction ? second : first
        // After the meta pages, because the file only grows.
        let status = try LMDBError.system("fstat", path) { try descriptor.stat() }
        fileBytes = Int(status.size)
        mapBytes = newest.mapBytes
        identity = FileIdentity(status)
        guard newest.hasPlausibleRoots else {
            throw LMDBError(code: .corrupted, operation: "open", path: path)
        }
        let neededBytes = (newest.lastPage + 1) * newest.pageBytes
        if fileBytes >= neededBytes { return }
        let wholePages = fileBytes / newest.pageBytes
        guard try FreePages.contain(pagesFrom: wholePages, newest, reader) else {
            let code = LMDBError.Code.truncated(fileBytes: fileBytes, neededBytes: neededBytes)
            throw LMDBError(code: code, operation: "open", path: path)
        }
    }
}

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

    /// Whether the first bytes of a file may be those of a meta page.
    static func canBegin(_ bytes: ArraySlice<UInt8>) -> Bool {
        let magicOffset = 16
        let found = bytes.dropFirst(magicOffset).prefix(MemoryLayout<UInt32>.size)
        return zip(found, 0...)
            .allSatisfy { byte, index in
                byte == UInt8(truncatingIfNeeded: magic >> UInt32(8 * index))
            }
    }

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
