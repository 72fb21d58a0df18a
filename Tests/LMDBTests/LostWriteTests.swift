import LMDB
import SystemPackage
import Testing

/// A medium that claims to have written a meta page, and has not.
@Suite struct LostWriteTests {
    private let playground: Playground
    private let environment: Environment
    private let table: Table

    init() throws {
        playground = try Playground()
        environment = try playground.newEnvironment()
        table = try environment.store([1], [10])
    }

    /// From now on, the environment's meta pages are written somewhere else.
    private func loseMetaPages() throws {
        let elsewhere = playground.path("elsewhere")
        try FileDescriptor.open(
            elsewhere,
            .writeOnly,
            options: .create,
            permissions: .ownerReadWrite
        )
        .close()
        let writers = try descriptors(of: [playground.dataPath]).filter(\.writesThrough)
        try #require(writers.count == 1)
        try writers[0].redirect(to: elsewhere)
    }

    @Test func `a commit that the file does not show is not acknowledged`() throws {
        try loseMetaPages()
        #expect(code { try environment.store([2], [20]) } == .lostWrite)
        environment.close()
        let reopened = try Environment(at: playground.path, options: .small)
        let tables = try reopened.openTables(["blocks"])
        #expect(try reopened.value(tables[0], [2]) == nil)
        #expect(try reopened.value(tables[0], [1]) == [10])
    }

    @Test func `nobody reads or writes on from a state that was lost`() throws {
        try loseMetaPages()
        #expect(code { try environment.store([2], [20]) } == .lostWrite)
        #expect(code { _ = try environment.value(table, [1]) } == .lostWrite)
        #expect(code { try environment.store([3], [30]) } == .lostWrite)
    }

    @Test func `whether a later process finds it is unknown, and the message says so`() throws {
        try loseMetaPages()
        do {
            try environment.store([2], [20])
            Issue.record("The commit succeeded.")
        } catch let error as LMDBError {
            #expect(error.outcomeIsUnknown)
            #expect(error.description.contains("its medium loses writes"))
        }
    }

    @Test func `a transaction without changes writes nothing that could be lost`() throws {
        try loseMetaPages()
        try environment.write { transaction in
            #expect(try transaction.get(table, [1]) != nil)
            #expect(try !transaction.delete(table, [2]))
            _ = try transaction.createTable("blocks")
        }
    }
}
