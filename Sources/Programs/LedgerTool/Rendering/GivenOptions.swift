import ArgumentParser
import LedgerKeeping
import TripEvents

/// The options of a command line that name the ledger and the group: the commands in hints repeat
/// them, because they are about the same ledger and group.
///
/// A ledger that the environment names, or the usual one, needs no option.
struct GivenOptions {
    /// Those of this process; empty for output that people do not type again: in JSON, in help, and
    /// in messages between parts of a command.
    static let current = GivenOptions(Array(CommandLine.arguments.dropFirst()))

    /// `--ledger book`, ready for a shell; empty if it was not given.
    private var ledger = ""

    /// `--group 17`, likewise.
    private var group = ""

    /// Finds them among the arguments of `ledger`.
    private init(_ arguments: [String]) {
        // Usually neither is given, and the command need not be searched.
        let options = [Self.ledgerOption, Self.groupOption]
        guard arguments.contains(where: { options.contains(where: $0.hasPrefix) }) else { return }
        let command = NamedCommand(arguments: arguments)
        guard !ErrorReport.isAskedFor, !command.isForHelp,
            command.words.first?.hasPrefix("_") != true
        else { return }
        // A token is given to a ledger by its id, with an option of the same name.
        let takesID = command.words == Self.tokenChange
        ledger = Self.option(Self.ledgerOption, in: arguments) { directory in
            !takesID || !SyncGreeting.isLedgerID(directory)
        }
        guard let first = command.words.first, !Self.withOtherGroups.contains(first) else { return }
        group = Self.option(Self.groupOption, in: arguments) { _ in true }
    }

    /// Whether hints are complete without any.
    var isEmpty: Bool { ledger.isEmpty && group.isEmpty }

    /// Returns what a command needs.
    ///
    /// - Parameter words: The command without `ledger`, as far as it is written.
    /// - Returns: The options to insert after `ledger`, and those to insert after a number of words
    ///   of the command, each with a blank before it; empty for options that it has or does not
    ///   take.
    func completing(
        _ words: [String]
    ) -> (behindName: String, behindWords: String, wordCount: Int) {
        let command = NamedCommand(words, within: LedgerCommand.self)
        let first = command.words.first ?? ""
        func has(_ option: String) -> Bool {
            command.rest.contains { $0 == option || $0.hasPrefix(option + "=") }
        }
        let namesLedger =
            has(Self.ledgerOption) && command.words != Self.tokenChange
            // `verify` checks the ledger of the option, or a subject.
            || first == "verify" && command.rest.first?.hasPrefix("-") == false
        let needsLedger =
            !ledger.isEmpty && !command.isGroup && !namesLedger
            && !Self.withoutLedger.contains(first)
        let needsGroup =
            !group.isEmpty && Self.ofGroup.contains(command.words) && !has(Self.groupOption)
            && !has("--all")
        return (
            needsLedger ? " " + ledger : "", needsGroup ? " " + group : "", command.words.count
        )
    }

    private static let (ledgerOption, groupOption) = ("--ledger", "--group")

    private static let tokenChange = ["token", "change"]

    /// The commands that take no option for a ledger.
    private static let withoutLedger: Set = [
        "convert", "help", "rescue", "schema", "simulate", "witness", "worker",
    ]

    /// The commands whose `--group` is not the group that later commands are about.
    private static let withOtherGroups: Set = ["erase", "export", "token", "worker"]

    /// The commands that list rows of a group, or set something that each group has under its own
    /// name.
    ///
    /// A trip is known by its id in any group.
    private static let ofGroup: Set = [
        ["trips"], ["totals"], ["odometer"], ["vehicle", "list"], ["vehicle", "register"],
        ["place", "save"], ["place", "remove"], ["routine", "save"], ["routine", "remove"],
        ["field", "define"],
    ]

    /// Returns an option with its last value that is meant; empty if there is none.
    private static func option(
        _ name: String,
        in arguments: [String],
        where isMeant: (String) -> Bool
    ) -> String {
        let words = Array(arguments.prefix { $0 != "--" })
        let values = words.indices
            .compactMap { index -> String? in
                if words[index] == name { return index + 1 < words.count ? words[index + 1] : nil }
                let isJoined = words[index].hasPrefix(name + "=")
                return isJoined ? String(words[index].dropFirst(name.count + 1)) : nil
            }
        guard let value = values.last(where: isMeant), !value.isEmpty else { return "" }
        return Excerpt.escaped(ShellWord.option(name, value))
    }
}
