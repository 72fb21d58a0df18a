import Foundation
import LedgerTestSupport
import TestSupport
import Testing
import TripEvents
import TripLedger

/// A report is asked for by options, by a file and over HTTP as the same value.
@Suite struct ReportRequestCommandTests {
    private static let fixture = LedgerProcess.Fixture(
        shell: """
            ledger init --time-zone Europe/Amsterdam > /dev/null
            ledger simulate --start 2025-03-03 --days 2 --places --seed 5 | ledger append
            ledger edit --unclassified --class business --vehicle van --yes
            ledger simulate --start 2025-03-04 --days 1 --seed 6 --source g17 \
                | ledger append --group 17
            """
    )

    /// An option as the argument parser describes it.
    private struct Option: Decodable {
        struct Name: Decodable {
            var kind: String
            var name: String
        }

        var kind: String
        var names: [Name]?
        var isRepeating: Bool

        var name: String? { names?.first { $0.kind == "long" }?.name }
    }

    private struct Dump: Decodable {
        struct Command: Decodable {
            var arguments: [Option]
        }

        var command: Command
    }

    @Test(arguments: ReportKind.allCases)
    func `every option of a report is in the request, or says where the report goes`(
        kind: ReportKind
    ) throws {
        let dump = try LedgerProcess().run("report", kind.rawValue, "--experimental-dump-help")
        let options = try JSONDecoder().decode(Dump.self, from: Data(dump.text.utf8))
            .command.arguments
        for option in options {
            #expect(!option.isRepeating, "what is repeated has no single value: \(option)")
        }
        let names = Set(options.compactMap(\.name)).subtracting(["help", "version"])
        let display = ReportParameter.allCases
            .filter { $0.effect == .display && $0 != .download }
        let expected = kind.parameters.filter(\.isAsked) + display
        #expect(names == Set(expected.map { String($0.name(at: .commandLine).dropFirst(2)) }))
    }

    /// Returns the options that say what a request says.
    private static func options(of request: ReportRequest) -> [String] {
        request.members.dropFirst(2)
            .flatMap { member -> [String] in
                let name = "--" + member.name.replacing("_", with: "-")
                return switch member.value {
                case .text(let text): ["\(name)=\(text)"]
                case .number(let literal): ["\(name)=\(literal)"]
                case .boolean(true): [name]
                // The owner's sources, which have no group.
                case .boolean(false) where member.name == "group": [name, ""]
                case .boolean(false), .null, .list, .object: []
                }
            }
    }

    @Test(arguments: ReportKind.allCases, Seeds.fresh(4))
    func `options and a request ask for the same bytes, and store the same`(
        kind: ReportKind,
        seed: UInt64
    ) throws {
        let ledger = try Self.fixture.copy()
        var random = RandomRequests(seed: seed)
        var request = random.request(kind, in: [.text, .json, .csv, .html, .document])
        request.asOf = request.asOf ?? Timestamp(milliseconds: 1_780_000_000_000)
        request.draft = nil
        let text = String(decoding: request.json, as: UTF8.self)
        let remark: Comment = "seed \(seed): \(text)"
        let words = ["report", kind.rawValue, "--issue"] + Self.options(of: request)
        let byOptions = try ledger.run(words)
        try #require(byOptions.exitCode == 0, "seed \(seed): \(words) \(byOptions.errors)")
        let byRequest = try ledger.run(
            ["report", "--request", "-", "--issue", "--format", "json"],
            input: Data(request.json)
        )
        try #require(byRequest.exitCode == 0, "seed \(seed): \(text) \(byRequest.errors)")
        let stored =
            try ledger.shell(
                "ledger report issued --format json "
                    + "| jq -c '[.report, .first_day, .last_day, .parameters]'"
            )
            .lines
        #expect(stored.count == 2 && stored[0] == stored[1], remark)
        // The second one sees the event of the first, and so another head.
        let again = try ledger.run("report", "reissue", "R1")
        #expect(again.output == byOptions.output, "seed \(seed): \(text) \(again.errors)")
        let second = try ledger.run("report", "reissue", "R2")
        #expect(second.output == byRequest.output, "seed \(seed): \(text) \(second.errors)")
    }

    @Test func `what a stored request says asks for the same again`() throws {
        let ledger = try Self.fixture.copy()
        let outcome = try ledger.shell(
            """
            set -e
            for kind in log summary claim reconcile completeness changes; do
                rm -rf copy && cp -r book copy
                country=
                if [ $kind = claim ]; then country='--jurisdiction gb'; fi
                ledger --ledger copy report $kind --year 2025 $country --issue > issued 2> /dev/null
                ledger --ledger copy report issued --format json | tail -n 1 | jq -c \
                    '({version: .parameters.version, report, from: .first_day, to: .last_day,
                    jurisdiction, vehicle} + .parameters) | with_entries(select(.value != null))' \
                    > request.json
                ledger report --request request.json > made
                cmp made issued
            done
            jq -c '.format = "html"' request.json > html.json
            ledger report --request html.json -o made.html
            ledger report --request html.json | cmp - made.html
            """
        )
        #expect(outcome.exitCode == 0, "\(outcome.text)\(outcome.errors)")
    }

    @Test func `a request that cannot be answered is refused by the name of the member`() throws {
        let ledger = try Self.fixture.copy()
        let json = #"{"version":1,"report":"log","vehicel":"van"}"#
        let people = try ledger.run(["report", "--request", "-"], input: Data(json.utf8))
        #expect(people.exitCode == 65 && people.text == "", "\(people.text)")
        #expect(people.errors.hasPrefix("ledger: error: standard input: There is no member"))
        #expect(people.errors.contains("Did you mean 'vehicle'?"), "\(people.errors)")
        let programs = try ledger.run(
            ["report", "--request", "-", "--format", "json"],
            input: Data(json.utf8)
        )
        #expect(programs.exitCode == 65)
        #expect(programs.errors.contains(#""code":"unreadable_input""#), "\(programs.errors)")
        #expect(programs.errors.contains(#""members":["vehicel"]"#), "\(programs.errors)")
        let column = #"{"version":1,"report":"log","year":2025,"columns":"vehicel"}"#
        let late = try ledger.run(["report", "--request", "-"], input: Data(column.utf8))
        #expect(late.exitCode == 65 && late.errors.contains("no column vehicel"), "\(late.errors)")
        let zone = #"{"version":1,"report":"log","time_zone":"Nowhere"}"#
        let nowhere = try ledger.run(["report", "--request", "-"], input: Data(zone.utf8))
        #expect(nowhere.exitCode == 65 && nowhere.errors.contains("no time zone"))
        let open = try ledger.run(
            ["report", "--request", "-", "--issue"],
            input: Data(#"{"version":1,"report":"log"}"#.utf8)
        )
        #expect(open.exitCode == 65 && open.errors.contains("year 2025, or from and to"))
        #expect(try ledger.run("report", "--request", "nowhere.json").exitCode == 65)
        #expect(try ledger.run("report", "--requst", "x").errors.contains("'--request'"))
        #expect(try ledger.run("report").text.contains("SUBCOMMANDS"))
    }
}
