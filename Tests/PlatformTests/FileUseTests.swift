import Glibc
import Platform
import SystemPackage
import TestSupport
import Testing

@Suite struct FileUseTests {
    private let directory: TemporaryDirectory
    private let path: FilePath
    private let companions: [FileIdentity]

    init() throws {
        directory = try TemporaryDirectory()
        path = FilePath(directory.path("data"))
        try DurableFile.write([1], to: path)
        companions = try ["one", "other"]
            .map { [directory] name in
                let path = FilePath(directory.path(name))
                try DurableFile.write([], to: path)
                return try FileIdentity.at(path)
            }
    }

    private func open() throws -> FileDescriptor {
        try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
    }

    @Test func `users of a file with the same companion are no strangers`() throws {
        let users = try [open(), open()]
        defer { for user in users { try? user.close() } }
        for user in users { try FileUse.declare(on: user, with: companions[0]) }
        for user in users {
            #expect(try !FileUse.isDeclared(on: user, withOtherThan: companions[0]))
        }
    }

    @Test func `a user of a file with another companion is found, until it closes the file`() throws
    {
        let users = try [open(), open()]
        defer { try? users[1].close() }
        try FileUse.declare(on: users[0], with: companions[0])
        try FileUse.declare(on: users[1], with: companions[1])
        #expect(try FileUse.isDeclared(on: users[1], withOtherThan: companions[1]))
        // To open and close the file once more ends no use.
        try open().close()
        #expect(try FileUse.isDeclared(on: users[1], withOtherThan: companions[1]))
        #expect(try FileUse.isDeclared(at: path))
        try users[0].close()
        // What another test starts has the file, too, until it runs its program.
        let isAlone = try (0..<1_000)
            .contains { _ in
                usleep(1_000)
                return try !FileUse.isDeclared(on: users[1], withOtherThan: companions[1])
            }
        #expect(isAlone)
    }

    @Test func `a file that is missing, or open and not declared, has no users`() throws {
        #expect(try !FileUse.isDeclared(at: FilePath(directory.path("missing"))))
        let descriptor = try open()
        defer { try? descriptor.close() }
        #expect(try !FileUse.isDeclared(at: path))
    }
}
