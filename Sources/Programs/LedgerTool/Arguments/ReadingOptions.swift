import ArgumentParser
import Platform
import TripEvents

/// The options that a server needs to read deliveries with a token.
struct ReadingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The time zone of times that are delivered without one, such as Europe/Amsterdam.",
            valueName: "zone"
        )
    )
    var timeZone: String?

    @Option(
        help: ArgumentHelp(
            "Where the key of encrypted messages of OwnTracks is read from: a file, or - for "
                + "standard input.",
            valueName: "file"
        ),
        completion: .file()
    )
    var owntracksKey: String?

    func validate() throws {
        if let timeZone { try PeriodOptions.requireKnown(timeZone: timeZone) }
    }
}
