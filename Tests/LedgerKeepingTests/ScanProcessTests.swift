import LedgerKeeping
import SystemPackage
import Testing
import TripLedger

/// The result of reading a ledger is an answer about it, whatever happens to the process that
/// reads.
@Suite struct ScanProcessTests {
    private let task = ScanTask.glance("nowhere")

    /// Runs a script of the shell in place of the program that reads.
    private func outcome(of script: String, patience: Int32 = 600_000) throws -> VerifyOutcome {
        let process = ScanProcess(program: "/bin/sh", patienceMilliseconds: patience) { _ in
            ["-c", script]
        }
        return try process.run(task).outcome
    }

    @Test(arguments: ["BUS", "SEGV", "ABRT", "FPE", "ILL", "TRAP"])
    func `a crash is a finding`(signal: String) throws {
        let outcome = try outcome(of: "echo '{\"done\":1,\"of\":2}'; kill -\(signal) $$")
        #expect(outcome.verdict == .damaged)
        #expect(outcome.findings.map(\.subject) == [.check], "\(outcome.doubts)")
        #expect(outcome.findings.first?.what.contains("SIG\(signal)") == true)
    }

    @Test func `a standstill is a finding`() throws {
        let outcome = try outcome(
            of: "echo '{\"done\":1,\"of\":2}'; exec sleep 9999",
            patience: 100
        )
        #expect(outcome.verdict == .damaged)
    }

    @Test(
        arguments: [
            "kill -KILL $$", "exit 0", "exit 3", "echo nonsense; echo '{\"end\":true}'",
            "echo '{\"end\":false}'", "echo '{\"end\":true}'; exit 1",
            "printf '{\"end\":true}'",
        ]
    )
    func `an end that is not the agreed one leaves the answer open`(script: String) throws {
        #expect(try outcome(of: script).verdict == .couldNotTell)
    }

    @Test func `a reader that says nothing wrong and all of it is believed`() throws {
        #expect(try outcome(of: "echo '{\"end\":true}'").verdict == .sound)
    }

    @Test func `a line without an end is not waited for, and not kept`() throws {
        let outcome = try outcome(of: "head -c 20000000 /dev/zero; exec sleep 9999")
        #expect(outcome.verdict == .couldNotTell)
    }

    @Test(
        arguments: [
            ScanMessage.progress(done: 1, of: 2), .doubt("why \"not\""), .end,
            .claim("it says so"), .ownRules("history for phone"),
            .finding(VerifyFinding(.log, at: 7, "tab\there")), .finding(VerifyFinding(.views, "x")),
            .fact(VerifyFact(.index, "all")), .head(LedgerHead(size: 3, root: "ab")),
            .ledger(id: "5e", LedgerHead(size: 3, root: "ab")), .figure("readers", 2),
            .recorded(from: 1, to: 2),
            .advice(HealthReport.Advice(why: "old", command: "ledger backup 'a b'")),
            .advice(HealthReport.Advice(why: "full", command: "")),
        ]
    )
    func `what a message says arrives`(message: ScanMessage) throws {
        let line = String(decoding: message.line, as: UTF8.self)
        let script = "cat <<'E'\n\(line)\n{\"end\":true}\nE\n"
        let process = ScanProcess(program: "/bin/sh", patienceMilliseconds: 600_000) { _ in
            ["-c", script]
        }
        var progress: [UInt64] = []
        let result = try process.run(task) { progress = [$0, $1] }
        switch message {
        case .progress(let done, let total): #expect(progress == [done, total])
        case .doubt(let why): #expect(result.outcome.doubts == [why])
        case .claim(let what): #expect(result.outcome.claims == [what])
        case .ownRules(let rules): #expect(result.ownRules == [rules])
        case .finding(let finding): #expect(result.outcome.findings == [finding])
        case .fact(let fact): #expect(result.outcome.facts == [fact])
        case .head(let head): #expect(result.head == head)
        case .ledger(let id, let head):
            #expect(result.ledger == id)
            #expect(result.statedHead == head)
        case .figure(let name, let value): #expect(result.figures == [name: value])
        case .advice(let advice): #expect(result.advice == [advice])
        case .recorded: #expect(result.recorded != nil)
        case .end: #expect(result.outcome.verdict == .sound)
        }
    }
}
