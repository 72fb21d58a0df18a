public import TripEvents

/// An expense beside the distance, as rates see it.
public struct ClaimExpense: Hashable, Sendable {
    /// The largest amount that is added, so that the sum over millions of them stays exact.
    public static let most = Money(hundredths: 1_000_000_000_000)

    /// The kind of expense.
    public var kind: ExpenseKind

    /// How much, exactly as it was said.
    public var amount: ExactDecimal

    /// The currency.
    public var currency: String

    /// What was charged, in millionths of a kilowatt-hour; `nil` if that is not said.
    public var microKilowattHours: Int64?

    /// Whether it was charged at home.
    public var isAtHome = false

    /// Creates an expense.
    public init(kind: ExpenseKind, amount: ExactDecimal, currency: String) {
        self.kind = kind
        self.amount = amount
        self.currency = currency
    }
}

/// The expenses of one kind that a claim has beside the distance, for one class and one vehicle.
public struct ExpenseLine: Hashable, Sendable {
    /// The kind of expense.
    public let kind: ExpenseKind

    /// The class of the trips for which it was paid.
    public let tripClass: TripClass

    /// The vehicle of the trips; `nil` for trips that name none.
    public let vehicle: String?

    /// The currency.
    public let currency: String

    /// How many expenses it has.
    public let count: Int64

    /// Their sum, each rounded to hundredths.
    public let amount: Money
}

/// Expenses of one kind that a claim does not have, for one reason.
public struct UnclaimedExpenses: Hashable, Sendable {
    /// The kind of expense.
    public let kind: ExpenseKind

    /// The reason.
    public let reason: UnclaimedExpenseReason

    /// The currency.
    public let currency: String

    /// How many expenses it has.
    public let count: Int64

    /// Their sum, each rounded to hundredths.
    public let amount: Money
}

/// Why an expense is not claimed; the raw value is its name in JSON.
public enum UnclaimedExpenseReason: String, CaseIterable, Sendable {
    /// It names no trip for which it was paid, or that trip does not count.
    case noTrip = "no_trip"

    /// Nothing is paid for the trip, so nothing beside it.
    case noRate = "no_rate"

    /// The rate of the trip names no expenses of this kind that come on top of it, as far as its
    /// sources say.
    case inRate = "in_rate"

    /// What was charged at home is paid, and it names no place that is home.
    case notAtHome = "not_at_home"

    /// It was charged at home, and the scheme that pays for this must be named.
    case otherScheme = "other_scheme"

    /// Kilowatt-hours are paid, and it does not state any.
    case noKilowattHours = "no_kilowatt_hours"

    /// It is more than ten billion, which is not added exactly.
    case tooLarge = "too_large"
}

/// The expenses of a claim while it is made.
struct ClaimedExpenses {
    private struct Key: Hashable {
        let kind: ExpenseKind
        let tripClass: TripClass
        let vehicle: [UInt8]?
        let currency: String
    }

    private struct LeftKey: Hashable {
        let kind: ExpenseKind
        let reason: UnclaimedExpenseReason
        let currency: String
    }

    private struct Sum {
        var count: Int64 = 0
        var amount = Money.zero

        mutating func add(_ amount: Money) {
            count += 1
            self.amount += amount
        }
    }

    private var claimed: [Key: Sum] = [:]
    private var left: [LeftKey: Sum] = [:]

    /// Takes an expense of a trip, or leaves it out for a reason.
    mutating func add(
        _ expense: ClaimExpense,
        of trip: ClaimTrip?,
        unless reason: UnclaimedExpenseReason?
    ) {
        let amount = Money(rounding: expense.amount)
        guard let amount, amount.hundredths <= ClaimExpense.most.hundredths else {
            let key = LeftKey(kind: expense.kind, reason: .tooLarge, currency: expense.currency)
            left[key, default: Sum()].add(.zero)
            return
        }
        guard let trip, reason == nil else {
            let key = LeftKey(
                kind: expense.kind,
                reason: reason ?? .noTrip,
                currency: expense.currency
            )
            left[key, default: Sum()].add(amount)
            return
        }
        let key = Key(
            kind: expense.kind,
            tripClass: trip.tripClass,
            vehicle: trip.vehicle.map { Array($0.utf8) },
            currency: expense.currency
        )
        claimed[key, default: Sum()].add(amount)
    }

    /// The lines, by class, kind, vehicle and currency.
    var lines: [ExpenseLine] {
        claimed
            .map { key, sum in
                ExpenseLine(
                    kind: key.kind,
                    tripClass: key.tripClass,
                    vehicle: key.vehicle.map { String(decoding: $0, as: UTF8.self) },
                    currency: key.currency,
                    count: sum.count,
                    amount: sum.amount
                )
            }
            .sorted { $0.order.lexicographicallyPrecedes($1.order) }
    }

    /// The expenses that are left out, by kind, reason and currency.
    var unclaimed: [UnclaimedExpenses] {
        left
            .map { key, sum in
                UnclaimedExpenses(
                    kind: key.kind,
                    reason: key.reason,
                    currency: key.currency,
                    count: sum.count,
                    amount: sum.amount
                )
            }
            .sorted { $0.order.lexicographicallyPrecedes($1.order) }
    }
}

extension ExpenseLine {
    /// The key that gives the order of lines, byte by byte.
    fileprivate var order: [UInt8] {
        let first = [UInt8(tripClass.position), UInt8(kind.position), vehicle == nil ? 0 : 1]
        return first + Array((vehicle ?? "").utf8) + [0] + Array(currency.utf8)
    }
}

extension UnclaimedExpenses {
    fileprivate var order: [UInt8] {
        let reasons = UnclaimedExpenseReason.allCases
        let reason = UInt8(reasons.firstIndex(of: reason) ?? 0)
        return [UInt8(kind.position), reason] + Array(currency.utf8)
    }
}

extension ExpenseKind {
    /// Its place among the kinds.
    fileprivate var position: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
