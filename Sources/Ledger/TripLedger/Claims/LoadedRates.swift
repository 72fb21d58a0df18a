import Projections
import Proofs
public import Rates
import TripEvents

/// All tables of rates that a ledger uses: those of the program, and those that were loaded.
public struct LoadedRates: Sendable {
    /// The tables; a later one overrides those before it.
    public let tables: [RateTable]

    /// The loaded tables that cannot be read, with the reason: no figure comes from them.
    public let unreadable: [(table: String, problem: RateProblem)]

    /// The SHA-256 of what each table was loaded from, by the name of the table.
    public let contentHashes: [NameKey: String]

    /// The tables that come with the program, or those that took their place.
    private let programTables: [RateTable]

    /// The tables that were loaded.
    private let loadedTables: [RateTable]

    /// Joins the tables of the program with those that were loaded.
    ///
    /// - Parameters:
    ///   - loaded: the events in order; of each name the last one holds.
    ///   - programTables: what stands in the place of the program's tables; `nil` for these.
    init(_ loaded: [RatesLoaded], programTables: [RateTable]? = nil) {
        self.programTables = programTables ?? Self.builtIn
        // Those that were loaded come after those of the program, which stay, whatever their names.
        var tables: [RateTable] = []
        let known = Set(self.programTables.flatMap(\.rows))
        var unreadable: [(String, RateProblem)] = []
        var hashes: [NameKey: String] = [:]
        for event in loaded {
            let name = event.table
            tables.removeAll { $0.name.hasSameBytes(as: name) }
            unreadable.removeAll { $0.0.hasSameBytes(as: name) }
            do throws(RateProblem) {
                var table = try RateTable(event)
                table.ownIDs = Set(table.rows.filter { !known.contains($0) }.map(\.id))
                tables.append(table)
                hashes[NameKey(name)] = event.contentHash
            } catch {
                unreadable.append((name, error))
            }
        }
        loadedTables = tables
        self.tables = self.programTables + tables
        self.unreadable = unreadable
        contentHashes = hashes
    }

    /// Returns the table of the program that has rates of a jurisdiction, if one has.
    public func programTable(of jurisdiction: String) -> RateTable? {
        programTables.first { table in
            table.rows.contains { $0.jurisdiction == jurisdiction }
        }
    }

    /// The rows of the program, or of what took the place of its tables.
    public var programRows: [RateRow] { programTables.flatMap(\.rows) }

    /// The loaded tables that would be mistaken for one of the program, however they came into the
    /// log, each with what it would be mistaken for.
    public var mistakable: [(table: String, cause: String)] {
        loadedTables.compactMap { table in
            Self.mistakable(table).map { (table.name, $0) }
        }
    }

    /// Returns what a table would be mistaken for, as a sentence without a full stop: a row or a
    /// table of the program of the same name that says something else; `nil` for nothing.
    public static func mistakable(_ table: RateTable) -> String? {
        mistakable(table.rows, in: table.name)
    }

    /// Returns what the table of an event would be mistaken for; a row that cannot be read is
    /// mistaken for none, because no figure comes from it.
    public static func mistakable(_ loaded: RatesLoaded) -> String? {
        let rows = loaded.rates.compactMap { text in
            try? RateRow(json: Array(text.utf8), place: loaded.table)
        }
        return mistakable(rows, in: loaded.table)
    }

    private static func mistakable(_ rows: [RateRow], in table: String) -> String? {
        let strange = rows.filter { !builtInRows.contains($0) }
        if let row = strange.first(where: { builtInIDs.contains($0.id) }) {
            return "the program has a rate \(Excerpt.escaped(row.id)) that says something else"
        }
        guard !strange.isEmpty, builtIn.contains(where: { $0.name == table }) else { return nil }
        return "the program has a table \(Excerpt.escaped(table)) of its own"
    }

    private static let builtInRows = Set(builtIn.flatMap(\.rows))
    private static let builtInIDs = Set(builtInRows.map(\.id))

    /// The tables that come with the program.
    private static let builtIn: [RateTable] = {
        do throws(RateProblem) {
            return try RateTable.builtIn()
        } catch {
            preconditionFailure("a table of the program is wrong: \(error)")
        }
    }()
}

extension RateTable {
    /// Reads the table that an event brought.
    ///
    /// - Throws: ``RateProblem`` if it is not one.
    public init(_ loaded: RatesLoaded) throws(RateProblem) {
        try self.init(name: loaded.table, rows: loaded.rates)
    }

    /// Reads the table of the program that an issued report uses; `nil` if it uses none.
    ///
    /// - Throws: ``RateProblem`` if it is not one.
    init?(issuedWith report: ReportIssued) throws(RateProblem) {
        guard let table = report.table, let rates = report.rates else { return nil }
        try self.init(name: table, rows: rates)
    }

    private init(name: String, rows texts: [String]) throws(RateProblem) {
        var rows: [RateRow] = []
        for (index, text) in texts.enumerated() {
            rows.append(try RateRow(json: Array(text.utf8), place: "row \(index + 1)"))
        }
        try self.init(name: name, rows: rows)
    }

    /// The SHA-256 of the table's rows in hexadecimal: each as its JSON, with a line feed after it.
    public var hash: String {
        var bytes: [UInt8] = []
        for row in rows {
            bytes += row.json
            bytes.append(UInt8(ascii: "\n"))
        }
        return SHA256.digest(bytes.span).description
    }

    /// Returns the event that takes the table into a ledger.
    ///
    /// - Parameter file: what it was read from; `nil` if a person typed it.
    /// - Returns: the content of the event.
    public func loading(from file: [UInt8]? = nil) -> RatesLoaded {
        RatesLoaded(
            table: name,
            rates: rows.map { String(decoding: $0.json, as: UTF8.self) },
            contentHash: file.map { SHA256.digest($0.span).description } ?? hash
        )
    }
}
