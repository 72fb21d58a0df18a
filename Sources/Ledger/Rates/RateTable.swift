import TripEvents

/// Rates under one name: one of those that come with the program, or one that was loaded.
public struct RateTable: Hashable, Sendable {
    /// The name of the table; a table that is loaded replaces an earlier one of its name.
    public let name: String

    /// The rates.
    public let rows: [RateRow]

    /// The names of the rows that only the ledger has: they were loaded, and are not among the
    /// program's.
    public var ownIDs: Set<String> = []

    /// Creates a table.
    ///
    /// - Throws: ``RateProblem`` if rows of it contradict each other.
    public init(name: String, rows: [RateRow]) throws(RateProblem) {
        self.name = name
        self.rows = rows
        try checkRows()
    }

    /// Reads a table: the form of `rate-table.v1.schema.json`.
    ///
    /// - Throws: ``RateProblem`` that says where it is wrong.
    public init(_ file: [UInt8]) throws(RateProblem) {
        var members = try RateMembers(JSONValue(rateDocument: file), place: "the table")
        let name = try members.name("table")
        let defaults = try members.optionalObject("defaults")
        let sources = try RateSourceList(members.optionalObject("sources"))
        let rows = try members.list("rates")
        try members.finish()
        guard !rows.isEmpty else { throw RateProblem("the table", "\"rates\" has no row") }
        var read: [RateRow] = []
        for (index, row) in rows.enumerated() {
            let place = "row \(index + 1) of \"rates\""
            read.append(try RateRow(row, defaults: defaults, sources: sources, place: place))
        }
        try self.init(name: name, rows: read)
    }

    private func checkRows() throws(RateProblem) {
        var ids: Set<String> = []
        for row in rows {
            guard ids.insert(row.id).inserted else {
                throw RateProblem("the table", "two rows are called \(Excerpt.of(row.id))")
            }
        }
        for (index, row) in rows.enumerated() {
            for other in rows[(index + 1)...] where row.contradicts(other) {
                throw RateProblem(
                    "the table",
                    "nothing says which of \(Excerpt.of(row.id)) and \(Excerpt.of(other.id)) "
                        + "holds for the trips and days that both are for"
                )
            }
        }
    }
}

extension RateRow {
    /// Whether it is undecided which of two rows holds for a trip.
    ///
    /// Within one series, the row that was known later holds, and among those the one that begins
    /// later.
    fileprivate func contradicts(_ other: RateRow) -> Bool {
        // Most rows of a table are for other days, which is compared at once.
        guard from <= other.to ?? from, other.from <= to ?? other.from, meetsTrips(of: other)
        else { return false }
        let isOneSeries = RateSeries(of: self) == RateSeries(of: other)
        return !isOneSeries || knownFrom == other.knownFrom && from == other.from
    }

    private func meetsTrips(of other: RateRow) -> Bool {
        let powers = (fiscalPower ?? 0...Int.max).overlaps(other.fiscalPower ?? 0...Int.max)
        let vehicles =
            self.vehicles.isEmpty || other.vehicles.isEmpty
            || !Set(self.vehicles).isDisjoint(with: other.vehicles)
        let engines = (engine ?? 0...Int.max).overlaps(other.engine ?? 0...Int.max)
        let fuels =
            self.fuels.isEmpty || other.fuels.isEmpty
            || !Set(self.fuels).isDisjoint(with: other.fuels)
        return engines && fuels && jurisdiction == other.jurisdiction && scheme == other.scheme
            && region == other.region && purpose == other.purpose && powers && vehicles
            && (classes.isEmpty && other.classes.isEmpty
                || !Set(classes).isDisjoint(with: other.classes))
    }
}

/// Why something is no rate table.
public struct RateProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where it is.
    public let place: String

    /// What is wrong there, as a sentence without its full stop.
    public let sentence: String

    /// Creates a problem.
    init(_ place: String, _ sentence: String) {
        self.place = place
        self.sentence = sentence
    }

    /// Where it is and what is wrong.
    public var description: String {
        "\(place): \(sentence)" + (sentence.hasSuffix(".") ? "" : ".")
    }
}
