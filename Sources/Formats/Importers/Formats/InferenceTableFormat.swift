import TripEvents

/// The table of inferences that the ledger itself writes (`ledger inferences --format csv`).
struct InferenceTableFormat: LineFormat {
    /// The columns without which a row is nothing.
    private static let needed = ["inferredby", "inference", "startedat", "endedat"]

    /// The columns that are texts, with the members that they are.
    private static let texts = [
        ("activity", "activity"), ("place", "place"), ("placeid", "place_id"),
    ]

    /// The columns that are numbers, with the members that they are.
    private static let numbers = [
        ("lat", "lat"), ("lon", "lon"), ("tolat", "to_lat"), ("tolon", "to_lon"),
        ("claimeddistancem", "distance_m"), ("probability", "probability"),
    ]

    private let options: ImportOptions
    private var columns: [String: Int] = [:]

    init(_ options: ImportOptions) {
        self.options = options
    }

    /// Whether a line names the columns of such a table.
    static func namesColumns(_ text: Span<UInt8>, _ line: Range<Int>) -> Bool {
        guard CSVCellCounts(text, line)[separator] > needed.count else { return false }
        let names = CSVCells(text, line, separator: separator).names(text)
        return needed.allSatisfy(names.contains)
    }

    private static let separator = UInt8(ascii: ",")

    mutating func take(
        _ text: Span<UInt8>,
        _ line: Range<Int>,
        _ number: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        let cells = CSVCells(text, line, separator: Self.separator)
        guard !columns.isEmpty else {
            columns = Dictionary(
                cells.names(text).enumerated().map { ($1, $0) },
                uniquingKeysWith: { first, _ in first }
            )
            return
        }
        try cells.check(columnCount: columns.count)
        guard let word = cells.text(columns["inference"], text),
            let kind = InferenceKind(rawValue: word)
        else { throw .missingField("inference") }
        guard let name = cells.text(columns["inferredby"], text) else {
            throw .missingField("inferred_by")
        }
        let source = options.source ?? cells.text(columns["source"], text)
        var draft = batch.beginInference(
            kind,
            by: name,
            of: source ?? ImportFormat.csv.rawValue,
            from: try instant("startedat", "started_at", text, cells),
            to: try instant("endedat", "ended_at", text, cells)
        )
        for (column, member) in Self.texts {
            guard let value = cells.text(columns[column], text) else { continue }
            batch.add(member, text: value, to: &draft)
        }
        if let mode = cells.text(columns["mode"], text).flatMap({ TravelMode(rawValue: $0) }) {
            batch.add("mode", text: mode.rawValue, to: &draft)
        }
        let confidence = cells.text(columns["confidence"], text)
            .flatMap { MotionConfidence(rawValue: $0) }
        if let confidence { batch.add("confidence", text: confidence.rawValue, to: &draft) }
        for (column, member) in Self.numbers {
            guard let range = cells.range(of: columns[column]) else { continue }
            guard let value = NumberText.decimal(text, range) else {
                batch.leave(member, unread: text, range, of: &draft)
                continue
            }
            batch.add(member, value, to: &draft)
        }
        batch.end(draft, record: number)
    }

    mutating func finish(into batch: inout ImportBatch) {}

    private func instant(
        _ column: String,
        _ member: String,
        _ text: Span<UInt8>,
        _ cells: CSVCells
    ) throws(Rejection) -> PreciseTime {
        guard let range = cells.range(of: columns[column]) else { throw .missingField(member) }
        return try TimeText(zone: options.zone).time(text, range, in: member)
    }
}
