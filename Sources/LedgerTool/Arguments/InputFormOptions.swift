import ArgumentParser
import Importers
import LedgerKeeping
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
            "The vehicle that the recorder was in, where a file names none: of odometers, which "
                + "are left out without it, of GO, and of the trips that `append` makes, each of "
                + "which it edits."
        ),
        completion: .vehicle
    )
    var vehicle: String?

    @Option(
        help: ArgumentHelp(
            "The time zone of times that name none, such as Europe/Amsterdam; without it, they are "
                + "refused.",
            valueName: "zone"
        )
    )
    var timeZone: String?

    @Option(
        help: ArgumentHelp(
            "What the columns of a table (CSV) mean: a file of JSON, of which `ledger schema "
                + "column-map` tells the form.",
            valueName: "file"
        ),
        completion: .file()
    )
    var map: String?

    @Flag(
        help: ArgumentHelp(
            "Propose such a map for a table, as its columns are called, and do nothing else."
        )
    )
    var suggestMap = false

    func validate() throws {
        guard map == nil || format == nil || format == .csv else {
            throw ValidationError("A map is for tables: leave --as out, or say --as csv.")
        }
        guard map == nil || !suggestMap else {
            throw ValidationError("Give a map with --map, or ask for one with --suggest-map.")
        }
    }

    /// Returns what was asked for.
    func form() throws -> InputForm {
        var form = InputForm(format: format)
        form.options.source = source
        form.options.vehicle = vehicle
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
        if let map {
            form.format = .csv
            form.options.columnMap = try columnMap(in: map, form.options)
        }
        return form
    }

    private func columnMap(
        in name: String,
        _ options: ImportOptions
    ) throws -> ColumnMap {
        let bytes = try InputFile.bytes(of: name)
        let map: ColumnMap
        do throws(ColumnMapProblem) {
            map = try ColumnMap(json: bytes.span)
        } catch {
            let place = error.member.map { "\(name): \(Excerpt.escaped($0))" } ?? name
            let cure = error.cure.last == "." ? String(error.cure.dropLast()) : error.cure
            throw LedgerError(.unreadableInput, at: place, cause: error.cause, hint: cure)
        }
        if let zone = map.timeZoneName, options.zoneNamed?(zone) == nil {
            throw LedgerError(
                .unreadableInput,
                at: "\(name): time_zone",
                cause: "\(Excerpt.escaped(zone)) is no time zone that this machine knows",
                hint: "They have names such as Europe/Paris; see /usr/share/zoneinfo"
            )
        }
        return map
    }
}
