import Projections
import Rates
import TripEvents

// A decision is taken back either by one that undoes exactly this, or by restoring its trip, which
// also takes back earlier decisions about it. Some decisions have neither.
extension Snapshot {
    /// Returns the decision that takes one back, if the state before it is enough to find it.
    ///
    /// - Parameters:
    ///   - request: The decision; settings of a group are not taken back this way.
    ///   - body: The event that says it.
    ///   - instant: When it happens.
    /// - Returns: The decision; `nil` if there is none, or if it depends on what the first decision
    ///   changes.
    /// - Throws: `.damaged`, `.inputOutput`.
    func undo(
        of request: DecisionRequest,
        saidBy body: EventBody,
        at instant: Timestamp
    ) throws(LedgerError) -> LedgerDecision? {
        switch request.decision {
        case .void, .split, .exclude: return body.askedTrips.first.map { .restore(.named($0)) }
        case .merge: return body.askedTrips.first.map { .restore(.named($0)) }
        case .adjust:
            guard let id = body.askedTrips.first else { return nil }
            let before = try trip(.named(id)).booked.adjusted
                .flatMap { ExactDecimal(significand: $0.millimeters, decimals: 3) }
            return
                before
                .map { .adjust(.named(id), distanceMeters: $0, why: Self.takenBack) }
                ?? .restore(.named(id))
        case .edit, .applyRoutine, .restore, .recover, .reportTrip, .readOdometer, .adoptRules:
            return nil
        case .recordExpense, .voidExpense: return try undo(ofExpense: body)
        case .loadRates(let loaded):
            // A table that is the first of its name stays: no decision takes one out.
            return try rates().tables.first { $0.name.hasSameBytes(as: loaded.table) }
                .map { .loadRates($0.loading()) }
        case .saveRoutine, .removeRoutine, .savePlace, .removePlace, .registerVehicle,
            .defineField, .shiftClock:
            return try request.group == nil ? undo(ofSetting: body) : nil
        case .changeSettings(let change):
            // A setting that holds from another time on is not taken back by one that holds from
            // now on.
            guard request.time == nil else { return nil }
            return .changeSettings(
                SettingsChanged(takingBack: change, to: settings, at: instant)
            )
        }
    }

    /// Why something is taken back, where a reason must be given.
    static var takenBack: String { "Taken back" }

    /// Returns the decision that makes an expense what it was before it was corrected or taken
    /// back; `nil` if it was not there, or did not say something that the correction says.
    private func undo(ofExpense body: EventBody) throws(LedgerError) -> LedgerDecision? {
        guard case .expenseRecorded(let new) = body, let id = new.corrects else { return nil }
        let old = try expense(beginningWith: id.description).expense
        guard old.isVoid != true else {
            return .voidExpense(id.description, why: old.notes ?? Self.takenBack)
        }
        guard new.isVoid == true || old.saysAll(of: new) else { return nil }
        var content = old
        (content.trip, content.tripStartedAt, content.corrects) = (nil, nil, nil)
        content.isVoid = nil
        var edit = ExpenseEdit(content)
        if let trip = old.trip, trip != new.trip { edit.trip = .named(trip) }
        edit.corrects = id.description
        return .recordExpense(edit)
    }

    private func undo(ofSetting body: EventBody) throws(LedgerError) -> LedgerDecision? {
        switch body {
        case .routineSaved(let saved):
            let old = try routines().routine(named: saved.routine)
            return old == nil ? .removeRoutine(saved.routine) : nil
        case .routineRemoved(let removed):
            guard let old = try routines().routine(named: removed.routine) else { return nil }
            var edit = PatternEdit()
            edit.pattern = old.pattern
            return .saveRoutine(old.name, old.details, edit)
        case .placeSaved(let saved):
            guard let old = try places().place(named: saved.place)?.saving else {
                return .removePlace(saved.place)
            }
            return .savePlace(saved.place, PlaceEdit(old, over: saved))
        case .placeRemoved(let removed):
            let old = try places().place(named: removed.place)?.saving
            return old.map { .savePlace(removed.place, PlaceEdit($0, over: $0)) }
        case .vehicleRegistered(let new):
            let old = try vehicles().vehicle(named: new.vehicle)?.registration
            return old.flatMap { $0.saysAll(of: new) ? .registerVehicle($0) : nil }
        case .fieldDefined(let new):
            guard let old = try fields().definition(of: new.key),
                old.order != nil || new.order == nil
            else { return nil }
            var edit = FieldEdit()
            (edit.label, edit.valueType) = (old.label, old.valueType)
            (edit.options, edit.order) = (old.options, old.order)
            return .defineField(old.key, edit)
        case .clockShifted(let shift):
            let clocks = try asking {
                var events = SourceEvents(of: log, over: store)
                return try events.clocks()
            }
            let isFirst = !clocks.shifts(ofSource: shift.appliesTo, in: nil).stretches
                .contains { $0.from < shift.to.timestamp && shift.from.timestamp < $0.to }
            guard isFirst else { return nil }
            var back = shift
            back.bySeconds = 0
            back.why = Self.takenBack
            return .shiftClock(back)
        default: return nil
        }
    }
}

extension TripEvent {
    /// Returns the decision that takes this one back, if it follows from what this one changed.
    ///
    /// - Parameters:
    ///   - changes: What it changed about its trip.
    ///   - trip: The trip that it is about.
    /// - Returns: The decision; `nil` if it does not follow from that.
    func undo(of changes: [FieldChange], about trip: TripID) -> LedgerDecision? {
        switch body {
        case .tripReported: return .void(.named(trip), why: Snapshot.takenBack)
        case .detailsEdited, .routineApplied:
            let edit = TripEdit(takingBack: changes)
            return edit == TripEdit() ? nil : .edit(.named(trip), edit)
        default: return nil
        }
    }
}

extension TripReference {
    /// The trip with an id.
    package static func named(_ id: TripID) -> TripReference { .prefix(id.description) }
}

extension PlaceEdit {
    /// Creates the edit that makes a place again what it was.
    fileprivate init(_ old: PlaceSaved, over new: PlaceSaved) {
        self.init()
        (latitude, longitude, radiusMeters) = (old.latitude, old.longitude, old.radiusMeters)
        label = old.label.map { .set($0) } ?? (new.label == nil ? .unchanged : .cleared)
        address = old.address.map { .set($0) } ?? (new.address == nil ? .unchanged : .cleared)
        skips = old.skips ?? new.skips.map { _ in false }
        notifiesOnEntry = old.notifiesOnEntry ?? new.notifiesOnEntry.map { _ in false }
        notifiesOnExit = old.notifiesOnExit ?? new.notifiesOnExit.map { _ in false }
    }
}

extension ExpenseRecorded {
    /// Whether this says something about everything that a correction mentions.
    fileprivate func saysAll(of other: ExpenseRecorded) -> Bool {
        let pairs = [
            (vehicle != nil, other.vehicle != nil), (trip != nil, other.trip != nil),
            (day != nil, other.day != nil), (place != nil, other.place != nil),
            (latitude != nil, other.latitude != nil), (merchant != nil, other.merchant != nil),
            (notes != nil, other.notes != nil), (quantity != nil, other.quantity != nil),
            (receiptHash != nil, other.receiptHash != nil),
        ]
        return pairs.allSatisfy { $0.0 || !$0.1 }
    }
}

extension VehicleRegistered {
    /// Whether this says something about everything that another registration mentions.
    fileprivate func saysAll(of other: VehicleRegistered) -> Bool {
        let pairs = [
            (plate != nil, other.plate != nil), (make != nil, other.make != nil),
            (model != nil, other.model != nil), (kind != nil, other.kind != nil),
            (inServiceSince != nil, other.inServiceSince != nil),
            (fiscalPower != nil, other.fiscalPower != nil),
            (isElectric != nil, other.isElectric != nil),
            (keeper != nil, other.keeper != nil), (driver != nil, other.driver != nil),
            (fuel != nil, other.fuel != nil), (engine != nil, other.engine != nil),
        ]
        return pairs.allSatisfy { $0.0 || !$0.1 }
    }
}

extension TripEdit {
    /// Creates the edit that takes changes back.
    fileprivate init(takingBack changes: [FieldChange]) {
        self.init()
        func back(_ change: FieldChange) -> DetailChange<String> {
            if case .text(let old)? = change.old { .set(old) } else { .cleared }
        }
        func back<Value: RawRepresentable<String> & Hashable & Sendable>(
            to change: FieldChange
        ) -> DetailChange<Value> {
            guard case .text(let name)? = change.old else { return .cleared }
            return Value(rawValue: name).map { .set($0) } ?? .cleared
        }
        for change in changes {
            switch change.field {
            case "title": title = back(change)
            case "purpose": purpose = back(change)
            case "notes": notes = back(change)
            case "category": category = back(change)
            case "client": client = back(change)
            case "vehicle": vehicle = back(change)
            case "class": tripClass = back(to: change)
            case "mode": mode = back(to: change)
            case "from": origin = back(change)
            case "to": destination = back(change)
            case "driver": driver = back(change)
            case "from_address": originAddress = back(change)
            case "to_address": destinationAddress = back(change)
            default:
                guard change.field.hasPrefix("fields.") else { continue }
                var all = fields ?? CustomFields()
                all[String(change.field.dropFirst("fields.".count))] = change.old ?? .null
                fields = all
            }
        }
    }
}
