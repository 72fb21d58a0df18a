public import TripEvents

/// A request for a decision: the decision with its time, its actor and its name.
///
/// ```swift
/// let line = #"{"type":"trip_voided","trip":"last","why":"On the ferry all the time"}"#
/// let request = try DecisionRequest(json: Array(line.utf8), now: now.timestamp)
/// let outcome = try ledger.decide([request], now: now)[0]
/// ```
public struct DecisionRequest: Hashable, Sendable {
    /// What is decided.
    public var decision: LedgerDecision

    /// When it is decided, or from when on it holds; `nil` for when it is stored.
    public var time: EventTime?

    /// Who decides, 1 … 200 bytes.
    public var actor: String?

    /// The sender's name for the decision, 1 … 255 bytes: sent again under it, it is a duplicate.
    public var id: String?

    /// The group of sources that it is for alone; `nil` for all, as the owner decides.
    public var group: String?

    /// The program that reports the decision, 1 … 128 bytes; `nil` for
    /// ``Ledger/decisionSource(of:)``.
    public var source: String?

    /// The sender's further members, which are kept with the event.
    public var supplement = EventSupplement()

    /// How long after others of the same person it is decided, in milliseconds, if no time is said:
    /// of two about one trip the later one counts.
    package var delayMilliseconds: Int64 = 0

    /// Creates a request.
    public init(
        _ decision: LedgerDecision,
        at time: EventTime? = nil,
        by actor: String? = nil,
        id: String? = nil,
        for group: String? = nil,
        from source: String? = nil
    ) {
        self.decision = decision
        self.time = time
        self.actor = actor
        self.id = id
        self.group = group
        self.source = source
    }

    /// Reads a decision: `decision.v1.schema.json`.
    ///
    /// - Parameters:
    ///   - json: One object.
    ///   - now: When the ledger stores the decision.
    /// - Throws: `Rejection` if the object is not a decision.
    public init(json: [UInt8], now: Timestamp) throws(Rejection) {
        let value: JSONValue
        do throws(JSONSyntaxError) {
            value = try JSONValue(json.span)
        } catch {
            throw Rejection(error)
        }
        var reader = DecisionReader()
        self = try reader.request(value, now: now)
    }

    /// Appends the decision as one JSON object: `decision.v1.schema.json`.
    public func appendJSON(to bytes: inout [UInt8]) {
        JSONWriter.append(jsonMembers, to: &bytes)
    }
}

extension EventKind {
    /// Whether events of the kind say decisions that can be asked for.
    package var isAskable: Bool {
        switch self {
        case .detailsEdited, .routineApplied, .distanceAdjusted, .tripVoided, .tripRestored,
            .tripsMerged, .tripSplit, .stretchExcluded, .recoveryDecided, .tripReported,
            .routineSaved, .routineRemoved, .placeSaved, .placeRemoved, .vehicleRegistered,
            .odometerRead, .expenseRecorded, .fieldDefined, .rulesAdopted, .ratesLoaded,
            .clockShifted, .settingsChanged:
            true
        case .ledgerCreated, .sourceRegistered, .entriesErased, .recordsImported, .eventsReceived,
            .fixRecorded, .motionChanged, .goPressed, .stopPressed, .authorizationChanged,
            .locationFailed, .inferenceReported, .reportIssued:
            false
        }
    }
}

extension EventKind {
    /// The things on which events of a kind bear: a sender who does not see all of them may not
    /// send such events.
    package enum Bearing: Sendable {
        /// The trips that the source has reported, or that the event names.
        case trips

        /// The source to which the event applies; all of them, if it names none.
        case namedSource

        /// All sources of the ledger; what a group says, the sources of that group.
        case allSources

        /// The ledger, which has it once: a group has none of its own.
        case ledger
    }

    /// The things on which events of the kind bear.
    package var bearing: Bearing {
        switch self {
        case .fixRecorded, .motionChanged, .goPressed, .stopPressed, .authorizationChanged,
            .locationFailed, .inferenceReported, .odometerRead, .recoveryDecided, .detailsEdited,
            .routineApplied, .tripsMerged, .tripSplit, .tripVoided, .tripRestored,
            .distanceAdjusted, .tripReported, .stretchExcluded, .expenseRecorded:
            .trips
        case .rulesAdopted, .clockShifted: .namedSource
        case .routineSaved, .routineRemoved, .placeSaved, .placeRemoved, .vehicleRegistered,
            .fieldDefined:
            .allSources
        case .ratesLoaded, .settingsChanged, .reportIssued, .ledgerCreated, .sourceRegistered,
            .entriesErased, .recordsImported, .eventsReceived:
            .ledger
        }
    }

    /// Whether events of the kind are decisions that may have no effect: about trips that are
    /// there, and about what holds for the whole ledger.
    package var mayHaveNoEffect: Bool {
        switch self {
        case .detailsEdited, .routineApplied, .distanceAdjusted, .tripVoided, .tripRestored,
            .tripsMerged, .tripSplit, .stretchExcluded, .settingsChanged, .ratesLoaded:
            true
        default: false
        }
    }
}

extension LedgerDecision {
    /// The kind of the event that says the decision.
    package var kind: EventKind {
        switch self {
        case .edit: .detailsEdited
        case .applyRoutine: .routineApplied
        case .adjust: .distanceAdjusted
        case .void: .tripVoided
        case .restore: .tripRestored
        case .merge: .tripsMerged
        case .split: .tripSplit
        case .exclude: .stretchExcluded
        case .recover: .recoveryDecided
        case .reportTrip: .tripReported
        case .saveRoutine: .routineSaved
        case .removeRoutine: .routineRemoved
        case .savePlace: .placeSaved
        case .removePlace: .placeRemoved
        case .registerVehicle: .vehicleRegistered
        case .readOdometer: .odometerRead
        case .recordExpense, .voidExpense: .expenseRecorded
        case .defineField: .fieldDefined
        case .adoptRules: .rulesAdopted
        case .loadRates: .ratesLoaded
        case .shiftClock: .clockShifted
        case .changeSettings: .settingsChanged
        }
    }

    /// The trips that the decision names, as it names them.
    package var references: [TripReference] {
        switch self {
        case .edit(let trip, _), .applyRoutine(_, let trip), .adjust(let trip, _, _),
            .void(let trip, _), .restore(let trip, _), .split(let trip, _, _),
            .exclude(let trip, _, _, _):
            [trip]
        case .merge(let trips, _): trips
        case .recover(_, let trip, _), .saveRoutine(_, _, _, let trip): trip.map { [$0] } ?? []
        case .recordExpense(let edit): edit.trip.map { [$0] } ?? []
        case .reportTrip, .removeRoutine, .savePlace, .removePlace, .registerVehicle,
            .readOdometer, .voidExpense, .defineField, .adoptRules, .loadRates, .shiftClock,
            .changeSettings:
            []
        }
    }
}

extension LedgerDecision {
    /// Whether an event that was stored before may be this decision, as far as that can be told
    /// without knowing what its names meant then.
    func isSaid(by body: EventBody) -> Bool {
        guard body.kind == kind else { return false }
        let trips = body.askedTrips
        return references.allSatisfy { reference in
            guard case .prefix(let digits) = reference else { return true }
            return trips.contains { $0.description.hasPrefix(digits) }
        }
    }
}

extension DetailsEdited {
    /// Creates the event that makes an edit of a trip.
    package init(_ edit: TripEdit, of trip: TripID, from start: EventTime?) {
        self.init(
            trip: trip,
            tripStartedAt: start,
            title: edit.title,
            purpose: edit.purpose,
            notes: edit.notes,
            category: edit.category,
            client: edit.client,
            vehicle: edit.vehicle,
            tripClass: edit.tripClass,
            mode: edit.mode,
            fields: edit.fields,
            origin: edit.origin,
            destination: edit.destination,
            driver: edit.driver,
            originAddress: edit.originAddress,
            destinationAddress: edit.destinationAddress
        )
    }
}

extension TripEdit {
    /// Creates the edit that an event makes.
    init(_ event: DetailsEdited) {
        self.init()
        title = event.title
        purpose = event.purpose
        notes = event.notes
        category = event.category
        client = event.client
        vehicle = event.vehicle
        tripClass = event.tripClass
        mode = event.mode
        fields = event.fields
        origin = event.origin
        destination = event.destination
        driver = event.driver
        originAddress = event.originAddress
        destinationAddress = event.destinationAddress
    }
}
