import TripEvents

// Decisions as JSON: the members of the event that says one, with trips as they were named, and
// without what the ledger finds out by itself.
extension DecisionRequest {
    /// The members of the object, in the order of an event's.
    var jsonMembers: [JSONValue.Member] {
        var members = [member("type", .text(decision.kind.name))]
        if let source { members.append(member("source", .text(source))) }
        if let time = time ?? paidAt {
            let text = RFC3339.text(time.timestamp, utcOffset: time.utcOffset)
            members.append(member("occurred_at", .text(text)))
        }
        if let id { members.append(member("id", .text(id))) }
        if let actor { members.append(member("actor", .text(actor))) }
        members += decision.jsonMembers
        if let extra = supplement.extra, let value = try? JSONValue(Array(extra.json.utf8).span) {
            members.append(member("extra", value))
        }
        return members
    }

    private var paidAt: EventTime? {
        if case .recordExpense(let edit) = decision { edit.paidAt } else { nil }
    }
}

private func member(_ name: String, _ value: JSONValue) -> JSONValue.Member {
    JSONValue.Member(name: name, value: value)
}

extension LedgerDecision {
    /// The members that say what is decided.
    fileprivate var jsonMembers: [JSONValue.Member] {
        switch self {
        case .edit(let trip, let edit):
            let edited = DetailsEdited(edit, of: Self.noTrip, from: nil)
            return [of(trip)] + members(of: .detailsEdited(edited), without: ["trip"])
        case .applyRoutine(let name, let trip): return [of(trip), member("routine", .text(name))]
        case .adjust(let trip, let meters, let why):
            return [of(trip), number("distance_m", meters), member("why", .text(why))]
        case .void(let trip, let why): return [of(trip), member("why", .text(why))]
        case .restore(let trip, let why): return [of(trip)] + because(why)
        case .merge(let trips, let why):
            return [member("trips", .list(trips.map { .text($0.text) }))] + because(why)
        case .split(let trip, let time, let why):
            return [of(trip), member("split_at", .text(time.text))] + because(why)
        case .exclude(let trip, let from, let to, let why):
            return [
                of(trip), member("from_time", .text(from.text)), member("to_time", .text(to.text)),
                member("why", .text(why)),
            ]
        case .recover(let decision, let trip, let source):
            let named = [
                trip.map { of($0) }, source.map { member("applies_to", .text($0)) },
            ]
            return named.compactMap(\.self) + [member("decision", .text(decision.rawValue))]
        case .reportTrip(let report, let odometer):
            let left: Set<String> = odometer == nil ? [] : ["distance_m"]
            let ends = odometer.map {
                [number("odometer_start", $0.start), number("odometer_end", $0.end)]
            }
            return members(of: .tripReported(report), without: left) + (ends ?? [])
        case .saveRoutine, .removeRoutine, .savePlace, .removePlace, .registerVehicle,
            .readOdometer, .recordExpense, .voidExpense, .defineField, .adoptRules, .loadRates,
            .shiftClock, .changeSettings:
            return settingMembers
        }
    }

    private var settingMembers: [JSONValue.Member] {
        switch self {
        case .saveRoutine(let name, let details, let edit, let trip):
            let saved = RoutineSaved(routine: name, details: details, pattern: edit.pattern)
            let byHand = edit.isRemoval ? [member("by_hand", .boolean(true))] : []
            let from = trip.map { [member("from_trip", .text($0.text))] } ?? []
            return members(of: .routineSaved(saved)) + from + byHand
        case .removeRoutine(let name): return [member("routine", .text(name))]
        case .savePlace(let name, let edit): return [member("place", .text(name))] + edit.members
        case .removePlace(let name): return [member("place", .text(name))]
        case .registerVehicle(let registered, let cleared):
            return members(of: .vehicleRegistered(registered))
                + cleared.sorted().map { member($0, .null) }
        case .readOdometer(let vehicle, let value, let unit, let method, let corrects):
            let read = OdometerRead(
                vehicle: vehicle,
                value: value,
                unit: unit ?? .kilometers,
                method: method,
                corrects: corrects
            )
            return members(of: .odometerRead(read), without: unit == nil ? ["unit"] : [])
        case .recordExpense(let edit):
            var all = members(of: .expenseRecorded(edit.expense))
            if let trip = edit.trip { all.append(of(trip)) }
            if let odometer = edit.odometer { all.append(number("odometer", odometer)) }
            if let id = edit.corrects { all.append(member("corrects_expense", .text(id))) }
            return all
        case .voidExpense(let id, let why):
            return [
                member("corrects_expense", .text(id)), member("void", .boolean(true)),
                member("notes", .text(why)),
            ]
        case .defineField(let key, let edit): return [member("key", .text(key))] + edit.members
        case .adoptRules(let rules): return members(of: .rulesAdopted(rules))
        case .loadRates(let rates): return members(of: .ratesLoaded(rates))
        case .shiftClock(let shift): return members(of: .clockShifted(shift))
        case .changeSettings(let change): return members(of: .settingsChanged(change))
        case .edit, .applyRoutine, .adjust, .void, .restore, .merge, .split, .exclude, .recover,
            .reportTrip:
            preconditionFailure("the decision is about a trip")
        }
    }

    private static let noTrip = TripID(high: 0, low: 0)

    private func of(_ trip: TripReference) -> JSONValue.Member { member("trip", .text(trip.text)) }

    private func because(_ why: String?) -> [JSONValue.Member] {
        why.map { [member("why", .text($0))] } ?? []
    }

    private func number(_ name: String, _ number: ExactDecimal) -> JSONValue.Member {
        member(name, .number(literal: number.description))
    }

    /// Returns the members of the content of an event.
    private func members(
        of body: EventBody,
        without left: Set<String> = []
    ) -> [JSONValue.Member] {
        let event = TripEvent(source: "", occurredAt: Timestamp(milliseconds: 0), body: body)
        let json = Array(event.contentJSON.utf8)
        guard case .object(let members)? = try? JSONValue(json.span) else {
            preconditionFailure("the content of an event is an object")
        }
        return members.filter { !left.contains($0.name) }
    }
}

extension PlaceEdit {
    fileprivate var members: [JSONValue.Member] {
        let numbers = [("lat", latitude), ("lon", longitude), ("radius_m", radiusMeters)]
        let flags = [
            ("skip", skips), ("notify_on_entry", notifiesOnEntry),
            ("notify_on_exit", notifiesOnExit),
        ]
        return numbers.compactMap { name, number in
            number.map { member(name, .number(literal: $0.description)) }
        }
            + labelMembers
            + flags.compactMap { name, flag in flag.map { member(name, .boolean($0)) } }
    }

    private var labelMembers: [JSONValue.Member] {
        switch label {
        case .unchanged: []
        case .cleared: [member("label", .null)]
        case .set(let text): [member("label", .text(text))]
        }
    }
}

extension FieldEdit {
    fileprivate var members: [JSONValue.Member] {
        let options = options.map { member("options", .list($0.map { .text($0) })) }
        return [
            label.map { member("label", .text($0)) },
            valueType.map { member("value_type", .text($0.rawValue)) }, options,
            order.map { member("order", .number(literal: "\($0)")) },
        ]
        .compactMap(\.self)
    }
}

extension TripReference {
    /// The reference as people write it.
    public var text: String {
        switch self {
        case .last: "last"
        case .active: "active"
        case .prefix(let digits): digits
        }
    }
}

extension TripTime {
    /// The time as people write it.
    var text: String {
        switch self {
        case .instant(let time): RFC3339.text(time.timestamp, utcOffset: time.utcOffset)
        case .local(let text), .clock(let text): text
        }
    }
}
