import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import Platform

/// What a killed process left under a passing name goes with the next one of its name; what is
/// being written, and what is not ours, stays.
@Suite struct UnfinishedTests {
    private static let passing = "0123456789abcdef.new"

    /// The names of others, and of people, that are like passing ones of `book`.
    private static let foreign = [
        "book.new", "book.1f.new", "book.0123456789ABCDEF.new", "book.0123456789abcdef.old",
        "book.0123456789abcdeg.new", "books.\(passing)", "book.pdf.\(passing)", "book.\(passing).x",
    ]

    private func names(_ folder: FilePath) throws -> Set<String> {
        Set(try Directory.names(in: folder))
    }

    @Test func `a passing name says what it is for, and no other name does`() {
        for last in ["book", "book.pdf", ".book", "", "büch"] {
            #expect(Unfinished.lastName(of: Unfinished.name(of: last)) == last)
        }
        for name in Self.foreign + ["", ".new"] where !name.hasSuffix(Self.passing) {
            #expect(Unfinished.lastName(of: name) == nil, "\(name)")
        }
        #expect(Unfinished.lastName(of: Self.passing) == nil)
    }

    @Test func `a file removes what was to get its name, and nothing else`() throws {
        let scratch = try TemporaryDirectory()
        let folder = FilePath(scratch.path("in")).removingLastComponent()
        for name in Self.foreign + ["book.\(Self.passing)"] {
            try DurableFile.write([1], to: folder.appending(name))
        }
        try DurableFile.put([2], at: folder.appending("book"), isReplacing: false)
        #expect(try names(folder) == Set(Self.foreign + ["book"]))
    }

    @Test func `a directory removes what was to get its name, and nothing else`() throws {
        let scratch = try TemporaryDirectory()
        let folder = FilePath(scratch.path("in")).removingLastComponent()
        let foreign = Self.foreign.map { "." + $0 } + ["book.\(Self.passing)"]
        for name in foreign + [".book.\(Self.passing)"] {
            try Directory.make(folder.appending(name).appending("in"))
        }
        try Directory.create(folder.appending("book")) { _ in }
        #expect(try names(folder) == Set(foreign + ["book"]))
    }

    @Test func `what another process is writing stays`() throws {
        let scratch = try TemporaryDirectory()
        let folder = FilePath(scratch.path("in")).removingLastComponent()
        let book = folder.appending("book")
        let (file, descriptor) = try Unfinished.create(beside: book)
        try DurableFile.put([2], at: book, isReplacing: true)
        #expect(try Directory.holds(file))
        try descriptor.close()
        try DurableFile.put([3], at: book, isReplacing: true)
        // What another test starts has the lock, too, until it runs its program.
        for _ in 0..<1_000 where try names(folder) != ["book"] {
            usleep(1_000)
            try DurableFile.put([3], at: book, isReplacing: true)
        }
        #expect(try names(folder) == ["book"])
        try Directory.create(folder.appending("one")) { unfinished in
            Unfinished.removeAbandoned(of: ".one", in: folder)
            let isThere = try Directory.holds(unfinished)
            #expect(isThere)
        }
        #expect(try names(folder) == ["book", "one"])
    }

    @Test func `a link of the name is no leftover of ours`() throws {
        let scratch = try TemporaryDirectory()
        let folder = FilePath(scratch.path("in")).removingLastComponent()
        try DurableFile.write([1], to: folder.appending("other"))
        let link = folder.appending("book.\(Self.passing)").string
        #expect(symlink("other", link) == 0)
        try DurableFile.put([2], at: folder.appending("book"), isReplacing: false)
        #expect(try names(folder) == ["book", "book.\(Self.passing)", "other"])
    }

    @Test func `passing names are recognised, whatever their number`() {
        for _ in 0..<1_000 {
            let name = Unfinished.name(of: "book")
            #expect(Unfinished.isName(name, of: "book"), "\(name)")
        }
    }
}
