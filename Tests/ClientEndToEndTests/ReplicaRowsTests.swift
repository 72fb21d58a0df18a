import Foundation
import TestSupport
import Testing

/// Rows of a ledger in a real database.
@Suite struct ReplicaRowsTests {
    private static let missing: Comment = "skipped: PostgreSQL is not installed (tools/setup --all)"

    private static let setUp = """
        export LEDGER_DIR=book; ledger init > /dev/null
        ledger simulate tunnel > tunnel.jsonl
        for group in 7 8; do
            sed "s/\\"source\\":\\"/&g$group-/" tunnel.jsonl | ledger append --group $group
        done > /dev/null
        sed 's/"source":"/&box-/' tunnel.jsonl | ledger append --group 7 > /dev/null
        ledger place save around --lat 52 --lon 4.4 --radius 50000 > /dev/null
        ledger vehicle register van --plate V-123-AB --group 7 > /dev/null

        """

    /// Asks the database what the ledger says too: how many trips count, and how far they go.
    private static let sums = """
        SELECT count(*) || ' ' || coalesce(sum(distance_mm), 0) FROM fleet.trips WHERE counts
        """

    /// Says how many trips count, and how far they go in millimetres.
    private static let total = """
        ledger totals --format json | tail -n 1 \\
            | sed 's/.*"trips":\\([0-9]*\\),"distance_m":\\([0-9]*\\)\\.\\([0-9]*\\),.*/\\1 \\2\\3/'

        """

    /// A ledger with groups beside two servers.
    private struct Machine {
        /// The lists, by the tables that have their rows.
        private static let lists = [
            "odometers": "vehicle list", "places": "place list", "trips": "trips --all",
            "visits": "visits",
        ]

        let servers: PostgresServers
        let process: LedgerProcess

        init() throws {
            servers = try PostgresServers()
            process = try LedgerProcess()
            _ = try run(ReplicaRowsTests.setUp)
        }

        func run(_ script: String) throws -> [String] {
            let environment = "export PGSERVICEFILE='\(servers.services)' LEDGER_DIR=book\n"
            return try process.shell(environment + script).lines
        }

        /// Writes rows once.
        func writeRows(_ options: String = "") throws {
            let replicate = "ledger replicate --to fleet --rows --once \(options)"
            try #require(try run(replicate + " > /dev/null 2> errors; echo $?") == ["0"])
        }

        /// Writes rows until the returned program is ended.
        func follow() throws -> FollowedProcess {
            let process = process.process(["replicate", "--to", "fleet", "--rows"])
            process.environment?["PGSERVICEFILE"] = servers.services
            return try FollowedProcess(process)
        }

        /// Returns in which tables the rows are not those that the ledger prints.
        func differences() throws -> [String] {
            var found: [String] = []
            for (table, words) in Self.lists {
                let printed = try Self.objects(run("ledger \(words) --format json"))
                let rows = try servers.ask("SELECT row FROM fleet.\(table)")
                let stored = try Self.objects(rows.split(separator: "\n").map { String($0) })
                if stored != printed { found.append("\(table): \(stored) is not \(printed)") }
            }
            let printed = try sources()
            let stored = try servers.ask("SELECT '[' || grp || ']' || source FROM fleet.sources")
            if stored.split(separator: "\n").map({ String($0) }).sorted() != printed {
                found.append("sources: \(stored) is not \(printed)")
            }
            return found
        }

        /// Waits until the rows are those that the ledger prints.
        func waitForRows(_ step: String) throws {
            let deadline = Date.now + 60
            while case let found = try differences(), !found.isEmpty {
                try #require(Date.now < deadline, "\(step): \(found)")
            }
        }

        /// The group and the name of each source, as the ledger prints them.
        private func sources() throws -> [String] {
            let status = try run("ledger status --format json").joined()
            let object = try JSONSerialization.jsonObject(with: Data(status.utf8))
            let sources = (object as? [String: Any])?["sources"] as? [[String: Any]] ?? []
            return
                sources.map { source in
                    let group = source["group"] as? String ?? ""
                    return "[\(group)]\(source["source"] as? String ?? "")"
                }
                .sorted()
        }

        /// Returns objects of JSON in one form, sorted.
        private static func objects(_ lines: [String]) throws -> [String] {
            try lines.filter { !$0.isEmpty }
                .map { line in
                    let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
                    let data = try JSONSerialization.data(
                        withJSONObject: object,
                        options: .sortedKeys
                    )
                    return String(decoding: data, as: UTF8.self)
                }
                .sorted()
        }
    }

    @Test(.enabled(if: PostgresServers.binaries != nil, missing))
    func `they are those of the lists after each decision, and add up to the same`() throws {
        let machine = try Machine()
        let servers = machine.servers
        func expectRows(_ step: String, _ options: String = "") throws {
            try machine.writeRows(options)
            #expect(try machine.differences() == [], "\(step)")
            #expect(try machine.run(Self.total) == [try servers.ask(Self.sums)], "\(step)")
        }
        try expectRows("at first", "--init")
        let uncounted = "SELECT count(*) FROM fleet.trips WHERE NOT counts"
        #expect(try servers.ask(uncounted) == "0")
        #expect(try servers.ask("SELECT grp || ' ' || plate FROM fleet.vehicles") == "7 V-123-AB")
        _ = try machine.run("ledger edit last --class business --purpose \"o'clock\" -y")
        try expectRows("after an edit")
        _ = try machine.run("ledger adjust last --meters 1234.567 --why odometer")
        try expectRows("after an adjustment")
        _ = try machine.run("ledger void last --why no")
        try expectRows("after a trip was voided")
        #expect(try servers.ask(uncounted) == "1")
        _ = try machine.run("ledger place remove around; rm -r book/views")
        try expectRows("after the views were lost")
        let seen = try servers.ask(
            """
            CREATE ROLE driver IN ROLE fleet_driver;
            INSERT INTO fleet.members VALUES ('driver', '8');
            SET ROLE driver;
            SELECT DISTINCT grp FROM fleet.trips;
            DELETE FROM fleet.trips;
            """
        )
        #expect(seen.hasPrefix("8\n") && seen.contains("42501"), "\(seen)")
    }

    @Test(.enabled(if: PostgresServers.binaries != nil, missing))
    func `what they say of other rows and of settings follows these`() throws {
        let machine = try Machine()
        _ = try machine.run("ledger edit last --vehicle van -y")
        try machine.writeRows("--init")
        let follower = try machine.follow()
        // Nothing of most trips changes in any of these.
        for command in [
            "place save home --at-trip-end last", "vehicle register van --driver Eva --group 7",
            "void last --why no", "place remove home",
            "settings --driver Ann --of-source g8-simulated-phone --from 2020-01-01",
            "settings --time-zone Asia/Tokyo --from 2020-01-01",
        ] {
            _ = try machine.run("ledger \(command)")
            try machine.waitForRows(command)
        }
        _ = follower.end(with: SIGTERM)
    }

    @Test(.enabled(if: PostgresServers.binaries != nil, missing))
    func `a driver sees no reading of an odometer, and no vehicle that has a name by one alone`()
        throws
    {
        let machine = try Machine()
        let servers = machine.servers
        _ = try machine.run(
            "ledger vehicle register car; ledger odometer car 77777; ledger odometer other 5"
        )
        try machine.writeRows("--init")
        #expect(try machine.differences() == [])
        let read = "SELECT vehicle, value::bigint FROM fleet.odometers WHERE value IS NOT NULL"
        #expect(try servers.ask("\(read) ORDER BY vehicle") == "car|77777\nother|5")
        let seen = try servers.ask(
            """
            CREATE ROLE driver IN ROLE fleet_driver;
            INSERT INTO fleet.members VALUES ('driver', '7');
            SET ROLE driver;
            SELECT vehicle || coalesce(row->>'odometer', '') FROM fleet.vehicles ORDER BY vehicle;
            SELECT * FROM fleet.odometers;
            """
        )
        #expect(seen.hasPrefix("car\nvan\n") && seen.contains("42501"), "\(seen)")
        #expect(!seen.contains("77777"), "\(seen)")
        // It follows readings that change nothing else.
        _ = try machine.run("ledger odometer car 77800")
        try machine.writeRows()
        #expect(try machine.differences() == [])
    }

    @Test(.enabled(if: PostgresServers.binaries != nil, missing))
    func `no receipt waits for rows, and they are written once they can be`() throws {
        let machine = try Machine()
        try machine.writeRows("--init")
        func expectReceipt(ofGroup group: Int) throws {
            let append = "ledger append --require-replica --replica-timeout 30 --group \(group)"
            let script = "sed 's/\"source\":\"/&g\(group)-/' tunnel.jsonl | \(append)"
            let code = try machine.run("(\(script)) > /dev/null 2>&1; echo $?")
            #expect(code == ["0"], "\(group)")
        }
        // A session that waits ends: so it is said, and another one tries again.
        try machine.servers.hold("LOCK TABLE fleet.trips")
        let follower = try machine.follow()
        let waiting = "FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
        try machine.servers.wait(for: "1", to: "SELECT count(*) \(waiting)")
        let first = try machine.servers.ask("SELECT pid \(waiting)")
        try expectReceipt(ofGroup: 9)
        try machine.servers.wait(
            for: "0",
            to: "SELECT count(*) FROM pg_stat_activity WHERE pid = \(first)"
        )
        try expectReceipt(ofGroup: 10)
        try machine.servers.release()
        try machine.waitForRows("the table is free")
        _ = try machine.servers.ask("ALTER TABLE fleet.trips RENAME TO elsewhere")
        try expectReceipt(ofGroup: 11)
        _ = try machine.servers.ask("ALTER TABLE fleet.elsewhere RENAME TO trips")
        try machine.waitForRows("the table is there again")
        let errors = follower.end(with: SIGTERM).errors
        #expect(errors.contains("ledger-replicate: rows: "), "\(errors)")
    }
}
