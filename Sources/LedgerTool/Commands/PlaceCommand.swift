import ArgumentParser

/// The command `ledger place`.
struct PlaceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "place",
        abstract: "Names places, such as home and office.",
        discussion: """
            Trips show the names of the places where they start and end. A name that is given \
            today holds for earlier trips as well; when a place moves, earlier trips keep the old \
            one.

            Examples:
              ledger place save Home --at-trip-start last
              ledger place save Office --lat 51.942 --lon 4.485 --radius 150
              ledger place list
            """,
        subcommands: [PlaceSaveCommand.self, PlaceListCommand.self, PlaceRemoveCommand.self]
    )
}
