internal import CLMDB
package import SystemPackage

extension Environment {
    /// Holds figures about an environment.
    package struct Statistics: Hashable, Sendable {
        /// The size of the map, in bytes.
        package let mapBytes: Int
        /// The size of a page, in bytes.
        package let pageBytes: Int
        /// The number of the last used page.
        package let lastPage: Int
        /// The number of the last committed transaction.
        package let lastTransaction: Int
        /// How many readers there are now, of all processes.
        package let readersInUse: Int
        /// How many readers there can be.
        package let maximumReaders: Int
        /// The length of the data file, in bytes.
        package let fileBytes: Int
    }

    /// Figures about the environment.
    ///
    /// The corresponding C functions are `mdb_env_info`, `mdb_env_stat` and `mdb_reader_list`.
    package var statistics: Statistics {
        get throws(LMDBError) {
            guard gate.enterReading() else { throw closedError("mdb_env_info") }
            defer { gate.leaveReading() }
            // The gate keeps the environment open, and LMDB fills in plain numbers.
            var information = unsafe MDB_envinfo()
            try check(unsafe mdb_env_info(pointer, &information), "mdb_env_info")
            var pages = MDB_stat()
            try check(unsafe mdb_env_stat(pointer, &pages), "mdb_env_stat")
            let fileBytes = try Self.fileBytes(at: path)
            // The address of the map is in there too; it is not used.
            return unsafe Statistics(
                mapBytes: information.me_mapsize,
                pageBytes: Int(pages.ms_psize),
                lastPage: information.me_last_pgno,
                lastTransaction: information.me_last_txnid,
                readersInUse: try countReaders(),
                maximumReaders: Int(information.me_maxreaders),
                fileBytes: Int(fileBytes)
            )
        }
    }

    /// The length of the data file of the environment in a directory, in bytes.
    package static func fileBytes(at path: FilePath) throws(LMDBError) -> Int64 {
        let dataPath = path.appending("data.mdb")
        return try LMDBError.system("stat", dataPath) { try Stat(dataPath) }.size
    }

    private func countReaders() throws(LMDBError) -> Int {
        var lineCount = 0
        // LMDB calls back before it returns, with the counter that it was given.
        let status = unsafe mdb_reader_list(
            pointer,
            { _, count in
                // The counter below, which outlives the call.
                unsafe count?.assumingMemoryBound(to: Int.self).pointee += 1
                return 0
            },
            &lineCount
        )
        guard status >= 0 else {
            throw LMDBError(code: .init(status: status), operation: "mdb_reader_list", path: path)
        }
        // The first line is a heading, or says that there is no reader.
        return max(0, lineCount - 1)
    }
}

// MARK: - Upkeep

extension Environment {
    /// Frees the slots of readers whose processes have died and returns how many there were.
    ///
    /// The corresponding C function is `mdb_reader_check`.
    @discardableResult
    package func checkReaders() throws(LMDBError) -> Int {
        guard gate.enterReading() else { throw closedError("mdb_reader_check") }
        defer { gate.leaveReading() }
        var cleared: CInt = 0
        // The gate keeps the environment open.
        try check(unsafe mdb_reader_check(pointer, &cleared), "mdb_reader_check")
        return Int(cleared)
    }

    /// Waits until everything committed is on disk, which it is after each commit anyway unless the
    /// options say otherwise.
    ///
    /// The corresponding C function is `mdb_env_sync`.
    package func sync() throws(LMDBError) {
        guard gate.enterReading() else { throw closedError("mdb_env_sync") }
        defer { gate.leaveReading() }
        // The gate keeps the environment open.
        try check(unsafe mdb_env_sync(pointer, 1), "mdb_env_sync")
    }

    /// Writes a snapshot of the data file, byte by byte, to a file that the caller makes durable.
    ///
    /// The corresponding C function is `mdb_env_copyfd2`.
    package func copy(to descriptor: FileDescriptor) throws(LMDBError) {
        // LMDB locks writers out for a moment, so a copy inside of a write would wait for itself.
        precondition(!gate.isWriting, "A write must not contain a copy of its environment.")
        // Beginning a read takes over the map's size if another process has changed it.
        let reader = try ReadTransaction(in: self)
        try check(unsafe mdb_env_copyfd2(pointer, descriptor.rawValue, 0), "mdb_env_copyfd2")
        _ = consume reader
    }
}
