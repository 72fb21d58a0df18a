import Projections
import Rates
import TripEvents
import TripTracking

/// Finds the expenses of each trip while trips are read in order of their starts.
///
/// An expense belongs to the trip that it names. If that trip has gone, because trips were merged
/// or split or late data moved their ends, it belongs to the only trip that was under way when the
/// named trip had started. An expense that names no trip but says the time belongs to the only trip
/// of its vehicle that was under way when it was paid. If it names no vehicle either, that is so
/// only if there is one vehicle alone, in the group of the trip or for all groups. Trips of another
/// group than the expense's do not count for it.
struct ExpensesOfTrips {
    /// The trip that an expense may be of.
    private enum Candidate {
        case one(TripID, ClaimTrip, group: NameKey?)
        case several

        /// The trip, if it is the only one.
        var only: (id: TripID, trip: ClaimTrip)? {
            guard case .one(let id, let trip, group: _) = self else { return nil }
            return (id, trip)
        }
    }

    /// An expense that names no trip, and says when it was paid.
    private struct Timed {
        let expense: RecordedExpense
        var candidate: Candidate?

        /// Whether it may be of a trip by what both say of the vehicle and the group.
        func mayBe(of booked: BookedTrip) -> Bool {
            expense.concerns(booked.trip.group)
                && (expense.expense.vehicle.map { booked.isOf(vehicle: $0) } ?? true)
        }
    }

    /// What another program's table says was paid for a trip.
    private struct Said {
        let id: TripID
        let trip: ClaimTrip
        let kind: ExpenseKind
        let amount: ExactDecimal
    }

    private var named: [TripID: [RecordedExpense]] = [:]

    /// The expenses that name no trip, and say only the day.
    private let ofDays: [RecordedExpense]

    /// The other ones that name no trip, in order of their times.
    private var timed: [Timed]

    /// The expenses of trips, in order of the starts that they name, with their candidates.
    private var starts: [(startedAt: Timestamp, trip: TripID, expense: RecordedExpense)] = []
    private var candidates: [TripID: Candidate] = [:]

    /// The kinds of expenses of which a trip has one of its own.
    private var kinds: [TripID: Set<ExpenseKind>] = [:]

    /// The payments that fields of trips say.
    private var said: [Said] = []

    /// The vehicles of each group, as far as they were registered or are of a trip that was taken;
    /// those under `nil` are the owner's, which all groups have.
    private var vehicles: [NameKey?: Set<NameKey>]

    /// Begins with all expenses that stand; those of a trip that is left out are of the one that
    /// counts in its place.
    init(_ book: ExpenseBook, _ overlaps: TripOverlaps, vehicles: VehicleBook) {
        self.vehicles = Dictionary(grouping: vehicles.vehicles) { $0.group.map { NameKey($0) } }
            .mapValues { Set($0.map { NameKey($0.name) }) }
        let unnamed = book.expenses.filter { $0.expense.trip == nil }
        ofDays = unnamed.filter { $0.expense.day != nil }
        // The book has them in order of their times.
        timed = unnamed.filter { $0.expense.day == nil }.map { Timed(expense: $0) }
        for expense in book.expenses {
            guard let said = expense.expense.trip else { continue }
            let trip = overlaps.counted(insteadOf: said) ?? said
            kinds[trip, default: []].insert(expense.expense.kind)
            if named[trip] == nil, let startedAt = expense.expense.tripStartedAt {
                starts.append((startedAt.timestamp, trip, expense))
            }
            named[trip, default: []].append(expense)
        }
        starts.sort { ($0.startedAt, $0.trip) < ($1.startedAt, $1.trip) }
    }

    /// Takes the expenses that name a trip, and notes which others may be of it.
    mutating func take(of booked: BookedTrip, _ trip: ClaimTrip) -> [RecordedExpense] {
        let (start, end) = (booked.trip.startedAt.timestamp, booked.trip.endedAt?.timestamp)
        let candidate = Candidate.one(booked.id, trip, group: booked.trip.group.map { NameKey($0) })
        let firstStart = Self.firstIndex(in: starts) { $0.startedAt >= start }
        for place in starts[firstStart...] {
            guard place.startedAt <= end ?? start else { break }
            guard place.expense.concerns(booked.trip.group) else { continue }
            let isFirst = candidates[place.trip] == nil
            candidates[place.trip] = isFirst ? candidate : .several
        }
        note(booked.details.vehicle, of: booked.trip.group)
        let firstTimed = Self.firstIndex(in: timed) { $0.expense.paidAt.timestamp >= start }
        for index in firstTimed..<timed.count {
            guard timed[index].expense.paidAt.timestamp <= end ?? start else { break }
            guard timed[index].mayBe(of: booked) else { continue }
            let isFirst = timed[index].candidate == nil
            timed[index].candidate = isFirst ? candidate : .several
        }
        notePayments(in: booked, trip)
        guard let all = named.removeValue(forKey: booked.id) else { return [] }
        let others = all.filter { !$0.concerns(booked.trip.group) }
        named[booked.id] = others.isEmpty ? nil : others
        return all.filter { $0.concerns(booked.trip.group) }
    }

    /// Notes the vehicle of a trip of a group.
    private mutating func note(_ vehicle: String?, of group: String?) {
        guard let vehicle else { return }
        vehicles[group.map { NameKey($0) }, default: []].insert(NameKey(vehicle))
    }

    /// Notes what another program's table says in fields of a trip that was paid for it.
    private mutating func notePayments(in booked: BookedTrip, _ trip: ClaimTrip) {
        guard booked.details.fields != nil else { return }
        for (name, kind) in [("tolls", ExpenseKind.toll), ("parking", .parking)] {
            let amount: ExactDecimal? =
                switch booked.details.fields?[name] {
                case .number(let number): number
                case .text(let text): ExactDecimal(literal: text)
                case .boolean, .null, nil: nil
                }
            guard let amount, amount.doubleValue > 0, kinds[booked.id]?.contains(kind) != true
            else { continue }
            said.append(Said(id: booked.id, trip: trip, kind: kind, amount: amount))
        }
    }

    /// The payments that fields of trips state, after the last trip, without kinds of which the
    /// trip has an expense of its own.
    var payments: [(kind: ExpenseKind, amount: ExactDecimal, trip: ClaimTrip)] {
        var kinds: [TripID: Set<ExpenseKind>] = [:]
        for one in timed {
            guard let found = trip(of: one) else { continue }
            kinds[found.id, default: []].insert(one.expense.expense.kind)
        }
        for (gone, expenses) in named {
            guard let found = candidates[gone]?.only else { continue }
            kinds[found.id, default: []].formUnion(expenses.map(\.expense.kind))
        }
        return said.filter { kinds[$0.id]?.contains($0.kind) != true }
            .map { ($0.kind, $0.amount, $0.trip) }
    }

    /// The trips of expenses that name none, after the last trip.
    var tripsByTime: [ExpenseID: TripID] {
        var trips: [ExpenseID: TripID] = [:]
        for one in timed { trips[one.expense.id] = trip(of: one)?.id }
        return trips
    }

    /// The expenses that name no trip that was read, after the last trip, each with the trip to
    /// which it belongs instead.
    var rest: [(expense: RecordedExpense, trip: ClaimTrip?)] {
        let gone = named.sorted { $0.key < $1.key }
            .flatMap { id, expenses in
                let trip = candidates[id]?.only?.trip
                return expenses.map { (expense: $0, trip: trip) }
            }
        let byTime = timed.map { (expense: $0.expense, trip: trip(of: $0)?.trip) }
        return gone + byTime + ofDays.map { ($0, nil) }
    }

    /// Returns the trip to which an expense belongs by its time; `nil` for none, or several.
    private func trip(of one: Timed) -> (id: TripID, trip: ClaimTrip)? {
        guard case .one(let id, let trip, group: let group)? = one.candidate,
            one.expense.expense.vehicle != nil || hasOneVehicle(group)
        else { return nil }
        return (id, trip)
    }

    /// Whether a group has no more than one vehicle, together with those that all groups have.
    private func hasOneVehicle(_ group: NameKey?) -> Bool {
        (vehicles[group] ?? []).union(vehicles[nil] ?? []).count <= 1
    }

    /// Returns the first index from which a condition holds for all elements, which are in order.
    private static func firstIndex<Element>(
        in elements: [Element],
        _ holds: (Element) -> Bool
    ) -> Int {
        var (low, high) = (0, elements.count)
        while low < high {
            let middle = (low + high) / 2
            if holds(elements[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension ClaimExpense {
    /// Creates what rates see of an expense.
    init(_ recorded: RecordedExpense) {
        let expense = recorded.expense
        self.init(kind: expense.kind, amount: expense.amount, currency: expense.currency)
        let quantity = expense.quantityUnit == .kilowattHours ? expense.quantity : nil
        let units = quantity?.units(places: 6)
        microKilowattHours = units.flatMap { $0 < Self.mostQuantity ? $0 : nil }
        isAtHome = expense.place.map { Self.namesOfHome.contains($0.lowercased()) } ?? false
    }

    /// More millionths of a kilowatt-hour than are added.
    private static let mostQuantity: Int64 = 1_000_000_000_000

    /// What people call the saved place where they live, in small letters.
    private static let namesOfHome: Set = [
        "home", "zuhause", "zu hause", "daheim", "thuis", "maison", "domicile",
    ]
}
