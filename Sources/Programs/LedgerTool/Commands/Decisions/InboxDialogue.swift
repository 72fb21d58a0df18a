import LedgerRows
import Projections
import Tables
import TripEvents
import TripLedger
import TripTracking
import TripsProjection

/// The inbox at a terminal: one trip after the other, until all are answered or the person stops.
struct InboxDialogue {
    /// The answers of a person about a trip.
    private enum Answer {
        case routine
        case tripClass(TripClass)
        case asBefore
        case void
        case later
        case back
        case undo
        case stop
    }

    /// A decision that was made here, and the decision that undoes it.
    private struct Step {
        let index: Int
        let trips: [TripID]
        let undo: [LedgerDecision]
    }

    private let waiting: [WaitingTrip]
    private let decision: DecisionOptions
    private let ledger: Ledger
    private let options: GlobalOptions<RowFormat>
    private var purposes: EarlierPurposes

    /// The trip that is asked about.
    private var index = 0

    /// The trips that were decided about.
    private var done: Set<TripID> = []
    private var steps: [Step] = []

    /// The last answer with a class, a purpose and a client.
    private var latest: TripEdit?

    /// Whether the next answer is for all trips of the same way.
    private var isForAll = false

    /// The client that the next answer names.
    private var client: String?

    /// Begins with the first trip.
    init(
        _ waiting: [WaitingTrip],
        purposes: EarlierPurposes,
        deciding decision: DecisionOptions,
        in ledger: Ledger,
        _ options: GlobalOptions<RowFormat>
    ) {
        self.waiting = waiting
        self.purposes = purposes
        self.decision = decision
        self.ledger = ledger
        self.options = options
    }

    /// Asks about each trip.
    ///
    /// - Throws: `ExitCode` 1 if a decision was not accepted; `LedgerError`, `OutputError`.
    mutating func run() throws {
        repeat {
            while index < waiting.count {
                if done.contains(waiting[index].booked.id) {
                    index += 1
                } else {
                    guard try ask() else { return }
                }
            }
        } while try goesOnAfterLast()
    }

    /// Asks about a trip, and carries out the answer; returns whether the person goes on.
    private mutating func ask() throws -> Bool {
        (isForAll, client) = (false, nil)
        try show(waiting[index])
        switch answer(about: waiting[index]) {
        case .stop: return false
        case .later: index += 1
        case .back: goBack()
        case .undo: try takeBack()
        case .void: try void()
        case .routine: try applyRoutine()
        case .asBefore: if let latest { try edit(latest) }
        case .tripClass(let tripClass): try classify(tripClass)
        }
        return true
    }

    /// Lets the last answer be taken back, too.
    private mutating func goesOnAfterLast() throws -> Bool {
        guard !steps.isEmpty else { return false }
        switch Question.answer("That was the last one: [z] undo, bac[k], or Enter to end: ") {
        case "z"?: try takeBack()
        case "k"?: goBack()
        default: return false
        }
        return index < waiting.count
    }

    // MARK: What is decided

    /// The trips that the answer is for: the one that is shown first.
    private var chosen: [WaitingTrip] {
        isForAll ? alike(waiting[index]) : [waiting[index]]
    }

    /// The trips of the same way without a decision, the given one first.
    private func alike(_ trip: WaitingTrip) -> [WaitingTrip] {
        guard let way = Way(trip) else { return [trip] }
        let others = waiting.filter {
            $0.booked.id != trip.booked.id && !done.contains($0.booked.id) && Way($0) == way
        }
        return [trip] + others
    }

    private mutating func decide(
        _ trips: [WaitingTrip],
        _ each: (WaitingTrip) -> LedgerDecision
    )
        throws
    {
        let outcomes =
            trips.count == 1
            ? [try decision.decide(each(trips[0]), in: ledger, options)]
            : try decision.decide(trips.map(each), in: ledger, options)
        let ids = trips.map(\.booked.id)
        steps.append(Step(index: index, trips: ids, undo: outcomes.compactMap(\.undo)))
        done.formUnion(ids)
        index += 1
    }

    private mutating func applyRoutine() throws {
        guard let routine = waiting[index].routine else { return }
        let trips = chosen.filter { $0.routine?.name.hasSameBytes(as: routine.name) ?? false }
        try decide(trips) { .applyRoutine(routine.name, to: $0.reference) }
    }

    private mutating func classify(_ tripClass: TripClass) throws {
        let trip = waiting[index]
        var edit = TripEdit()
        edit.tripClass = .set(tripClass)
        if let client { edit.client = .set(client) }
        if tripClass == .business, trip.booked.details.purpose == nil {
            let usual = purposes.purpose(of: trip)
            let suggestion = usual.map { " [\(Excerpt.escaped($0))]" } ?? ""
            let said = Question.answer("Purpose\(suggestion): ")
            guard let said, let purpose = said.isEmpty ? usual : said else {
                return Diagnostic.say("Left as it was: a business trip needs a purpose.\n")
            }
            edit.purpose = .set(purpose)
            purposes.note(purpose, of: trip)
        }
        try self.edit(edit)
    }

    private mutating func edit(_ edit: TripEdit) throws {
        let keepsPurposes = isForAll
        try decide(chosen) { trip in
            var own = edit
            // An existing purpose of a trip stays.
            if keepsPurposes, trip.booked.details.purpose != nil { own.purpose = .unchanged }
            return .edit(trip.reference, own)
        }
        latest = edit
    }

    private mutating func void() throws {
        guard let why = Question.answer("Why is it none? "), !why.isEmpty else { return }
        try decide(chosen) { .void($0.reference, why: why) }
    }

    // MARK: Back

    /// Goes back to the previous trip without a decision.
    private mutating func goBack() {
        let before = waiting[..<index].lastIndex { !done.contains($0.booked.id) }
        guard let before else {
            return Diagnostic.say(
                "No trip before this one is open; z takes the last answer back.\n"
            )
        }
        index = before
    }

    /// Takes the last decision back, and asks about its trip again.
    private mutating func takeBack() throws {
        guard let step = steps.last else {
            return Diagnostic.say("Nothing was decided here that could be taken back.\n")
        }
        guard !step.undo.isEmpty else {
            return Diagnostic.say("That changed nothing, so that there is nothing to take back.\n")
        }
        _ =
            step.undo.count == 1
            ? [try decision.decide(step.undo[0], in: ledger, options)]
            : try decision.decide(step.undo, in: ledger, options)
        steps.removeLast()
        done.subtract(step.trips)
        index = step.index
    }

    // MARK: What is asked

    /// Shows a trip in full, on lines that fit the screen.
    private func show(_ trip: WaitingTrip) throws {
        let style = TextStyle.screen(for: ledger)
        let booked = trip.booked
        let start = booked.trip.startedAt
        let day = CivilDate(of: start.told(by: style.clock))
        let end = booked.trip.endedAt.map { " – " + Cell.minute($0, on: day).text(in: style) } ?? ""
        let when = "\(day.weekday.rawValue) \(Cell.dayAndMinute(start).text(in: style))\(end)"
        func place(_ place: MileagePlace?) -> String { Cell(nearly: place).text(in: style) }
        var facts = [
            (
                "\(index + 1) of \(waiting.count)",
                "\(when), \(DistanceText.text(booked.claimedDistance, in: style.unit)), "
                    + "\(Excerpt.escaped(booked.trip.source)) (\(booked.id.short))"
            ),
            ("From", place(.start(of: booked, trip.places))),
            ("To", place(.end(of: booked, trip.places))),
        ]
        if booked.tripClass != .unclassified { facts.append(("Class", booked.tripClass.rawValue)) }
        if let purpose = booked.details.purpose {
            facts.append(("Purpose", Excerpt.escaped(purpose)))
        }
        if let reason = trip.reason { facts.append(("Twice", Excerpt.escaped(reason))) }
        if let routine = trip.routine { facts.append(("Fits", Excerpt.escaped(routine.name))) }
        if let purpose = purposes.purpose(of: trip) {
            facts.append(("Last to there", Excerpt.escaped(purpose)))
        }
        try Output.standard.writing { output in
            try output.write("\n" + FactSheet(facts).text(width: style.width))
        }
    }

    /// Asks until there is an answer; the end of input means to stop.
    private mutating func answer(about trip: WaitingTrip) -> Answer {
        while true {
            switch Question.answer(question(about: trip))?.lowercased() {
            case nil, "q", "quit": return .stop
            case "r" where trip.routine != nil: return .routine
            case "b": return .tripClass(.business)
            case "c": return .tripClass(.commute)
            case "p": return .tripClass(.personal)
            case "=" where latest != nil: return .asBefore
            case "a" where alike(trip).count > 1: isForAll.toggle()
            case "l": client = Question.answer("Client: ").flatMap { $0.isEmpty ? nil : $0 }
            case "v", "void": return .void
            case "s", "skip", "": return .later
            case "k", "back": return .back
            case "z", "undo": return .undo
            case let word?:
                guard let tripClass = TripClass(rawValue: word), tripClass != .unclassified else {
                    Diagnostic.say(Self.help)
                    continue
                }
                return .tripClass(tripClass)
            }
        }
    }

    private func question(about trip: WaitingTrip) -> String {
        let count = alike(trip).count
        var parts: [String] = []
        if isForAll { parts.append("for all \(count):") }
        if let client { parts.append("for \(Excerpt.escaped(client)):") }
        if let routine = trip.routine {
            parts.append("[r]outine \(Excerpt.escaped(routine.name)),")
        }
        parts.append("[b]usiness, [c]ommute, [p]ersonal,")
        if let latest { parts.append("[=] \(Self.text(of: latest)),") }
        if count > 1 { parts.append(isForAll ? "[a] only this one," : "[a]ll \(count) alike,") }
        parts.append("c[l]ient, [v]oid, [s]kip, bac[k],")
        if !steps.isEmpty { parts.append("[z] undo,") }
        return parts.joined(separator: " ") + " [q]uit, [?]: "
    }

    /// The last answer, in words.
    private static func text(of edit: TripEdit) -> String {
        var parts: [String] = []
        if case .set(let tripClass) = edit.tripClass { parts.append(tripClass.rawValue) }
        if case .set(let purpose) = edit.purpose { parts.append(Excerpt.escaped(purpose)) }
        if case .set(let client) = edit.client { parts.append(Excerpt.escaped(client)) }
        return "as before (\(parts.joined(separator: "; ")))"
    }

    /// The meanings of the answers.
    private static let help = """
        b, c, p or a class in full (\(TripClass.allCases.filter { $0 != .unclassified }
            .map(\.rawValue).joined(separator: ", "))) is the class of the trip; r applies the \
        routine that fits; = says what was said last. a lets the next answer count for all open \
        trips of the same way, l names the client with it. v says that it was no trip, s leaves it \
        for later, k goes back to the one before, z takes the last answer back, q ends.

        """
}

/// Both ends of a trip, by which trips are alike.
private struct Way: Hashable {
    private let ends: [NameKey]

    /// Returns `nil` if an end has no name.
    init?(_ trip: WaitingTrip) {
        guard case .words(let start)? = MileagePlace.start(of: trip.booked, trip.places),
            case .words(let end)? = MileagePlace.end(of: trip.booked, trip.places)
        else { return nil }
        ends = [NameKey(start), NameKey(end)]
    }
}

/// The purposes of earlier business trips, by the names of their destinations.
struct EarlierPurposes {
    /// The most trips that are looked at.
    private static let mostTrips = 2_000

    private var purposes: [NameKey: String] = [:]

    /// Looks at the newest trips.
    init(in snapshot: borrowing Snapshot) throws {
        let places = try snapshot.places()
        var found: [NameKey: String] = [:]
        try snapshot.readTrips(TripFilter(limit: Self.mostTrips, tripClass: .business)) { row in
            guard let purpose = row.booked.details.purpose,
                case .words(let end)? = MileagePlace.end(of: row.booked, places)
            else { return true }
            // The newest comes first.
            found[NameKey(end)] = found[NameKey(end)] ?? purpose
            return true
        }
        purposes = found
    }

    /// Returns the purpose of the last trip with the same destination as a trip.
    func purpose(of trip: WaitingTrip) -> String? {
        guard case .words(let end)? = MileagePlace.end(of: trip.booked, trip.places) else {
            return nil
        }
        return purposes[NameKey(end)]
    }

    /// Notes the purpose of a trip.
    mutating func note(_ purpose: String, of trip: WaitingTrip) {
        guard case .words(let end)? = MileagePlace.end(of: trip.booked, trip.places) else { return }
        purposes[NameKey(end)] = purpose
    }
}
