import Foundation
import TestSupport
import Testing

/// No line for people is too long for the screen although it could have ended between two words,
/// whatever users of each kind type.
@Suite struct ScreenWidthTests {
    /// What one user types, on a screen with so many columns.
    struct Way: Sendable, CustomTestStringConvertible {
        var user: String
        var commands: String
        var columns: Int

        var testDescription: String { "\(user), \(columns) columns" }
    }

    private static let ways = [80, 120]
        .flatMap { columns in
            [
                Way(user: "driver", commands: driver, columns: columns),
                Way(user: "author of scripts", commands: author, columns: columns),
                Way(user: "accountant", commands: accountant, columns: columns),
                Way(user: "engineer", commands: engineer, columns: columns),
            ]
        }

    @Test(arguments: Seeds.sample(of: ways))
    func `no line for people is broken`(way: Way) throws {
        let process = try LedgerProcess()
        let file = process.directory.url.appendingPathComponent("way")
        try Data(way.commands.utf8).write(to: file)
        let outcome = try process.shell(
            """
            export TERM=xterm PAGER=cat LOGNAME=driver NO_COLOR=1
            script -qec 'stty cols \(way.columns) rows 900; sh way' /dev/null | tr '\\r' '\\n' \
                | sed 's/\\x1b\\[[0-9;]*[A-Za-z]//g'
            """
        )
        let lines = outcome.lines
        #expect(lines.count > 100, "\(outcome.text)")
        for line in lines where Self.isForPeople(line) {
            #expect(!Self.isBroken(line, columns: way.columns), "\(line)")
        }
    }

    @Test func `a line that is broken is found`() {
        let words = Array(repeating: "word", count: 17).joined(separator: " ")
        #expect(words.count == 84)
        #expect(Self.isBroken(words, columns: 80) && !Self.isBroken(words, columns: 84))
        #expect(!Self.isBroken("Root \(String(repeating: "f", count: 80))", columns: 80))
        #expect(Self.isForPeople(words))
        for line in [#"{"a":1}"#, "    quoted", #""a","b""#, "a;b;c"] {
            #expect(!Self.isForPeople(line))
        }
    }

    /// Whether a line is too long although each of its words would fit.
    private static func isBroken(_ line: String, columns: Int) -> Bool {
        line.count > columns && line.split(separator: " ").allSatisfy { $0.count < columns }
    }

    /// Whether a line is neither JSON nor CSV nor what was typed.
    private static func isForPeople(_ line: String) -> Bool {
        !line.contains(#/[{}]|^ {4}|","|;.*;/#)
    }

    /// A driver with a phone: the first trips, what they were for, and the year so far.
    private static let driver = #"""
        ledger
        ledger init --time-zone Europe/Amsterdam
        ledger vehicle register van --plate V-123-BB
        ledger go --vehicle van --odometer 50210 --at 2025-03-02T09:00 --source phone --id go-1
        ledger stop --odometer 50235 --at 2025-03-02T09:40 --source phone --id stop-1
        ledger simulate home-to-office --source phone | ledger append
        ledger trips
        ledger status
        ledger trip last
        ledger place save Home --at-trip-start last
        ledger place save Office --at-trip-end last
        ledger routine save Commute --class commute --purpose "To work" --from-place Home \
            --to-place Office --days mon-fri --since 2025-03-01
        ledger edit last --notes "Long way round, for the bridge was open"
        ledger report-trip --from 2025-03-04T09:00 --to 2025-03-04T09:30 --km 12.3 --origin \
            Delft --destination Gouda --vehicle van --id gouda
        ledger report-trip --from 2025-03-04T09:00 --to 2025-03-04T09:30 --km 12.3 --origin \
            Delft --destination Gouda --vehicle van --id gouda-2
        ledger void last --why "Entered twice"
        ledger inbox --list
        ledger edit --unclassified --month 2025-03 --class business --purpose "Client visit" \
            --yes
        ledger trips
        ledger void --from-place Home --month 2025-03 --why "Not my trip" --yes
        ledger restore --from-place Home --month 2025-03 --yes
        ledger totals --by class
        ledger odometer van --list
        ledger report log --year 2025
        ledger history last
        ledger history --all
        ledger edti last --class business
        ledger edit last --clas business
        ledger edit last --class busines
        ledger trips --place Hme
        ledger trips --year 25
        ledger go --at 25:00
        """#

    /// The author of ingestion scripts: lines in, receipts, errors for programs, and lines out.
    private static let author = #"""
        ledger init --time-zone Europe/Amsterdam --format json
        ledger simulate home-to-office --source phone > drive.jsonl
        ledger append drive.jsonl drive.jsonl
        printf '%s\n' \
            '{"type":"go_pressed","source":"watch","occurred_at":1741158000123,"wrist":"left"}' \
            '' '{"type":"go_presed","source":"watch","occurred_at":1741158001000}' \
            '{"type":"fix_recorded","source":"watch","occurred_at":1741158002000,"lat":-0.0}' \
            > watch.jsonl
        ledger append watch.jsonl
        ledger append --receipts watch.jsonl
        ledger append --strict watch.jsonl
        ledger append nowhere.jsonl
        ledger append nowhere.jsonl --format json
        ledger fix --lat 52 --lon 4 --source watch --at 2025-03-05T08:01:00 --id w1
        ledger fix --lat 52 --lon 4 --source watch --at 2025-03-05T08:01:00 --id w1 --format \
            json
        ledger edit last --class business --format json
        ledger edit nothing --class business --format json
        ledger log --limit 4
        ledger log --type go_pressed --reverse
        ledger log --source watch --format json
        ledger log --type go_pressed --format csv
        ledger --ledger other init > /dev/null; ledger log --format json | ledger --ledger other \
            append
        ledger schema
        ledger schema receipt --columns
        ledger trips --columns id,started_at,distance_m --format csv
        ledger trips --columns nonsense
        ledger trps
        ledger help nonsense
        ledger trips --limit 0
        """#

    /// An accountant: a client's fortnight, claims, changes, and whether it is genuine.
    private static let accountant = #"""
        ledger init --time-zone Europe/Amsterdam
        ledger simulate --start 2025-03-03 --days 14 --places --seed 5 | ledger append --format \
            json
        ledger key new --name client.example --output client.key > key.txt; sed -n \
            's/Verifier key *//p' key.txt > key; wc -l < key
        ledger edit --unclassified --year 2025 --from-place office --to-place home --class \
            commute --purpose "From work" --yes --actor Eva | head -n 1
        ledger edit --unclassified --year 2025 --from-place home --to-place office --class \
            commute --purpose "To work" --yes --actor Eva | head -n 1
        ledger edit --unclassified --year 2025 --class personal --yes --actor Eva | head -n 1
        ledger head --sign --key client.key > paper.note
        ledger trips --limit 8
        ledger totals --by class
        ledger totals --by month --units mi
        ledger report log --year 2025 --class commute
        ledger report log --year 2025 --sums
        ledger explain last
        ledger adjust last --km 5 --why "Odometer" --actor Eva
        ledger history last
        ledger history --all --from 2025-03-03 --to 2025-03-03 --columns trip,by,field,old,new
        ledger history --all --trip last
        ledger odometer simulated-car --list
        ledger trips --excel comma --limit 2
        ledger export handed-over --key client.key
        ledger import --ledger checked handed-over
        ledger verify handed-over paper.note --key "$(cat key)"
        ledger --ledger checked totals --by class
        ledger export part --withhold personal --key client.key
        ledger import --ledger partly part; ledger --ledger partly totals --by class
        ledger --ledger partly changes --since 0
        ledger --ledger partly trips --class business --format json
        ledger --ledger partly trips --limit 1 --format hledger
        ledger visits --place office
        """#

    /// An engineer who keeps a ledger going: what it is, whether it is sound, and what is where.
    private static let engineer = #"""
        ledger init --time-zone Europe/Amsterdam
        ledger simulate --start 2025-03-03 --days 7 --places --seed 5 | ledger append --format \
            json
        ledger help
        ledger help append
        ledger doctor
        ledger project --check
        ledger verify
        ledger head
        ledger prove 4
        ledger rules
        ledger rules set --help
        ledger compact
        ledger scrub
        ledger backup copy
        ledger doctor
        ledger status --sources
        ledger watch --help
        ledger simulate --list
        ledger schema trip --columns
        ledger recover save
        ledger erase 4 --why "Wrong phone"
        ledger rescue copy saved
        ledger --ledger nowhere trips
        """#
}
