import ArgumentParser
import TripEvents

/// The name of a group of sources, as it is given on the command line.
struct SourceGroup: ExpressibleByArgument {
    /// The help of `--group` where sources are new.
    static let help = ArgumentHelp(
        "The group of new sources (default: the owner's).",
        valueName: "group"
    )

    /// The group.
    let name: String

    /// Reads the name of a group, or returns `nil` if none may be called that.
    init?(argument: String) {
        guard (try? TripEvent.checkGroup(named: argument)) != nil else { return nil }
        name = argument
    }
}

/// The option that limits lists and sums to one group of sources.
struct GroupOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only of this group of sources; '' for the owner's.",
            valueName: "group"
        )
    )
    var group: SelectedGroup?

    /// The group that was selected; `nil` for all.
    var selection: GroupSelection? { group?.selection }
}

/// A group of sources, or the ledger's owner, as it is given on the command line.
struct SelectedGroup: ExpressibleByArgument {
    /// The group.
    let selection: GroupSelection

    /// Reads the name of a group, or nothing for the owner; returns `nil` if none may be called
    /// that.
    init?(argument: String) {
        if argument.isEmpty {
            selection = GroupSelection(nil)
        } else {
            guard let group = SourceGroup(argument: argument) else { return nil }
            selection = GroupSelection(group.name)
        }
    }
}
