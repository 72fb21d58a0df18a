import Foundation

/// A session at a terminal: commands, and exactly what each must print.
///
/// A line that starts with `$ ` is a command of the shell; what follows is what it prints. Lines of
/// standard error come after those of standard output and start with `! `; `[exit N]` follows if
/// the exit code is not 0. Lines that start with `# ` are remarks on the next command.
package struct Transcript: Equatable {
    /// A command and what it prints.
    package struct Step: Equatable {
        package var remarks: [String]
        package var command: String
        package var response: [String] = []
    }

    package var steps: [Step] = []

    package init(_ text: String) {
        var lines = text.components(separatedBy: "\n")
        if lines.last == "" { lines.removeLast() }
        var remarks: [String] = []
        for line in lines {
            if line.hasPrefix("# ") {
                remarks.append(line)
            } else if line.hasPrefix("$ ") {
                steps.append(Step(remarks: remarks, command: String(line.dropFirst(2))))
                remarks = []
            } else if !steps.isEmpty {
                steps[steps.count - 1].response.append(line)
            }
        }
    }

    /// The transcript as a file.
    package var text: String {
        let lines = steps.flatMap { $0.remarks + ["$ " + $0.command] + $0.response }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Runs the commands one after the other, and returns what they print now.
    package func replayed(in ledger: LedgerProcess) throws -> Transcript {
        var replayed = self
        for index in steps.indices {
            let outcome = try ledger.shell(steps[index].command)
            let normalizer = Normalizer(directory: ledger.directory.path)
            let output = Self.lines(of: outcome.text)
            let errors = Self.lines(of: outcome.errors).map { "! " + $0 }
            let exit = outcome.exitCode == 0 ? [] : ["[exit \(outcome.exitCode)]"]
            replayed.steps[index].response =
                (output + errors).map(normalizer.normalized) + exit
        }
        return replayed
    }

    /// Cuts text into lines; a carriage return is shown, for it is part of what was printed.
    private static func lines(of text: String) -> [String] {
        guard !text.isEmpty else { return [] }
        let shown = text.replacingOccurrences(of: "\r", with: "<CR>")
        var lines = shown.components(separatedBy: "\n")
        if lines.last == "" {
            lines.removeLast()
        } else {
            lines.append("<no line feed>")
        }
        return lines
    }
}
