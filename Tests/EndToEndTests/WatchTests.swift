import DriveSimulation
import Foundation
import TestSupport
import Testing

/// `ledger watch` as a program that others rely on.
@Suite struct WatchTests {
    private static func members(_ line: String?) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(try #require(line).utf8))
        return try #require(object as? [String: Any])
    }

    private static func ledger() throws -> LedgerProcess {
        let ledger = try LedgerProcess()
        try ledger.begin()
        return ledger
    }

    private static func append(_ scenario: Scenario, to ledger: LedgerProcess) throws {
        let events = DriveSimulator.events(of: scenario, source: scenario.rawValue)
        try ledger.append(DriveLines.data(DriveLines.lines(events)))
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `what happens is told when it happens, until somebody interrupts`(signal: Int32) throws {
        let ledger = try Self.ledger()
        try Self.append(.homeToOffice, to: ledger)
        let watch = try FollowedProcess(ledger.process(["watch", "--since", "1"]))
        let names = try (0..<2).map { _ in try Self.members(watch.nextLine())["notification"] }
        #expect(names as? [String] == ["trip_started", "trip_ended"])
        try Self.append(.tunnel, to: ledger)
        let sources = try (0..<2).map { _ in try Self.members(watch.nextLine())["source"] }
        #expect(sources as? [String] == ["tunnel", "tunnel"])
        let end = watch.end(with: signal)
        #expect(end.exitCode == 0)
        #expect(end.lines.isEmpty)
        #expect(end.errors == "")
    }

    @Test func `watching from a notification's position tells it again and all after it`() throws {
        let ledger = try Self.ledger()
        let watch = try FollowedProcess(ledger.process(["watch", "--since", "1"]))
        var told: [[String: Any]] = []
        for scenario in [Scenario.homeToOffice, .tunnel, .doubleGo] {
            try Self.append(scenario, to: ledger)
            for _ in 0..<2 { told.append(try Self.members(watch.nextLine())) }
        }
        #expect(watch.end(with: SIGINT).exitCode == 0)
        for (index, first) in told.enumerated() where index % 2 == 0 {
            let position = try #require(first["position"] as? Int)
            let process = ledger.process(["watch", "--since", "\(position)"])
            let again = try FollowedProcess(process)
            // Those of all trips come in order of device time now, for they are found together.
            let trips = try told[index...]
                .map { _ in
                    try #require(Self.members(again.nextLine())["trip"] as? String)
                }
            #expect(trips.sorted() == told[index...].compactMap { $0["trip"] as? String }.sorted())
            #expect(again.end(with: SIGINT).lines.isEmpty)
        }
    }

    @Test func `a slow command is told everything, in order, one after the other`() throws {
        let ledger = try Self.ledger()
        // The command ends only when it is told so, and meanwhile everything else happens.
        let command = "cat; read -r go < gate"
        _ = try ledger.shell("mkfifo gate")
        let watch = try FollowedProcess(
            ledger.process(["watch", "--since", "1", "--exec", command])
        )
        let scenarios: [Scenario] = [.homeToOffice, .tunnel, .doubleGo, .walkingAway]
        for scenario in scenarios { try Self.append(scenario, to: ledger) }
        var told: [String] = []
        for _ in 0..<(2 * scenarios.count) {
            let members = try Self.members(watch.nextLine())
            let source = try #require(members["source"] as? String)
            told.append("\(source) \(members["notification"] as? String ?? "-")")
            _ = try ledger.shell("echo > gate")
        }
        let expected = scenarios.flatMap {
            ["\($0.rawValue) trip_started", "\($0.rawValue) trip_ended"]
        }
        #expect(told.sorted() == expected.sorted())
        #expect(watch.end(with: SIGTERM).exitCode == 0)
    }

    @Test func `whoever interrupts is told what was not handed over, and how to get it`() throws {
        let ledger = try Self.ledger()
        try Self.append(.homeToOffice, to: ledger)
        _ = try ledger.shell("mkfifo gate")
        let command = "cat; read -r go < gate"
        let watch = try FollowedProcess(
            ledger.process(["watch", "--since", "1", "--exec", command])
        )
        #expect(watch.nextLine() != nil)
        let opener = ledger.process(["-c", "echo > gate"])
        opener.executableURL = URL(fileURLWithPath: "/bin/sh")
        kill(watch.processIdentifier, SIGINT)
        // The command ends after that has been heard: a signal that was not taken is pending.
        while try Self.isPending(SIGINT, watch.processIdentifier) {}
        try opener.start()
        let end = watch.end(with: nil)
        opener.waitForEnd()
        #expect(end.exitCode == 0)
        #expect(
            end.errors == "ledger: 1 notification was not handed over; `ledger watch --since 1` "
                + "begins there.\n"
        )
    }

    /// Whether a signal waits for being taken by a process.
    private static func isPending(_ signal: Int32, _ process: Int32) throws -> Bool {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let mask = try #require(status.firstMatch(of: #/ShdPnd:\s+([0-9a-f]+)/#)?.1)
        return try #require(UInt64(mask, radix: 16)) >> UInt64(signal - 1) & 1 == 1
    }

    @Test func `a command inherits no file of the ledger`() throws {
        let ledger = try Self.ledger()
        try Self.append(.homeToOffice, to: ledger)
        let list = "ls -l /proc/self/fd"
        let end = try ledger.run("watch", "--since", "1", "--once", "--exec", list)
        #expect(end.exitCode == 0)
        #expect(end.text.contains("0 -> "))
        #expect(!end.text.contains(".mdb"))
        #expect(!end.text.contains("ledger-views"))
    }

    @Test func `watching leaves nothing behind, even when it is killed`() throws {
        let ledger = try Self.ledger()
        try Self.append(.homeToOffice, to: ledger)
        _ = try ledger.shell("mkdir passing")
        let process = ledger.process(["watch", "--since", "1", "--exec", "cat"])
        process.environment?["TMPDIR"] = ledger.directory.path("passing")
        let watch = try FollowedProcess(process)
        #expect(watch.nextLine() != nil)
        #expect(watch.end(with: SIGKILL).exitCode == 128 + SIGKILL)
        #expect(try ledger.shell("ls -A passing").text == "")
    }
}
