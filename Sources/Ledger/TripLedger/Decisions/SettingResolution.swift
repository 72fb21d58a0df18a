import EventStore
import Projections
import RoutinesProjection
import SystemPackage
import TripEvents
import TripTracking
import TripsProjection

// Decisions that are not about a trip: routines, places, vehicles, custom fields, rules, clocks and
// settings of the whole ledger.
extension Snapshot {
    /// How far a new place reaches, in metres.
    private static var usualRadius: ExactDecimal { 100 }

    /// The beginning of GPS time, 1980-01-06: no event may be earlier.
    package static var beginning: Timestamp { SettingsBook.beginning }

    /// Looks up what a decision about a setting changes: what it does not mention stays.
    func resolveSetting(
        _ decision: LedgerDecision,
        now: Timestamp,
        for group: String?
    ) throws(LedgerError) -> DecisionResolution {
        switch decision {
        case .saveRoutine(let name, let details, let edit, let from):
            let old = try routines().routine(named: name, for: group)
            var template = old?.details ?? TripDetails()
            if let from { template = try trip(from, for: group).booked.details }
            let saved = RoutineSaved(
                routine: name,
                details: details.over(template),
                pattern: try resolve(edit, from: old?.pattern ?? TripPattern(), for: group)
            )
            return DecisionResolution(body: .routineSaved(saved))
        case .removeRoutine(let name):
            try expectOwn(
                routine: name,
                try routines().routines.filter { $0.group.hasSameBytes(as: group) }
            )
            return DecisionResolution(body: .routineRemoved(RoutineRemoved(routine: name)))
        case .savePlace(let name, let edit): return try resolve(edit, ofPlace: name, for: group)
        case .removePlace(let name):
            let places = try places().places.filter { $0.group.hasSameBytes(as: group) }
            guard places.contains(where: { $0.name.hasSameBytes(as: name) }) else {
                throw LedgerError(noPlace: name, among: places.map(\.name), at: path)
            }
            return DecisionResolution(body: .placeRemoved(PlaceRemoved(place: name)))
        case .registerVehicle(let registration, let cleared):
            return try resolve(registration, clearing: cleared, for: group)
        case .readOdometer(let vehicle, let value, let unit, let method, let corrects):
            if let corrects { try requireReading(of: vehicle, at: corrects, for: group) }
            let usual = try odometerUnit(of: vehicle, for: group, at: now)
            let reading = OdometerRead(
                vehicle: vehicle,
                value: value,
                unit: unit ?? usual,
                method: method,
                corrects: corrects
            )
            return DecisionResolution(body: .odometerRead(reading))
        case .recordExpense(let edit): return try resolve(edit, now: now, for: group)
        case .voidExpense(let id, let why):
            return try resolveVoid(ofExpense: id, why: why, for: group)
        case .defineField(let key, let edit): return try resolve(edit, ofField: key, for: group)
        case .adoptRules(let rules):
            return DecisionResolution(body: .rulesAdopted(rules), time: try defaultTime(of: rules))
        case .loadRates(let loaded): return DecisionResolution(body: .ratesLoaded(loaded))
        case .shiftClock(let shift):
            try requireSource(named: shift.appliesTo)
            return DecisionResolution(body: .clockShifted(shift))
        case .changeSettings(let change):
            let time = try defaultTime(of: change)
            return DecisionResolution(body: .settingsChanged(change), time: time)
        case .edit, .applyRoutine, .adjust, .void, .restore, .merge, .split, .exclude, .recover,
            .reportTrip:
            preconditionFailure("the decision is about a trip")
        }
    }

    /// Throws if an odometer was not read at a time: there is nothing to correct.
    private func requireReading(
        of vehicle: String,
        at time: EventTime,
        for group: String?
    ) throws(LedgerError) {
        let readings = try vehicles().readings(of: vehicle, for: group)
        guard !readings.contains(where: { $0.readAt.timestamp == time.timestamp }) else { return }
        throw LedgerError(
            .notFound,
            at: path.string,
            cause: "the odometer of \(Excerpt.of(vehicle)) was not read at "
                + RFC3339.text(time.timestamp, utcOffset: time.utcOffset),
            hint: "`ledger odometer \(ShellWord.quoted(vehicle)) --list` says when it was read"
        )
    }

    /// Throws, and names those that exist, if no routine of a list has the name.
    private func expectOwn(
        routine name: String,
        _ routines: [RoutineSummary]
    ) throws(LedgerError) {
        guard !routines.contains(where: { $0.routine.name.hasSameBytes(as: name) }) else {
            return
        }
        throw LedgerError(noRoutine: name, among: routines.map(\.routine.name), at: path)
    }

    private func resolve(
        _ edit: PatternEdit,
        from old: TripPattern,
        for group: String?
    ) throws(LedgerError) -> TripPattern {
        if edit.isRemoval { return TripPattern() }
        let places = try places().book(of: group)
        for name in [edit.pattern.from, edit.pattern.to].compactMap(\.self)
        where !places.versions.contains(where: { $0.name.hasSameBytes(as: name) }) {
            throw LedgerError(noPlace: name, among: places.places.map(\.name), at: path)
        }
        return TripPattern(
            from: edit.pattern.from ?? old.from,
            to: edit.pattern.to ?? old.to,
            goesBothWays: edit.pattern.goesBothWays ?? old.goesBothWays,
            days: edit.pattern.days ?? old.days,
            // A routine that is saved again holds from now on, like everything else in it.
            since: edit.pattern.since
        )
    }

    private func resolve(
        _ edit: PlaceEdit,
        ofPlace name: String,
        for group: String?
    ) throws(LedgerError) -> DecisionResolution {
        let places = try places()
        if edit.skips == true { try expectRoom(forSkipping: name, among: places, for: group) }
        let old = places.place(named: name, for: group)?.saving
        guard let latitude = edit.latitude ?? old?.latitude,
            let longitude = edit.longitude ?? old?.longitude
        else {
            throw LedgerError(
                .notFound,
                at: path.string,
                cause: "there is no place \(name) yet, and nothing says where it is",
                hint: "Say --at-trip-start TRIP, --at-trip-end TRIP, --here, or --lat and --lon"
            )
        }
        let saved = PlaceSaved(
            place: name,
            latitude: latitude,
            longitude: longitude,
            radiusMeters: edit.radiusMeters ?? old?.radiusMeters ?? Self.usualRadius,
            label: edit.label.applied(to: old?.label),
            skips: edit.skips ?? old?.skips,
            notifiesOnEntry: edit.notifiesOnEntry ?? old?.notifiesOnEntry,
            notifiesOnExit: edit.notifiesOnExit ?? old?.notifiesOnExit,
            address: edit.address.applied(to: old?.address)
        )
        return DecisionResolution(body: .placeSaved(saved))
    }

    /// Refuses a place to skip that trackers would not keep.
    private func expectRoom(
        forSkipping name: String,
        among places: PlaceBook,
        for group: String?
    ) throws(LedgerError) {
        // Trackers keep the places of their group and the owner's.
        let others = places.places.filter { place in
            place.saving.skips == true
                && (place.group == nil || place.group.hasSameBytes(as: group))
                && !place.name.hasSameBytes(as: name)
        }
        guard others.count >= Tracker.mostPlacesToSkip else { return }
        throw LedgerError(
            .tooManyPlaces,
            at: path.string,
            cause: "there are \(others.count) other places to skip, "
                + "and \(Tracker.mostPlacesToSkip) are the most",
            hint: "Remove one with `ledger place remove`, or save one with --no-skip"
        )
    }

    private func resolve(
        _ registration: VehicleRegistered,
        clearing cleared: Set<String>,
        for group: String?
    ) throws(LedgerError) -> DecisionResolution {
        let old = try vehicles().vehicle(named: registration.vehicle, for: group)?
            .registration.without(cleared)
        let registered = VehicleRegistered(
            vehicle: registration.vehicle,
            plate: registration.plate ?? old?.plate,
            make: registration.make ?? old?.make,
            model: registration.model ?? old?.model,
            inServiceSince: registration.inServiceSince ?? old?.inServiceSince,
            kind: registration.kind ?? old?.kind,
            fiscalPower: registration.fiscalPower ?? old?.fiscalPower,
            isElectric: registration.isElectric
                ?? registration.fuel.map { $0 == .electric } ?? old?.isElectric,
            keeper: registration.keeper ?? old?.keeper,
            driver: registration.driver ?? old?.driver,
            fuel: registration.fuel ?? Self.fuel(of: old, unless: registration.isElectric),
            engine: registration.engine ?? old?.engine
        )
        return DecisionResolution(body: .vehicleRegistered(registered))
    }

    /// Returns what a vehicle burnt so far, unless it now drives by electricity alone and did not,
    /// or the other way round.
    private static func fuel(of old: VehicleRegistered?, unless isElectric: Bool?) -> Fuel? {
        guard let isElectric else { return old?.fuel }
        return old?.fuel.flatMap { ($0 == .electric) == isElectric ? $0 : nil }
    }

    private func resolve(
        _ edit: FieldEdit,
        ofField key: String,
        for group: String?
    ) throws(LedgerError) -> DecisionResolution {
        let old = try fields(for: group).definition(of: key)
        let type = edit.valueType ?? old?.valueType ?? .text
        let defined = FieldDefined(
            key: key,
            label: edit.label ?? old?.label ?? key,
            valueType: type,
            options: edit.options ?? (type == .select ? old?.options : nil),
            order: edit.order ?? old?.order
        )
        return DecisionResolution(body: .fieldDefined(defined))
    }

    /// Returns when rules come into force that say nothing about it: from the beginning on, as long
    /// as no trip is there that they could change, and no others were adopted for a later time,
    /// which would replace them; `nil` for now.
    private func defaultTime(of rules: RulesAdopted) throws(LedgerError) -> EventTime? {
        // Later adoptions have to come later, and the log only grows.
        let next = Self.beginning.advanced(byMilliseconds: Int64(clamping: head.size))
        let isFree = try asking { () throws -> Bool in
            var ambient = AmbientEvents(of: log, over: store)
            let replaces = try ambient.adoptions()
                .contains { earlier in
                    earlier.from >= next
                        && (rules.appliesTo == nil || earlier.adopted.appliesTo == nil
                            || earlier.adopted.appliesTo == rules.appliesTo)
                }
            return try !replaces && !hasTrip(of: rules.appliesTo)
        }
        return isFree ? EventTime(next) : nil
    }

    /// Returns when settings come into force that say nothing about it: from the beginning on, if
    /// they say a time zone, the ledger was only set up until now, and none of them was said for a
    /// later time; `nil` for now.
    ///
    /// A zone applies to the times that are appended next, and these may be earlier than now.
    private func defaultTime(of change: SettingsChanged) throws(LedgerError) -> EventTime? {
        guard change.timeZone != nil, head.size <= Self.mostEntriesOfSetup else { return nil }
        let isSaidForLater = change.names.contains { name in
            settings.sayings(of: name).contains { $0.since != nil }
        }
        // Who drives is said of a source: that holds from now on.
        guard !isSaidForLater, change.appliesTo == nil else { return nil }
        let isSetup = try asking { () throws -> Bool in
            var isSetup = true
            try log.eachEntry(in: 0..<head.size) { entry, _ in
                let kind = EventKind(rawValue: entry.kind)
                isSetup = isSetup && !entry.isTombstone && kind?.isOfSetup == true
            }
            return isSetup
        }
        // Those that come later have to hold later.
        let next = Self.beginning.advanced(byMilliseconds: Int64(clamping: head.size))
        return isSetup ? EventTime(next) : nil
    }

    /// The most entries of a ledger that was only set up until now.
    private static var mostEntriesOfSetup: UInt64 { 1_000 }

    /// Returns whether a source, or with `nil` any source, has ever had a trip that was measured.
    private func hasTrip(of source: String?) throws -> Bool {
        var hasTrip = false
        try store.scan(.folds) { _, value in
            let tracker = try StaleViews.takingDamage { try SourceFold(decoding: value) }.tracker
            if source.map({ $0 == tracker.source }) ?? true { hasTrip = !tracker.hasNoTrip }
            return !hasTrip
        }
        return hasTrip
    }
}

extension EventKind {
    /// Whether an event of the kind reports nothing that happened on the road, so that no trip has
    /// a time in an earlier time zone.
    fileprivate var isOfSetup: Bool {
        switch self {
        case .ledgerCreated, .sourceRegistered, .settingsChanged, .vehicleRegistered, .placeSaved,
            .placeRemoved, .fieldDefined, .routineSaved, .routineRemoved, .rulesAdopted,
            .ratesLoaded:
            true
        case .entriesErased, .recordsImported, .eventsReceived, .fixRecorded, .motionChanged,
            .goPressed, .stopPressed, .authorizationChanged, .locationFailed, .recoveryDecided,
            .inferenceReported, .detailsEdited, .routineApplied, .tripsMerged, .tripSplit,
            .tripVoided, .tripRestored, .distanceAdjusted, .tripReported, .stretchExcluded,
            .odometerRead, .reportIssued, .clockShifted, .expenseRecorded:
            false
        }
    }
}

extension VehicleRegistered {
    /// The members of the event that can be taken away.
    static let clearable: Set<String> = [
        "plate", "make", "model", "in_service_since", "vehicle_kind", "fiscal_power", "electric",
        "keeper", "driver", "fuel", "engine_cc",
    ]

    /// Returns what is left without some members.
    fileprivate func without(_ names: Set<String>) -> VehicleRegistered {
        func left<Value>(_ value: Value?, _ name: String) -> Value? {
            names.contains(name) ? nil : value
        }
        return VehicleRegistered(
            vehicle: vehicle,
            plate: left(plate, "plate"),
            make: left(make, "make"),
            model: left(model, "model"),
            inServiceSince: left(inServiceSince, "in_service_since"),
            kind: left(kind, "vehicle_kind"),
            fiscalPower: left(fiscalPower, "fiscal_power"),
            isElectric: left(isElectric, "electric"),
            keeper: left(keeper, "keeper"),
            driver: left(driver, "driver"),
            fuel: left(fuel, "fuel"),
            engine: left(engine, "engine_cc")
        )
    }
}
