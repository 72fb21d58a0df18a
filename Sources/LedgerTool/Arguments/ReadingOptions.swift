import ArgumentParser
import Platform
import TripEvents

/// What a server needs to know to read what is delivered with a token.
struct ReadingOptions: ParsableArguments {
    @Option(
        name: .customLong("tz"),
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
        if let timeZone, !MachineTimeZone.isKnown(timeZone) {
            throw ValidationError("There is no time zone \(Excerpt.escaped(timeZone)) here.")
        }
    }
}
