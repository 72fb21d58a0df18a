import Foundation
import TestSupport
import Testing

/// A server elsewhere may say what it likes: nothing of it acts on the terminal or harms.
@Suite struct SyncHostileServerTests {
    /// Escapes for a terminal, a line of its own, and a change of direction; for JSON.
    private static let escapes = #"\u001b[31m\u009b2J\nledger-sync: done\r\u202e"#

    private static let root = String(repeating: "7", count: 64)

    private static let greeting =
        #","time_zone":"UTC","units":"km","rules":"r","size":1,"root":"\#(root)"}"#

    private static func sync(answering answer: String) throws -> LedgerProcess.Outcome {
        let client = try LedgerProcess()
        try client.begin()
        let server = try HostileServer(at: client.directory.path("hostile.sock"), answering: answer)
        return try withExtendedLifetime(server) {
            try client.run(["sync", "http://localhost", "--socket", server.path])
        }
    }

    private static func expectPlain(_ text: String) {
        for scalar in text.unicodeScalars where scalar != "\n" {
            let category = scalar.properties.generalCategory
            #expect(category != .control && category != .format, "\(text.debugDescription)")
        }
        #expect(!text.contains("\nledger-sync: done"))
    }

    @Test(arguments: [
        #"{"type":"urn:ledger:busy","title":"\#(escapes)","detail":"\#(escapes)"}"#,
        #"{"type":"urn:ledger:settings-differ","fields":["\#(escapes)"]}"#,
        #"{"type":"urn:ledger:other-group","source":"\#(escapes)","own_group":"\#(escapes)"}"#,
        #"{"type":"urn:ledger:other-ledger","token":"\#(escapes)","asking":"\#(escapes)"}"#,
        """
        {"type":"urn:ledger:other-ledger","token":"\(escapes)",\
        "asking":"\(String(repeating: "a", count: 32))"}
        """,
    ])
    func `what a server says does not act on the terminal`(problem: String) throws {
        let outcome = try Self.sync(answering: HostileServer.answer("409 Conflict", problem))
        #expect(outcome.exitCode == 2, "\(outcome.errors)")
        #expect(outcome.text.isEmpty)
        Self.expectPlain(outcome.errors)
    }

    @Test(arguments: ["", escapes, "../../book"])
    func `a server whose id is none is named, and nothing is moved away`(id: String) throws {
        let body = #"{"ledger":"\#(id)""# + Self.greeting
        let outcome = try Self.sync(answering: HostileServer.answer("200 OK", body))
        #expect(outcome.exitCode == 2, "\(outcome.errors)")
        #expect(outcome.errors.contains("what it calls its id is not one that a ledger has"))
        #expect(!outcome.errors.contains("move it away"))
        Self.expectPlain(outcome.errors)
    }
}
