import Foundation
import SystemPackage
import TestSupport
import Testing

/// `ledger verify` recognises its argument, and always says its verdict.
@Suite struct VerifySubjectTests {
    private let book: LedgerProcess

    init() throws {
        book = try Self.fixture.copy()
    }

    private static let fixture = LedgerProcess.Fixture(
        shell: """
            ledger init && ledger simulate home-to-office | ledger append
            ledger key new --name example.com/anna --output anna.key
            ledger head --sign --key anna.key > head.note
            ledger prove last --output proofs && ledger export out
            """
    )

    @Test(
        arguments: [
            "cp proofs/3.* book", "cp proofs/* book", "cp out/entries.jsonl book",
            "touch book/export.json book/x.tlog-proof book/cloudevents.jsonl",
        ]
    )
    func `a ledger that is named as one is read as one, whatever else lies in its directory`(
        command: String
    ) throws {
        #expect(try book.shell(command).exitCode == 0)
        let unnamed = try verify("book")
        #expect(unnamed.exitCode != 0, "\(unnamed.text)")
        #expect(!unnamed.text.contains("entries were read and hashed again"), "\(unnamed.text)")
        let sound = try verify("--ledger book")
        #expect(sound.exitCode == 0, "\(sound.text)\(sound.errors)")
        #expect(sound.text.contains("entries were read and hashed again"))
        let data = book.directory.url.appendingPathComponent("book/log/data.mdb")
        var bytes = try Data(contentsOf: data)
        let mark = Data("simulated-phone".utf8)
        var place = bytes.startIndex
        while let found = bytes.range(of: mark, in: place..<bytes.endIndex) {
            bytes[found.lowerBound] ^= 1
            place = found.upperBound
        }
        try bytes.write(to: data)
        #expect(try verify("--ledger book").exitCode == 1)
    }

    @Test(arguments: ["year", "out", "proofs"])
    func `a ledger that lies in what was handed over stands for nothing of it`(
        subject: String
    ) throws {
        let made = try book.shell(
            """
            ledger bundle --year 2025 --key anna.key -o year > /dev/null && mkdir \(subject)/log
            """
        )
        try #require(made.exitCode == 0, "\(made.errors)")
        let empty = try verify(subject)
        #expect(empty.exitCode == 2, "\(empty.text)\(empty.errors)")
        #expect(empty.text.contains("what the ledger that lies there too says"), "\(empty.text)")
        let laid = try book.shell(
            """
            cp book/log/data.mdb \(subject)/log && mkdir \(subject)/heads \
                && cp book/heads/*.note \(subject)/heads
            """
        )
        try #require(laid.exitCode == 0, "\(laid.errors)")
        let whole = try verify(subject)
        #expect(whole.exitCode == 2, "\(whole.text)\(whole.errors)")
        #expect(!whole.text.contains("entries were read and hashed again"), "\(whole.text)")
        let forged = try book.shell(
            """
            sed -i 's/[0-9]/x/' year/reports/log.txt
            sed -i 's/"lat":5/"lat":6/' out/entries.jsonl proofs/3.json
            """
        )
        try #require(forged.exitCode == 0, "\(forged.errors)")
        #expect(try verify(subject).exitCode == 1)
    }

    @Test func `proofs in one folder are of one history`() throws {
        let made = try book.shell(
            """
            set -e; cp -r book fork
            ledger simulate home-to-office | sed s/simulated-phone/phone-a/ | ledger append
            ledger simulate home-to-office | sed s/simulated-phone/phone-b/ \
                | ledger --ledger fork append
            ledger head --sign --key anna.key; ledger prove 10 --output one
            export HOME=$PWD/elsewhere; mkdir elsewhere
            ledger --ledger fork head --sign --key anna.key
            ledger --ledger fork prove 11 --output two
            mkdir forked grown; cp one/10.* two/11.* forked; cp one/10.* proofs/3.* grown
            """
        )
        try #require(made.exitCode == 0, "\(made.errors)")
        for subject in ["one", "two"] { #expect(try verify(subject).exitCode == 0, "\(subject)") }
        let forked = try verify("forked")
        #expect(forked.exitCode == 1, "\(forked.text)\(forked.errors)")
        #expect(forked.text.contains("two histories that contradict each other"), "\(forked.text)")
        let grown = try verify("grown")
        #expect(grown.exitCode == 2, "\(grown.text)\(grown.errors)")
        #expect(grown.text.contains("whether the proofs are of one log"), "\(grown.text)")
    }

    @Test(
        arguments: [
            (1, "echo '{}' > proofs/1.json"), (1, "echo x > proofs/1.entry"),
            (1, "echo garbage > proofs/head.note"), (2, "echo hello > proofs/readme"),
            (2, "rm proofs/3.entry"), (2, "rm proofs/3.json"), (1, "rm proofs/3.tlog-proof"),
            (1, "for x in entry json tlog-proof; do mv proofs/3.$x proofs/1.$x; done"),
            (1, "cp proofs/4.json proofs/3.json"), (1, "cp proofs/4.entry proofs/3.entry"),
            (1, "echo x > proofs/3.tlog-proof"), (2, "rm proofs/3.json; mkdir proofs/3.json"),
            (2, "rm proofs/3.tlog-proof; mkfifo proofs/3.tlog-proof"),
            (1, #"printf 'x' >> proofs/3.json"#), (1, #"sed -i 's/"lat"/"LAT"/' proofs/3.json"#),
            (0, "rm proofs/3.*"), (0, "rm proofs/head.note"), (0, "true"),
        ]
    )
    func `nothing in a directory of proofs is taken as proven without a proof`(
        exitCode: Int32,
        command: String
    ) throws {
        #expect(try book.shell(command).exitCode == 0)
        let outcome = try verify("proofs")
        #expect(outcome.exitCode == exitCode, "\(command): \(outcome.text)\(outcome.errors)")
        #expect(!outcome.text.isEmpty, "\(command): \(outcome.errors)")
    }

    @Test func `verify says that proofs cannot show whether one of a trip's proofs is missing`()
        throws
    {
        let made = try book.shell("rm proofs/5.*; ledger prove last --output more")
        #expect(made.text.contains("no proof says that none is missing"), "\(made.text)")
        let outcome = try verify("proofs")
        #expect(outcome.exitCode == 0, "\(outcome.text)\(outcome.errors)")
        #expect(outcome.text.contains("proven, each by itself"), "\(outcome.text)")
    }

    @Test func `a backup is said to be no ledger, with what checks it`() throws {
        let outcome = try book.shell("ledger backup b.bak > /dev/null; ledger verify b.bak")
        #expect(outcome.exitCode == 65, "\(outcome.text)\(outcome.errors)")
        #expect(outcome.errors.contains("restore-backup b.bak"), "\(outcome.errors)")
    }

    @Test func `the words beside an entry are compared byte by byte, but for the source`() throws {
        let made = try book.shell(
            #"""
            ledger append <<'E'
            {"type":"go_pressed","source":"d","occurred_at":"2025-04-01T08:00:00Z","vehicle":"Café"}
            E
            ledger head --sign --key anna.key && ledger prove 10 --output words
            """#
        )
        try #require(made.exitCode == 0, "\(made.errors)")
        let sound = try verify("words")
        #expect(sound.exitCode == 0, "\(sound.text)\(sound.errors)")
        #expect(sound.text.contains("their names are not proven"))
        let file = book.directory.url.appendingPathComponent("words/10.json")
        let text = try String(contentsOf: file, encoding: .utf8)
        try #require(text.contains("Café"))
        try text.replacing("é", with: "e\u{301}")
            .write(to: file, atomically: false, encoding: .utf8)
        #expect(try verify("words").exitCode == 1)
        try text.replacing("\"d\"", with: "\"d\",\"odd\":\"x\"")
            .write(to: file, atomically: false, encoding: .utf8)
        #expect(try verify("words").exitCode == 1)
    }

    @Test func `an event of the ledger itself has no source to make up`() throws {
        try #require(try book.run("prove", "0", "--output", "own").exitCode == 0)
        #expect(try verify("own").exitCode == 0)
        #expect(try book.shell(#"sed -i 's/"type"/"source":"x","type"/' own/0.json"#).exitCode == 0)
        #expect(try verify("own").exitCode == 1)
    }

    @Test func `without a home, what cannot be told is said, and nothing is lost`() throws {
        let outcome = try book.shell("V=$(\(Self.key)); env -u HOME ledger verify --key \"$V\"")
        #expect(outcome.exitCode == 2)
        #expect(outcome.text.contains("no home directory"))
        #expect(outcome.text.contains("has signed the log's first 9 entries"))
    }

    @Test func `heads are checked though a view was altered`() throws {
        try #require(try book.run("project").exitCode == 0)
        let views = try AlteredViews("trips", at: FilePath(book.directory.path("book/views")))
        var row = try #require(try views.rows().first)
        row.value[row.value.count - 1] ^= 1
        try views.put(row)
        views.close()
        let outcome = try verify("book")
        #expect(outcome.exitCode == 1)
        #expect(outcome.text.contains("has signed the log's first 9 entries"), "\(outcome.text)")
    }

    @Test func `a log of a newer version is no answer, and no failure`() throws {
        let log = try AlteredViews("state", at: FilePath(book.directory.path("book/log")))
        var row = try #require(try log.rows().first { $0.key == Array("log".utf8) })
        row.value.replaceSubrange(0..<4, with: [99, 200, 3, 1])
        try log.put(row)
        log.close()
        let outcome = try verify("book")
        #expect(outcome.exitCode == 2, "\(outcome.text)\(outcome.errors)")
        #expect(outcome.text.contains("COULD NOT TELL"))
        let version = try #require(try book.run("--version").lines.first)
        let needed = "needs ledger 200.3.1 or newer; this is \(version)"
        #expect(outcome.text.contains(needed), "\(outcome.text)")
        let refused = try book.run("trips", "--format", "json")
        #expect(refused.exitCode == 65 && refused.errors.contains(needed), "\(refused.errors)")
    }

    @Test func `a key of the other kind is a wrong question`() throws {
        try #require(try book.run("witness", "init", "w.example").exitCode == 0)
        let witness = "$(ledger witness show | sed -n 's/Verifier key *//p')"
        for options in ["--key \"\(witness)\"", "--witness \"$(\(Self.key))\""] {
            #expect(try book.shell("ledger verify \(options)").exitCode == 64, "\(options)")
            #expect(try book.shell("ledger verify out \(options)").exitCode == 64, "\(options)")
        }
        let cosign = "ledger witness cosign head.note --key \"\(witness)\""
        #expect(try book.shell(cosign).exitCode == 64)
    }

    @Test func `an export with a forged tail is not vouched for`() throws {
        let outcome = try book.shell(
            """
            V=$(\(Self.key)); ledger import out --ledger forged && cp -r book/heads forged
            ledger simulate home-to-office | sed s/simulated-phone/made-up/ > tail
            ledger --ledger forged append < tail
            ledger --ledger forged export fake > /dev/null
            env HOME=elsewhere ledger verify fake --key "$V"
            """
        )
        #expect(outcome.exitCode == 2, "\(outcome.text)\(outcome.errors)")
        #expect(outcome.text.contains("from position 9 on"), "\(outcome.text)")
    }

    @Test func `a forged tail is not vouched for by a head that is older than it`() throws {
        let made = try book.shell(
            """
            set -e; ledger import out --ledger forged
            ledger simulate home-to-office | sed s/simulated-phone/made-up/ > tail
            ledger --ledger forged append < tail
            ledger --ledger forged export fake > /dev/null
            ledger --ledger forged bundle --year 2025 -o year > /dev/null
            ledger head --format json | jq -r '"\\(.size):\\(.root)"' > head
            ledger --ledger forged head --format json | jq -r '"\\(.size):\\(.root)"' > whole
            printf '0:%s\\n' "$(printf '' | sha256sum | cut -c1-64)" > none
            """
        )
        try #require(made.exitCode == 0, "\(made.text)\(made.errors)")
        for subject in ["fake", "year"] {
            for (older, position) in [("$(cat head)", 9), ("head.note", 9), ("$(cat none)", 0)] {
                let outcome = try book.shell("ledger verify \(subject) \(older) --format json")
                let said = "\(subject) \(older): \(outcome.text)\(outcome.errors)"
                #expect(outcome.exitCode == 2, "\(said)")
                let verdict = #""verdict":"could_not_tell","vouched_by":null"#
                #expect(outcome.text.contains(verdict), "\(said)")
                #expect(outcome.text.contains("from position \(position) on"), "\(said)")
            }
            let partly = try book.shell(
                "V=$(\(Self.key)); ledger verify \(subject) head.note --key \"$V\" --format json"
            )
            #expect(partly.exitCode == 2, "\(partly.text)\(partly.errors)")
            #expect(partly.text.contains(#""vouched_by":null"#), "\(partly.text)")
            let newer = try book.shell("ledger verify \(subject) $(cat whole)")
            #expect(newer.exitCode == 0, "\(newer.text)\(newer.errors)")
        }
    }

    @Test(
        arguments: [
            ("book head.note", "ledger --ledger book changes --since HEAD"),
            ("book 9:$(printf '%064d' 0)", "ledger --ledger book changes --since HEAD"),
            ("head.note book", "ledger --ledger book changes --since HEAD"),
            ("head.note out", "Name the export or the bundle first, and the head after it"),
            ("out proofs", "Name the export or the bundle first, and the head after it"),
            ("a.zip 9:$(printf '%064d' 0)", "If it is an archive, unpack it and name the folder"),
            ("proofs 9:$(printf '%064d' 0)", "unpack it and name the folder"),
            ("head.note 9:$(printf '%064d' 0)", "Name two files with signed heads"),
        ]
    )
    func `what cannot be verified with a head, or stands in its place, is named with what to do`(
        arguments: String,
        hint: String
    ) throws {
        let outcome = try book.shell("echo PK > a.zip; ledger verify \(arguments)")
        #expect(outcome.exitCode == 65, "\(arguments): \(outcome.text)\(outcome.errors)")
        #expect(outcome.errors.contains(hint), "\(arguments): \(outcome.errors)")
        #expect(!outcome.errors.contains("Is a directory"), "\(arguments): \(outcome.errors)")
        #expect(!outcome.errors.contains("No such file"), "\(arguments): \(outcome.errors)")
    }

    private static let key = "ledger key show --key anna.key | sed -n 's/Verifier key *//p'"

    private func verify(_ subject: String) throws -> LedgerProcess.Outcome {
        try book.shell("V=$(\(Self.key)); ledger verify \(subject) --key \"$V\"")
    }
}
