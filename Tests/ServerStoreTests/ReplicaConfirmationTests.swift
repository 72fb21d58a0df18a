import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing
import TripLedger

@testable import ServerStore

/// Waiting for a replica ends with its word, with its end, or in time.
@Suite struct ReplicaConfirmationTests {
    /// A directory in which something answers in the place of `ledger-replicate`.
    private final class Door {
        let directory: TemporaryDirectory
        let path: FilePath
        private let thread: WorkerThread<String>

        /// Opens it, and answers the first caller.
        init(answering answer: String?) throws {
            directory = try TemporaryDirectory()
            path = FilePath(directory.path)
            try Directory.make(ServerState.path(of: path))
            let listener = try UnixSocket.listen(at: ReplicaPlace.socket(of: path))
            thread = try #require(
                WorkerThread {
                    defer { try? listener.close() }
                    _ = Readiness.wait(for: [listener], milliseconds: 10_000)
                    guard let caller = UnixSocket.accept(from: listener) else { return "" }
                    defer { try? caller.close() }
                    _ = Readiness.wait(for: [caller], milliseconds: 10_000)
                    let asked = UnixSocket.receive(from: caller) ?? []
                    if let answer {
                        _ = UnixSocket.send(answer, on: caller)
                    } else {
                        // Until the other side gives up.
                        _ = Readiness.wait(for: [caller], milliseconds: 10_000)
                    }
                    return String(decoding: asked, as: UTF8.self)
                }
            )
        }

        func asked() -> String { thread.join() }
    }

    private func wait(for door: Door, _ milliseconds: Int = 10_000) throws {
        try ReplicaConfirmation(of: door.path, timeout: .milliseconds(milliseconds)).wait(upTo: 7)
    }

    @Test func `enough is enough`() throws {
        let door = try Door(answering: "have 9 \(String(repeating: "0", count: 64))\n")
        try wait(for: door)
        #expect(door.asked() == "need 7\n")
    }

    @Test(arguments: [
        ("have 6 0\n", "have"), ("not fenced another machine has it\n", "another machine has it"),
        ("", "has ended"), ("\n", "says nothing"),
    ])
    func `nothing less will do`(answer: String, words: String) throws {
        let door = try Door(answering: answer)
        let error = #expect(throws: LedgerError.self) { try wait(for: door) }
        #expect(error?.code == .replicaMissing)
        if words != "have" { #expect(error?.cause.contains(words) == true, "\(error as Any)") }
        _ = door.asked()
    }

    @Test func `a wait without an answer ends in time`() throws {
        let door = try Door(answering: nil)
        let error = #expect(throws: LedgerError.self) { try wait(for: door, 50) }
        #expect(error?.cause.contains("not confirmed in time") == true)
        _ = door.asked()
    }

    @Test func `without a program that replicates it ends at once`() throws {
        let directory = try TemporaryDirectory()
        let start = ContinuousClock.now
        let error = #expect(throws: LedgerError.self) {
            try ReplicaConfirmation(of: FilePath(directory.path), timeout: .seconds(60))
                .wait(upTo: 1)
        }
        #expect(error?.cause.contains("`ledger replicate` is not running") == true)
        #expect(.now - start < .seconds(30))
    }

    @Test func `a socket is reached by a path of any length`() throws {
        let directory = try TemporaryDirectory()
        let folder = FilePath(directory.path).appending(String(repeating: "d", count: 150))
        try Directory.make(folder)
        let listener = try UnixSocket.listen(at: folder.appending("s"))
        defer { try? listener.close() }
        #expect(UnixSocket.isAnswered(at: folder.appending("s")))
        // Only its owner may connect.
        #expect(try Stat(folder.appending("s")).permissions == .ownerReadWrite)
        UnixSocket.remove(at: folder.appending("s"))
        #expect(!UnixSocket.isAnswered(at: folder.appending("s")))
    }
}
