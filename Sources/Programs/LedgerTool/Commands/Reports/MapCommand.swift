import ArgumentParser
import Geodesy
import LedgerRows
import Maps
import Papers
import Platform
import Projections
import SystemPackage
import Tables
import TripEvents
import TripLedger

/// The command `ledger map`.
struct MapCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "map",
        abstract: "Draws the ways of trips on a map that needs no network.",
        discussion: """
            Of a trip it shows the fixes to which the distance was measured, gaps as dashes, fixes \
            that were not counted as crosses, places, and how fast it was. Up to eight trips have \
            a colour each, more of them that of their class. A year, or more than 150 trips, shows \
            how often each road was driven.

            The name of the file says how it is drawn: .html is a page that can be moved and \
            enlarged, .svg, .png and .pdf are pictures, .json is what `ledger-print` draws the \
            last two of. All hold what they need. Land and borders are shown on \
            maps of more than 120 km; --tiles lets an HTML page ask a server for streets, and so \
            tells that server what is looked at. The same ledger gives the same bytes.

            Examples:
              ledger map last -o trip.html
              ledger map --day 2026-03-14 -o day.svg
              ledger map --year 2025 -o year.html
              ledger map --month 2026-03 -o march.png
              ledger map last -o - --format svg > trip.svg
              ledger map last -o trip.html --tiles https://tile.example.org/{z}/{x}/{y}.png
            """
    )

    /// How a map is written.
    enum Form: String, CaseIterable, ExpressibleByArgument {
        case html, svg, png, pdf, json
    }

    @OptionGroup var book: LedgerOption

    @Argument(
        help: ArgumentHelp(
            "The trips: the beginnings of their ids, or last, or active.",
            valueName: "trip"
        )
    )
    var trips: [TripReference] = []

    @OptionGroup var days: PeriodOptions

    @Option(help: "Only trips of this source; can be repeated.", completion: .source)
    var source: [String] = []

    @OptionGroup var moment: AsOfOption

    @Option(help: "The unit of distances (default: the ledger's).")
    var units: DistanceUnit?

    @Option(help: "The language of its words (default: en).")
    var language: Language = .en

    @Flag(help: "Mark fixes that were not counted, however many trips there are.")
    var all = false

    @Option(
        help: ArgumentHelp(
            "Where an HTML page gets tiles of streets: an address with {z}, {x} and {y}.",
            valueName: "address"
        )
    )
    var tiles: String?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The file: its name ends with .html, .svg, .png, .pdf or .json; - is standard output.",
            valueName: "file"
        ),
        completion: .file(extensions: ["html", "svg", "png", "pdf", "json"])
    )
    var output: String

    @Option(help: "How the map is written (default: by the name of --output).")
    var format: Form?

    @Flag(help: "Replace the file if it is there.")
    var replace = false

    private var form: Form? {
        if let format { return format }
        let name = output.lowercased()
        return Form.allCases.first { name.hasSuffix(".\($0.rawValue)") }
    }

    func validate() throws {
        let isLimited = !days.isUnlimited || !source.isEmpty
        guard trips.isEmpty || !isLimited else {
            throw ValidationError("Name trips, or say which days and sources: not both.")
        }
        guard !trips.isEmpty || isLimited else {
            throw ValidationError(
                "Name a trip, such as last, or say which, such as --month 2026-03."
            )
        }
        guard let form else {
            guard output != HandedOutFile.standardOutput else {
                throw ValidationError("Standard output has no name: say how with --format.")
            }
            throw ValidationError(
                "The name of a map ends with .html, .svg, .png, .pdf or .json: "
                    + "\(Excerpt.escaped(output)) does not. Name another file, or say --format."
            )
        }
        guard let tiles else { return }
        guard form == .html else {
            throw ValidationError("--tiles is for HTML pages: a picture loads no tiles.")
        }
        guard MapPage.Tiles(tiles) != nil else {
            throw ValidationError(
                "--tiles is no address of tiles: it begins with https:// and has {z}, {x} and {y}, "
                    + "such as https://tile.example.org/{z}/{x}/{y}.png."
            )
        }
    }

    func run() throws {
        let ledger = try book.open()
        defer { ledger.close() }
        let style = try style(in: ledger)
        let drawn = try ledger.read(asOf: try moment.instant(in: ledger)) { snapshot in
            for name in source { try snapshot.requireSource(named: name) }
            let places = try snapshot.places()
            let found = try found(snapshot, of: ledger, places)
            guard !found.isEmpty else { return ([NamedTrip](), MapContent?.none) }
            return (found, try content(found, in: snapshot, places, style))
        }
        guard let content = drawn.1 else {
            return Diagnostic.say("There are no trips to draw.\n")
        }
        guard let bytes = try bytes(of: content) else {
            return Diagnostic.say(
                "There is nothing to draw: no fix of these trips was counted.\n"
            )
        }
        guard output != HandedOutFile.standardOutput else {
            return try Output.standard.writing { try $0.write(bytes) }
        }
        try HandedOutFile.put(bytes, at: output, isReplacing: replace)
        let what = Count.text(drawn.0.count, "trip", "trips")
        try Output.standard.writing { output in
            try output.writeLine(
                "Drew \(what) in \(Excerpt.escaped(self.output)), \(bytes.count) bytes."
            )
        }
    }

    /// Returns the trips that were asked for, the oldest first.
    private func found(
        _ snapshot: borrowing Snapshot,
        of ledger: Ledger,
        _ places: PlaceBook
    ) throws -> [NamedTrip] {
        guard trips.isEmpty else {
            var ids: Set<TripID> = []
            return try trips.map { try snapshot.trip($0) }
                .filter { ids.insert($0.trip.id).inserted }
                .sorted { $0.trip.startedAt.timestamp < $1.trip.startedAt.timestamp }
                .map { NamedTrip($0.booked, places: places) }
        }
        let period = days.isUnlimited ? nil : try days.period(in: ledger)
        return try snapshot.trips(TripFilter(period: period, isOldestFirst: true))
            .filter { source.isEmpty || source.containsName($0.trip.source) }
            .map { NamedTrip($0.booked, places: places) }
    }

    private func content(
        _ found: [NamedTrip],
        in snapshot: borrowing Snapshot,
        _ places: PlaceBook,
        _ style: TextStyle
    ) throws -> MapContent {
        var map = TripMap(found, style, isYear: days.year != nil, showsRejected: all)
        if found.count == 1, let trip = found.first?.booked {
            map.add(try snapshot.explain(.prefix(trip.id.description)))
        }
        if !places.isEmpty, let filter = map.visits {
            for visit in try snapshot.visits(filter) { map.add(visit) }
        }
        try snapshot.readFixes(of: found.map(\.booked.id), tellingOrigins: false) { map.add($0) }
        let head = snapshot.head
        return map.content(
            places,
            period: period(style.clock),
            evidence: MapPhrases.evidence(snapshot.founding.ledger, head.size, head.root)
        )
    }

    /// Returns the days that were asked for, in words.
    private func period(_ clock: LocalDay?) -> Phrase? {
        if let year = days.year { return .own(String(year)) }
        let now = EventTime(WallClock.now)
        let today = clock?.day(of: now) ?? CivilDate(of: now)
        if let day = days.day?.day(on: today) { return Phrase("\(day)") }
        if let days = days.month?.days(on: today) {
            return .own(String(days.first.description.prefix(7)))
        }
        return MapPhrases.period(days.from?.days(on: today).first, days.to?.days(on: today).last)
    }

    /// Returns the file's bytes; `nil` if nothing has a position.
    ///
    /// - Throws: `LedgerError` if `ledger-print` is not there or fails.
    private func bytes(of content: MapContent) throws -> [UInt8]? {
        var bytes: [UInt8] = []
        switch form {
        case nil: return nil
        case .html:
            guard let page = MapPage(content, tiles: tiles.flatMap { MapPage.Tiles($0) }) else {
                return nil
            }
            if tiles != nil, !page.canHaveTiles {
                Diagnostic.say("Tiles do not reach the poles: this map is drawn without them.\n")
            }
            page.append(to: &bytes)
        case .svg:
            guard let picture = MapSheet(content)?.picture, let page = picture.pages.first else {
                return nil
            }
            var writer = SVGWriter(.file)
            writer.append(page, titled: picture.title, to: &bytes)
        case .json:
            guard let picture = MapSheet(content)?.picture else { return nil }
            bytes = picture.json + [UInt8(ascii: "\n")]
        case .png, .pdf:
            guard let picture = MapSheet(content)?.picture, let form else { return nil }
            bytes = try PrintProcess.draw(picture, as: form.rawValue)
        }
        return bytes
    }

    private func style(in ledger: Ledger) throws -> TextStyle {
        var style = TextStyle.screen(for: ledger, unit: units)
        style.width = nil
        style.usesEmphasis = false
        style.language = language
        if let clock = try days.clock { style.clock = clock }
        return style
    }
}
