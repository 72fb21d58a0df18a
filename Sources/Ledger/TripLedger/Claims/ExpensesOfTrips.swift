import Projections
import Rates
import TripEvents
import TripTracking

/// Finds the expenses of each trip while trips are read in order of their starts.
///
/// An expense is of the trip that it names. If that one has gone, because trips were merged or
/// split or late data moved their ends, it is of the only trip that was under way when the one that
/// it names had started. Trips of another group than the expense's do not count for it.
struct ExpensesOfTrips {
    /// The trip that an expense may be of.
    private enum Candidate {
        case one(ClaimTrip)
        case several
    }

    private var named: [TripID: [RecordedExpense]] = [:]
    private let unnamed: [RecordedExpense]

    /// The expenses of trips, in order of the starts that they name, with their candidates.
    private var starts: [(startedAt: Timestamp, trip: TripID, expense: RecordedExpense)] = []
    private var candidates: [TripID: Candidate] = [:]

    /// Begins with all expenses that stand.
    init(_ book: ExpenseBook) {
        unnamed = book.expenses.filter { $0.expense.trip == nil }
        for expense in book.expenses {
            guard let trip = expense.expense.trip else { continue }
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
        for place in starts[firstIndex(from: start)...] {
            guard place.startedAt <= end ?? start else { break }
            guard place.expense.concerns(booked.trip.group) else { continue }
            candidates[place.trip] = candidates[place.trip] == nil ? .one(trip) : .several
        }
        guard let all = named.removeValue(forKey: booked.id) else { return [] }
        let others = all.filter { !$0.concerns(booked.trip.group) }
        named[booked.id] = others.isEmpty ? nil : others
        return all.filter { $0.concerns(booked.trip.group) }
    }

    /// The expenses that name no trip that was read, each with the one that it is of instead.
    var rest: [(expense: RecordedExpense, trip: ClaimTrip?)] {
        let gone = named.sorted { $0.key < $1.key }
            .flatMap { id, expenses in
                let trip: ClaimTrip? =
                    if case .one(let trip)? = candidates[id] { trip } else { nil }
                return expenses.map { (expense: $0, trip: trip) }
            }
        return gone + unnamed.map { ($0, nil) }
    }

    /// Returns the first of the starts that is not before a time.
    private func firstIndex(from time: Timestamp) -> Int {
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle].startedAt < time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension ClaimExpense {
    /// Creates what rates see of an expense.
    init(_ recorded: RecordedExpense) {
        let expense = recorded.expense
        self.init(kind: expense.kind, amount: expense.amount, currency: expense.currency)
    }
}
