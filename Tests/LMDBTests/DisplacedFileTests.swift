import LMDB
import SystemPackage
import Testing

/// Files that are deleted, moved or replaced while they are open.
@Suite struct DisplacedFileTests {
    private let playground: Playground
    private let environment: Environment

    init() throws {
        playground = try Playground()
        var options = Environment.Options.small
        options.staysAtPath = true
        environment = try playground.newEnvironment(options)
        try environment.store([1], [10])
    }

    @Test(arguments: ["data.mdb", "lock.mdb"])
    func `a commit to a file that is gone is not acknowledged`(name: String) throws {
        try remove(playground.path.appending(name))
        #expect(code { try environment.store([2], [20]) } == .displaced)
        #expect(!environment.isAtPath)
    }

    @Test(arguments: ["data.mdb", "lock.mdb"])
    func `a commit beside a file that was put there instead is not acknowledged`(
        name: String
    ) throws {
        let other = playground.path("other")
        try Environment.create(at: other, options: .small)
        try remove(playground.path.appending(name))
        try move(other.appending(name), to: playground.path.appending(name))
        #expect(code { try environment.store([2], [20]) } == .displaced)
    }

    @Test func `a commit counts while the directory is at its path, and again when it is back`()
        throws
    {
        try move(playground.path, to: playground.path("elsewhere"))
        #expect(code { try environment.store([2], [20]) } == .displaced)
        try move(playground.path("elsewhere"), to: playground.path)
        let table = try environment.store([3], [30])
        // It was stored; only its place could not be reported.
        #expect(try environment.value(table, [2]) == [20])
    }

    @Test func `a commit does not follow on an older copy that was written over the files`()
        throws
    {
        let files = [playground.dataPath, playground.lockPath]
        let copies = try files.map { try bytes(of: $0) }
        try environment.store([2], [20])
        for (file, bytes) in zip(files, copies) {
            try playground.overwrite(file, at: 0, with: bytes)
        }
        #expect(code { try environment.store([3], [30]) } == .displaced)
    }

    @Test func `whether a later process finds it is unknown, and the message says so`() throws {
        try remove(playground.dataPath)
        do {
            try environment.store([2], [20])
            Issue.record("The commit succeeded.")
        } catch let error as LMDBError {
            #expect(error.outcomeIsUnknown)
            #expect(error.description.contains("deleted, moved, replaced or overwritten"))
        }
    }

    @Test func `files that need not stay at their path may be deleted`() throws {
        environment.close()
        let other = try Environment(at: playground.path, options: .small)
        try remove(playground.dataPath)
        let table = try other.store([2], [20])
        #expect(try other.value(table, [2]) == [20])
    }

    private func bytes(of path: FilePath) throws -> [UInt8] {
        let descriptor = try FileDescriptor.open(path, .readOnly)
        return try descriptor.closeAfter {
            let count = Int(try descriptor.stat().size)
            var bytes = [UInt8](repeating: 0, count: count)
            let read = try bytes.withUnsafeMutableBytes {
                try descriptor.read(fromAbsoluteOffset: 0, into: $0)
            }
            return Array(bytes[..<read])
        }
    }
}
