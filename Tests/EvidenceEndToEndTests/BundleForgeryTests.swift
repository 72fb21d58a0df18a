import Foundation
import TestSupport
import Testing

/// What the owner of a bundle can write into it, and make all hashes right again: a verifier takes
/// nothing of it on trust.
@Suite struct BundleForgeryTests {
    private static let fixture = LedgerProcess.Fixture(
        shell: #"""
            ledger init --time-zone Europe/Amsterdam > /dev/null
            ledger simulate --start 2025-03-03 --days 2 --places --seed 3 > drives
            ledger append drives > /dev/null
            ledger edit --unclassified --class business --vehicle van --yes > /dev/null
            ledger key new --name example.com/anna --output anna.key > /dev/null
            ledger key show --key anna.key | sed -n 's/^Verifier key *//p' > anna.vkey
            ledger bundle --year 2025 --jurisdiction us -o plain > /dev/null
            ledger bundle --year 2025 --jurisdiction us --key anna.key -o signed > /dev/null
            ledger bundle --year 2025 --vehicle none -o empty > /dev/null 2> /dev/null
            ledger head --format json | jq -r '"\(.size):\(.root)"' > head
            mv book elsewhere
            cat > reseal << 'END'
            # Makes the manifest of the bundle $1 name all of its files, and the list of hashes.
            cd "$1"
            find . -type f ! -name manifest.json ! -name SHA256SUMS ! -name manifest.note \
                ! -path './prints/hidden*' | sed 's#^\./##' | LC_ALL=C sort > ../names
            while read -r f; do
                printf '{"path":"%s","bytes":%d,"sha256":"%s"}\n' \
                    "$f" "$(stat -c %s "$f")" "$(sha256sum < "$f" | cut -c1-64)"
            done < ../names | jq -cs . > ../listed
            jq -c --slurpfile listed ../listed '.files = $listed[0]' manifest.json > ../changed
            mv ../changed manifest.json
            sha256sum manifest.json $(cat ../names) > SHA256SUMS
            END
            cat > retable << 'END'
            # Edits the rates of the bundle $1 by the expression $2, and the hash in its claims.
            old=$(sha256sum < "$1/rates/us.jsonl" | cut -c1-64)
            sed -i "$2" "$1/rates/us.jsonl"
            new=$(sha256sum < "$1/rates/us.jsonl" | cut -c1-64)
            sed -i "s/$old/$new/g" "$1"/reports/claim.*
            sh reseal "$1"
            END
            """#
    )

    /// A forgery of the bundle `plain`, with which exit code its check ends, and what is said.
    struct Forgery: Sendable, CustomTestStringConvertible {
        let command: String
        let exitCode: Int32
        let words: String

        init(_ command: String, _ exitCode: Int32, _ words: String) {
            (self.command, self.exitCode, self.words) = (command, exitCode, words)
        }

        var testDescription: String { command }
    }

    private static let business = "us.standard_mileage.business.2025-01-01"

    private static let forgeries = [
        // Nothing was forged: the hashes that were made again are those that were there.
        Forgery("true", 0, "VERIFIED"),
        // The set of reports, and what they were asked for.
        Forgery("rm plain/reports/changes.*", 1, "reports/changes.txt is not in the manifest"),
        Forgery("sed -i 's/business/personal/' plain/reports/log.txt", 1, "reports/log.txt, line "),
        Forgery("cp plain/reports/claim.csv plain/reports/log.csv", 1, "reports/log.csv, line 1"),
        Forgery(seal("del(.jurisdiction) | del(.table)"), 1, "rates/us.jsonl, reports/claim.csv"),
        Forgery(
            seal("{bundle, ledger, size, root, year, jurisdiction, vehicle: \"none\"} + ."),
            1,
            "of the vehicle none alone"
        ),
        // A member in another place.
        Forgery(seal(".vehicle = \"none\""), 1, "is not as `ledger bundle` writes it"),
        Forgery(seal(".year = 2024"), 1, "of the year 2024 for us"),
        Forgery(seal(".language = \"nl\""), 1, "in the language nl"),
        Forgery(seal(".last_day = \"2025-11-30\""), 1, "and the year has 2025-01-01 to 2025-12-31"),
        Forgery(seal(".ledger = \"made-up\""), 1, "names the ledger made-up, and the evidence is"),
        Forgery(seal(".bundle = 2"), 2, "it is of version 2"),
        Forgery(seal(".program_version = \"0.1.0\\nTrust it\""), 1, "is not as `ledger bundle`"),
        Forgery(seal(".reports = []"), 1, "is not as `ledger bundle` writes it"),
        Forgery(seal(".table = \"../../rates\""), 1, "is not as `ledger bundle` writes it"),
        // What is in the directory beside the reports.
        Forgery("echo Paid > plain/README.txt", 1, "README.txt, line 1: \"Paid\" stands there"),
        Forgery("echo Paid > plain/receipt.txt", 2, "what receipt.txt says"),
        Forgery("echo Paid > plain/reports/more.txt", 2, "what reports/more.txt says"),
        Forgery("mkdir -p plain/prints; echo x > plain/prints/log.txt", 2, "prints/log.txt says"),
        Forgery("mkdir -p plain/prints; echo x > plain/prints/hidden.pdf", 2, "prints/hidden.pdf"),
        Forgery("echo x > plain/evidence/more.jsonl", 2, "more.jsonl"),
        Forgery(stamp("paid.stamped"), 2, "what stamps/paid.stamped says"),
        Forgery(stamp(".paid.tsr"), 2, "what stamps/.paid.tsr says"),
        Forgery(
            "\(stamp("paid.tsr")); cp plain/stamps/paid.tsr plain/stamps/paid.stamped",
            2,
            "what stamps/paid.stamped, stamps/paid.tsr says"
        ),
        Forgery("echo Paid > plain/zones/Paid", 2, "what zones/Paid says"),
        Forgery(
            "echo Paid > plain/zones/Europe/Amsterdam",
            0,
            "zones/Europe/Amsterdam is not what this machine knows of that time zone"
        ),
        Forgery(
            "mkdir -p plain/prints; (cd plain/prints; echo x > log.pdf; echo x > index.html)",
            0,
            "prints/log.pdf is made from reports/log.*, not checked here"
        ),
        // Rates: a row that figures go by, what is said of it, and rows that none goes by.
        Forgery(
            table("/\(business)/s/\"rate\":\"0/\"rate\":\"1/"),
            1,
            "rates/us.jsonl, row \(business): rate is \"1.7"
        ),
        Forgery(
            table("/\(business)/s/\"known_from\":\"20/\"known_from\":\"19/"),
            1,
            "row \(business): known_from is \"19"
        ),
        Forgery(
            table("/\(business)/s/\"authority\":\"IRS\"/\"authority\":\"Anna\"/"),
            2,
            "row \(business): authority is \"Anna\", and this program knows \"IRS\""
        ),
        Forgery(
            table("/\(business)/s/\"beside\":\\[\"toll\"/\"beside\":[\"fuel\"/"),
            1,
            "beside is"
        ),
        Forgery(table("/business.2015-01-01/s/\"rate\":\"0/\"rate\":\"1/"), 0, "no figure goes"),
        Forgery(table("/business.2015-01-01/d"), 0, "that this program has too"),
        Forgery(table("/\(business)/d"), 1, "reports/claim."),
        Forgery(table("1s/^/x/"), 1, "rates/us.jsonl is no table of rates"),
    ]

    /// The command that changes the manifest by an expression of jq.
    private static func seal(_ expression: String) -> String {
        "jq -c '\(expression)' plain/manifest.json > m && mv m plain/manifest.json"
    }

    /// The command that puts a file among the stamps; a bundle that is not signed has none.
    private static func stamp(_ name: String) -> String {
        "mkdir -p plain/stamps; echo Paid > plain/stamps/\(name)"
    }

    /// The command that changes the table of rates by an expression of sed.
    private static func table(_ expression: String) -> String {
        "sh retable plain '\(expression)'"
    }

    @Test(arguments: Seeds.sample(of: forgeries))
    func `what a forger writes into a bundle, hashes and all, is found or named`(
        forgery: Forgery
    ) throws {
        let place = try Self.fixture.copy()
        let made = try place.shell("set -e; \(forgery.command); sh reseal plain")
        try #require(made.exitCode == 0, "\(made.errors)")
        let outcome = try place.shell("ledger verify plain $(cat head)")
        let said = "\(forgery.command): \(outcome.text)\(outcome.errors)"
        #expect(outcome.exitCode == forgery.exitCode, "\(said)")
        #expect(outcome.text.contains(forgery.words), "\(said)")
        #expect(!outcome.text.contains("another SHA-256"), "\(said)")
        // Without a head the same, but never verified.
        let alone = try place.shell("ledger verify plain")
        #expect(alone.exitCode == (forgery.exitCode == 0 ? 2 : forgery.exitCode), "\(said)")
        #expect(!alone.text.contains("VERIFIED"), "\(said)")
    }

    @Test func `a report that was taken out of the list is checked all the same`() throws {
        let place = try Self.fixture.copy()
        let outcome = try place.shell(
            """
            set -e
            mv plain/reports/log.html away; sh reseal plain; echo forged > plain/reports/log.html
            ledger verify plain $(cat head) || echo "exit $?"
            """
        )
        #expect(outcome.text.contains("reports/log.html is not in the manifest"), "\(outcome.text)")
        #expect(outcome.text.contains("reports/log.html, line 1: \"forged\""), "\(outcome.text)")
        #expect(outcome.lines.last == "exit 1", "\(outcome.text)\(outcome.errors)")
    }

    @Test func `a bundle that lost its signatures says that it is not signed`() throws {
        let place = try Self.fixture.copy()
        let stripped = try place.shell(
            """
            set -e
            cp -r signed stripped; cp plain/README.txt stripped
            rm stripped/manifest.note stripped/head.note stripped/key.txt
            sh reseal stripped
            ledger verify stripped || echo "exit $?"
            ledger verify stripped --key "$(cat anna.vkey)" || echo "exit $?"
            ledger verify stripped $(cat head) || echo "exit $?"
            """
        )
        let lines = stripped.lines
        #expect(lines.filter { $0.hasPrefix("exit") } == ["exit 2", "exit 2"], "\(stripped.text)")
        #expect(lines.contains { $0.hasPrefix("CONSISTENT, and nobody vouches for it") })
        #expect(lines.contains("  unknown  who vouches for the bundle: it is not signed"))
        // A forger may have put other prints there.
        #expect(lines.contains { $0.contains(/^VERIFIED, but for [0-9]+ files in prints\//) })
        #expect(lines.count { $0 == "  claimed  the bundle is not signed" } == 2)
        let half = try place.shell("rm signed/manifest.note; ledger verify signed")
        #expect(half.exitCode == 1 && half.text.contains("manifest.note is missing"))
    }

    @Test func `a key in the bundle vouches for nothing`() throws {
        let place = try Self.fixture.copy()
        let own = try place.shell("cp signed/head.note note; ledger verify signed signed/head.note")
        #expect(own.exitCode == 64 && own.errors.contains("lies in what it is to vouch for"))
        let inside = [
            "signed --key signed/key.txt", "signed --key link", "signed --stamps signed/key.txt",
            "signed note --key signed/key.txt", "signed/evidence --key signed/key.txt",
            "signed/evidence signed/head.note", "signed/evidence/entries.jsonl --key link",
            "signed/head.note note --key signed/key.txt",
        ]
        for arguments in inside {
            let refused = try place.shell("ln -sf signed/key.txt link; ledger verify \(arguments)")
            #expect(refused.exitCode == 64, "\(arguments): \(refused.text)\(refused.errors)")
            let reason = "lies in what it is to vouch for"
            #expect(refused.errors.contains(reason), "\(arguments): \(refused.errors)")
        }
        let alone = try place.run("verify", "signed", "--format", "json")
        #expect(alone.exitCode == 2, "\(alone.text)\(alone.errors)")
        #expect(alone.text.contains(#""verdict":"consistent","vouched_by":null"#), "\(alone.text)")
        #expect(alone.text.contains("a forger would put another key there"), "\(alone.text)")
        let readMe = try place.shell("cat signed/README.txt").text
        #expect(!readMe.contains("cat key.txt") && readMe.contains("vouches for nothing"))
        for (arguments, voucher) in [
            ("--key \"$(cat anna.vkey)\"", "key"), ("--key anna.vkey", "key"),
            ("$(cat head)", "head"), ("note", "head"),
        ] {
            let outcome = try place.shell("ledger verify signed \(arguments) --format json")
            #expect(outcome.exitCode == 0, "\(outcome.text)\(outcome.errors)")
            let said = #""verdict":"verified","vouched_by":"\#(voucher)""#
            #expect(outcome.text.contains(said), "\(outcome.text)")
        }
    }

    @Test func `with a wrong key, the signatures are wrong, and the reports are compared`() throws {
        let place = try Self.fixture.copy()
        let outcome = try place.shell(
            """
            ledger --ledger other init > /dev/null
            ledger --ledger other key new --name example.com/anna --output other.key > /dev/null
            ledger key show --key other.key | sed -n 's/^Verifier key *//p' > other.vkey
            ledger verify signed --key other.vkey
            """
        )
        #expect(outcome.exitCode == 1, "\(outcome.text)\(outcome.errors)")
        #expect(outcome.text.contains("24 reports are, byte for byte"), "\(outcome.text)")
        #expect(!outcome.text.contains("damaged evidence"), "\(outcome.text)")
    }

    @Test func `what a bundle was made for is said, and that it hides a vehicle's trips`() throws {
        let place = try Self.fixture.copy()
        let empty = try place.shell("ledger verify empty $(cat head)")
        #expect(empty.exitCode == 0, "\(empty.text)\(empty.errors)")
        #expect(empty.text.contains("of the year 2025, without a claim, of the vehicle none alone"))
        let plain = try place.shell("ledger verify plain $(cat head)")
        #expect(plain.text.contains("of the year 2025 for us, of all vehicles, as of "))
        #expect(plain.text.contains("in the language en, on the paper letter"))
    }

    @Test func `pipes and links in a bundle keep nobody waiting`() throws {
        let place = try Self.fixture.copy()
        let listed = [
            "reports/log.txt", "rates/us.jsonl", "README.txt", "SHA256SUMS",
            "evidence/entries.jsonl", "manifest.note", "key.txt", "head.note",
        ]
        for name in Seeds.sample(of: listed) {
            let outcome = try place.shell(
                """
                cp -r signed tried; rm -f tried/\(name); mkfifo tried/\(name)
                timeout 600 ledger verify tried $(cat head); code=$?; rm -r tried; exit $code
                """
            )
            #expect(outcome.exitCode == 1, "\(name): \(outcome.text)\(outcome.errors)")
            #expect(outcome.text.contains(name.split(separator: "/")[0]), "\(outcome.text)")
        }
        let others = try place.shell(
            """
            mkfifo plain/more; ln -s /etc/passwd plain/reports/link.txt
            timeout 600 ledger verify plain $(cat head)
            """
        )
        #expect(others.exitCode == 2, "\(others.text)\(others.errors)")
        #expect(others.text.contains("what more, reports/link.txt says"), "\(others.text)")
        let manifest = try place.shell(
            "rm plain/manifest.json; mkfifo plain/manifest.json; timeout 600 ledger verify plain"
        )
        #expect(manifest.exitCode == 65, "\(manifest.text)\(manifest.errors)")
    }

    @Test func `a bundle without its manifest is a bundle, and gives its evidence`() throws {
        let place = try Self.fixture.copy()
        let imported = try place.shell(
            "ledger import plain --ledger again && ledger head --ledger again --format json"
        )
        #expect(imported.exitCode == 0, "\(imported.errors)")
        let outcome = try place.shell("rm plain/manifest.json; ledger verify plain $(cat head)")
        #expect(outcome.exitCode == 1, "\(outcome.text)\(outcome.errors)")
        #expect(outcome.text.contains("bundle: manifest.json is missing"), "\(outcome.text)")
        #expect(outcome.text.contains("entries of the older head, unchanged"), "\(outcome.text)")
        let gone = try place.shell("rm -r signed/evidence; ledger verify signed")
        #expect(gone.exitCode == 1, "\(gone.text)\(gone.errors)")
        #expect(gone.text.contains("evidence/entries.jsonl is missing"), "\(gone.text)")
    }

    @Test func `an older head, another one and one that was mistyped are told apart`() throws {
        let place = try Self.fixture.copy()
        let head = try place.shell("cat head").text.trimmingCharacters(in: .newlines)
        let last = try #require(head.last)
        let mistyped = String(head.dropLast()) + (last == "0" ? "1" : "0")
        let parts = head.split(separator: ":")
        let root = try #require(parts.last)
        let cases: [(String, Int32, String)] = [
            (head, 0, "entries of the older head, unchanged"),
            (head.uppercased(), 0, "entries of the older head, unchanged"),
            ("\(parts[0]): \(root.prefix(32)) \(root.dropFirst(32))", 0, "older head, unchanged"),
            (mistyped, 2, "63 of the 64 digits of the log's, as no other log's root has"),
            (String(head.dropLast()), 64, "has 63 hexadecimal digits, and not 64"),
            (head + "0", 64, "has 65 hexadecimal digits, and not 64"),
            (String(head.dropLast()) + "x", 64, "is no hexadecimal digit: \"x\""),
            ("\(parts[0]):" + String(repeating: "?", count: 44), 64, "are no root in base 64"),
            ("5:" + String(repeating: "0", count: 64), 1, "are not those of the older head"),
            ("5:\(root)", 2, "is that of \(parts[0]) entries, so that the count 5 was mistyped"),
            ("\(parts[0])0:\(root)", 2, "so that the count \(parts[0])0 was mistyped"),
        ]
        for (given, code, words) in cases {
            for subject in ["plain", "plain/evidence"] {
                let outcome = try place.run("verify", subject, given)
                let said = "\(given): \(outcome.text)\(outcome.errors)"
                #expect(outcome.exitCode == code, "\(said)")
                #expect((outcome.text + outcome.errors).contains(words), "\(said)")
                #expect(!said.contains("check digits"), "\(said)")
            }
        }
        // Files have it as it is typed, or as the QR codes of reports do.
        let files = try place.shell(
            """
            sed -n 1,3p signed/head.note > scanned; cp head typed
            for file in scanned typed; do ledger verify plain $file | head -n 1; done
            ledger verify plain 5:\(root) > /dev/null || ledger import plain --head 5:\(root) \
            --ledger fresh || echo "exit $?"
            """
        )
        #expect(files.lines.count { $0.hasPrefix("VERIFIED") } == 2, "\(files)")
        #expect(files.errors.contains("so that the count 5 was mistyped"), "\(files)")
        let key = try place.shell("cat anna.vkey").text.trimmingCharacters(in: .newlines)
        let wrong = try place.run("verify", "signed", "--key", key.replacing("anna", with: "anne"))
        #expect(wrong.exitCode == 64 && wrong.errors.contains("its check digits do not fit"))
    }
}
