public import TripEvents

/// A rate that a person or a company sets for itself, in one line.
public struct OwnRate: Hashable, Sendable {
    /// The scheme of such rates.
    public static let scheme = "own_rate"

    private let name: String
    private let rate: ExactDecimal
    private let unit: DistanceUnit
    private let currency: String
    private let classes: [TripClass]
    private let from: CivilDate
    private let to: CivilDate?
    private let knownFrom: CivilDate

    /// Creates a rate.
    ///
    /// - Parameters:
    ///   - name: what its jurisdiction and its table are called.
    ///   - rate: the money for one unit.
    ///   - unit: the unit of distance.
    ///   - currency: the currency, such as `EUR`.
    ///   - classes: the classes of trips for which it holds.
    ///   - from: the first day on which it holds.
    ///   - to: the last day; `nil` for none.
    ///   - knownFrom: the first day on which it was known.
    public init(
        name: String,
        rate: ExactDecimal,
        unit: DistanceUnit,
        currency: String,
        classes: [TripClass],
        from: CivilDate,
        to: CivilDate?,
        knownFrom: CivilDate
    ) {
        self.name = name
        self.rate = rate
        self.unit = unit
        self.currency = currency
        self.classes = classes
        self.from = from
        self.to = to
        self.knownFrom = knownFrom
    }

    /// Returns the table of the name with this rate in it, which replaces one that holds from the
    /// same day on for the same classes.
    ///
    /// - Parameter old: the table so far; `nil` for none.
    /// - Returns: the table.
    /// - Throws: ``RateProblem`` if the rate is invalid, or does not fit the others.
    public func table(after old: RateTable?) throws(RateProblem) -> RateTable {
        let row = try RateRow(.object(members), defaults: [], sources: .none, place: "the rate")
        let kept = old?.rows.filter { $0.id != row.id } ?? []
        return try RateTable(name: name, rows: kept + [row])
    }

    private var members: [JSONValue.Member] {
        let names = classes.map(\.rawValue)
        let id = "\(name).\(names.sorted().joined(separator: "_")).\(from)"
        var members: [JSONValue.Member] = [
            .init(name: "id", value: .text(id)),
            .init(name: "jurisdiction", value: .text(name)),
            .init(name: "scheme", value: .text(Self.scheme)),
            .init(name: "classes", value: .list(names.map { .text($0) })),
            .init(name: "from", value: .text(from.description)),
            .init(name: "known_from", value: .text(knownFrom.description)),
            .init(name: "currency", value: .text(currency)),
            .init(name: "unit", value: .text(unit.rawValue)),
            .init(name: "rate", value: .text(rate.description)),
        ]
        if let to { members.append(.init(name: "to", value: .text(to.description))) }
        return members
    }
}
