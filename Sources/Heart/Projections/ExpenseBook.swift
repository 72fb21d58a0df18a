public import Geodesy
public import TripEvents
import TripTracking

/// The expenses beside the distance: tolls, parking, fuel, charging.
///
/// A correction replaces the expense that it names, and its earlier corrections in event order; one
/// that says void takes the expense back. A correction of an expense that does not exist, or was
/// erased, counts as an expense of its own. A correction from a source of another group than the
/// expense's has no effect.
public struct ExpenseBook: Hashable, Sendable {
    /// The expenses that stand, in order of their times and then of their ids.
    public let expenses: [RecordedExpense]

    /// Those that were taken back, in the same order.
    public let voided: [RecordedExpense]

    /// Creates the book from decisions in any order; only those about expenses count, and without
    /// any the book is empty.
    public init(_ decisions: [Decision] = []) {
        var first: [ExpenseID: Decision] = [:]
        var last: [ExpenseID: Decision] = [:]
        var lastStanding: [ExpenseID: ExpenseRecorded] = [:]
        let inOrder = decisions.sorted()
        let groups = Self.groups(of: inOrder)
        for decision in inOrder {
            guard case .expenseRecorded(let expense) = decision.event.body else { continue }
            if let corrected = expense.corrects, let group = groups[corrected],
                !decision.concerns(group)
            {
                continue
            }
            let id = expense.corrects ?? ExpenseID(recordedBy: decision.order.identity)
            // If a clock is wrong, a correction may have an earlier time than what it corrects.
            let isCorrection = expense.corrects != nil
            let knows = first[id].map { Self.isCorrection($0) } ?? true
            if knows && (!isCorrection || first[id] == nil) { first[id] = decision }
            if isCorrection || last[id] == nil { last[id] = decision }
            if expense.isVoid != true, isCorrection || lastStanding[id] == nil {
                lastStanding[id] = expense
            }
        }
        let all =
            first.compactMap { id, recorded in
                RecordedExpense(
                    id,
                    recordedBy: recorded,
                    saidBy: last[id] ?? recorded,
                    lastStanding: lastStanding[id]
                )
            }
            .sorted { ($0.paidAt.timestamp, $0.id) < ($1.paidAt.timestamp, $1.id) }
        expenses = all.filter { $0.expense.isVoid != true }
        voided = all.filter { $0.expense.isVoid == true }
    }

    /// Returns the groups of the expenses that were recorded, and not only named by a correction.
    private static func groups(of decisions: [Decision]) -> [ExpenseID: String?] {
        var groups: [ExpenseID: String?] = [:]
        for decision in decisions {
            guard case .expenseRecorded(let expense) = decision.event.body,
                expense.corrects == nil
            else { continue }
            groups[ExpenseID(recordedBy: decision.order.identity)] = .some(decision.group)
        }
        return groups
    }

    private static func isCorrection(_ decision: Decision) -> Bool {
        guard case .expenseRecorded(let expense) = decision.event.body else { return false }
        return expense.corrects != nil
    }

    /// Returns the expenses, also those that were taken back, whose ids begin with some digits.
    public func expenses(beginningWith digits: String) -> [RecordedExpense] {
        (expenses + voided).filter { $0.id.description.hasPrefix(digits) }
    }
}

/// Something that was paid, as it was said last.
public struct RecordedExpense: Hashable, Sendable {
    /// The id by which corrections name it.
    public let id: ExpenseID

    /// What it was.
    public let expense: ExpenseRecorded

    /// What it was when it stood last, which it is again if it is brought back; `nil` if every
    /// report of it takes it back.
    public let lastStanding: ExpenseRecorded?

    /// The group that it concerns; `nil` for all, if a source of the owner said it.
    public let group: String?

    /// When it was paid, as the first report of it says.
    public let paidAt: EventTime

    /// When the ledger stored the first report of it.
    public let recordedAt: Timestamp

    /// When it was corrected last; `nil` if it never was.
    public let correctedAt: EventTime?

    /// Who said it last; `nil` if the event names no person.
    public let actor: String?

    init?(
        _ id: ExpenseID,
        recordedBy first: Decision,
        saidBy last: Decision,
        lastStanding: ExpenseRecorded?
    ) {
        guard case .expenseRecorded(let expense) = last.event.body else { return nil }
        self.id = id
        self.expense = expense
        self.lastStanding = lastStanding
        group = first.group
        paidAt = EventTime(first.event.occurredAt, utcOffset: first.event.utcOffset)
        recordedAt = first.recordedAt
        correctedAt =
            first == last && expense.corrects == nil
            ? nil : EventTime(last.event.occurredAt, utcOffset: last.event.utcOffset)
        actor = last.event.actor
    }

    /// Returns the local day on which it was paid.
    public func day(_ localDay: LocalDay) -> CivilDate {
        expense.day ?? localDay.day(of: localDay.local(paidAt))
    }

    /// Returns whether it concerns what belongs to a group; `nil` for the owner's.
    public func concerns(_ other: String?) -> Bool {
        group == nil || group.hasSameBytes(as: other)
    }

    /// Whether it names a vehicle, byte by byte.
    public func isOf(vehicle: String) -> Bool {
        expense.vehicle.map { $0.hasSameBytes(as: vehicle) } ?? false
    }

    /// Returns where it was paid: as it says itself, else the middle of the place that it names;
    /// `nil` if that is not known.
    public func position(_ places: PlaceBook) -> Coordinate? {
        if let latitude = expense.latitude, let longitude = expense.longitude {
            return Coordinate(
                latitude: latitude.doubleValue,
                longitude: longitude.doubleValue
            )
        }
        guard let name = expense.place else { return nil }
        // A place that has since been removed still existed when the expense named it.
        let places = places.book(of: group)
        return places.place(named: name)?.center
            ?? places.versions.last { $0.name.hasSameBytes(as: name) }?.center
    }
}
