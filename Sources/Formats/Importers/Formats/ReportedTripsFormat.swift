import TripEvents

/// The tables of trips that MileIQ and Everlance export: reported trips, without any measurements.
///
/// Source: files of users, for neither app documents its table. Distances are in miles of
/// 1,609.344 m. MileIQ's times are local and name no zone, Everlance's name it as Ruby on Rails
/// does.
struct ReportedTripsFormat: LineFormat {
    private static let thousandthsOfMetersPerMile: Int64 = 1_609_344

    private let options: ImportOptions
    private var header: ReportedTripsHeader?

    /// The rows before; `nil` before the columns are found.
    private var earlier: EarlierRows?

    /// Whether the line of totals has come, after which apps write remarks.
    private var hasEnded = false

    private var lastNumber = 0

    init(_ options: ImportOptions) {
        self.options = options
    }

    mutating func take(
        _ text: Span<UInt8>,
        _ line: Range<Int>,
        _ number: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        lastNumber = number
        guard let header else {
            header = ReportedTripsHeader(text, line)
            earlier = header.map { EarlierRows($0, text, line) }
            return header == nil ? batch.ignore("preamble", record: number) : ()
        }
        let cells = CSVCells(text, line, separator: header.separator)
        if let first = cells.text(0, text), first.lowercased().hasPrefix("total") {
            hasEnded = true
        }
        guard !hasEnded else { return batch.ignore("totals", record: number) }
        guard cells.ranges.contains(where: { !$0.isEmpty }) else {
            return batch.ignore("empty", record: number)
        }
        try cells.check(columnCount: header.columnCount)
        let first = batch.items.count
        try read(text, cells, header, number, into: &batch)
        earlier?.compare(text, line, number, itemsFrom: first, in: &batch)
    }

    private func read(
        _ text: Span<UInt8>,
        _ cells: CSVCells,
        _ header: ReportedTripsHeader,
        _ number: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        let trip = ReportedTrip(header, cells, text)
        let (start, end) = try times(of: trip)
        guard let miles = trip[.miles] else { throw .missingField("distance_m") }
        var event = batch.begin(
            .tripReported,
            of: options.source ?? header.format.rawValue,
            at: PreciseTime(end)
        )
        batch.add("started_at", text: Self.text(start), to: &event)
        batch.add("ended_at", text: Self.text(end), to: &event)
        if let origin = trip[.origin] { batch.add("from", text: origin, to: &event) }
        if let destination = trip[.destination] { batch.add("to", text: destination, to: &event) }
        for (column, name) in [
            (TripColumn.originAddress, "from_address"), (.destinationAddress, "to_address"),
        ] {
            if let address = trip[column] { batch.add(name, text: address, to: &event) }
        }
        batch.add("distance_m", meters: miles, Self.thousandthsOfMetersPerMile, to: &event)
        batch.add("imported_from", text: header.format.title, to: &event)
        for (column, name) in [
            (TripColumn.purpose, "purpose"), (.notes, "notes"), (.client, "client"),
            (.vehicle, "vehicle"),
        ] {
            if let value = trip[column], name != "purpose" || TripClass(word: value) == nil {
                batch.add(name, text: value, to: &event)
            }
        }
        if let value = trip[.category] ?? trip[.purpose], let tripClass = TripClass(word: value) {
            batch.add("class", text: tripClass.rawValue, to: &event)
        } else if let category = trip[.category] {
            batch.add("category", text: category, to: &event)
        }
        addPayments(of: trip, to: &event, of: &batch)
        batch.end(event, record: number)
    }

    /// Adds what was paid on the way, without empty amounts.
    private func addPayments(
        of trip: ReportedTrip,
        to event: inout ImportBatch.Draft,
        of batch: inout ImportBatch
    ) {
        var numbers: [(name: String, number: ScaledDecimal)] = []
        for (column, name) in [(TripColumn.parking, "parking"), (.tolls, "tolls")] {
            guard let text = trip[column] else { continue }
            guard let payment = PaidAmount(text) else {
                batch.leave(name, unread: text, of: &event)
                continue
            }
            guard payment.number.significand != 0 else { continue }
            numbers.append((name, payment.number))
            batch.note(payment)
        }
        batch.add("fields", numbers: numbers, to: &event)
    }

    mutating func finish(into batch: inout ImportBatch) {
        guard header == nil, lastNumber > 0 else { return }
        let sentence = "No line names the columns of a table of trips of MileIQ or Everlance."
        batch.reject(Rejection(.invalidValue, sentence: sentence), record: lastNumber)
    }

    /// Returns when a trip started and ended.
    ///
    /// A trip that was typed in may have a day alone: it is put at noon, and took no time.
    private func times(
        of trip: ReportedTrip
    ) throws(Rejection) -> (start: EventTime, end: EventTime) {
        let zone = trip[.zone]
            .flatMap { name in options.zoneNamed?(RailsZone.tzName(of: name) ?? name) }
        let clock = TimeText(zone: zone ?? options.zone)
        let day = trip[.date]
        let startText = day.map { "\($0) \(trip[.startTime] ?? "")" } ?? trip[.start]
        let endText = day.map { "\($0) \(trip[.endTime] ?? trip[.startTime] ?? "")" } ?? trip[.end]
        let start = try Self.moment(startText, "started_at")
        var end = try Self.moment(endText, "ended_at")
        // It went on over midnight, and the table has one day.
        if day != nil, end.time.local < start.time.local { end.time.addDay() }
        return (
            try clock.localTime(start.time.local, written: start.text, in: "started_at"),
            try clock.localTime(end.time.local, written: end.text, in: "ended_at")
        )
    }

    private static func moment(
        _ text: String?,
        _ name: String
    ) throws(Rejection) -> (time: AmericanTime, text: [UInt8]) {
        guard let text else { throw .missingField(name) }
        guard let time = AmericanTime(text) else {
            throw Rejection(
                .invalidTime,
                field: name,
                sentence:
                    "\(name) is \(Excerpt.of(text)), which is no time such as 1/31/2024 8:05 AM."
            )
        }
        return (time, Array(text.utf8))
    }

    private static func text(_ time: EventTime) -> String {
        RFC3339.text(time.timestamp, utcOffset: time.utcOffset)
    }
}

extension TripClass {
    /// The words that apps, and tables in several languages, have for classes.
    private static let words: [TripClass: Set<String>] = [
        .business: [
            "work", "zakelijk", "zakelijke rit", "werk", "geschäftlich", "dienstlich", "beruflich",
            "betrieblich", "geschäftsfahrt", "dienstfahrt", "professionnel", "professionnelle",
            "trabajo", "lavoro",
        ],
        .commute: [
            "commuting", "woon-werk", "woonwerk", "woon-werkverkeer", "arbeitsweg",
            "wohnung-arbeit", "domicile-travail", "trajet domicile-travail",
        ],
        .personal: [
            "private", "privé", "prive", "privérit", "privat", "privatfahrt", "personnel",
            "personnelle", "privado", "privato", "personale",
        ],
        .medical: ["medisch", "medizinisch", "médical", "médico", "medico"],
        .charity: ["charitable", "liefdadig", "gemeinnützig", "caritatif"],
        .moving: ["verhuizing", "umzug", "déménagement"],
        .mixed: ["gemengd", "gemischt", "mixte"],
    ]

    /// Finds the class that a word stands for.
    init?(word: String) {
        let word = word.lowercased()
        if let own = TripClass(rawValue: word) {
            self = own
        } else if let found = Self.words.first(where: { $0.value.contains(word) }) {
            self = found.key
        } else {
            return nil
        }
    }
}

extension ImportBatch {
    /// Adds a distance in metres that was written in another unit.
    fileprivate mutating func add(
        _ name: String,
        meters written: String,
        _ thousandthsOfMeters: Int64,
        to draft: inout Draft
    ) {
        let text = Array(written.utf8)
        let meters = NumberText.decimal(text.span, text.indices)
            .flatMap { ExactDecimal($0).multiplied(byThousandths: thousandthsOfMeters) }
        guard let meters else {
            draft.rejection =
                draft.rejection
                ?? Rejection(
                    .invalidNumber,
                    field: name,
                    sentence: "The distance is \(Excerpt.of(written)), which is no number."
                )
            return
        }
        add(name, json: meters.description, to: &draft)
    }

    /// Adds an object of numbers, if there is one.
    mutating func add(
        _ name: String,
        numbers: [(name: String, number: ScaledDecimal)],
        to draft: inout Draft
    ) {
        guard !numbers.isEmpty else { return }
        let members = numbers.map { "\"\($0.name)\":\($0.number)" }.joined(separator: ",")
        add(name, json: "{\(members)}", to: &draft)
    }
}

/// A column that a table of trips may have.
private enum TripColumn: CaseIterable {
    case start
    case end
    case date
    case startTime
    case endTime
    case zone
    case origin
    case destination
    case originAddress
    case destinationAddress
    case miles
    case category
    case purpose
    case notes
    case client
    case vehicle
    case parking
    case tolls

    /// The names that apps give it, as ``CSVCells/names(_:)`` has them, best first.
    var names: [String] {
        switch self {
        case .start: ["startdate"]
        case .end: ["enddate"]
        case .date: ["date"]
        case .startTime: ["timestarted"]
        case .endTime: ["timeended"]
        case .zone: ["timezone"]
        case .origin: ["start", "from", "fromfulladdress"]
        case .destination: ["stop", "to", "tofulladdress"]
        case .originAddress: ["fromfulladdress"]
        case .destinationAddress: ["tofulladdress"]
        case .miles: ["miles"]
        case .category: ["category"]
        case .purpose: ["purpose"]
        case .notes: ["notes"]
        case .client: ["incomesource"]
        case .vehicle: ["vehicle"]
        case .parking: ["parking"]
        case .tolls: ["tolls"]
        }
    }
}

/// The line of a table of trips that names its columns.
struct ReportedTripsHeader {
    /// The app that wrote the table.
    let format: ImportFormat

    /// The separator of cells.
    let separator: UInt8

    /// How many columns are named.
    let columnCount: Int

    /// The indices of a column, of which the first with something in it counts.
    private let columns: [TripColumn: [Int]]

    /// Reads a line; `nil` if it names the columns of no table of trips that is known.
    init?(_ text: Span<UInt8>, _ line: Range<Int>) {
        let counts = CSVCellCounts(text, line)
        for separator in CSVCells.separators where counts[separator] >= 3 {
            let names = CSVCells(text, line, separator: separator).names(text)
            if ["startdate", "enddate", "miles"].allSatisfy(names.contains) {
                format = .mileiq
            } else if ["date", "miles", "timestarted", "timeended"].allSatisfy(names.contains) {
                format = .everlance
            } else {
                continue
            }
            self.separator = separator
            columnCount = names.count
            columns = TripColumn.allCases.reduce(into: [:]) { columns, column in
                columns[column] = column.names.compactMap { names.firstIndex(of: $0) }
            }
            return
        }
        return nil
    }

    /// The columns that are read.
    var readColumns: Set<Int> { Set(columns.values.joined()) }

    /// The indices of a column.
    fileprivate subscript(column: TripColumn) -> [Int] { columns[column] ?? [] }
}

/// The cells of a trip.
private struct ReportedTrip {
    private let texts: [TripColumn: String]

    init(_ header: ReportedTripsHeader, _ cells: CSVCells, _ text: Span<UInt8>) {
        var texts: [TripColumn: String] = [:]
        for column in TripColumn.allCases {
            for index in header[column] where texts[column] == nil {
                texts[column] = cells.text(index, text)
            }
        }
        self.texts = texts
    }

    /// The text of a column; `nil` if it is empty.
    subscript(column: TripColumn) -> String? { texts[column] }
}
