import Foundation
import LedgerTestSupport
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
    }

    @Test(.enabled(if: isInstalled("zsh"), missing("zsh")))
    func `zsh takes its script for that of the command`() throws {
        let ledger = try LedgerProcess()
        let outcome = try ledger.shell(
            """
            ledger --generate-completion-script zsh > _ledger
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
        let outcome = try ledger.shell(
            """
            ledger --generate-completion-script fish > ledger.fish
            fish -c 'source ledger.fish; complete -C "ledger tri"'
            """
        )
        #expect(outcome.lines.contains("trip\tShows one trip."))
    }

    /// Returns what bash offers for a line that was begun.
    private func completions(of line: String, in ledger: LedgerProcess) throws -> Set<String> {
        let words = line.split(separator: " ")
        let script = """
            ledger --generate-completion-script bash > completions
            \(Self.bash) -c 'source ./completions
            COMP_WORDS=(\(line)) COMP_CWORD=\(words.count - 1)
            COMP_LINE="\(line)" COMP_POINT=\(line.utf8.count)
            _ledger ledger \(words.last ?? "") \(words.dropLast().last ?? "")
            printf "%s\\n" "${COMPREPLY[@]}"'
            """
        let outcome = try ledger.shell(script)
        #expect(outcome.errors == "")
        return Set(outcome.lines.map { $0.trimmingCharacters(in: .whitespaces) })
    }
}
