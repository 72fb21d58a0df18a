public import Geodesy
import Platform
public import Projections
import SystemPackage
public import TripEvents
import TripTracking
import TripsProjection

// Expenses: what a decision about one means, and what may be wrong with it.
extension Snapshot {
    /// How long before and after a payment trips are looked at, in milliseconds.
    private static var whereaboutsReach: Int64 { 31 * Timestamp.millisecondsPerDay }

    /// Looks up what a decision about an expense names.
    ///
    /// Members that it does not give stay as in the expense that it corrects; of one that was taken
    /// back, as they were before.
    func resolve(
        _ edit: ExpenseEdit,
        now: Timestamp,
        for group: String?
    ) throws(LedgerError) -> DecisionResolution {
        var expense = edit.expense
        if let digits = edit.corrects {
            let old = try self.expense(beginningWith: digits, for: group)
            var before = old.lastStanding ?? old.expense
            // The notes of what takes an expense back say why.
            if old.lastStanding == nil { before.notes = nil }
            expense = expense.over(before)
            expense.corrects = old.id
        }
        if let reference = edit.trip {
            let booked = try trip(reference, for: group).booked
            expense.trip = booked.id
            expense.tripStartedAt = booked.trip.startedAt
            expense.vehicle = edit.expense.vehicle ?? booked.details.vehicle
        }
        if let name = expense.place, edit.expense.place != nil {
            let places = try places().book(of: group)
            guard places.versions.contains(where: { $0.name.hasSameBytes(as: name) }) else {
                throw LedgerError(noPlace: name, among: places.places.map(\.name), at: path)
            }
        }
        var resolution = DecisionResolution(body: .expenseRecorded(expense), time: edit.paidAt)
        if let value = edit.odometer {
            guard let vehicle = expense.vehicle else {
                throw LedgerError(
                    .notFound,
                    at: path.string,
                    cause: "nothing says whose odometer it is",
                    hint: "Name the vehicle with --vehicle"
                )
            }
            let reading = OdometerRead(
                vehicle: vehicle,
                value: value,
                unit: try odometerUnit(
                    of: vehicle,
                    for: group,
                    at: edit.paidAt?.timestamp ?? now
                ),
                method: .typed
            )
            resolution.readings = [(at: edit.paidAt ?? EventTime(now), read: reading)]
        }
        return resolution
    }

    /// Looks up the expense to take back; the event repeats its content.
    func resolveVoid(
        ofExpense digits: String,
        why: String,
        for group: String?
    ) throws(LedgerError) -> DecisionResolution {
        let old = try expense(beginningWith: digits, for: group)
        var expense = old.expense
        expense.corrects = old.id
        expense.isVoid = true
        expense.notes = why
        return DecisionResolution(body: .expenseRecorded(expense))
    }

    /// Returns the expense whose id begins with some digits, for a group one of its own; without a
    /// group, any.
    ///
    /// - Throws: `.notFound` or `.ambiguous`; `.damaged`, `.inputOutput`.
    public func expense(
        beginningWith digits: String,
        for group: String? = nil
    ) throws(LedgerError) -> RecordedExpense {
        let found = try expenses().expenses(beginningWith: digits.lowercased())
            .filter { group == nil || $0.group.hasSameBytes(as: group) }
        guard let expense = found.first, found.count == 1 else {
            throw LedgerError(
                found.isEmpty ? .notFound : .ambiguous,
                at: path.string,
                cause: found.isEmpty
                    ? "no expense has an id that begins with \(digits)"
                    : "\(found.count) expenses have an id that begins with \(digits)",
                hint: found.isEmpty
                    ? "`ledger expense list` lists them" : "Say more digits of the id"
            )
        }
        return expense
    }

    /// Returns the expense that an event recorded or corrected.
    func expense(recordedBy stored: StoredEvent) throws -> RecordedExpense? {
        guard case .expenseRecorded(let expense) = stored.event.body else { return nil }
        let id = expense.corrects ?? ExpenseID(recordedBy: stored.identity)
        return try expenses().expenses(beginningWith: id.description).first
    }

    /// Returns what may be wrong with something that was paid: the vehicle is not known, or it was
    /// elsewhere.
    func expenseWarnings(
        about outcome: DecisionOutcome,
        _ expense: ExpenseRecorded
    ) throws -> [LedgerWarning] {
        guard let recorded = outcome.expense, expense.isVoid != true else { return [] }
        let id = recorded.id.description.prefix(8)
        let undo = "ledger expense void \(id) --why TEXT"
        var warnings: [LedgerWarning] = []
        if let vehicle = expense.vehicle, expense.trip == nil {
            warnings += try vehicleWarnings(aboutExpenseOf: vehicle, undo: undo)
        }
        guard expense.kind.needsVehicleThere,
            let position = recorded.position(try places()),
            let nearest = try whereabouts(of: recorded, at: position, requireClock()).elsewhere
        else { return warnings }
        let kilometers = FixedPoint.text(
            (nearest.distance.millimeters + 50_000) / 100_000,
            decimals: 1
        )
        let who = expense.vehicle ?? "a vehicle"
        let when = recorded.paidAt.sentenceText(by: clock)
        warnings.append(
            LedgerWarning(
                code: .expenseElsewhere,
                message: "\(expense.kind.rawValue) was paid \(kilometers) km or more from all "
                    + "places where trips of \(who) were around "
                    + "\(expense.day.map(\.description) ?? when); the nearest is trip "
                    + "\(nearest.trip.shortText)",
                undo: undo
            )
        )
        return warnings
    }

    /// Returns how near the trips of a vehicle, in the month before a payment and the month after
    /// it, come to where it was paid.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func whereabouts(
        of expense: RecordedExpense,
        at position: Coordinate,
        _ localDay: LocalDay
    ) throws(LedgerError) -> VehicleWhereabouts {
        try asking { try whereaboutsInRows(of: expense, at: position, localDay) }
    }

    private func whereaboutsInRows(
        of expense: RecordedExpense,
        at position: Coordinate,
        _ localDay: LocalDay
    ) throws -> VehicleWhereabouts {
        var whereabouts = VehicleWhereabouts(expense, at: position, localDay: localDay)
        let window = whereabouts.window
        let reach = Self.whereaboutsReach
        let keys = ViewKeyRange(
            from: TripRow.orderKey(from: window.lowerBound.advanced(byMilliseconds: -reach)),
            upTo: TripRow.orderKey(from: window.upperBound.advanced(byMilliseconds: reach))
        )
        try store.scanTripEnds(in: keys) { whereabouts.take($0) }
        return whereabouts
    }
}

extension ExpenseRecorded {
    /// Returns the expense, with what it does not say as an older one says it.
    fileprivate func over(_ old: ExpenseRecorded) -> ExpenseRecorded {
        var new = self
        new.vehicle = vehicle ?? old.vehicle
        new.trip = trip ?? old.trip
        new.tripStartedAt = trip == nil ? old.tripStartedAt : tripStartedAt
        new.day = day ?? old.day
        new.place = place ?? old.place
        new.latitude = latitude ?? old.latitude
        new.longitude = longitude ?? old.longitude
        new.merchant = merchant ?? old.merchant
        new.notes = notes ?? old.notes
        new.quantity = quantity ?? old.quantity
        new.quantityUnit = quantityUnit ?? old.quantityUnit
        new.receiptHash = receiptHash ?? old.receiptHash
        return new
    }
}
