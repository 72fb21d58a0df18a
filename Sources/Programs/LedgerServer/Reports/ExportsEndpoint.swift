import Hummingbird
import LedgerHTTP
import Platform
import ServerStore
import TripEvents
import TripLedger

/// Answers trips in the forms of other programs: what `ledger trips` and `ledger track` write.
struct ExportsEndpoint: Sendable {
    /// The maker of files.
    let maker: ReportMaker

    /// A form of files.
    private enum Form: String, CaseIterable {
        case gpx
        case geojson
        case kml
        case csv
        case excel
        case ics

        var mediaType: String {
            switch self {
            case .gpx: "application/gpx+xml"
            case .geojson: "application/geo+json"
            case .kml: "application/vnd.google-earth.kml+xml"
            case .csv, .excel: "text/csv; charset=utf-8"
            case .ics: "text/calendar; charset=utf-8"
            }
        }

        /// The end of the name of a file.
        var ending: String { self == .excel ? Self.csv.rawValue : rawValue }

        /// Whether a file of one trip contains its positions instead of a line of a list.
        var hasPositionsOfTrip: Bool { self != .excel && self != .ics }
    }

    private static let form = Parameter(
        "form",
        .word(Form.allCases.map(\.rawValue)),
        "What is written; excel is CSV as spreadsheet programs of a language open it",
        isRequired: true
    )

    private static let trip = Parameter(
        "trip",
        .text,
        "Only this trip: its positions in gpx, geojson, kml and csv, else its line of the list"
    )

    private static let language = Parameter(
        "language",
        .word(["de", "en", "fr", "nl"]),
        "The language of the spreadsheet program; en if it is not said"
    )

    /// The choices of trips, each an option of the command too.
    private static let choices =
        Query.days + [
            Parameter("class", .word(TripClass.allCases.map(\.rawValue)), "Only of this class"),
            Parameter("vehicle", .text, "Only with this vehicle"),
            Parameter("place", .text, "Only those that start or end at this place"),
            Parameter("source", .text, "Only of this source"),
            Parameter(
                "status",
                .word(BookedStatus.allCases.map(\.rawValue)),
                "Only trips with this status, also of all"
            ),
            Parameter("text", .text, "Only with all these words in details or places"),
        ]

    /// The paths.
    var routes: [Route] {
        var answer = AnswerForm(mediaType: Form.gpx.mediaType, schema: nil)
        answer.others = [Form.geojson, .kml, .csv, .ics].map { ($0.mediaType, nil) }
        return [
            Route(
                .get,
                "/v1/exports",
                "Trips as a file for maps, spreadsheets and calendars",
                [Self.form, Self.trip, Self.language] + Self.choices,
                as: answer,
                for: [.read, .admin],
                export
            )
        ]
    }

    private func export(_ call: Call) async throws(Problem) -> Response {
        guard let form = Form(rawValue: try call.query.require(Self.form)) else { throw .unknown }
        let file: NamelessFile
        var words = ["trips"]
        let trip = call.query.text(Self.trip.name)
        if let trip, TripReference(trip) == nil { throw .unknown }
        _ = try call.query.bounds()
        if let trip, form.hasPositionsOfTrip {
            words = ["trip", trip]
            file = try await maker.export(
                ["track", "--format=\(form.rawValue)"],
                of: trip,
                for: call.access.holder
            )
        } else {
            var options = ["--format=\(form.ending)"]
            if form == .excel {
                options = ["--excel=\(call.query.text(Self.language.name) ?? "en")"]
            }
            if let trip {
                words = ["trip", trip]
                options.append("--trip=\(trip)")
            } else {
                words += ["from", "to"].compactMap { call.query.text($0) }
            }
            for choice in Self.choices {
                guard let text = call.query.text(choice.name) else { continue }
                options.append("--\(choice.name)=\(text)")
            }
            file = try await maker.export(["trips"] + options, for: call.access.holder)
        }
        let name = FileAnswer.name(words) + "." + form.ending
        return try FileAnswer(file, as: form.mediaType, named: name).response(while: call.standing)
    }
}
