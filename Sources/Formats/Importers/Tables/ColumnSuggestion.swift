import TripEvents

/// A proposed map for a table with telling names of columns: people check and change it before it
/// is used.
public struct ColumnSuggestion: Sendable {
    /// The map, as far as the columns tell it.
    let map: ColumnMap

    /// What the columns of the table are called, in their order.
    public let names: [String]

    /// Notes on what the owner has to check, each in a sentence.
    public private(set) var notes: [String] = []

    /// Whether the map has everything that a row needs.
    public private(set) var isComplete = true

    /// The most rows that are looked at.
    private static let mostSamples = 20

    /// Proposes a map for the table that a text begins with; `nil` if no line of it names columns
    /// of fixes or of trips.
    ///
    /// - Parameter head: The first ``ImportFormat/headByteCount`` bytes, or all if there are fewer.
    public init?(head: Span<UInt8>) {
        let text = TextDecoding.utf8(of: head)
        let lines = Self.lines(text.span)
        var best: (table: SampleTable, found: [ColumnMap.Field: Int], rows: ColumnMap.Rows)?
        for (index, line) in lines.prefix(Self.mostLinesBefore).enumerated() {
            let samples = lines[(index + 1)...].prefix(Self.mostSamples)
            let table = SampleTable(text.span, line, Array(samples))
            for rows in ColumnMap.Rows.allCases {
                let found = table.fields(rows)
                let score = Self.score(found, rows)
                guard score > best.map({ Self.score($0.found, $0.rows) }) ?? 1 else { continue }
                best = (table, found, rows)
            }
        }
        guard var best else { return nil }
        // Of trips and expenses that are equal in all that is read, one counts.
        let record =
            best.rows == .fixes || best.found[.notes] != nil
            ? nil : best.table.recordColumn(besides: best.found)
        best.found[.notes] = best.found[.notes] ?? record
        self.init(best.table, best.found, best.rows)
        guard let record else { return }
        notes.append(
            "\(Excerpt.of(best.table.names[record])) tells apart what is alike otherwise: it is "
                + "proposed for notes."
        )
    }

    /// Proposes a map of trips for the table whose columns a line names; `nil` if it does not name
    /// what a trip needs, with units.
    init?(tripsNamedBy text: Span<UInt8>, _ line: Range<Int>) {
        let table = SampleTable(text, line, [])
        let found = table.fields(.trips)
        // Most lines do not name columns, and then nothing else has to be checked.
        guard ColumnMap.neededFields(.trips).allSatisfy({ found[$0] != nil || $0 == .distance })
        else { return nil }
        self.init(table, found, .trips)
        guard isComplete, !hasGuessedUnit else { return nil }
    }

    private static let mostLinesBefore = 40

    /// Whether a unit was proposed that the table does not give.
    private var hasGuessedUnit = false

    private init(
        _ table: SampleTable,
        _ found: [ColumnMap.Field: Int],
        _ rows: ColumnMap.Rows
    ) {
        names = table.names
        var map = ColumnMap(rows: rows)
        if table.separator != UInt8(ascii: ",") { map.delimiter = table.separator }
        for (field, index) in found {
            map.columns[field] = ColumnMap.Column(
                places: [.name(table.names[index])],
                unit: table.parsed[index].unit.flatMap { field.units.contains($0) ? $0 : nil }
            )
        }
        map.joinDays(table, found)
        if let note = map.noteOfBareEnd(table, found) { notes.append(note) }
        if let time = found[.time], table.parsed[time].plain.contains("utc") {
            map.timeZone = "UTC"
        }
        if let note = Self.addMoney(table, found, to: &map) { notes.append(note) }
        if let note = Self.addKinds(table, found, to: &map) { notes.append(note) }
        if let note = Self.noteOfClasses(table, found) { notes.append(note) }
        let hasOdometer = [ColumnMap.Field.odometerStart, .odometerEnd]
            .contains {
                map.columns[$0] != nil
            }
        if hasOdometer, map.columns[.vehicle] == nil {
            map.columns[.vehicle] = ColumnMap.Column(constant: "car")
            notes.append("No column names the vehicle of the odometer: \"car\" is proposed.")
        }
        for field in ColumnMap.Field.allCases {
            guard field.needsUnit, let column = map.columns[field], column.unit == nil else {
                continue
            }
            map.columns[field]?.unit = field == .distance ? .kilometers : field.units.first
            hasGuessedUnit = true
            let unit = map.columns[field]?.unit?.rawValue ?? ""
            notes.append("The unit of \(field.rawValue) is not in its name: \(unit) is proposed.")
        }
        let decimals = table.decimalMark(found)
        map.decimalMark = decimals.mark
        if let doubtful = decimals.doubtful {
            notes.append(
                "Numbers such as \(Excerpt.of(doubtful)) may be thousands or have decimals: check "
                    + "decimal_mark."
            )
        }
        for field in ColumnMap.neededFields(rows) where map.columns[field] == nil {
            if field == .distance, map.hasBothOdometers { continue }
            isComplete = false
            notes.append("No column looks like \(field.rawValue): add it to \"columns\".")
        }
        let times = table.times(map)
        let formats = TimeGuess(times)
        map.timeFormat = formats.pattern
        if let note = formats.note { notes.append(note) }
        self.map = map
    }

    /// Adds the unit of what was bought; returns a note on what is unknown about the currency.
    private static func addMoney(
        _ table: SampleTable,
        _ found: [ColumnMap.Field: Int],
        to map: inout ColumnMap
    ) -> String? {
        if let column = found[.quantity], found[.quantityUnit] == nil {
            let unit = quantityUnits[table.parsed[column].plain]
            map.columns[.quantityUnit] = unit.map { ColumnMap.Column(constant: $0) }
            if unit == nil { map.columns[.quantity] = nil }
        } else if found[.quantity] == nil {
            map.columns[.quantityUnit] = nil
        }
        guard let column = found[.amount], found[.currency] == nil,
            !table.samples(column).contains(where: { PaidAmount($0)?.code != nil })
        else { return nil }
        return
            "Nothing says the currency: add it to \"columns\", such as \"currency\": {\"value\": "
            + "\"EUR\"}."
    }

    /// Adds the kinds of expenses that the vendors suggest if no column gives them; returns a note
    /// on what to check.
    private static func addKinds(
        _ table: SampleTable,
        _ found: [ColumnMap.Field: Int],
        to map: inout ColumnMap
    ) -> String? {
        guard map.rows == .expenses, found[.expenseKind] == nil, let column = found[.merchant]
        else { return nil }
        var kind = ColumnMap.Column(places: [.name(table.names[column])])
        kind.words = VendorWords.found(in: table.samples(column))
        guard !kind.words.isEmpty else {
            return
                "Nothing says what was paid for, so that all is \"other\": \"kind\": {\"column\": "
                + "\(Excerpt.of(table.names[column])), \"words\": {\"shell\": \"fuel\"}} says it "
                + "by vendor."
        }
        map.columns[.expenseKind] = kind
        return "What was paid for is taken from the vendors' names: check the words of \"kind\"."
    }

    /// Returns a note on the words of a column of classes that are no class.
    private static func noteOfClasses(
        _ table: SampleTable,
        _ found: [ColumnMap.Field: Int]
    ) -> String? {
        guard let column = found[.tripClass] else { return nil }
        var seen: Set<String> = []
        let strange = table.samples(column)
            .filter { TripClass(word: $0) == nil && seen.insert($0.lowercased()).inserted }
        guard let first = strange.first else { return nil }
        let named = strange.prefix(3).map { Excerpt.of($0) }.joined(separator: ", ")
        let name = Excerpt.of(table.names[column])
        return
            "No class of the ledger is called \(named): such a word becomes the category, and the "
            + "trip waits for a class. \"class\": {\"column\": \(name), \"words\": "
            + "{\(Excerpt.of(first)): \"business\"}} says what it means."
    }

    private static let quantityUnits = [
        "liters": "l", "litres": "l", "liter": "l", "litros": "l", "litri": "l", "kwh": "kWh",
    ]

    /// Returns how well the columns cover a row.
    private static func score(_ found: [ColumnMap.Field: Int], _ rows: ColumnMap.Rows) -> Int {
        let needed = ColumnMap.neededFields(rows).count { found[$0] != nil }
        return needed * 100 + found.count
    }

    private static func lines(_ text: Span<UInt8>) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var start = 0
        while start < text.count, lines.count < mostLinesBefore + mostSamples {
            let end = text.firstLineFeed(from: start) ?? text.count
            let line = NumberText.trimmed(text, start..<end)
            if !line.isEmpty { lines.append(line) }
            start = end + 1
        }
        return lines
    }
}

extension ColumnMap {
    /// The names of columns of days, in the languages of ``ColumnAliases``.
    private static let dayNames: Set<String> = [
        "date", "day", "tripdate", "utcdate", "dateutc", "gpsdate", "datum", "dag", "tag", "jour",
        "fecha", "data", "giorno",
    ]

    /// The names of columns of times of day.
    private static let clockNames: Set<String> = [
        "time", "utctime", "timeutc", "tijd", "uhrzeit", "zeit", "heure", "hora", "ora",
    ]

    /// The names of columns of the times of day at which trips start.
    private static let startNames = clockNames.union([
        "starttime", "timestarted", "vertrektijd", "begintijd", "starttijd", "startzeit",
        "abfahrtszeit", "heurededépart", "heuredépart", "horadesalida", "horainicio",
        "oradipartenza", "orapartenza",
    ])

    /// The names of columns of the days on which trips start.
    private static let startDayNames: Set<String> = [
        "startdate", "startday", "departuredate", "startdatum", "begindatum", "vertrekdatum",
        "abfahrtsdatum", "datedébut", "datededébut", "datedépart", "datededépart", "fechainicio",
        "fechadeinicio", "fechadesalida", "datainizio", "datadiinizio", "datapartenza",
        "datadipartenza",
    ]

    /// The names of columns of the days on which trips end.
    private static let endDayNames: Set<String> = [
        "enddate", "endday", "arrivaldate", "einddatum", "aankomstdatum", "enddatum",
        "ankunftsdatum", "datefin", "datedefin", "datearrivée", "datedarrivée", "fechafin",
        "fechadefin", "fechadellegada", "datafine", "datadifine", "dataarrivo", "datadiarrivo",
    ]

    /// Puts times together that stand in two columns: a day, and times of day.
    fileprivate mutating func joinDays(
        _ table: SampleTable,
        _ found: [Field: Int]
    ) {
        for field in [Field.time, .startedAt, .endedAt] {
            guard let index = found[field], let day = Self.day(of: field, table) else { continue }
            let clock = index == day ? Self.clock(of: field, besides: day, table) : index
            guard let clock, clock != day, table.isTimeOfDay(clock) else { continue }
            columns[field]?.places = [.name(table.names[day]), .name(table.names[clock])]
        }
    }

    /// Returns a note on what to check where starts have a time of day, and ends only a day.
    fileprivate func noteOfBareEnd(_ table: SampleTable, _ found: [Field: Int]) -> String? {
        guard let start = found[.startedAt], let end = found[.endedAt],
            columns[.endedAt]?.places.count == 1, table.looksLikeTime(end), table.isDay(end),
            columns[.startedAt]?.places.count == 2 || !table.isDay(start)
        else { return nil }
        return
            "The end of trips is a day without a time, and is read as noon: add the column of its "
            + "time to \"ended_at\", or remove \"ended_at\"."
    }

    /// Returns the column of the days of a field: its own, or that of all times of a row.
    private static func day(of field: Field, _ table: SampleTable) -> Int? {
        let common = column(dayNames, table)
        let start = column(startDayNames, table).flatMap { table.isDay($0) ? $0 : nil }
        switch field {
        case .startedAt: return start ?? common
        case .endedAt:
            let end = column(endDayNames, table).flatMap { table.isDay($0) ? $0 : nil }
            return end ?? common ?? start
        default: return common
        }
    }

    /// Returns the column of the times of day of a field that was found by the name of its days.
    private static func clock(of field: Field, besides day: Int, _ table: SampleTable) -> Int? {
        switch field {
        case .startedAt: table.timesOfDay(field, besides: day) ?? column(startNames, table)
        case .endedAt: table.timesOfDay(field, besides: day)
        default: column(clockNames, table)
        }
    }

    private static func column(_ names: Set<String>, _ table: SampleTable) -> Int? {
        table.names.indices.first { names.contains(table.parsed[$0].plain) }
    }
}
