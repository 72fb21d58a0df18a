import DriveSimulation
import Foundation
import TestSupport
import Testing

/// An auditor's bundle is checked where no ledger is, down to its last byte.
@Suite struct BundleTests {
    private static let fixture = LedgerProcess.Fixture(
        shell: #"""
            ledger init --time-zone Europe/Amsterdam > /dev/null
            ledger simulate --start 2025-03-03 --days 2 --places --seed 3 | ledger append
            ledger edit --unclassified --class business --vehicle van --yes
            ledger odometer van 1000 --at 2025-03-02T08:00
            ledger odometer van 1300 --at 2025-03-08T08:00
            ledger key new --name example.com/anna --output anna.key
            ledger bundle --year 2025 --jurisdiction us -o plain
            ledger bundle --year 2025 --jurisdiction us --key anna.key -o signed
            ledger head --format json | jq -r '"\(.size):\(.root)"' > head
            mv book elsewhere
            """#
    )

    private static func files(in bundle: URL) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: bundle.path)
            .filter { $0.contains(".") || $0 == "SHA256SUMS" }
            .sorted()
    }

    @Test(arguments: ["plain", "signed"])
    func `a bundle is verified without a ledger, against a head from elsewhere`(
        name: String
    ) throws {
        let place = try Self.fixture.copy()
        let outcome = try place.shell("ledger verify \(name) $(cat head)")
        #expect(outcome.exitCode == 0, "\(outcome.text)\(outcome.errors)")
        #expect(outcome.text.contains("24 reports are, byte for byte, what the evidence gives"))
        #expect(outcome.text.contains("that this program has too"), "\(outcome.text)")
        #expect(try place.shell("cd \(name) && sha256sum --check SHA256SUMS").exitCode == 0)
        let alone = try place.run("verify", name)
        #expect(alone.exitCode == 2, "\(alone.text)\(alone.errors)")
        #expect(alone.text.hasPrefix("CONSISTENT, and nobody vouches for it"), "\(alone.text)")
    }

    @Test func `nothing of the evidence stays in the directory for temporary files`() throws {
        let place = try Self.fixture.copy()
        let outcome = try place.shell(
            #"""
            mv elsewhere book && mkdir temporary && export TMPDIR=$PWD/temporary
            ledger verify plain $(cat head) && ledger verify && ledger log > log.txt
            ledger trips --as-of 2025-03-04 && ledger project && ledger project --check
            ledger report log --year 2025 --format html -o log.html
            ledger backup copy --rehearse && ledger export - > export && ledger verify export
            ledger bundle --year 2025 -o once-more
            """#
        )
        let left = try place.shell("find temporary -mindepth 1")
        #expect(left.text.isEmpty, "\(left.text)\(outcome.text)\(outcome.errors)")
        #expect(try place.shell("ls log.html copy once-more").exitCode == 0, "\(outcome.errors)")
    }

    @Test(arguments: ["plain", "signed"], Seeds.fresh(1))
    func `a byte that was changed anywhere is found, and its file is named`(
        name: String,
        seed: UInt64
    ) throws {
        let place = try Self.fixture.copy()
        let bundle = place.directory.url.appendingPathComponent(name)
        var random = SplitMix64(seed: seed)
        for file in Seeds.sample(of: try Self.files(in: bundle)) {
            let url = bundle.appendingPathComponent(file)
            let sound = try Data(contentsOf: url)
            var bytes = sound
            let position = Int.random(in: 0..<bytes.count, using: &random)
            bytes[position] ^= UInt8.random(in: 1...255, using: &random)
            try bytes.write(to: url)
            let outcome = try place.run("verify", name)
            let what = "seed \(seed), byte \(position) of \(file): \(outcome.text)\(outcome.errors)"
            #expect(outcome.exitCode == 1, "\(what)")
            #expect(outcome.text.contains(file == "key.txt" ? "key" : file), "\(what)")
            try sound.write(to: url)
        }
        #expect(try place.run("verify", name).exitCode == 2, "seed \(seed)")
    }

    @Test(arguments: Seeds.fresh(1))
    func `a digit that was changed in what a bundle was made for is found, and named`(
        seed: UInt64
    ) throws {
        let place = try Self.fixture.copy()
        let url = place.directory.url.appendingPathComponent("plain/manifest.json")
        let sound = try Data(contentsOf: url)
        var random = SplitMix64(seed: seed)
        let words = try #require(sound.range(of: Data(#""year":"#.utf8)))
        let end = try #require(
            sound.range(of: Data(#""files":"#.utf8), in: words.upperBound..<sound.endIndex)
        )
        let digits = (words.upperBound..<end.lowerBound)
            .filter { (0x30...0x39).contains(sound[$0]) }
        #expect(digits.count > 20)
        for position in digits.shuffled(using: &random).prefix(Seeds.isThorough ? 12 : 3) {
            var bytes = sound
            let step = UInt8.random(in: 1...9, using: &random)
            bytes[position] = 0x30 + (bytes[position] - 0x30 + step) % 10
            try bytes.write(to: url)
            let outcome = try place.run("verify", "plain")
            let what = "seed \(seed), byte \(position): \(outcome.text)\(outcome.errors)"
            #expect(outcome.exitCode == 1, "\(what)")
            #expect(outcome.text.contains("manifest.json"), "\(what)")
        }
    }

    @Test(arguments: Seeds.fresh(1))
    func `a digit that was changed in a report is named with its line, whatever the hashes say`(
        seed: UInt64
    ) throws {
        let place = try Self.fixture.copy()
        let bundle = place.directory.url.appendingPathComponent("plain")
        var random = SplitMix64(seed: seed)
        let reports = try Self.files(in: bundle).filter { $0.hasPrefix("reports/") }
        for file in Seeds.sample(of: reports) {
            let url = bundle.appendingPathComponent(file)
            let sound = try Data(contentsOf: url)
            var bytes = sound
            let digits = bytes.indices.filter { (0x30...0x39).contains(bytes[$0]) }
            let position = try #require(digits.randomElement(using: &random))
            bytes[position] = 0x30 + (bytes[position] - 0x30 + 1) % 10
            try bytes.write(to: url)
            // A forger makes the hashes right again; the evidence stays what it is.
            let forged = try place.shell(
                """
                cp plain/manifest.json sound.json
                new=$(sha256sum < plain/\(file) | cut -c1-64)
                sed -i "s/\(Self.hash(sound))/$new/" plain/manifest.json
                cp plain/SHA256SUMS sums
                (cd plain && sha256sum $(cut -c67- SHA256SUMS) > ../forged)
                mv forged plain/SHA256SUMS
                """
            )
            try #require(forged.exitCode == 0, "\(forged.errors)")
            let outcome = try place.run("verify", "plain")
            let line = 1 + bytes[..<position].count { $0 == 0x0A }
            let what = "seed \(seed), \(file), byte \(position): \(outcome.text)"
            #expect(outcome.exitCode == 1, "\(what)")
            #expect(outcome.text.contains("report: \(file), line \(line): "), "\(what)")
            #expect(!outcome.text.contains("another SHA-256"), "\(what)")
            try sound.write(to: url)
            _ = try place.shell(
                "mv sound.json plain/manifest.json; mv sums plain/SHA256SUMS"
            )
        }
    }

    /// The SHA-256 of bytes, as the manifest has it.
    private static func hash(_ bytes: Data) throws -> String {
        let process = Subprocess(URL(fileURLWithPath: "/usr/bin/sha256sum"), arguments: [])
        return String(try process.outcome(input: bytes).text.prefix(64))
    }

    @Test func `files that were added, taken away or signed by others are found`() throws {
        let place = try Self.fixture.copy()
        let key = try place.shell("ledger key show --key anna.key | sed -n 's/^Verifier key *//p'")
            .text.trimmingCharacters(in: .newlines)
        #expect(try place.run("verify", "signed", "--key", key).exitCode == 0)
        #expect(try place.run("verify", "plain", "--key", key).exitCode == 2)
        _ = try place.shell("touch signed/reports/more.txt")
        let more = try place.run("verify", "signed")
        #expect(more.exitCode == 2 && more.text.contains("what reports/more.txt says"))
        _ = try place.shell("rm signed/reports/more.txt signed/reports/log.csv")
        let less = try place.run("verify", "signed")
        #expect(less.exitCode == 1 && less.text.contains("reports/log.csv is missing"))
        let other = try place.shell(
            """
            ledger --ledger other init > /dev/null
            ledger --ledger other key new --name example.com/anna --output other.key > /dev/null
            ledger key show --key other.key | sed -n 's/^Verifier key *//p'
            """
        )
        let stranger = other.text.trimmingCharacters(in: .newlines)
        let foreign = try place.run("verify", "signed", "--key", stranger)
        #expect(foreign.exitCode == 1, "\(foreign.text)")
        #expect(foreign.text.contains("manifest.note"), "\(foreign.text)")
    }

    @Test func `the same ledger as of the same moment gives the same bytes`() throws {
        let place = try Self.fixture.copy()
        let outcome = try place.shell(
            """
            set -e; mv elsewhere book
            key=$(ledger key show --key anna.key | sed -n 's/^Verifier key *//p')
            for name in one two; do
                ledger bundle --year 2025 --jurisdiction gb --as-of 2026-01-01T00:00:00Z \\
                    --key anna.key -o $name > /dev/null
                ledger edit last --purpose $name > /dev/null
                ledger verify $name --key "$key" > verdict || { cat verdict >&2; exit 1; }
            done
            ledger bundle --year 2025 --as-of 2026-01-01T00:00:00Z -o three > /dev/null
            ledger bundle --year 2025 --as-of 2026-01-01T00:00:00Z -o four > /dev/null
            diff -r three four
            ! diff -rq one two
            ls one/reports | wc -l
            """
        )
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(outcome.text.hasSuffix("24\n"), "\(outcome.text)")
    }

    /// Instants from the year 6429 on cannot be stored, and times are written up to the year 9999.
    @Test(arguments: ["6429-01-01T00:00:00Z", "6430-01-01T00:00:00Z", "9999-12-31T23:59:59Z"])
    func `a bundle as of any moment that can be written is made and verified`(
        instant: String
    ) throws {
        let place = try Self.fixture.copy()
        let outcome = try place.shell(
            """
            set -e; mv elsewhere book
            ledger bundle --year 2025 --jurisdiction us --as-of \(instant) -o late > /dev/null
            ledger verify late $(cat head) > verdict || { cat verdict >&2; exit 1; }
            grep -c "as of \(instant.dropLast()).000Z" verdict
            ledger simulate --start 2025-04-01 --seed 4 | ledger append > /dev/null
            ledger trips --as-of \(instant) > then; ledger trips > now; ledger project --check
            """
        )
        #expect(outcome.exitCode == 0, "\(outcome.text)\(outcome.errors)")
        #expect(outcome.lines.first == "1", "\(outcome.text)")
        #expect(!outcome.errors.contains("damaged"), "\(outcome.errors)")
    }

    /// Devices that say no offset leave it to the time zone, whose rules a country may change.
    private static let withoutOffsets = LedgerProcess.Fixture(
        shell: #"""
            ledger init --time-zone America/Nuuk > /dev/null
            ledger simulate tunnel | sed 's/+0[0-9]:00"/Z"/g' | ledger append > /dev/null
            ledger edit --unclassified --class business --yes > /dev/null
            ledger bundle --year 2025 -o year > /dev/null
            ledger head --format json | jq -r '"\(.size):\(.root)"' > head
            mv book elsewhere; mkdir -p other/America
            cp ${TZDIR:-/usr/share/zoneinfo}/Asia/Tokyo other/America/Nuuk
            """#
    )

    @Test func `other time zones on the machine that checks leave it open, and excuse no figure`()
        throws
    {
        let place = try Self.withoutOffsets.copy()
        let same = try place.shell("ledger verify year $(cat head)")
        #expect(same.exitCode == 0, "\(same.text)\(same.errors)")
        let check = "TZDIR=$PWD/other ledger verify year $(cat head)"
        let other = try place.shell(check)
        #expect(other.exitCode == 2, "\(other.text)\(other.errors)")
        #expect(other.text.contains("has other data of America/Nuuk"), "\(other.text)")
        #expect(!other.text.contains("VERIFIED"), "\(other.text)")
        let forged = try place.shell("sed -i 's/6\\.54/9.54/' year/reports/log.txt; \(check)")
        #expect(forged.exitCode == 1, "\(forged.text)\(forged.errors)")
        #expect(forged.text.contains("reports/log.txt, line 10: "), "\(forged.text)")
    }

    @Test(
        arguments: [
            ("cp other/America/Nuuk year/zones/America", 1, "zones/America/Nuuk was changed"),
            ("rm -r year/zones", 1, "zones/America/Nuuk is missing"),
            ("echo Paid > year/zones/Paid", 2, "what zones/Paid says"),
        ]
    )
    func `the time zones in a bundle are those of the manifest and of the ledger`(
        change: String,
        exitCode: Int32,
        words: String
    ) throws {
        let place = try Self.withoutOffsets.copy()
        let outcome = try place.shell("\(change); ledger verify year $(cat head)")
        #expect(outcome.exitCode == exitCode, "\(outcome.text)\(outcome.errors)")
        #expect(outcome.text.contains(words), "\(outcome.text)")
    }

    @Test func `a bundle speaks a language, is printed on a paper, and has a page that leads on`()
        throws
    {
        let place = try Self.fixture.copy()
        let outcome = try place.shell(
            """
            set -e; mv elsewhere book
            ledger bundle --year 2025 --language de --paper letter -o mappe > /dev/null
            grep -c 'lang="de"' mappe/prints/index.html
            grep -c '@page{size:letter' mappe/reports/log.html
            for link in $(grep -o 'href="[^"]*"' mappe/prints/index.html | cut -d'"' -f2); do
                test -s mappe/prints/$link
            done
            ls mappe/prints | grep -c pdf
            ledger verify mappe $(cat head) | grep -c '^VERIFIED'
            """
        )
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(outcome.text == "1\n1\n5\n1\n", "\(outcome.text)")
    }

    @Test func `the auditor is told to take the key from paper, and no key from the bundle`()
        throws
    {
        let place = try Self.fixture.copy()
        let readMe = place.directory.url.appendingPathComponent("signed/README.txt")
        let text = try String(contentsOf: readMe, encoding: .utf8)
        #expect(text.contains("ledger verify . --key KEY\n"))
        #expect(text.contains("never key.txt"))
        #expect(!text.contains("cat key.txt"))
    }
}
