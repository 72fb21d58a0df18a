internal import CLMDB
internal import Platform
internal import SystemPackage

extension Environment {
    /// Runs `body` on a snapshot of the environment.
    ///
    /// Keep it short: while it runs, pages that writers free are not used again: the file grows.
    /// Reads may be nested; a write of the same environment inside of one is a programming error.
    package func read<Result: ~Copyable>(
        _ body: (borrowing ReadTransaction) throws -> Result
    ) throws -> Result {
        try body(ReadTransaction(in: self))
    }

    /// Runs `body` and commits what it did when it returns, or drops it when it throws.
    ///
    /// `body` MUST be repeatable: if the map is full it is enlarged, and `body` runs again from the
    /// start on the unchanged environment. A write waits until the one before it is over, in this
    /// process or another; writes must not be nested.
    /// - Throws: what `body` throws, or ``LMDBError``. If its `outcomeIsUnknown`, the changes may
    ///   have been stored.
    package func write<Result: ~Copyable>(
        _ body: (inout WriteTransaction) throws -> Result
    ) throws -> Result {
        guard gate.enterWriting() else { throw closedError("write") }
        defer { gate.leaveWriting() }
        while true {
            var transaction = try WriteTransaction(in: self)
            do {
                let result = try body(&transaction)
                try transaction.commit()
                residentPages.countCommit(changes: transaction.changeCount)
                return result
            } catch {
                transaction.abort()
                guard transaction.ranOutOfMap else { throw error }
            }
            try growMap()
        }
    }

    /// Opens existing tables, each of which is worth opening once per environment.
    ///
    /// The corresponding C function is `mdb_dbi_open`.
    /// - Throws: `.notFound` if there is no table of one of the names.
    package func openTables(_ names: [String]) throws(LMDBError) -> [Table] {
        // LMDB allows one thread at a time to open tables, hence not as a mere reader.
        guard gate.enterWriting() else { throw closedError("mdb_dbi_open") }
        defer { gate.leaveWriting() }
        // Every path ends the transaction, and no other code has the handle.
        let transaction = unsafe try beginReading()
        defer { gate.leaveReading() }
        var tables: [Table] = []
        for name in names {
            var identifier = MDB_dbi()
            // The transaction is ours, and LMDB copies the name.
            let status = unsafe mdb_dbi_open(transaction, name, 0, &identifier)
            guard status == MDB_SUCCESS else {
                unsafe mdb_txn_abort(transaction)
                let operation = "mdb_dbi_open \(name)"
                throw LMDBError(code: .init(status: status), operation: operation, path: path)
            }
            tables.append(Table(identifier: identifier, environment: ObjectIdentifier(self)))
        }
        // Only the commit makes the handles known to later transactions.
        try check(unsafe mdb_txn_commit(transaction), "mdb_txn_commit")
        return tables
    }
}

// MARK: - Resident memory

extension Environment {
    /// Counts a change of the transaction that this thread writes, and after some of them drops the
    /// pages of the map that they have touched; `table` is the one that was changed.
    func countChange(of table: Table) {
        guard residentPages.countChange() else { return }
        // A snapshot tells where the map lies, which what was just written does not. It saves
        // memory only: if reading fails, or the table is new, the process is a little larger.
        try? read { transaction in
            var cursor = try transaction.cursor(table)
            if try cursor.first() { residentPages.drop(around: cursor.key) }
        }
    }
}

// MARK: - Beginning

extension Environment {
    /// Enters the gate and begins to read; the caller ends the transaction and leaves the gate.
    func beginReading() throws(LMDBError) -> OpaquePointer {
        var hasCheckedReaders = false
        var mapBytes: Int?
        while true {
            guard gate.enterReading() else { throw closedError("mdb_txn_begin") }
            // The gate keeps the environment open; the caller owns the handle.
            var transaction: OpaquePointer?
            let status = unsafe mdb_txn_begin(pointer, nil, CUnsignedInt(MDB_RDONLY), &transaction)
            if status == MDB_SUCCESS, let transaction = unsafe transaction {
                do throws(LMDBError) {
                    try requireVisible(unsafe mdb_txn_id(transaction), "mdb_txn_begin")
                } catch {
                    unsafe mdb_txn_abort(transaction)
                    gate.leaveReading()
                    throw error
                }
                return unsafe transaction
            }
            gate.leaveReading()
            switch status {
            case MDB_MAP_RESIZED:
                mapBytes = try adoptMapSize(insteadOf: mapBytes)
            case MDB_READERS_FULL where !hasCheckedReaders:
                hasCheckedReaders = true
                _ = try checkReaders()
            case Errno.resourceTemporarilyUnavailable.rawValue:
                throw LMDBError(
                    code: .processIdentifierTaken,
                    operation: "mdb_txn_begin",
                    path: path
                )
            default:
                try check(status, "mdb_txn_begin")
            }
        }
    }

    /// Begins to write; the caller is in the gate and ends the transaction.
    func beginWriting() throws(LMDBError) -> OpaquePointer {
        let watch = startWatch()
        defer { watch?.stop() }
        var mapBytes: Int?
        while true {
            // The gate keeps the environment open; the caller owns the handle.
            var transaction: OpaquePointer?
            let status = unsafe mdb_txn_begin(pointer, nil, 0, &transaction)
            if status == MDB_SUCCESS, let transaction = unsafe transaction {
                do throws(LMDBError) {
                    let number = unsafe mdb_txn_id(transaction)
                    try requireVisible(number - 1, "mdb_txn_begin")
                    try requireContinuation(number, "mdb_txn_begin")
                } catch {
                    unsafe mdb_txn_abort(transaction)
                    throw error
                }
                return unsafe transaction
            }
            if status == MDB_MAP_RESIZED {
                mapBytes = try adoptMapSize(insteadOf: mapBytes)
            } else {
                try check(status, "mdb_txn_begin")
            }
        }
    }
}

// MARK: - Checking that a commit is visible

extension Environment {
    /// Throws `.lostWrite` unless the file shows the transaction of this number, or a later one.
    ///
    /// LMDB does not check it. It takes the last transaction's number from the lock file, and its
    /// tables from the meta page whose turn it was. Were that page lost on the way to the file,
    /// then all processes would continue from the state of two transactions before, and put other
    /// entries where these were acknowledged. The caller is in the gate.
    func requireVisible(_ transaction: Int, _ operation: String) throws(LMDBError) {
        // The gate keeps the environment open; LMDB fills in numbers from the map.
        var information = unsafe MDB_envinfo()
        try check(unsafe mdb_env_info(pointer, &information), "mdb_env_info")
        let last = unsafe information.me_last_txnid
        guard last >= transaction else {
            throw LMDBError(code: .lostWrite, operation: operation, path: path)
        }
    }
}

// MARK: - Waiting

extension Environment {
    /// Starts to watch another process's write, if this one has to wait for it and reports waits.
    private func startWatch() -> WriterWatch? {
        guard let waitNotice, let lockFile, lockFile.writerThread() != nil else { return nil }
        return WriterWatch(lockFile, waitNotice)
    }
}

// MARK: - The size of the map

extension Environment {
    private func growMap() throws(LMDBError) {
        // The writer is in the gate, so that the environment stays open.
        var information = unsafe MDB_envinfo()
        try check(unsafe mdb_env_info(pointer, &information), "mdb_env_info")
        let mapBytes = unsafe information.me_mapsize
        let growth = min(mapBytes, Self.largestGrowthBytes)
        _ = try setMapSize(mapBytes + growth, orBackTo: mapBytes)
    }

    /// Takes over the size that another process has given to the map, and returns it.
    ///
    /// - Throws: `.pageNotFound` if that is the one that was too small before: the file names a
    ///   last page that cannot be.
    private func adoptMapSize(insteadOf previous: Int?) throws(LMDBError) -> Int {
        let mapBytes = try setMapSize(0, orBackTo: 0)
        guard mapBytes != previous else {
            throw LMDBError(code: .pageNotFound, operation: "mdb_txn_begin", path: path)
        }
        return mapBytes
    }

    /// Moves the map while no transaction of this process is open, which LMDB does not check.
    ///
    /// - Returns: The size of the map in bytes.
    ///
    /// The corresponding C function is `mdb_env_set_mapsize`.
    private func setMapSize(
        _ byteCount: Int,
        orBackTo oldByteCount: Int
    ) throws(LMDBError) -> Int {
        var mapBytes = 0
        let outcome = gate.exclusively {
            residentPages.mapWillMove()
            // No other thread is inside: no pointer into the map is alive.
            let status = unsafe mdb_env_set_mapsize(pointer, byteCount)
            guard status != MDB_SUCCESS else {
                var information = unsafe MDB_envinfo()
                let asked = unsafe mdb_env_info(pointer, &information)
                mapBytes = unsafe information.me_mapsize
                return (status: asked, isOpen: true)
            }
            // LMDB has given up the old map before it asked for the new one.
            let isMapped = unsafe mdb_env_set_mapsize(pointer, oldByteCount) == MDB_SUCCESS
            return (status: status, isOpen: isMapped)
        }
        guard let status = outcome else {
            throw LMDBError(code: .mapInUse, operation: "mdb_env_set_mapsize", path: path)
        }
        try check(status, "mdb_env_set_mapsize")
        return mapBytes
    }
}

extension Environment {
    /// Calls `body` with every entry from `start` on, in order of keys, until it returns `false`.
    ///
    /// An empty `start` means the first key. After every `renewalBytes` of values the snapshot is
    /// renewed, so that a long scan does not keep writers from reusing pages; the scan sees what is
    /// written ahead of it during that time.
    package func scan(
        _ table: Table,
        from start: [UInt8],
        everyBytes renewalBytes: Int = 16 << 20,
        _ body: (_ key: Span<UInt8>, _ value: Span<UInt8>) throws -> Bool
    ) throws {
        var next: [UInt8]? = start
        while let key = next {
            next = try read { transaction in
                var cursor = try transaction.cursor(table)
                guard try key.isEmpty ? cursor.first() : cursor.seek(toKeyAtOrAfter: key) else {
                    return nil
                }
                var byteCount = 0
                while true {
                    let value = cursor.value
                    guard try body(cursor.key, value) else { return nil }
                    byteCount += value.count
                    guard try cursor.next() else { return nil }
                    if byteCount >= renewalBytes { return Array(copying: cursor.key) }
                }
            }
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
