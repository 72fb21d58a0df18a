import ArgumentParser
import Importers
import LedgerKeeping
import Platform
import TripLedger

/// The form of files of events.
struct InputFormOptions: ParsableArguments {
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("Their format (default: as content tells).", valueName: "format")
    )
    var format: ImportFormat?

    @Option(help: "The source of events that name none.", completion: .source)
    var source: String?

    @Option(help: "The vehicle, where a file names none.", completion: .vehicle)
    var vehicle: String?

    @Option(help: ArgumentHelp("The zone of others' times that name none.", valueName: "zone"))
    var timeZone: String?

    @Option(
        help: ArgumentHelp(
            "What the columns of a table (CSV) mean, as JSON.",
            valueName: "file"
        ),
        completion: .file()
    )
    var map: String?

    @Flag(help: "Propose such a map for a table, and do nothing else.")
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
