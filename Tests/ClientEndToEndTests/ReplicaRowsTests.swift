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

    @Test(.enabled(if: PostgresServers.binaries != nil, missing))
    func `they are those of the list after each decision, and add up to the same`() throws {
        let servers = try PostgresServers()
        let process = try LedgerProcess()
        func run(_ script: String) throws -> [String] {
            let environment = "export PGSERVICEFILE='\(servers.services)' LEDGER_DIR=book\n"
            return try process.shell(environment + script).lines
        }
        func expectRows(_ step: String, _ options: String = "") throws {
            let replicate = "ledger replicate --to fleet --rows --once \(options)"
            #expect(try run(replicate + " > /dev/null 2> errors; echo $?") == ["0"], "\(step)")
            let ids = try servers.ask("SELECT encode(id, 'hex') FROM fleet.trips ORDER BY 1")
            #expect(
                try run("ledger trips --all --format ids | sort").joined(separator: "\n") == ids
            )
            #expect(try run(Self.total) == [try servers.ask(Self.sums)], "\(step)")
            let count = "SELECT count(*) FROM fleet."
            #expect(
                try run("ledger visits --format json | wc -l") == [
                    try servers.ask(count + "visits")
                ]
            )
        }
        _ = try run(Self.setUp)
        try expectRows("at first", "--init")
        let uncounted = "SELECT count(*) FROM fleet.trips WHERE NOT counts"
        #expect(try servers.ask(uncounted) == "0")
        #expect(try servers.ask("SELECT grp || ' ' || plate FROM fleet.vehicles") == "7 V-123-AB")
        _ = try run("ledger edit last --class business --purpose \"o'clock\" -y")
        try expectRows("after an edit")
        _ = try run("ledger adjust last --meters 1234.567 --why odometer")
        try expectRows("after an adjustment")
        _ = try run("ledger void last --why no")
        try expectRows("after a trip was voided")
        #expect(try servers.ask(uncounted) == "1")
        _ = try run("ledger place remove around; rm -r book/views")
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
}
