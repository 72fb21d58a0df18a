import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import Platform

/// Only a lock that another process holds is waited for.
@Suite struct FileLockTests {
    private let path: FilePath
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        path = FilePath(directory.path("file"))
    }

    private func read() throws -> Bool? {
        try FileLock.reading(path, within: .zero) { true }
    }

    @Test func `what another one keeps locked is not read`() throws {
        // Each opening of a file has a lock of its own, also within a process.
        let whileLocked = try FileLock.holding(path, isMade: true, nil) { try read() }
        #expect(whileLocked == nil)
        #expect(try read() == true)
    }

    @Test func `a lock that cannot be had for another reason is an error`() {
        let none = FileDescriptor(rawValue: -1)
        for operation in [LOCK_SH, LOCK_EX] {
            #expect(throws: Errno.badFileDescriptor) {
                try FileLock.locks(none, operation, within: .seconds(3_600))
            }
        }
    }
}
