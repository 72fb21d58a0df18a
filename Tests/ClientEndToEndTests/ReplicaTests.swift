import Foundation
import Glibc
import TestSupport
import Testing

/// A ledger's log in a real database with a synchronous standby.
@Suite struct ReplicaTests {
    private static let missing: Comment = "skipped: PostgreSQL is not installed (tools/setup --all)"

    /// A ledger beside two servers.
    private struct Machine {
        let servers: PostgresServers
        let ledger: LedgerProcess

        init(_ servers: PostgresServers) throws {
            self.servers = servers
            ledger = try LedgerProcess()
            try ledger.begin()
        }

        /// Runs a command of the ledger that knows the services.
        func run(_ arguments: String..., input: String = "") throws -> LedgerProcess.Outcome {
            let process = ledger.process(arguments)
            process.environment?["PGSERVICEFILE"] = servers.services
            return try process.outcome(input: Data(input.utf8))
        }

        func replicate(_ options: String...) throws -> LedgerProcess.Outcome {
            let process = ledger.process(["replicate", "--to", "fleet"] + options)
            process.environment?["PGSERVICEFILE"] = servers.services
            return try process.outcome()
        }

        /// Makes the ledger anew in another directory, and fences the machine that had it.
        func takeOver(into name: String) throws -> LedgerProcess.Outcome {
            try replicate("--fetch", "--name", "book", "--take-over", "--ledger", name)
        }

        /// Replicates until the returned program is ended, and waits until it listens.
        func follow(_ options: String...) throws -> FollowedProcess {
            let process = ledger.process(["replicate", "--to", "fleet"] + options)
            process.environment?["PGSERVICEFILE"] = servers.services
            let followed = try FollowedProcess(process)
            let socket = ledger.directory.path("book/server/replica.sock")
            let deadline = Date.now + 30
            while !FileManager.default.fileExists(atPath: socket), Date.now < deadline {
                usleep(10_000)
            }
            return followed
        }

        func append(_ numbers: Range<Int>, _ options: String...) throws -> LedgerProcess.Outcome {
            let process = ledger.process(["append", "--receipts"] + options)
            process.environment?["PGSERVICEFILE"] = servers.services
            return try process.outcome(input: Data(ReplicaTests.lines(numbers).utf8))
        }

        /// How many entries are in the ledger.
        var size: Int {
            get throws {
                let head = try ledger.run(["head", "--format", "json"]).text
                return try #require(head.firstMatch(of: /"size":(\d+)/).flatMap { Int($0.1) })
            }
        }
    }

    private static func lines(_ numbers: Range<Int>) -> String {
        numbers.map { number in
            let time = "2026-03-01T10:\(10 + number / 60 % 50):\(10 + number % 50)Z"
            return #"{"type":"fix_recorded","source":"box","id":"n\#(number)","occurred_at":""#
                + #"\#(time)","lat":52.1,"lon":5.1,"accuracy":8}"# + "\n"
        }
        .joined()
    }

    private static func receipts(_ outcome: LedgerProcess.Outcome, _ kind: String) -> Int {
        outcome.lines.count { $0.contains(#""receipt":"\#(kind)""#) }
    }

    @Test func `a server that is to wait for a replica answers 503 while nothing replicates`()
        throws
    {
        let process = try LedgerProcess()
        try process.begin()
        let server = try ServedLedger(onSocketOf: process, ["--require-replica"])
        let answer = try server.post(Data(Self.lines(0..<3).utf8))
        #expect(answer.status == 503, "\(answer)")
        #expect(answer.head.contains("Retry-After: 5"))
        #expect(answer.body.contains(#""type":"urn:ledger:replica-missing""#))
        // What was stored stays, and is not acknowledged as a duplicate either.
        #expect(try server.post(Data(Self.lines(0..<3).utf8)).status == 503)
        #expect(try process.run("log", "--source", "box", "--format", "json").lines.count == 3)
        #expect(server.end(with: SIGTERM).errors.contains("`ledger replicate` is not running"))
    }

    @Test func `the wait for a replica begins when an event is stored, whatever waits before it`()
        throws
    {
        let process = try LedgerProcess()
        try process.begin()
        // This makes the directory of the socket.
        #expect(try process.run("token", "new", "box").exitCode == 0)
        let options = ["--require-replica", "--replica-timeout", "5"]
        let server = try ServedLedger(onSocketOf: process, options)
        // It takes questions, and says nothing.
        let silent = try HostileServer(
            at: process.directory.path("book/server/replica.sock"),
            answering: ""
        )
        let start = Date.now
        let group = DispatchGroup()
        let first = Data(Self.lines(0..<1).utf8)
        group.enter()
        Thread {
            _ = try? server.post(first)
            group.leave()
        }
        .start()
        let log = ["log", "--source", "box", "--format", "json"]
        while try process.run(log).lines.isEmpty, Date.now < start + 60 { usleep(10_000) }
        #expect(try server.post(Data(Self.lines(1..<2).utf8)).status == 503)
        // One timeout after it was stored: not the rest of the first one's, and another one.
        #expect(Date.now.timeIntervalSince(start) < 9)
        group.wait()
        _ = server.end(with: SIGTERM)
        withExtendedLifetime(silent) {}
    }

    @Test(.enabled(if: PostgresServers.binaries != nil, missing))
    func `what is acknowledged is on both servers, and nothing is while the standby is away`()
        throws
    {
        let machine = try Machine(PostgresServers())
        let first = try machine.replicate("--init", "--once")
        #expect(first.exitCode == 0, "\(first.errors)")
        let follower = try machine.follow()
        let stored = try machine.append(0..<20, "--require-replica", "--replica-timeout", "600")
        #expect(stored.exitCode == 0, "\(stored.errors)")
        #expect(Self.receipts(stored, "appended") == 20)
        let size = try machine.size
        for node in ["a", "b"] {
            let chain = try machine.servers.ask("SELECT * FROM ledger.check_chain(1)", of: node)
            #expect(chain.hasPrefix("\(size)|\\x"))
            #expect(chain.hasSuffix("|"), "\(chain)")
        }
        // COMMIT succeeds without a standby once the list is empty.
        try machine.servers.standby("stop")
        _ = try machine.servers.ask(
            "ALTER SYSTEM SET synchronous_standby_names = '';\nSELECT pg_reload_conf();"
        )
        let lost = try machine.append(20..<30, "--require-replica", "--replica-timeout", "2")
        #expect(lost.exitCode == 74)
        #expect(Self.receipts(lost, "appended") == 0)
        #expect(lost.errors.contains("the replica has not confirmed what was stored"))
        #expect(try machine.size == size + 10)
        try machine.servers.standby("start")
        let again = try machine.append(20..<30, "--require-replica", "--replica-timeout", "600")
        #expect(again.exitCode == 0, "\(again.errors)")
        #expect(Self.receipts(again, "duplicate") == 10)
        _ = follower.end(with: SIGTERM)
        let unattended = try machine.append(30..<31, "--require-replica")
        #expect(unattended.exitCode == 74)
        #expect(unattended.errors.contains("`ledger replicate` is not running"))
    }

    @Test(.enabled(if: PostgresServers.binaries != nil, missing))
    func `another machine takes over, and older copies, other histories and forgeries are refused`()
        throws
    {
        let machine = try Machine(PostgresServers())
        #expect(try machine.append(0..<50).exitCode == 0)
        _ = try machine.ledger.shell("cp -r book older")
        #expect(try machine.append(50..<60).exitCode == 0)
        #expect(try machine.replicate("--init", "--once").exitCode == 0)
        // As a copy that had replicated before.
        _ = try machine.ledger.shell("cp book/replica.epoch older/")
        let segments = "SELECT first, next, root, md5(bytes) FROM ledger.segments ORDER BY next;"
        let before = try machine.servers.ask(segments)
        let older = ["--ledger", "older"]
        let setBack = try machine.replicate("--once", older[0], older[1])
        #expect(setBack.exitCode == 1)
        #expect(setBack.errors.contains("set_back"))
        #expect(setBack.errors.contains("Get the newer one: say the same command with --fetch."))
        _ = try machine.run(
            "append",
            older[0],
            older[1],
            input: Self.lines(100..<130)
        )
        let forked = try machine.replicate("--once", older[0], older[1])
        #expect(forked.exitCode == 1)
        #expect(forked.errors.contains("forked"))
        let size = try machine.size
        for (values, state) in [
            ("\(size + 1), \(size + 2), '\\x00', decode(repeat('11', 32), 'hex')", "23503"),
            ("0, 3, NULL, decode(repeat('11', 32), 'hex')", "23505"),
            ("\(size), \(size + 1), '\\x00', '\\x11'", "23514"),
        ] {
            let said = try machine.servers.ask(
                "INSERT INTO ledger.segments (ledger, first, next, old_root, root, bytes) "
                    + "VALUES (1, \(values), '');"
            )
            #expect(said.contains(state), "\(said)")
        }
        #expect(try machine.servers.ask(segments) == before)
        let fetched = try machine.takeOver(into: "new")
        #expect(fetched.exitCode == 0, "\(fetched.errors)")
        let trips = ["trips", "--all", "--format", "json"]
        #expect(
            try machine.ledger.run(trips).lines
                == machine.ledger.run(trips + ["--ledger", "new"]).lines
        )
        let fenced = try machine.replicate("--once")
        #expect(fenced.exitCode == 1)
        #expect(fenced.errors.contains("fenced"))
        #expect(try machine.replicate("--once", "--ledger", "new").exitCode == 0)
    }

    @Test(.enabled(if: PostgresServers.binaries != nil, missing))
    func `of what was confirmed no fenced machine says that it was never acknowledged`() throws {
        let machine = try Machine(PostgresServers())
        #expect(try machine.append(0..<5).exitCode == 0)
        #expect(try machine.replicate("--init", "--once").exitCode == 0)
        let size = try machine.size
        // Two take over at once: the second one fences the first one.
        for name in ["first", "second"] {
            let fetched = try machine.takeOver(into: name)
            #expect(fetched.exitCode == 0, "\(fetched.errors)")
        }
        let lost = "positions \(size)–\(size + 2) of this one were never acknowledged"
        _ = try machine.run("append", "--ledger", "first", input: Self.lines(10..<13))
        for _ in 0..<2 {
            let fenced = try machine.replicate("--once", "--ledger", "first")
            #expect(fenced.exitCode == 1)
            #expect(fenced.errors.contains(lost), "\(fenced.errors)")
            // What was confirmed last may not have been written down before a crash.
            _ = try machine.ledger.shell("rm -f first/server/replica")
        }
    }

    @Test(.enabled(if: PostgresServers.binaries != nil, missing))
    func `a server that is no standby confirms nothing, although it has the entries`() throws {
        let machine = try Machine(PostgresServers())
        #expect(try machine.replicate("--init", "--once").exitCode == 0)
        try machine.servers.standby("promote")
        let alone = try machine.replicate("--once")
        #expect(alone.exitCode == 74)
        #expect(alone.errors.contains("and no other server said so"), "\(alone.errors)")
    }

    @Test(.enabled(if: PostgresServers.binaries != nil, missing))
    func `a standby confirms once, under however many names and addresses it is asked`() throws {
        let machine = try Machine(PostgresServers())
        // Nothing is made if too few servers are named.
        for refused in [
            try machine.replicate("--init", "--once", "--need", "2"),
            try machine.replicate("--init", "--once", "--need", "2", "--confirm", "standby"),
        ] {
            #expect(refused.exitCode == 1)
            let words = "too_few_servers: --need is 2, and only 1 of the servers that are named can"
            #expect(refused.errors.contains(words), "\(refused.errors)")
        }
        let schema = "SELECT count(*) FROM pg_namespace WHERE nspname = 'ledger'"
        #expect(try machine.servers.ask(schema) == "0")
        #expect(try machine.replicate("--init", "--once").exitCode == 0)
        func confirmed(by need: String) throws -> LedgerProcess.Outcome {
            let names = ["standby", "standby_too"]
            return try machine.replicate(
                "--once",
                "--need",
                need,
                "--confirm",
                names[0],
                "--confirm",
                names[1]
            )
        }
        let once = try confirmed(by: "1")
        #expect(once.exitCode == 0, "\(once.errors)")
        let twice = try confirmed(by: "2")
        #expect(twice.exitCode == 74)
        #expect(twice.errors.contains("and no 2 others said so"), "\(twice.errors)")
    }

    @Test(.enabled(if: PostgresServers.binaries != nil, missing))
    func `where a name is not there, those that are there are said`() throws {
        let machine = try Machine(PostgresServers())
        #expect(try machine.replicate("--init", "--once").exitCode == 0)
        let fetched = try machine.replicate("--fetch", "--name", "nosuch", "--ledger", "new")
        #expect(fetched.exitCode == 1)
        let words = "the replica has no ledger nosuch\nSay a --name that is there: book.\n"
        #expect(fetched.errors.hasSuffix(words), "\(fetched.errors)")
    }

    @Test(.enabled(if: PostgresServers.binaries != nil, missing))
    func `a take-over that fails fences no machine, not later either`() throws {
        let machine = try Machine(PostgresServers())
        #expect(try machine.replicate("--init", "--once").exitCode == 0)
        try machine.servers.hold("SELECT FROM ledger.ledgers FOR SHARE")
        let failed = try machine.takeOver(into: "new")
        #expect(failed.exitCode == 74)
        #expect(
            failed.errors.contains("the other machine is not fenced: say the same command again"),
            "\(failed.errors)"
        )
        try machine.servers.release()
        #expect(try machine.append(0..<5).exitCode == 0)
        let goesOn = try machine.replicate("--once")
        #expect(goesOn.exitCode == 0, "\(goesOn.errors)")
        #expect(try machine.servers.ask("SELECT epoch FROM ledger.ledgers") == "1")
    }

    @Test(.enabled(if: PostgresServers.binaries != nil, missing))
    func `a machine that is lost within a transaction does not stop another one for long`() throws {
        let machine = try Machine(PostgresServers())
        #expect(try machine.replicate("--init", "--once", "--rows").exitCode == 0)
        #expect(try machine.append(0..<5).exitCode == 0)
        // It holds the ledger's row, and waits for the table.
        try machine.servers.hold("LOCK TABLE fleet.cursors IN SHARE MODE")
        let lost = try machine.follow("--rows")
        let states =
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = "
            + "'ledger-replicate' AND "
        try machine.servers.wait(for: "1", to: states + "wait_event_type = 'Lock'")
        kill(lost.processIdentifier, SIGSTOP)
        try machine.servers.release()
        try machine.servers.wait(for: "1", to: states + "state = 'idle in transaction'")
        // Each try waits for 5 seconds, and the server for 10.
        var tries = 0
        var taken = try machine.takeOver(into: "new")
        while taken.exitCode == 74, tries < 5 {
            tries += 1
            taken = try machine.takeOver(into: "new")
        }
        kill(lost.processIdentifier, SIGCONT)
        #expect(taken.exitCode == 0, "\(taken.errors)")
        #expect(try machine.servers.ask("SELECT epoch FROM ledger.ledgers") == "2")
        let end = lost.end(with: taken.exitCode == 0 ? nil : SIGTERM)
        #expect(end.errors.contains("fenced"), "\(end.errors)")
    }

    @Test(.enabled(if: PostgresServers.binaries != nil, missing))
    func `a list of standbys with the server itself alone is wrong`() throws {
        let machine = try Machine(PostgresServers())
        let well = try machine.replicate("--check")
        #expect(well.exitCode == 0, "\(well.text)")
        let list = "ANY 1 (b)"
        _ = try machine.servers.ask(
            "ALTER SYSTEM SET synchronous_standby_names = '\(list)';\nSELECT pg_reload_conf();",
            of: "b"
        )
        try machine.servers.wait(for: list, to: "SHOW synchronous_standby_names", of: "b")
        let wrong = try machine.replicate("--check")
        #expect(wrong.exitCode == 1)
        let words = "wrong: synchronous_standby_names has only this server: once promoted"
        #expect(wrong.text.contains(words), "\(wrong.text)")
    }

    @Test(.enabled(if: PostgresServers.binaries != nil, missing))
    func `what is erased is erased in the database, too, and its chain holds`() throws {
        let machine = try Machine(PostgresServers())
        let line = #"""
            {"type":"trip_reported","source":"manual","id":"x",\#
            "occurred_at":"2026-03-02T10:00:00Z",\#
            "started_at":"2026-03-02T09:00:00Z","ended_at":"2026-03-02T10:00:00Z",\#
            "distance_m":12000,"purpose":"Zaandam-7-secret"}

            """#
        let stored = try machine.run("append", "--receipts", input: line)
        #expect(Self.receipts(stored, "appended") == 1, "\(stored.text)")
        let position = try machine.size - 1
        #expect(try machine.replicate("--init", "--once").exitCode == 0)
        let found =
            "SELECT count(*) FROM ledger.segments WHERE "
            + "position('Zaandam-7-secret'::bytea in bytes) > 0;"
        #expect(try machine.servers.ask(found) == "1")
        let erased = try machine.run("erase", "\(position)", "--why", "asked for", "--yes")
        #expect(erased.exitCode == 0, "\(erased.errors)")
        #expect(erased.errors.contains("`ledger replicate` erases it in the database, too"))
        #expect(try machine.replicate("--once").exitCode == 0)
        #expect(try machine.servers.ask(found) == "0")
        let chain = try machine.servers.ask("SELECT * FROM ledger.check_chain(1);")
        #expect(chain.hasSuffix("|"), "\(chain)")
    }
}
