import LMDB
import SystemPackage
import Testing

@Suite struct LockFileTests {
    let playground: Playground

    init() throws {
        playground = try Playground()
    }

    @Test func `a new lock file has real bytes for all readers`() throws {
        try Environment.create(at: playground.path, options: .small)
        let status = try Stat(playground.lockPath)
        #expect(status.size >= 128 + 4 * 64)
        #expect(status.sizeAllocated >= status.size)
    }

    @Test func `a missing lock file is made again`() throws {
        try playground.newEnvironment().store([1], [2])
        try remove(playground.lockPath)
        let environment = try Environment(at: playground.path, options: .small)
        let table = try environment.openTables(["blocks"])[0]
        #expect(try environment.value(table, [1]) == [2])
        let status = try Stat(playground.lockPath)
        #expect(status.sizeAllocated >= 128 + 4 * 64)
        #expect(status.permissions == .ownerReadWrite)
    }

    @Test func `a lock file with holes is filled`() throws {
        try Environment.create(at: playground.path, options: .small)
        try playground.resize(playground.lockPath, to: 0)
        try playground.resize(playground.lockPath, to: 8_192)
        _ = try Environment(at: playground.path, options: .small)
        #expect(try Stat(playground.lockPath).sizeAllocated > 0)
    }

    @Test func `a lock file that seems to have holes keeps no second process out`() async throws {
        try playground.newEnvironment().store([1], [2])
        // As on a file system that compresses: long enough for many readers, but most blocks are
        // missing.
        try playground.resize(playground.lockPath, to: 1 << 16)
        let environment = try Environment(at: playground.path, options: .small)
        let path = playground.pathText
        await #expect(processExitsWith: .success) { [path = path as String] in
            var options = Environment.Options.small
            options.maximumReaders = 1_000
            let environment = try Environment(at: FilePath(path), options: options)
            let table = try environment.openTables(["blocks"])[0]
            #expect(try environment.value(table, [1]) == [2])
        }
        let table = try environment.openTables(["blocks"])[0]
        #expect(try environment.value(table, [1]) == [2])
        #expect(try Stat(playground.lockPath).sizeAllocated < 128 + 1_000 * 64)
    }
}
