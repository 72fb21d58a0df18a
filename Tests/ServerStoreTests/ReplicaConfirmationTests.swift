import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing
import TripEvents
import TripLedger

@testable import ServerStore

/// Waiting for a replica ends with its word, with its end, or in time.
@Suite struct ReplicaConfirmationTests {
    /// A ledger of eight entries, beside which something answers in the place of
    /// `ledger-replicate`.
    private final class Door {
        let ledger: Ledger
        private let directory: TemporaryDirectory
        private let thread: WorkerThread<String>

        /// Opens it, and answers the first caller.
        init(answering answer: (Ledger) throws -> String?) throws {
            directory = try TemporaryDirectory()
            ledger = try ReplicaConfirmationTests.ledger(in: directory)
            let answer = try answer(ledger)
            try Directory.make(ServerState.path(of: ledger.path))
            let listener = try UnixSocket.listen(at: ReplicaPlace.socket(of: ledger.path))
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

        deinit {
            ledger.close()
        }

        func asked() -> String { thread.join() }
    }

    private static let now = Timestamp(milliseconds: 1_900_000_000_000)

    private static func ledger(in directory: TemporaryDirectory) throws -> Ledger {
        let path = FilePath(directory.path("book"))
        let ledger = try Ledger.create(at: path, settings: LedgerSettings(), now: now)
        let presses = (1...6)
            .map { second in
                TripEvent(
                    source: "phone",
                    occurredAt: now.advanced(byMilliseconds: Int64(second) * 1_000 - 60_000),
                    body: .goPressed(GoPressed())
                )
            }
        _ = try ledger.append(presses, now: now)
        // The founding event and the registration of the source are entries, too.
        try #require(try ledger.head().size == 8)
        return ledger
    }

    private func wait(for door: Door, _ milliseconds: Int = 10_000) throws -> UInt64 {
        try ReplicaConfirmation(of: door.ledger, timeout: .milliseconds(milliseconds))
            .wait(upTo: 7)
    }

    @Test(arguments: [7, 8] as [UInt64])
    func `enough is enough`(size: UInt64) throws {
        let door = try Door { ledger in
            let head = try #require(try ledger.head(atSize: size))
            return "have \(head.size) \(head.root)\n"
        }
        #expect(try wait(for: door) == size)
        #expect(door.asked() == "need 7\n")
    }

    @Test(arguments: [
        ("have 6 0\n", "have"), ("not fenced another machine has it\n", "another machine has it"),
        ("", "has ended"), ("\n", "says nothing"),
    ])
    func `nothing less will do`(answer: String, words: String) throws {
        let door = try Door { _ in answer }
        let error = #expect(throws: LedgerError.self) { try wait(for: door) }
        #expect(error?.code == .replicaMissing)
        if words != "have" { #expect(error?.cause.contains(words) == true, "\(error as Any)") }
        _ = door.asked()
    }

    @Test(arguments: [7, 8, 9] as [UInt64])
    func `other entries are not those that were stored, however many there are`(
        size: UInt64
    ) throws {
        // As after another log was put in the place of the one that is replicated.
        let door = try Door { ledger in
            let other = try #require(try ledger.head(atSize: 6))
            return "have \(size) \(other.root)\n"
        }
        let error = #expect(throws: LedgerError.self) { try wait(for: door) }
        #expect(error?.code == .replicaMissing)
        #expect(error?.cause.contains("are not the first \(size) of this log") == true)
        _ = door.asked()
    }

    @Test func `a wait without an answer ends in time`() throws {
        let door = try Door { _ in nil }
        let error = #expect(throws: LedgerError.self) { try wait(for: door, 50) }
        #expect(error?.cause.contains("not confirmed in time") == true)
        _ = door.asked()
    }

    @Test func `the time since it was stored counts`() throws {
        let door = try Door { _ in nil }
        let start = ContinuousClock.now
        let error = #expect(throws: LedgerError.self) {
            try ReplicaConfirmation(of: door.ledger, timeout: .seconds(600))
                .wait(upTo: 7, since: start - .seconds(600))
        }
        #expect(error?.cause.contains("not confirmed in time") == true)
        #expect(.now - start < .seconds(300))
        _ = door.asked()
    }

    @Test func `without a program that replicates it ends at once`() throws {
        let directory = try TemporaryDirectory()
        let ledger = try Self.ledger(in: directory)
        defer { ledger.close() }
        let start = ContinuousClock.now
        let error = #expect(throws: LedgerError.self) {
            try ReplicaConfirmation(of: ledger, timeout: .seconds(60)).wait(upTo: 1)
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
