import TripEvents

/// The rows of a table whose columns were found.
struct MappedRows {
    /// The meaning of the columns.
    let map: ColumnMap

    /// Their places.
    let header: ColumnHeader

    private let format: ImportFormat
    private let options: ImportOptions

    /// The zone of times that name none.
    private let zone: TimeZoneRules?

    init(
        _ map: ColumnMap,
        _ header: ColumnHeader,
        _ format: ImportFormat,
        _ options: ImportOptions
    ) {
        self.map = map
        self.header = header
        self.format = format
        self.options = options
        zone = map.timeZone.flatMap { options.zoneNamed?($0) } ?? options.zone
    }
}

// MARK: - Fixes

extension MappedRows {
    /// Reads a row that is a fix.
    ///
    /// - Throws: `Rejection`.
    func readFix(
        _ text: Span<UInt8>,
        _ cells: CSVCells,
        _ record: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        let row = MappedRow(map, header, cells, text)
        guard let time = try moment(of: .time, row) else { throw .missingField("time") }
        var fix = batch.begin(.fixRecorded, of: source(row), at: time)
        for field in [ColumnMap.Field.latitude, .longitude] {
            guard let degrees = try row.number(field) else { throw .missingField(field.rawValue) }
            batch.add(field.rawValue, degrees, to: &fix)
        }
        for field in [ColumnMap.Field.accuracy, .altitude, .speed, .course] {
            guard let written = row[field] else { continue }
            guard let number = try? row.number(field) else {
                batch.leave(field.rawValue, unread: written, of: &fix)
                continue
            }
            guard number.significand >= 0 || field == .altitude else { continue }
            batch.add(field.rawValue, number, to: &fix)
        }
        if let name = row[.provider]?.lowercased(), let provider = FixProvider(rawValue: name) {
            batch.add("provider", text: provider.rawValue, to: &fix)
        }
        if let mock = row[.mock], ["true", "1", "yes"].contains(mock.lowercased()) {
            batch.add("mock", json: "true", to: &fix)
        }
        batch.end(fix, record: record)
    }

    private func source(_ row: MappedRow) -> String {
        options.source ?? row[.source] ?? format.rawValue
    }
}

// MARK: - Trips

extension MappedRows {
    /// Reads a row that is a trip, and what the odometer showed at its ends.
    ///
    /// - Throws: `Rejection`.
    func readTrip(
        _ text: Span<UInt8>,
        _ cells: CSVCells,
        _ record: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        let row = MappedRow(map, header, cells, text)
        let (start, end) = try times(row)
        let odometer = (try row.number(.odometerStart), try row.number(.odometerEnd))
        let driven = try row.number(.distance) ?? distance(odometer)
        guard let distance = driven else { throw .missingField("distance_m") }
        let source = source(row)
        var trip = batch.begin(.tripReported, of: source, at: PreciseTime(end))
        batch.add("started_at", text: Self.text(start), to: &trip)
        batch.add("ended_at", text: Self.text(end), to: &trip)
        for field in [
            ColumnMap.Field.origin, .destination, .originAddress, .destinationAddress,
        ] {
            if let value = row[field] { batch.add(field.rawValue, text: value, to: &trip) }
        }
        addPositions(row, to: &trip, of: &batch)
        batch.add("distance_m", distance, to: &trip)
        batch.add("imported_from", text: map.app ?? format.title, to: &trip)
        for field in [ColumnMap.Field.title, .purpose, .notes, .client, .vehicle, .driver] {
            if let value = row[field] { batch.add(field.rawValue, text: value, to: &trip) }
        }
        addClass(row, to: &trip, of: &batch)
        var paid: [(name: String, number: ScaledDecimal)] = []
        for (field, name) in [(ColumnMap.Field.parking, "parking"), (.tolls, "tolls")] {
            guard let number = try row.number(field), number.significand != 0 else { continue }
            paid.append((name, number))
            batch.note(PaidAmount(number, in: row[field] ?? ""))
        }
        batch.add("fields", numbers: paid, to: &trip)
        batch.end(trip, record: record)
        for (number, field, time) in [
            (odometer.0, ColumnMap.Field.odometerStart, start),
            (odometer.1, .odometerEnd, end),
        ] {
            guard let number, let vehicle = row[.vehicle] else { continue }
            var reading = batch.begin(.odometerRead, of: source, at: PreciseTime(time))
            batch.add("vehicle", text: vehicle, to: &reading)
            batch.add("value", number, to: &reading)
            batch.add("unit", text: odometerUnit(field).rawValue, to: &reading)
            batch.add("method", text: "imported", to: &reading)
            batch.end(reading, record: record)
        }
    }

    private func odometerUnit(_ field: ColumnMap.Field) -> ColumnMap.Unit {
        map.columns[field]?.unit ?? .kilometers
    }

    /// Returns what an odometer has counted, in metres.
    private func distance(_ odometer: (ScaledDecimal?, ScaledDecimal?)) -> ScaledDecimal? {
        guard let start = odometer.0, let end = odometer.1,
            odometerUnit(.odometerStart) == odometerUnit(.odometerEnd)
        else { return nil }
        let places = max(start.decimals, end.decimals)
        guard let first = start.units(places: places), let last = end.units(places: places),
            last >= first,
            let driven = ScaledDecimal(
                magnitude: (last - first).magnitude,
                decimals: Int(places),
                isNegative: false
            )
        else { return nil }
        return odometerUnit(.odometerEnd).converted(driven)
    }

    /// Adds where a trip started and ended, as far as a row tells it.
    ///
    /// A trip can do without them: if a position cannot be read, only that end is lost.
    private func addPositions(
        _ row: MappedRow,
        to trip: inout ImportBatch.Draft,
        of batch: inout ImportBatch
    ) {
        let ends: [(ColumnMap.Field, ColumnMap.Field, String, String)] = [
            (.startLatitude, .startLongitude, "lat", "lon"),
            (.endLatitude, .endLongitude, "to_lat", "to_lon"),
        ]
        for (latitudeField, longitudeField, latitudeName, longitudeName) in ends {
            guard let latitudeText = row[latitudeField], let longitudeText = row[longitudeField]
            else { continue }
            guard let latitude = try? row.number(latitudeField),
                let longitude = try? row.number(longitudeField),
                latitude.doubleValue.magnitude <= 90, longitude.doubleValue.magnitude <= 180
            else {
                batch.leave(latitudeName, unread: latitudeText, of: &trip)
                batch.leave(longitudeName, unread: longitudeText, of: &trip)
                continue
            }
            batch.add(latitudeName, latitude, to: &trip)
            batch.add(longitudeName, longitude, to: &trip)
        }
    }

    private func addClass(
        _ row: MappedRow,
        to trip: inout ImportBatch.Draft,
        of batch: inout ImportBatch
    ) {
        let word = row[.tripClass]
        let tripClass = word.flatMap { TripClass(word: $0) }
        if let tripClass { batch.add("class", text: tripClass.rawValue, to: &trip) }
        // The name of a class that the ledger does not have is the driver's own word.
        if let category = row[.category] ?? (tripClass == nil ? word : nil) {
            batch.add("category", text: category, to: &trip)
        }
    }

    private static func text(_ time: EventTime) -> String {
        RFC3339.text(time.timestamp, utcOffset: time.utcOffset)
    }
}

// MARK: - Expenses

extension MappedRows {
    /// Reads a row that is an expense.
    ///
    /// - Throws: `Rejection`.
    func readExpense(
        _ text: Span<UInt8>,
        _ cells: CSVCells,
        _ record: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        let row = MappedRow(map, header, cells, text)
        guard let time = try moment(of: .time, row) else { throw .missingField("time") }
        guard let written = row[.amount], let amount = try row.number(.amount) else {
            throw .missingField("amount")
        }
        let said = PaidAmount(amount, in: written).code
        guard let currency = row[.currency]?.uppercased() ?? said else {
            throw Rejection(
                .missingField,
                field: "currency",
                sentence: "The amount is \(Excerpt.of(written)), and nothing says its currency: "
                    + "the map can, as {\"value\": \"EUR\"}."
            )
        }
        var expense = batch.begin(.expenseRecorded, of: source(row), at: time)
        let kind = kind(row)
        batch.add("kind", text: kind.rawValue, to: &expense)
        batch.add("amount", amount, to: &expense)
        batch.add("currency", text: currency, to: &expense)
        if let vehicle = row[.vehicle] { batch.add("vehicle", text: vehicle, to: &expense) }
        if let written = row[.trip] {
            if let trip = TripID(written.lowercased()) {
                batch.add("trip", text: trip.description, to: &expense)
            } else {
                batch.leave("trip", unread: written, of: &expense)
            }
        }
        if isDay(.time, row) {
            let day = CivilDate(of: time.time)
            batch.add("day", text: day.description, to: &expense)
        }
        if let merchant = row[.merchant] { batch.add("merchant", text: merchant, to: &expense) }
        // A word that is no kind stays.
        if let notes = row[.notes] ?? (kind == .other ? row[.expenseKind] : nil) {
            batch.add("notes", text: notes, to: &expense)
        }
        if let unit = row[.quantityUnit], row[.quantity] != nil {
            if let quantity = try? row.number(.quantity) {
                batch.add("quantity", quantity, to: &expense)
                batch.add("quantity_unit", text: unit, to: &expense)
            } else {
                batch.leave("quantity", unread: row[.quantity] ?? "", of: &expense)
            }
        }
        batch.end(expense, record: record)
    }

    /// Returns what was paid for: by the word of the row, else by the first of the map's words,
    /// tried from the longest, that occurs in the row's word or in the vendor's name.
    private func kind(_ row: MappedRow) -> ExpenseKind {
        if let kind = row[.expenseKind].flatMap({ ExpenseKind(word: $0) }) { return kind }
        let rules = (map.columns[.expenseKind]?.words ?? [:])
            .sorted { left, right in
                (-left.key.count, left.key) < (-right.key.count, right.key)
            }
        let texts = [row[.expenseKind], row[.merchant]].compactMap { $0?.lowercased() }
        let rule = rules.first { rule in texts.contains { $0.contains(rule.key) } }
        return rule.flatMap { ExpenseKind(word: $0.value) } ?? .other
    }

    /// Whether the time of a field is a day alone.
    private func isDay(_ field: ColumnMap.Field, _ row: MappedRow) -> Bool {
        if let pattern = map.timeFormat { return !pattern.hasTimeOfDay }
        return row[field]?.utf8.count == Self.dayByteCount
    }

    /// As many bytes as `2025-03-11` has.
    private static let dayByteCount = 10
}

extension ExpenseKind {
    /// The words that tables in several languages have for kinds.
    private static let words: [ExpenseKind: Set<String>] = [
        .fuel: [
            "petrol", "gas", "gasoline", "diesel", "benzin", "tanken", "kraftstoff", "benzine",
            "brandstof", "tankbeurt", "carburant", "essence", "combustible", "carburante",
        ],
        .charging: [
            "charge", "ev charging", "electricity", "laden", "ladestrom", "strom", "opladen",
            "stroom", "recharge", "recarga", "ricarica",
        ],
        .parking: [
            "parking fee", "parking fees", "parken", "parkgebühr", "parkgebühren", "parkeren",
            "stationnement", "aparcamiento", "parcheggio",
        ],
        .toll: [
            "tolls", "road toll", "vignette", "maut", "tol", "péage", "péages", "peaje", "pedaggio",
        ],
    ]

    /// Finds the kind that a word stands for.
    fileprivate init?(word: String) {
        let word = word.lowercased()
        if let kind = ExpenseKind(rawValue: word) {
            self = kind
        } else if let found = Self.words.first(where: { $0.value.contains(word) }) {
            self = found.key
        } else {
            return nil
        }
    }
}

// MARK: - Times

extension MappedRows {
    private func times(
        _ row: MappedRow
    ) throws(Rejection) -> (start: EventTime, end: EventTime) {
        guard let start = try moment(of: .startedAt, row)?.time else {
            throw .missingField("started_at")
        }
        if map.columns[.endedAt] != nil {
            guard var end = try moment(of: .endedAt, row)?.time else {
                throw .missingField("ended_at")
            }
            // The trip went on over midnight, and the table has one day.
            let isOneDay =
                header[.endedAt].count > 1 && header[.endedAt].first == header[.startedAt].first
            if isOneDay, end.timestamp < start.timestamp,
                let later = try moment(of: .endedAt, row, isNextDay: true)
            {
                end = later.time
            }
            return (start, end)
        }
        guard let duration = try row.duration() else { return (start, start) }
        let end = Timestamp(milliseconds: start.timestamp.milliseconds + duration)
        return (start, EventTime(end, utcOffset: start.utcOffset))
    }

    /// Returns the time of a field; `nil` if nothing is in it.
    private func moment(
        of field: ColumnMap.Field,
        _ row: MappedRow,
        isNextDay: Bool = false
    ) throws(Rejection) -> PreciseTime? {
        guard let written = row[field] else { return nil }
        let name = field.rawValue
        let text = Array(written.utf8)
        if map.timeFormat == nil, let number = NumberText.decimal(text.span, text.indices),
            number.significand > 0
        {
            return try TimeText.sinceEpoch(number, in: name)
        }
        var iso = try iso(text, name)
        if isNextDay, let day = CivilDate(String(decoding: iso.prefix(10), as: UTF8.self)) {
            let next = CivilDate(daysSince1970: day.daysSince1970 + 1)
            iso = Array(next.description.utf8) + iso.dropFirst(10)
        }
        let rowZone = row[.zone]
            .flatMap { name in
                options.zoneNamed?(RailsZone.tzName(of: name) ?? name)
            }
        let clock = TimeText(zone: rowZone ?? zone, isUTCUnlessSaid: map.isUTC)
        return try clock.time(iso.span, iso.indices, in: name)
    }

    private func iso(_ text: [UInt8], _ name: String) throws(Rejection) -> [UInt8] {
        guard let pattern = map.timeFormat else {
            // It is the day of a trip whose time of day was not recorded.
            return text.count == Self.dayByteCount && map.rows != .fixes
                ? text + Array("T12:00".utf8) : text
        }
        guard let iso = pattern.iso(text) else {
            throw Rejection(
                .invalidTime,
                field: name,
                sentence: "\(name) is \(Excerpt.of(text.span, text.indices)), which is no time "
                    + "such as \(pattern.text)."
            )
        }
        return iso
    }
}
