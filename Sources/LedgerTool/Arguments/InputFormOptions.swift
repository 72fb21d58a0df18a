import ArgumentParser
import Importers
import Platform
import RowFormats
import TripLedger

/// In which form files of events are.
struct InputFormOptions: ParsableArguments {
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "The format of the files (default: as their content tells).",
            valueName: "format"
        )
    )
    var format: ImportFormat?

    @Option(
        help: ArgumentHelp(
            "The source of events that name none; with the format of another app, of all that it "
                + "recorded."
        ),
        completion: .source
    )
    var source: String?

    @Option(
        help: ArgumentHelp(
            "The time zone of times that name none, such as Europe/Amsterdam; without it, they are "
                + "refused.",
            valueName: "zone"
        )
    )
    var timeZone: String?

    /// Returns what was asked for.
    func form() throws -> InputForm {
        var form = InputForm(format: format)
        form.options.source = source
        if let timeZone {
            do {
                form.options.zone = try TimeZoneRules.ofMachine(named: timeZone)
            } catch {
                throw ValidationError(
                    "\(Excerpt.escaped(timeZone)) is no time zone that this machine knows; see "
                        + "/usr/share/zoneinfo."
                )
            }
        }
        return form
    }
}
