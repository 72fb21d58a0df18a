public import TripEvents

/// The rows that hold on each day, after all tables and as far as they were known on a day.
///
/// If several rows for the same trips hold on a day, the row of the later table counts, and within
/// one table the row that was known later. So a figure that was announced in retrospect replaces
/// the one known before, and a reader can still ask for the earlier one.
public struct RateBook: Hashable, Sendable {
    /// Only rates that were known on this day count; `nil` for all.
    public let knownOn: CivilDate?

    /// The rows with the days on which they hold, in order of the tables; those of one series stand
    /// together, in order of their days.
    public let stretches: [RateStretch]

    /// Creates the book of tables; a later one overrides those before it.
    public init(_ tables: [RateTable], knownOn: CivilDate? = nil) {
        self.knownOn = knownOn
        var keys: [RateSeries] = []
        var rows: [RateSeries: [RateStretch]] = [:]
        // Keyed by their places, because a loaded table may have the name of one of the program's.
        for (place, table) in tables.enumerated() {
            for row in table.rows {
                if let knownOn, row.knownFrom > knownOn { continue }
                let series = RateSeries(of: row)
                if rows[series] == nil { keys.append(series) }
                rows[series, default: []].append(RateStretch(row, of: String(place)))
            }
        }
        stretches = keys.flatMap { RateStretch.painted(rows[$0] ?? []) }
            .map { stretch in
                let table = Int(stretch.table).map { tables[$0] }
                var named = RateStretch(stretch.row, of: table?.name ?? stretch.table)
                named.days = stretch.days
                named.isOwn = table?.ownIDs.contains(stretch.row.id) ?? false
                return named
            }
    }

    /// Returns the rows of a jurisdiction, scheme and region with their days.
    ///
    /// - Parameters:
    ///   - jurisdiction: the jurisdiction.
    ///   - scheme: the scheme; `nil` for all that need not be named.
    ///   - region: the region; `nil` for the one that stands first.
    /// - Returns: the rows in the order of the book.
    public func stretches(
        in jurisdiction: String,
        scheme: String?,
        region: String?
    ) -> [RateStretch] {
        let all = stretches.filter { stretch in
            stretch.row.jurisdiction == jurisdiction
                && (scheme.map { $0 == stretch.row.scheme } ?? !stretch.row.isByNameOnly)
        }
        let chosen = region ?? all.lazy.compactMap(\.row.region).first
        return all.filter { $0.row.region == nil || $0.row.region == chosen }
    }
}

extension RateBook {
    /// How long before its end a rate is called one that ends, in days.
    private static let notice = 60

    /// How long after its end a rate that no other follows is still named, in days.
    private static let memory = 400

    /// Returns the rates after which nothing is known: they end within 60 days of a day, or have
    /// ended in about the year before it.
    public func endings(on day: CivilDate) -> [RateStretch] {
        let day = day.daysSince1970
        return stretches.indices
            .filter { index in
                guard let end = stretches[index].to?.daysSince1970,
                    (day - Self.memory...day + Self.notice).contains(end)
                else { return false }
                guard index + 1 < stretches.count else { return true }
                return RateSeries(of: stretches[index].row)
                    != RateSeries(of: stretches[index + 1].row)
            }
            .map { stretches[$0] }
    }

    /// Returns the rates of the program that hold on a day and are less than highly sure.
    public func unsure(on day: CivilDate) -> [RateStretch] {
        stretches.filter { stretch in
            stretch.days.contains(day.daysSince1970)
                && (stretch.row.confidence == .medium || stretch.row.confidence == .low)
        }
    }
}

/// A row with the days on which it holds after all that was known.
public struct RateStretch: Hashable, Sendable {
    /// The row.
    public let row: RateRow

    /// The name of its table.
    public let table: String

    /// Whether only the ledger has the row: it was loaded, and is not one of the program's.
    public fileprivate(set) var isOwn = false

    /// The days since 1970-01-01 on which it holds.
    fileprivate(set) var days: ClosedRange<Int>

    /// The first day.
    public var from: CivilDate { CivilDate(daysSince1970: days.lowerBound) }

    /// The last day; `nil` if there is no end.
    public var to: CivilDate? {
        days.upperBound == Self.never ? nil : CivilDate(daysSince1970: days.upperBound)
    }

    private static let never = Int.max

    /// Creates a stretch of all days that the row names.
    fileprivate init(_ row: RateRow, of table: String) {
        self.row = row
        self.table = table
        days = row.from.daysSince1970...(row.to?.daysSince1970 ?? Self.never)
    }

    /// Returns the stretches in which rows of one series hold, in order of days, without overlap.
    ///
    /// - Parameter rows: the rows in order of their tables.
    /// - Returns: the stretches.
    fileprivate static func painted(_ rows: [RateStretch]) -> [RateStretch] {
        // Sorted so that what stands later counts; `sorted` keeps the order of equals.
        var ranked: [(rank: Int, stretch: RateStretch)] = []
        var rank = 0
        for (index, row) in rows.enumerated() {
            if index > 0, rows[index - 1].table != row.table { rank += 1 }
            ranked.append((rank, row))
        }
        let layers = ranked.sorted { left, right in
            (left.rank, left.stretch.row.knownFrom, left.stretch.row.from)
                < (right.rank, right.stretch.row.knownFrom, right.stretch.row.from)
        }
        var painted: [RateStretch] = []
        for layer in layers.map(\.stretch) {
            painted = painted.flatMap { $0.without(layer.days) } + [layer]
        }
        return painted.sorted { $0.days.lowerBound < $1.days.lowerBound }
    }

    /// The parts of the stretch outside some days.
    private func without(_ other: ClosedRange<Int>) -> [RateStretch] {
        guard days.overlaps(other) else { return [self] }
        var parts: [RateStretch] = []
        if days.lowerBound < other.lowerBound {
            var part = self
            part.days = days.lowerBound...(other.lowerBound - 1)
            parts.append(part)
        }
        if days.upperBound > other.upperBound {
            var part = self
            part.days = (other.upperBound + 1)...days.upperBound
            parts.append(part)
        }
        return parts
    }
}

/// The properties that rows share if only one of them can hold on a day.
struct RateSeries: Hashable {
    private let jurisdiction: String
    private let scheme: String
    private let region: String?
    private let purpose: RatePurpose
    private let classes: Set<TripClass>
    private let vehicles: Set<VehicleKind>
    private let fiscalPower: ClosedRange<Int>?
    private let fuels: Set<Fuel>
    private let engine: ClosedRange<Int>?

    /// Creates the series of a row.
    init(of row: RateRow) {
        jurisdiction = row.jurisdiction
        scheme = row.scheme
        region = row.region
        purpose = row.purpose
        classes = Set(row.classes)
        vehicles = Set(row.vehicles)
        fiscalPower = row.fiscalPower
        fuels = Set(row.fuels)
        engine = row.engine
    }
}

/// The purpose of a row.
enum RatePurpose: Hashable {
    case distance
    case passengers
    case multiplier
    case limit
    case component
    case energy
}

extension RateRow {
    /// The purpose of the row.
    var purpose: RatePurpose {
        switch shape {
        case .flat, .marginalTiers, .oneWayDayTiers, .cap, .wholeDistanceBracket: .distance
        case .perPassenger: .passengers
        case .multiplier: .multiplier
        case .limit: .limit
        case .component: .component
        case .perKilowattHour: .energy
        }
    }
}
