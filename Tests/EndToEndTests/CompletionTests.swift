import Foundation
import TestSupport
import Testing

/// The completion scripts that README has people install.
@Suite struct CompletionTests {
    private static let bash = "/usr/bin/bash"

    private static func isInstalled(_ shell: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\(shell)")
    }

    private static func missing(_ shell: String) -> Comment {
        "skipped: \(shell) is not installed"
    }

    @Test func `bash completes commands, and commands within commands`() throws {
        let ledger = try LedgerProcess()
        #expect(try completions(of: "ledger tri", in: ledger) == ["trip", "trips"])
        #expect(try completions(of: "ledger rules pre", in: ledger) == ["preset"])
        #expect(try completions(of: "ledger explain la", in: ledger) == ["last"])
        #expect(try completions(of: "ledger trips --for", in: ledger) == ["--format"])
        #expect(try completions(of: "ledger --led", in: ledger) == ["--ledger"])
        #expect(try completions(of: "ledger --ledger book tri", in: ledger) == ["trip", "trips"])
        #expect(try completions(of: "ledger hel", in: ledger) == ["help"])
        #expect(try completions(of: "ledger schema event fix_", in: ledger) == ["fix_recorded"])
    }

    @Test func `bash completes commands, topics and all behind help`() throws {
        let ledger = try LedgerProcess()
        #expect(try completions(of: "ledger help tri", in: ledger) == ["trip", "trips"])
        #expect(try completions(of: "ledger help for", in: ledger) == ["formats"])
        #expect(try completions(of: "ledger help fil", in: ledger) == ["filters", "files"])
        let words = try completions(of: "ledger help ''", in: ledger)
        #expect(words.isSuperset(of: ["append", "simulate", "columns", "server", "all"]))
        // Each of them is answered.
        let answers = try Seeds.sample(of: words.sorted())
            .map { try ledger.run("help", $0).exitCode }
        #expect(answers.allSatisfy { $0 == 0 })
    }

    @Test(arguments: ["zsh", "fish"])
    func `the script of a shell has the topics behind help`(shell: String) throws {
        let script = String(decoding: try Self.script(for: shell), as: UTF8.self)
        let topics = "formats columns dates filters reports files tokens server all"
        let line = try #require(script.split(separator: "\n").first { $0.contains(topics) })
        switch shell {
        case "zsh": #expect(line.hasPrefix("        '*:subcommands:(append "))
        default: #expect(line.contains(#"_positional "ledger help" -eq 1' -fka 'append "#))
        }
    }

    @Test(
        arguments: [
            "append book/../dri", "append drive.jsonl dri", "restore-backup dri", "verify dri",
            "import dri", "rescue dri", "import --head dri", "prove last --head dri",
            "verify --proof dri", "verify --entry dri", "head --key dri", "head --keep dri",
            "key new --output dri", "witness cosign dri", "changes --since dri", "backup dri",
            "simulate day --truth dri",
        ]
    )
    func `bash completes files`(line: String) throws {
        let ledger = try Self.ledger.copy()
        let begun = try #require(line.split(separator: " ").last)
        #expect(
            try completions(of: "ledger \(line)", in: ledger) == ["\(begun.dropLast(3))drive.jsonl"]
        )
    }

    @Test(
        arguments: [
            "--ledger bo", "trips --ledger bo", "prove last --output bo", "rescue x --output bo",
            "export bo", "witness show --directory bo",
        ]
    )
    func `bash completes directories, and no files there`(line: String) throws {
        let ledger = try Self.ledger.copy()
        #expect(try completions(of: "ledger \(line)", in: ledger) == ["book"])
    }

    private static let wordsOfTheLedger: [(line: String, words: Set<String>)] = [
        ("trip ''", ["last", "active", "35e6e935"]),
        ("edit 35", ["35e6e935"]),
        ("merge last 35", ["35e6e935"]),
        ("trips --after 35", ["35e6e935"]),
        ("place save Work --at-trip-end 35", ["35e6e935"]),
        ("trips --place H", ["Home"]),
        ("visits --place D", ["D'or"]),
        ("place remove A", ["A $(touch pwned) `touch pwned` place"]),
        ("trips --vehicle ''", ["van", "truck"]),
        ("report log --vehicle v", ["van"]),
        ("go --vehicle t", ["truck"]),
        ("odometer v", ["van"]),
        ("edit last --client ''", ["ACME"]),
        ("go --routine ''", ["Commute"]),
        ("routine apply C", ["Commute"]),
        ("routine remove C", ["Commute"]),
        ("status --source s", ["simulated-phone"]),
        ("shift-clock s", ["simulated-phone"]),
        ("visits --source s", ["simulated-phone"]),
        ("edit last --field ''", ["project="]),
        ("edit last --clear p", ["project", "purpose"]),
        ("rules preset --source s", ["simulated-phone"]),
    ]

    @Test(arguments: wordsOfTheLedger)
    func `bash completes what is in the ledger`(line: String, words: Set<String>) throws {
        let ledger = try Self.ledger.copy()
        #expect(try completions(of: "ledger \(line)", in: ledger) == words)
        #expect(try !ledger.shell("ls").lines.contains("pwned"))
    }

    @Test(
        arguments: [
            "--ledger other trips --vehicle ''", "trips --ledger other --vehicle ''",
            "trips --ledger ./other --vehicle ''", "trips --vehicle '' --ledger other",
        ]
    )
    func `the ledger is the one that the line names`(line: String) throws {
        let ledger = try Self.ledger.copy()
        #expect(try ledger.shell("mv book other").exitCode == 0)
        let words = line.split(separator: " ").map(String.init)
        let position = try #require(words.firstIndex(of: "''"))
        #expect(
            try completions(of: "ledger \(line)", at: position + 1, in: ledger) == ["van", "truck"]
        )
        #expect(try completions(of: "ledger trips --vehicle ''", in: ledger) == [""])
    }

    @Test(
        arguments: [
            "true", "rm -r book", "mkdir -p book/log; echo no > book/log/data.mdb",
            "rm -r book/views", "echo no > book/views/data.mdb", "chmod 0 book",
        ]
    )
    func `nothing is made, changed or complained about to complete a word`(before: String) throws {
        let ledger = try Self.ledger.copy()
        let list = "find . -type f ! -name lock.mdb ! -name completions | sort | xargs cksum 2>&1"
        let files = try ledger.shell("(\(before)) && \(list)").text
        let words = try completions(of: "ledger trip ''", in: ledger)
        #expect(words.isSuperset(of: ["last", "active"]))
        #expect(try ledger.shell(list).text == files)
    }

    @Test func `views that lag behind are read as they are to complete a word`() throws {
        let ledger = try Self.ledger.copy()
        let append = "ledger simulate tunnel --source next | ledger append"
        #expect(try ledger.shell(append).exitCode == 0)
        #expect(
            try completions(of: "ledger trip ''", in: ledger) == ["last", "active", "35e6e935"]
        )
        #expect(try !ledger.run("status", "--format", "json").text.contains("\"lag\":0,"))
        #expect(try completions(of: "ledger trip ''", in: ledger).count == 4)
    }

    @Test(arguments: [
        ("zsh", "35e6e935:2025-03-03 08:30 Lunch: ACME"),
        ("fish", "35e6e935\t2025-03-03 08:30 Lunch: ACME"),
    ])
    func `shells that show descriptions get date and purpose of trips`(
        shell: String,
        line: String
    ) throws {
        let outcome = try Self.ledger.copy()
            .shell(
                "SAP_SHELL=\(shell) ledger ---completion trip -- positional@0 2 0 ledger trip ''"
            )
        #expect(outcome.errors == "")
        #expect(outcome.lines.contains(line))
    }

    /// A ledger with a trip, and with a word for everything that can be completed.
    private static let ledger = LedgerProcess.Fixture(
        shell: """
            ledger init --time-zone Europe/Amsterdam
            ledger simulate home-to-office > drive.jsonl
            ledger append drive.jsonl
            ledger vehicle register van
            ledger edit last --purpose "Lunch: ACME" --client ACME --vehicle truck
            ledger place save Home --at-trip-start last
            ledger place save "D'or" --lat 51 --lon 4
            ledger place save 'A $(touch pwned) `touch pwned` place' --lat 52 --lon 4
            ledger place save "$(printf 'D\\342\\200\\256no')" --lat 52 --lon 5
            ledger routine save Commute --purpose Work
            ledger field define project
            ledger status
            """
    )

    @Test(.enabled(if: isInstalled("zsh"), missing("zsh")))
    func `zsh takes its script for that of the command`() throws {
        let ledger = try LedgerProcess()
        try Self.script(for: "zsh").write(to: ledger.directory.url.appending(path: "_ledger"))
        let outcome = try ledger.shell(
            """
            zsh -f -c 'fpath=($PWD $fpath); autoload -U compinit; compinit -u -D
            print $_comps[ledger]'
            """
        )
        #expect(outcome.text == "_ledger\n")
        #expect(outcome.errors == "")
    }

    @Test(.enabled(if: isInstalled("fish"), missing("fish")))
    func `fish completes commands with what they do`() throws {
        let ledger = try LedgerProcess()
        try Self.script(for: "fish").write(to: ledger.directory.url.appending(path: "ledger.fish"))
        let outcome = try ledger.shell(
            "fish -c 'source ledger.fish; complete -C \"ledger tri\"'"
        )
        #expect(outcome.lines.contains("trip\tShows one trip."))
        let topics = try ledger.shell(
            "fish -c 'source ledger.fish; complete -C \"ledger help da\"'"
        )
        #expect(topics.lines == ["dates"])
    }

    /// The scripts for all shells, which are the same for every ledger and take long to make.
    private static let scripts = Result {
        let ledger = try LedgerProcess()
        return try ["bash", "zsh", "fish"]
            .reduce(into: [String: Data]()) { scripts, shell in
                scripts[shell] = try ledger.run("--generate-completion-script", shell).output
            }
    }

    /// Returns the script for a shell.
    private static func script(for shell: String) throws -> Data {
        try #require(try scripts.get()[shell])
    }

    /// Returns what bash offers for a line that was begun, in place of its last word or another.
    private func completions(
        of line: String,
        at position: Int? = nil,
        in ledger: LedgerProcess
    ) throws -> Set<String> {
        let words = line.split(separator: " ")
        let position = position ?? words.count - 1
        let point = words[...position].joined(separator: " ").replacing("''", with: "").utf8.count
        let script = """
            cat > complete.bash << 'END'
            source ./completions
            COMP_WORDS=(\(line)) COMP_CWORD=\(position)
            COMP_LINE="\(line.replacing("''", with: ""))" COMP_POINT=\(point)
            _ledger ledger \(words[position]) \(words[position - 1])
            printf "%s\\n" "${COMPREPLY[@]}"
            END
            \(Self.bash) complete.bash; rm complete.bash
            """
        try Self.script(for: "bash").write(to: ledger.directory.url.appending(path: "completions"))
        let outcome = try ledger.shell(script)
        #expect(outcome.errors == "")
        return Set(
            outcome.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                .map { $0.trimmingCharacters(in: .whitespaces) }
        )
    }
}
