package import TripEvents

/// Reads decisions from JSON: `decision.v1.schema.json`.
///
/// A decision has the members of the event that says it, so what they may be is checked by the
/// reader of events. Before that, members that people write in another way than events are replaced
/// by something that an event can have, and what the ledger finds out by itself is filled in.
package struct DecisionReader: Sendable {
    private var events = EventLineReader(isStrict: true)

    /// Creates a reader.
    package init() {}

    /// The types of decisions, for people.
    private static let typeNames = EventKind.allCases.filter(\.isAskable).map(\.name)
        .joined(separator: ", ")

    /// Reads a decision.
    ///
    /// - Parameters:
    ///   - value: The object.
    ///   - now: When the ledger stores the decision.
    /// - Returns: The decision, with what goes with it.
    /// - Throws: `Rejection` if the object is not a decision.
    package mutating func request(
        _ value: JSONValue,
        now: Timestamp
    ) throws(Rejection) -> DecisionRequest {
        guard case .object(let all) = value else {
            throw Rejection(
                .notAnObject,
                sentence: "It is \(value.typeName); a decision is an object."
            )
        }
        var members = DecisionMembers(all)
        if let name = value["type"]?.text, !(EventKind(name: name)?.isAskable ?? false) {
            throw Rejection(
                .unknownType,
                field: "type",
                sentence: "\(Excerpt.of(name)) is no decision that can be asked for; these are "
                    + "\(Self.typeNames)."
            )
        }
        let said = try SaidMembers(takenFrom: &members, now: now)
        var line: [UInt8] = []
        JSONWriter.append(members.all, to: &line)
        let event: TripEvent
        do throws(Rejection) {
            event = try events.event(
                line.span,
                defaultSource: Ledger.decisionSource,
                recordedAt: now
            )
        } catch {
            // The column is that of a line which the sender has never seen.
            throw Rejection(error.code, field: error.field, sentence: error.sentence)
        }
        guard event.sequence == nil else {
            throw Rejection(
                .unknownField,
                field: "sequence",
                sentence: "A decision has no member sequence."
            )
        }
        let time = EventTime(event.occurredAt, utcOffset: event.utcOffset)
        var request = DecisionRequest(
            try said.decision(event.body, at: said.hasTime ? time : nil),
            at: said.hasTime ? time : nil,
            by: event.actor,
            id: event.id,
            from: said.hasSource ? event.source : nil
        )
        request.supplement = event.supplement
        return request
    }
}

/// The members of an object that is made into an event.
struct DecisionMembers {
    private(set) var all: [JSONValue.Member]

    init(_ all: [JSONValue.Member]) {
        self.all = all
    }

    /// Returns a member that says something; null does not.
    subscript(name: String) -> JSONValue? {
        guard let value = all.first(where: { $0.name == name })?.value else { return nil }
        if case .null = value { return nil }
        return value
    }

    /// Whether a member is there and is null.
    func isNull(_ name: String) -> Bool {
        guard case .null? = all.first(where: { $0.name == name })?.value else { return false }
        return true
    }

    /// Takes a member out, and returns what it says.
    mutating func take(_ name: String) -> JSONValue? {
        let value = self[name]
        all.removeAll { $0.name == name }
        return value
    }

    /// Puts something in the place of a member.
    mutating func set(_ name: String, _ value: JSONValue) {
        all.removeAll { $0.name == name }
        all.append(JSONValue.Member(name: name, value: value))
    }

    /// Fills in a member that an event must have, and returns whether it was missing.
    mutating func fillIn(_ name: String, _ value: JSONValue) -> Bool {
        guard self[name] == nil else { return false }
        set(name, value)
        return true
    }
}

/// The members that a decision writes in another form than an event does, or may leave out although
/// an event may not.
private struct SaidMembers {
    private(set) var hasTime = true
    private(set) var hasSource = true
    private var trip: TripReference?
    private var trips: [TripReference] = []
    private var times: [String: TripTime] = [:]
    private var missing: Set<String> = []
    private var texts: [String: String] = [:]
    private var numbers: [String: ExactDecimal] = [:]
    private var isByHand = false
    private var clearsLabel = false

    /// The members of a vehicle that are cleared.
    private var clearedOfVehicle: Set<String> = []

    /// Whether the address of a place is cleared.
    private var clearsAddress = false

    /// Takes what an event says, which names trips by their ids.
    init(of body: EventBody) {
        trips = body.askedTrips.map { .named($0) }
        trip = trips.first
    }

    /// Takes them out of the members, so that these are those of an event.
    init(takenFrom members: inout DecisionMembers, now: Timestamp) throws(Rejection) {
        hasTime = !members.fillIn("occurred_at", .text(RFC3339.text(now)))
        hasSource = members["source"] != nil
        trip = try Self.takeTrip("trip", from: &members)
        switch members["type"]?.text.flatMap({ EventKind(name: $0) }) {
        case .tripsMerged?: try takeTrips(from: &members)
        case .tripVoided?:
            guard members["why"] != nil else { throw .missingField("why") }
        case .tripSplit?: try takeTime("split_at", from: &members, day: 1)
        case .stretchExcluded?:
            try takeTime("from_time", from: &members, day: 1)
            try takeTime("to_time", from: &members, day: 2)
        case .recoveryDecided?:
            if members.fillIn("trip", Self.anyTrip(1)) { missing.insert("trip") }
            try takeText("applies_to", from: &members)
        case .tripReported?:
            try takeNumber("odometer_start", from: &members)
            try takeNumber("odometer_end", from: &members)
            if !numbers.isEmpty { fillIn(["distance_m": .number(literal: "0")], in: &members) }
        case .routineSaved?:
            trip = try Self.takeTrip("from_trip", from: &members, isOfEvent: false)
            isByHand = try Self.takeFlag("by_hand", from: &members)
            // The places may be left out, because the routine may already have one that the days
            // apply to.
            if members["to_place"] == nil { fillIn(["from_place": .text("-")], in: &members) }
        case .placeSaved?:
            clearsLabel = members.isNull("label")
            clearsAddress = members.isNull("address")
            try takePosition(from: &members)
        case .vehicleRegistered?:
            let nulls = members.all.map(\.name).filter { members.isNull($0) }
            clearedOfVehicle = VehicleRegistered.clearable.intersection(nulls)
        case .odometerRead?: fillIn(["unit": .text("km")], in: &members)
        case .fieldDefined?:
            let label = members["key"] ?? .null
            fillIn(["label": label, "value_type": .text("text")], in: &members)
        case .expenseRecorded?: try takeExpense(from: &members)
        default: break
        }
    }

    /// The id of some trip, in place of a name that no event can have.
    private static func anyTrip(_ number: Int) -> JSONValue {
        let digits = String(number, radix: 16)
        return .text(String(repeating: "0", count: 32 - digits.utf8.count) + digits)
    }

    private mutating func fillIn(
        _ usual: KeyValuePairs<String, JSONValue>,
        in members: inout DecisionMembers
    ) {
        for (name, value) in usual where members.fillIn(name, value) { missing.insert(name) }
    }

    private static func takeTrip(
        _ name: String,
        from members: inout DecisionMembers,
        isOfEvent: Bool = true
    ) throws(Rejection) -> TripReference? {
        // Null says nothing, and an event must not have a member that is only a decision's.
        guard let value = isOfEvent ? members[name] : members.take(name) else { return nil }
        let reference = try reference(value, name)
        if isOfEvent { members.set(name, anyTrip(1)) }
        return reference
    }

    private static func reference(
        _ value: JSONValue,
        _ name: String
    ) throws(Rejection) -> TripReference {
        guard let reference = value.text.flatMap({ TripReference($0) }) else {
            throw Rejection(
                .invalidValue,
                field: name,
                sentence: "\(name) must be last, active, or the beginning of a trip's id."
            )
        }
        return reference
    }

    private mutating func takeTrips(from members: inout DecisionMembers) throws(Rejection) {
        guard case .list(let values)? = members["trips"] else { return }
        for value in values { trips.append(try Self.reference(value, "trips")) }
        members.set("trips", .list(values.indices.map { Self.anyTrip($0 + 1) }))
    }

    /// Takes a time of a trip, which a person may say by the clock of the trip.
    private mutating func takeTime(
        _ name: String,
        from members: inout DecisionMembers,
        day: Int64
    ) throws(Rejection) {
        guard let value = members[name] else { return }
        let time: TripTime?
        switch value {
        case .text(let text): time = TripTime(text)
        case .number(let literal):
            time = Int64(literal)
                .map { .instant(EventTime(Timestamp(milliseconds: $0))) }
        case .null, .boolean, .list, .object: time = nil
        }
        // A value that is no time at all is refused as in an event.
        guard let time else { return }
        times[name] = time
        let instant = Timestamp(milliseconds: day * Timestamp.millisecondsPerDay)
        members.set(name, .text(RFC3339.text(instant)))
    }

    private mutating func takeText(
        _ name: String,
        from members: inout DecisionMembers
    ) throws(Rejection) {
        guard let value = members.take(name) else { return }
        guard let text = value.text else { throw Self.wrong(name, value, "a text") }
        texts[name] = text
    }

    private mutating func takeNumber(
        _ name: String,
        from members: inout DecisionMembers
    ) throws(Rejection) {
        guard let value = members.take(name) else { return }
        guard case .number(let literal) = value, let number = ExactDecimal(literal: literal),
            number.doubleValue >= 0
        else { throw Self.wrong(name, value, "a number that is not negative") }
        numbers[name] = number
    }

    private static func takeFlag(
        _ name: String,
        from members: inout DecisionMembers
    ) throws(Rejection) -> Bool {
        guard let value = members.take(name) else { return false }
        guard case .boolean(let flag) = value else { throw wrong(name, value, "true or false") }
        return flag
    }

    private static func wrong(_ name: String, _ value: JSONValue, _ expected: String) -> Rejection {
        Rejection(
            .wrongType,
            field: name,
            sentence: "\(name) is \(value.typeName); it must be \(expected)."
        )
    }

    private mutating func takePosition(from members: inout DecisionMembers) throws(Rejection) {
        let (hasLatitude, hasLongitude) = (members["lat"] != nil, members["lon"] != nil)
        guard hasLatitude == hasLongitude else {
            throw .missingField(hasLatitude ? "lon" : "lat")
        }
        let zero = JSONValue.number(literal: "0")
        fillIn(["lat": zero, "lon": zero, "radius_m": zero], in: &members)
    }

    private mutating func takeExpense(from members: inout DecisionMembers) throws(Rejection) {
        try takeNumber("odometer", from: &members)
        if case .text(let digits)? = members["corrects_expense"], TripReference(digits) != nil {
            texts["corrects_expense"] = digits
            members.set("corrects_expense", Self.anyTrip(1))
        }
        guard case .boolean(true)? = members["void"] else { return }
        guard members["notes"] != nil else { throw .missingField("notes") }
        fillIn(
            [
                "kind": .text("other"), "amount": .number(literal: "0"),
                "currency": .text("EUR"),
            ],
            in: &members
        )
    }
}

extension LedgerDecision {
    /// Takes what an event says, or returns `nil` if that is no decision that can be asked for.
    package init?(_ body: EventBody) {
        var body = body
        if case .placeSaved(var saved) = body {
            // Saving an imported place anew makes it one of the ledger's own.
            saved.importedFrom = nil
            body = .placeSaved(saved)
        }
        guard body.kind?.isAskable ?? false,
            let decision = try? SaidMembers(of: body).decision(body, at: nil)
        else { return nil }
        self = decision
    }
}

// MARK: - What the event means

extension SaidMembers {
    /// Returns what is decided.
    func decision(
        _ body: EventBody,
        at time: EventTime?
    ) throws(Rejection) -> LedgerDecision {
        switch body {
        case .expenseRecorded(let expense): return decision(of: expense, paidAt: time)
        case .routineSaved, .routineRemoved, .placeSaved, .placeRemoved, .vehicleRegistered,
            .odometerRead, .fieldDefined, .rulesAdopted, .ratesLoaded, .clockShifted,
            .settingsChanged:
            return try setting(body)
        case .tripsMerged(let merge): return .merge(trips, why: merge.why)
        case .recoveryDecided(let recovery):
            let named = missing.contains("trip") ? nil : trip
            return .recover(recovery.decision, named, source: texts["applies_to"])
        case .tripReported(let report): return .reportTrip(report, odometer: try odometer())
        default: return try decision(body, about: trip)
        }
    }

    private func decision(
        _ body: EventBody,
        about trip: TripReference?
    ) throws(Rejection) -> LedgerDecision {
        guard let trip else { throw .missingField("trip") }
        switch body {
        case .detailsEdited(let edit): return .edit(trip, TripEdit(edit))
        case .routineApplied(let applied): return .applyRoutine(applied.routine, to: trip)
        case .distanceAdjusted(let adjusted):
            return .adjust(trip, distanceMeters: adjusted.distanceMeters, why: adjusted.why)
        case .tripVoided(let voided): return .void(trip, why: voided.why ?? "")
        case .tripRestored(let restored): return .restore(trip, why: restored.why)
        case .tripSplit(let split):
            return .split(trip, at: time("split_at", split.splitAt), why: split.why)
        case .stretchExcluded(let excluded):
            return .exclude(
                trip,
                from: time("from_time", excluded.from),
                to: time("to_time", excluded.to),
                why: excluded.why
            )
        default: preconditionFailure("other decisions are about no trip that must be named")
        }
    }

    private func time(_ name: String, _ otherwise: EventTime) -> TripTime {
        times[name] ?? .instant(otherwise)
    }

    private func odometer() throws(Rejection) -> OdometerEnds? {
        guard !numbers.isEmpty else { return nil }
        guard let start = numbers["odometer_start"] else { throw .missingField("odometer_start") }
        guard let end = numbers["odometer_end"] else { throw .missingField("odometer_end") }
        return OdometerEnds(start: start, end: end)
    }

    private func setting(_ body: EventBody) throws(Rejection) -> LedgerDecision {
        switch body {
        case .routineSaved(let saved):
            var edit = PatternEdit()
            edit.pattern = saved.pattern
            if missing.contains("from_place") { edit.pattern.from = nil }
            edit.isRemoval = isByHand
            return .saveRoutine(saved.routine, saved.details, edit, from: trip)
        case .routineRemoved(let removed): return .removeRoutine(removed.routine)
        case .placeSaved(let saved): return .savePlace(saved.place, try edit(of: saved))
        case .placeRemoved(let removed): return .removePlace(removed.place)
        case .vehicleRegistered(let registered):
            return .registerVehicle(registered, clearing: clearedOfVehicle)
        case .odometerRead(let read):
            return .readOdometer(
                vehicle: read.vehicle,
                read.value,
                unit: missing.contains("unit") ? nil : read.unit,
                read.method,
                corrects: read.corrects
            )
        case .fieldDefined(let defined):
            var edit = FieldEdit()
            edit.label = missing.contains("label") ? nil : defined.label
            edit.valueType = missing.contains("value_type") ? nil : defined.valueType
            edit.options = defined.options
            edit.order = defined.order
            return .defineField(defined.key, edit)
        case .rulesAdopted(let rules): return .adoptRules(rules)
        case .ratesLoaded(let rates): return .loadRates(try own(rates))
        case .clockShifted(let shift): return .shiftClock(shift)
        case .settingsChanged(let change): return .changeSettings(change)
        default: preconditionFailure("other decisions are about trips")
        }
    }

    /// Refuses rates that would be mistaken for those of the program, as the command does.
    private func own(_ rates: RatesLoaded) throws(Rejection) -> RatesLoaded {
        guard let cause = LoadedRates.mistakable(rates) else { return rates }
        throw Rejection(
            .invalidValue,
            field: "rates",
            sentence: "The rates need names of their own: \(cause). `ledger rates load "
                + "--as-official` takes them all the same."
        )
    }

    private func edit(of saved: PlaceSaved) throws(Rejection) -> PlaceEdit {
        guard saved.importedFrom == nil else {
            throw Rejection(
                .unknownField,
                field: "imported_from",
                sentence: "A place that is imported is an event; a decision saves one of your own."
            )
        }
        var edit = PlaceEdit()
        if !missing.contains("lat") {
            (edit.latitude, edit.longitude) = (saved.latitude, saved.longitude)
        }
        edit.radiusMeters = missing.contains("radius_m") ? nil : saved.radiusMeters
        edit.label = saved.label.map { .set($0) } ?? (clearsLabel ? .cleared : .unchanged)
        edit.address = saved.address.map { .set($0) } ?? (clearsAddress ? .cleared : .unchanged)
        edit.skips = saved.skips
        edit.notifiesOnEntry = saved.notifiesOnEntry
        edit.notifiesOnExit = saved.notifiesOnExit
        return edit
    }

    private func decision(
        of expense: ExpenseRecorded,
        paidAt time: EventTime?
    ) -> LedgerDecision {
        let corrects = texts["corrects_expense"] ?? expense.corrects?.description
        if expense.isVoid == true, let corrects {
            return .voidExpense(corrects, why: expense.notes ?? "")
        }
        var content = expense
        (content.trip, content.tripStartedAt, content.corrects) = (nil, nil, nil)
        content.isVoid = nil
        var edit = ExpenseEdit(content)
        edit.trip = trip
        edit.paidAt = corrects == nil ? time : nil
        edit.odometer = numbers["odometer"]
        edit.corrects = corrects
        return .recordExpense(edit)
    }
}
