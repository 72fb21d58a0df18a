import Foundation
import Testing

@testable import Platform

/// The process tells who holds a lock, whichever of its threads took it.
@Suite struct LockHolderTests {
    private static let comm = "/proc/thread-self/comm"

    private static func name(at path: String) throws -> String {
        try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .newlines)
    }

    private static func rename(_ name: String) throws {
        let file = try #require(FileHandle(forWritingAtPath: comm))
        try file.write(contentsOf: Data(name.utf8))
        try file.close()
    }

    @Test func `a thread with a name of its own stands for its process`() throws {
        let link = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
        let thread = try #require(link.split(separator: "/").last.flatMap { Int32($0) })
        let before = try Self.name(at: Self.comm)
        try Self.rename("odd")
        let holder = LockHolder(thread: thread)
        let program = try Self.name(at: "/proc/self/comm")
        try Self.rename(before)
        #expect(holder.identifier == Int(getpid()))
        #expect(holder.name == program)
        #expect(!holder.isStopped)
    }
}
