import TestSupport
import Testing

/// Reports of a ledger in which two groups have a car of one name.
@Suite struct GroupReportCommandTests {
    private static let fixture = LedgerProcess.Fixture(
        shell: """
            ledger init --time-zone Europe/Amsterdam > /dev/null
            for group in 17 18; do
                ledger simulate home-to-office --source box-$group |
                    sed '/go_pressed/s/"type"/"vehicle":"golf","type"/' |
                    ledger append --group $group > /dev/null
            done
            """
    )

    private static let reports = [
        "log", "log --vehicle golf", "summary", "reconcile", "completeness", "changes",
        "claim --jurisdiction nl", "methods --jurisdiction nl",
    ]

    @Test(arguments: reports)
    func `a report is refused while the name means two cars`(report: String) throws {
        let process = try Self.fixture.copy()
        let refused = try process.shell("ledger report \(report) --year 2025")
        #expect(refused.exitCode == 65 && refused.text.isEmpty, "\(refused.text)")
        #expect(refused.errors.contains(#"2 groups have a vehicle "golf": 17, 18"#))
        #expect(refused.errors.contains("Say which is meant with --group."), "\(refused.errors)")
        for group in ["17", "18", "''"] {
            let made = try process.shell("ledger report \(report) --year 2025 --group \(group)")
            #expect(made.exitCode == 0, "\(made.errors)")
        }
    }

    /// What is told of one group is what a ledger that has it alone would tell.
    @Test func `what was erased of one group, or goes on there, is not told of another`() throws {
        let process = try Self.fixture.copy()
        let made = try process.shell(
            """
            erased=$(ledger trips --group 18 --format ids)
            ledger log --source box-18 --format json |
                sed -n 's/^{"position":\\([0-9]*\\).*/\\1/p' | sed -n 3p > position
            ledger erase $(cat position) --why 'Bob left' --yes > /dev/null
            ledger go --source box-18 > /dev/null
            for group in 17 18; do
                for command in trips totals chart calendar 'vehicle list' \
                    'report changes --year 2025'; do
                    ledger $command --group $group
                done > $group 2>&1
            done
            grep -c -e Erased -e $(echo $erased | cut -c1-8) -e 'Bob left' -e 'goes on' 17
            grep -o -e 'Bob left' -e 'goes on' 18 | sort -u
            """
        )
        #expect(made.lines == ["0", "Bob left", "goes on"], "\(made.text)\(made.errors)")
    }

    @Test func `one car's odometer goes on by its own trips alone`() throws {
        let lines = try Self.fixture.copy()
            .shell(
                """
                ledger odometer golf 1000 --at 2025-03-03T07:00Z > /dev/null
                for group in 17 18; do
                    ledger report log --year 2025 --vehicle golf --group $group --format csv \
                        --columns vehicle,odometer_start_m,odometer_end_m
                done
                """
            )
            .lines
        let titles = "vehicle,odometer_start_km,odometer_end_km"
        let line = "golf,1000.000000,1008.629702"
        #expect(lines == [titles, line, titles, line])
    }

    @Test func `each car has its own plate and readings`() throws {
        let process = try Self.fixture.copy()
        let made = try process.shell(
            """
            ledger vehicle register golf --plate A-17 --group 17 > /dev/null
            ledger odometer golf 1000 --at 2025-03-03T07:00Z --group 17 > /dev/null
            ledger odometer golf 1009 --at 2025-03-03T09:00Z --group 17 > /dev/null
            for group in 17 18; do
                ledger report log --year 2025 --group $group | grep -c A-17
                ledger report reconcile --year 2025 --group $group | grep -c 'less than twice'
                ledger report log --year 2025 --group $group | grep '^Group'
                ledger vehicle list --group $group --format csv | grep -c A-17
            done
            """
        )
        #expect(
            made.lines == ["1", "0", "Group      17", "1", "0", "1", "Group      18", "0"],
            "\(made.text)\(made.errors)"
        )
    }

    @Test func `a claim of a group is of its trips, and says of whom it is`() throws {
        let process = try Self.fixture.copy()
        let made = try process.shell(
            """
            for trip in $(ledger trips --format ids); do
                ledger edit $trip --class business --purpose Client > /dev/null
            done
            ledger report claim --jurisdiction nl --year 2025 --group 17 --format json
            """
        )
        let total = try #require(made.lines.last, "\(made.errors)")
        #expect(total.contains(#""trips":1,"distance_m":8629.702"#), "\(total)")
        #expect(total.contains(#""group":"17""#), "\(total)")
    }

    @Test(arguments: ["17", "''"])
    func `an issued report of a group is made again, and is the same as a request`(
        group: String
    ) throws {
        let process = try Self.fixture.copy()
        let member = group == "17" ? #""17""# : "false"
        let said = try process.shell(
            """
            set -e
            now=2025-06-01T00:00:00Z
            ledger report log --year 2025 --group \(group) --format csv --as-of $now --issue > one
            ledger report reissue R1 2> /dev/null | cmp - one
            echo '{"version":1,"report":"log","year":2025,"group":\(member),"format":"csv",' \
                '"as_of":"2025-06-01T00:00:00Z"}' | ledger report --request - | cmp - one
            ledger report issued --format json | grep -o '"group":[^,]*'
            """
        )
        #expect(said.exitCode == 0, "\(said.errors)")
        #expect(said.lines == [#""group":\#(member)"#])
    }
}
