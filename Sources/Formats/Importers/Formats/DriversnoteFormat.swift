import TripEvents

/// Driversnote's table of trips: its columns are recognised by their names, because the app
/// documents none and its reports differ by country.
///
/// Facts that the table does not give, such as whether 2/3/2024 is in March, are not guessed: a map
/// has to give them.
struct DriversnoteFormat: LineFormat {
    /// The most rows that are looked at to tell how times are written.
    private static let mostRows = 20

    private let options: ImportOptions
    private var before: [Int] = []

    /// The line that names the columns and some rows, until they tell how times are written.
    private var head: [(number: Int, bytes: [UInt8])] = []

    private var table: MappedTableFormat?

    /// Why no row can be read.
    private var problem: Rejection?

    init(_ options: ImportOptions) {
        self.options = options
    }

    mutating func take(
        _ text: Span<UInt8>,
        _ line: Range<Int>,
        _ number: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        if let problem { throw problem }
        guard table == nil else {
            try table?.take(text, line, number, into: &batch)
            return
        }
        guard !head.isEmpty || Self.namesColumns(text, line) else { return before.append(number) }
        head.append((number, text.bytes(in: line)))
        if head.count > Self.mostRows { readHead(into: &batch) }
    }

    mutating func finish(into batch: inout ImportBatch) {
        if !head.isEmpty { return readHead(into: &batch) }
        guard table == nil, problem == nil, let last = before.popLast() else { return }
        for record in before { batch.ignore("preamble", record: record) }
        let sentence =
            "No line names columns of trips with a start, a distance and its unit. \(Self.cure)"
        batch.reject(Rejection(.missingField, sentence: sentence), record: last)
    }

    private static let cure = "Make a map: `ledger append --suggest-map FILE`."

    private mutating func readHead(into batch: inout ImportBatch) {
        let lines = head
        head = []
        for record in before { batch.ignore("preamble", record: record) }
        let text = lines.map(\.bytes).joined(separator: [UInt8(ascii: "\n")])
        let suggestion = ColumnSuggestion(head: Array(text).span)
        if let suggestion, suggestion.notes.isEmpty {
            table = MappedTableFormat([SoughtColumns(suggestion.map)], .driversnote, options)
        } else {
            let note = suggestion?.notes.first ?? "Its columns are not those of trips."
            problem = Rejection(.invalidTime, sentence: "\(note) \(Self.cure)")
        }
        for (index, line) in lines.enumerated() {
            do throws(Rejection) {
                // The line that names the columns is no row.
                if let problem, index > 0 { throw problem }
                let bytes = line.bytes.span
                try table?.take(bytes, line.bytes.indices, line.number, into: &batch)
            } catch {
                batch.reject(error, record: line.number, line.bytes.span, line.bytes.indices)
            }
        }
    }

    /// Whether a text says that it is such a table.
    static func isNamed(in text: Span<UInt8>) -> Bool {
        text.contains("Driversnote", from: 0) || text.contains("driversnote", from: 0)
    }

    /// Whether a line names the columns of such a table.
    static func namesColumns(_ text: Span<UInt8>, _ line: Range<Int>) -> Bool {
        ColumnSuggestion(tripsNamedBy: text, line) != nil
    }
}
