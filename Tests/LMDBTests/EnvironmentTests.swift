import LMDB
import SystemPackage
import Testing

@Suite struct EnvironmentTests {
    let playground: Playground

    init() throws {
        playground = try Playground()
    }

    @Test func `what was written is read after opening again`() throws {
        try Environment.create(at: playground.path, options: .small)
        do {
            let environment = try Environment(at: playground.path, options: .small)
            try environment.store([1, 2], [3, 4, 5])
        }
        let environment = try Environment(at: playground.path, options: .small)
        let table = try environment.openTables(["blocks"])[0]
        #expect(try environment.value(table, [1, 2]) == [3, 4, 5])
        #expect(try environment.value(table, [1]) == nil)
    }

    @Test func `creating where something is fails and leaves it alone`() throws {
        let environment = try playground.newEnvironment()
        let table = try environment.store([1], [2])
        #expect(
            code { try Environment.create(at: playground.path, options: .small) }
                == .system(.fileExists)
        )
        #expect(try environment.value(table, [1]) == [2])
    }

    @Test func `only the owner may enter the directory and read the files`() throws {
        try Environment.create(at: playground.path, options: .small)
        #expect(try Stat(playground.path).permissions == .ownerReadWriteExecute)
        #expect(try Stat(playground.dataPath).permissions == .ownerReadWrite)
        #expect(try Stat(playground.lockPath).permissions == .ownerReadWrite)
    }

    @Test func `opening what is open in this process is refused until it is closed`() throws {
        let environment = try playground.newEnvironment()
        let open = { _ = try Environment(at: playground.path, options: .small) }
        #expect(code(open) == .alreadyOpen)
        environment.close()
        #expect(code(open) == nil)
    }

    @Test func `a refused second opening does not harm the first`() throws {
        let environment = try playground.newEnvironment()
        let table = try environment.store([1], [1])
        let open = { _ = try Environment(at: playground.path, options: .small) }
        let (refusal, count) = try environment.read { transaction in
            (code(open), try transaction.entryCount(table))
        }
        #expect(refusal == .alreadyOpen)
        #expect(count == 1)
        #expect(try environment.value(table, [1]) == [1])
    }

    @Test func `a closed environment refuses everything`() throws {
        let environment = try playground.newEnvironment()
        let table = try environment.store([1], [1])
        environment.close()
        environment.close()
        #expect(code { try environment.read { _ in } } == .closed)
        #expect(code { try environment.write { _ in } } == .closed)
        #expect(code { try environment.sync() } == .closed)
        #expect(code { _ = try environment.openTables(["blocks"]) } == .closed)
        #expect(code { _ = try environment.statistics } == .closed)
        #expect(code { _ = try environment.value(table, [1]) } == .closed)
    }

    @Test func `a missing environment is named as such`() {
        #expect(
            code { _ = try Environment(at: playground.path, options: .small) }
                == .system(.noSuchFileOrDirectory)
        )
    }

    @Test func `a file or symbolic link in place of the directory is refused`() throws {
        try Environment.create(at: playground.path("real"), options: .small)
        try link(playground.path, to: playground.path("real"))
        #expect(code { _ = try Environment(at: playground.path, options: .small) } == .symbolicLink)
        #expect(
            code { _ = try Environment(at: playground.path("real/data.mdb"), options: .small) }
                == .wrongFileType
        )
        #expect(
            code { try Environment.create(at: playground.path, options: .small) }
                == .system(.fileExists)
        )
    }

    @Test(arguments: ["data.mdb", "lock.mdb"])
    func `a symbolic link in place of a file is refused`(name: String) throws {
        try Environment.create(at: playground.path, options: .small)
        let file = playground.path.appending(name)
        try move(file, to: playground.path("elsewhere"))
        try link(file, to: playground.path("elsewhere"))
        #expect(code { _ = try Environment(at: playground.path, options: .small) } == .symbolicLink)
    }

    @Test func `programs that this one starts do not inherit the files`() throws {
        let environment = try playground.newEnvironment()
        let open = try descriptors(of: [playground.dataPath, playground.lockPath])
        #expect(open.count >= 3)
        #expect(open.allSatisfy { $0.closesOnExec })
        environment.close()
        #expect(try descriptors(of: [playground.dataPath, playground.lockPath]).isEmpty)
    }

    @Test func `a copy is an environment with the same entries`() throws {
        let environment = try playground.newEnvironment()
        try environment.store([1], [2, 3])
        let copy = playground.path("copy")
        try Environment.create(at: copy, options: .small)
        let target = try FileDescriptor.open(
            copy.appending("data.mdb"),
            .writeOnly,
            options: [.truncate]
        )
        try target.closeAfter { try environment.copy(to: target) }
        let other = try Environment(at: copy, options: .small)
        let table = try other.openTables(["blocks"])[0]
        #expect(try other.value(table, [1]) == [2, 3])
    }

    @Test func `an environment opened to read refuses writes`() throws {
        try playground.newEnvironment().store([1], [2])
        let environment = try Environment(at: playground.path, options: .readOnly)
        let table = try environment.openTables(["blocks"])[0]
        #expect(try environment.value(table, [1]) == [2])
        #expect(code { try environment.write { _ in } } == .system(.permissionDenied))
    }

    @Test func `figures follow what is written`() throws {
        let environment = try playground.newEnvironment()
        let before = try environment.statistics
        try environment.store([1], [UInt8](repeating: 7, count: 5 * before.pageBytes))
        let after = try environment.statistics
        #expect(after.lastTransaction == before.lastTransaction + 1)
        #expect(after.fileBytes >= before.fileBytes + 5 * before.pageBytes)
        #expect(after.fileBytes == (after.lastPage + 1) * after.pageBytes)
        #expect(after.mapBytes >= after.fileBytes)
        #expect(after.maximumReaders == 4)
    }
}

@Suite struct LMDBErrorTests {
    @Test func `a message says where, what and why`() {
        let error = LMDBError(code: .mapFull, operation: "mdb_put", path: "ledger/log")
        #expect(
            error.description
                == "ledger/log: mdb_put: the map has no room for the transaction"
        )
    }

    @Test func `after a failed commit the outcome is unknown, and the message says so`() {
        let failed = LMDBError(
            code: .system(.ioError),
            operation: "mdb_txn_commit",
            path: "ledger/log"
        )
        #expect(failed.outcomeIsUnknown)
        #expect(failed.description.contains("unknown"))
        let full = LMDBError(code: .mapFull, operation: "mdb_txn_commit", path: "ledger/log")
        #expect(!full.outcomeIsUnknown)
        let put = LMDBError(code: .system(.ioError), operation: "mdb_put", path: "ledger/log")
        #expect(!put.outcomeIsUnknown)
    }
}
