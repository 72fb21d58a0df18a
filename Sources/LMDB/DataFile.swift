internal import SystemPackage

/// Looks at `data.mdb` before LMDB does, which would trust it and crash on a foreign or short file.
///
/// The layout is that of format version 1 (`MDB_meta` in LMDB 0.9's mdb.c): pages 0 and 1 each have
/// a page header of 16 bytes, then the meta. The one with the greater transaction number counts.
struct DataFile {
    /// Which file it is.
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
        // Another process may be writing a meta page just now: then the next look is better.
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
        // After the meta pages, for the file only ever grows.
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
