import TestSupport
import Testing

/// A file that is nothing but a length costs its maker nothing, and its readers no time; a limit
/// for the length of files is an error as any other.
@Suite struct SparseFileTests {
    private static let fixture = LedgerProcess.Fixture(
        shell: #"""
            ledger init --time-zone Europe/Amsterdam > /dev/null
            ledger simulate --start 2025-03-03 --days 2 --places --seed 3 > drives
            ledger append drives > /dev/null; ledger trips > /dev/null
            ledger key new --name example.com/anna --output anna.key > /dev/null
            ledger bundle --year 2025 --jurisdiction us --key anna.key -o signed > /dev/null
            ledger head --format json | jq -r '"\(.size):\(.root)"' > head
            ledger backup b.bak > /dev/null
            """#
    )

    /// A command of the shell, `few N …`, that lets another one have N seconds of the processor,
    /// which other programs do not use up; one that stands still ends, too.
    private static let few = """
        few() { (ulimit -t "$1"; shift; exec timeout 600 "$@"); }

        """

    /// How a command ends that has used up its time.
    private static var outOfTime: Regex<(Substring, Substring)> { /exit (124|137|152)/ }

    @Test func `a file of a bundle that is longer than the manifest says is not read`() throws {
        let place = try Self.fixture.copy()
        let names = [
            "README.txt", "key.txt", "head.note", "reports/log.html", "reports/claim.csv",
            "rates/us.jsonl", "evidence/entries.jsonl", "manifest.note",
        ]
        for name in Seeds.sample(of: names) {
            let outcome = try place.shell(
                Self.few + """
                    cp -r signed tried; truncate -s 1T tried/\(name)
                    few 60 ledger verify tried $(cat head); code=$?; rm -r tried; exit $code
                    """
            )
            #expect(outcome.exitCode == 1, "\(name): \(outcome.text)\(outcome.errors)")
            #expect(outcome.text.contains(name), "\(outcome.text)")
        }
    }

    @Test func `a manifest that says so itself does not make a text of zeros worth reading`() throws
    {
        let place = try Self.fixture.copy()
        let outcome = try place.shell(
            Self.few + #"""
                set -e
                truncate -s 1T signed/evidence/entries.jsonl
                jq -c '(.files[] | select(.path == "evidence/entries.jsonl") | .bytes) =
                    1099511627776' \
                    signed/manifest.json > m && mv m signed/manifest.json
                few 60 ledger verify signed $(cat head)
                """#
        )
        #expect(outcome.exitCode == 1, "\(outcome.text)\(outcome.errors)")
        #expect(outcome.text.contains("zeros that take no room"), "\(outcome.text)")
    }

    @Test func `files of a ledger that are nothing but a length keep nobody waiting`() throws {
        let place = try Self.fixture.copy()
        let root = try place.shell("cut -d: -f2 head").text
        let history = try place.shell(
            Self.few + "truncate -s 1T book/history.jsonl; few 60 ledger verify book"
        )
        #expect(history.exitCode == 2, "\(history.text)\(history.errors)")
        #expect(history.text.contains("history.jsonl"), "\(history.text)")
        let rescue = try place.shell(
            Self.few + """
                truncate -s 1T book/log/data.mdb
                few 60 ledger rescue book -o saved > /dev/null; echo "exit $?"
                ledger head --ledger saved --format json
                """
        )
        #expect(!rescue.text.contains(Self.outOfTime), "\(rescue.text)\(rescue.errors)")
        #expect(rescue.text.contains(root.prefix(64)), "\(rescue.text)\(rescue.errors)")
        let single = try place.shell(
            Self.few + """
                truncate -s 1T b.bak
                few 60 ledger rescue b.bak -o again > /dev/null; echo "exit $?"
                few 120 ledger restore-backup b.bak --ledger restored > /dev/null; echo "exit $?"
                """
        )
        #expect(!single.text.contains(Self.outOfTime), "\(single.text)\(single.errors)")
    }

    @Test(
        arguments: [
            "backup u.bak", "export out", "erase 4 --why 'at the doctor' --yes", "compact",
            "append drives",
        ]
    )
    func `a limit for the length of files is said, and exits 74`(command: String) throws {
        let place = try Self.fixture.copy()
        let outcome = try place.shell(
            "ledger simulate tunnel > drives; ulimit -f 8; ledger \(command); echo \"exit $?\""
        )
        #expect(outcome.lines.last == "exit 74", "\(command): \(outcome.text)\(outcome.errors)")
        #expect(outcome.errors.contains("ledger: error: "), "\(command): \(outcome.errors)")
        let sound = try place.run("verify")
        #expect(sound.exitCode == 0, "\(command): \(sound.text)\(sound.errors)")
    }
}
