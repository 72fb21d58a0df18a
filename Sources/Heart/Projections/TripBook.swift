import RowCoding
public import TripEvents
public import TripTracking

/// Books trips: combines what the trackers measure with what people decide.
///
/// The book is a pure function of the measured trips and the decisions, in whatever order they
/// come. It keeps both in rows of its own and returns what each step changes; the projectors make
/// their views of these changes. A step or decision that is given again changes nothing.
///
/// Decisions are filed at once, each in rows of its own. The effect of all decisions about a trip
/// is computed once, however many of them arrived: by `bookCheapTrips()` where that is little work,
/// by `bookTrips(upTo:)` at the end of a run for all others.
public struct TripBook: Sendable {
    /// The name of the book's table.
    public static let name = "book"

    /// The version of the book's rows; a stored book of another version is rebuilt.
    public static let version: UInt32 = 23

    /// The book's rows.
    public internal(set) var rows: RowTable

    /// An entry as it is stored and as it will be.
    struct Slot {
        var stored: BookEntry
        var entry: BookEntry
    }

    /// The entries that were read.
    var slots: [TripID: Slot] = [:]

    /// The decisions whose trips were not there when they were filed, by trip: most trips come with
    /// the same run.
    var unfound: [TripID: [Decision]] = [:]

    /// The trips that are to be booked again.
    var due: Set<TripID> = []

    /// Whether the book's rows note trips or routines that are still to be booked, or splits to be
    /// settled.
    package internal(set) var hasLeftWork = false

    /// The changes since they were last taken.
    var changes: [BookChange] = []

    /// The routines that apply by themselves; `nil` if they were not needed yet, or have changed.
    var knownRules: RoutineRules?

    /// The number of lost decisions that say when their trips started, as stored and as it will be;
    /// `nil` if that was not needed yet.
    var lostCount: (stored: Int64, now: Int64)?

    /// Creates a book without trips and decisions, in memory.
    public init() {
        self.init(rows: RowTable())
    }

    /// Creates a book of the rows that there are.
    package init(rows: RowTable) {
        self.rows = rows
    }

    /// Takes what a tracker derived, and books everything that follows from it.
    ///
    /// - Parameter step: the step.
    /// - Returns: what it changes.
    /// - Throws: what the tables throw, or `RowCodingError` if a row is damaged.
    public mutating func evolve(_ step: TripStep) throws -> [BookChange] {
        try note(step)
        return try bookAll()
    }

    /// Takes a decision, and books everything that follows from it.
    ///
    /// - Parameter decision: the decision.
    /// - Returns: what it changes.
    /// - Throws: what the tables throw, or `RowCodingError` if a row is damaged.
    public mutating func decide(_ decision: Decision) throws -> [BookChange] {
        try note(decision)
        return try bookAll()
    }

    /// Books everything, and drops all state that can be read from the rows again.
    private mutating func bookAll() throws -> [BookChange] {
        _ = try bookTrips(upTo: .max)
        let changes = takeChanges()
        self = TripBook(rows: rows)
        return changes
    }

    /// Returns every change that people made to a trip, in event order; none if there is no such
    /// trip.
    ///
    /// - Throws: what the tables throw, or `RowCodingError` if a row is damaged.
    public func history(of trip: TripID) throws -> [TripAmendment] {
        var book = self
        let cluster = try book.cluster(of: trip)
        return cluster.history(of: trip, try book.obstacles(in: cluster))
    }

    /// Returns the odometer readings at both ends of a trip that takes its distance from them;
    /// `nil` for every other trip.
    ///
    /// - Throws: what the tables throw, or `RowCodingError` if a row is damaged.
    package func odometer(of trip: TripID) throws -> OdometerSpan? {
        var book = self
        return try book.cluster(of: trip).members[trip]?.odometer
    }

    /// Returns a trip as a recorder measured it, before any decision about it; `nil` if none did.
    ///
    /// - Throws: what the tables throw, or `RowCodingError` if a row is damaged.
    package func measured(_ trip: TripID) throws -> Trip? {
        var book = self
        return try book.entry(trip).measured
    }

    /// Takes an inference of another program: it is kept, and changes nothing else.
    public mutating func note(_ inference: ReportedInference) {
        inference.put(in: &rows)
    }

    /// Returns the inferences of other programs about a span of time, in order.
    ///
    /// - Throws: what the tables throw, or `RowCodingError` if a row is damaged.
    public func inferences(overlapping span: Range<Timestamp>) throws -> [ReportedInference] {
        try ReportedInference.all(overlapping: span, in: rows)
    }

    /// Returns the custom fields that people defined for a group; `nil` for the owner.
    ///
    /// - Throws: what the tables throw, or `RowCodingError` if a row is damaged.
    public func fields(for group: String? = nil) throws -> FieldCatalogue {
        try FieldCatalogue(in: rows, for: group)
    }

    /// Returns the trip to which a decision was attached because the one that it names has gone;
    /// `nil` if that one is there, or there is no other.
    ///
    /// - Throws: what the tables throw, or `RowCodingError` if a row is damaged.
    public func host(of decision: Decision, about trip: TripID) throws -> TripID? {
        try rows.value(forKey: BookKey.filed(trip, decision.order))
            .flatMap { try FiledDecision(decoding: $0).host }
    }

    /// Returns the trips that may take their distance from an odometer, if a decision is a reading
    /// of one.
    ///
    /// - Throws: what the tables throw.
    package func trips(goingBy decision: Decision) throws -> [TripID] {
        guard case .odometerRead(let reading) = decision.event.body else { return [] }
        let readAt = reading.corrects?.timestamp ?? decision.order.occurredAt
        return
            try rows.rows(in: BookKey.odometerEnds(at: readAt))
            .map { BookKey.trip(endOf: $0.key) }
    }

    /// Returns the decisions that split a trip and were not undone by restoring it, in event order.
    ///
    /// Splitting measures both parts again, which is the tracker's work: it is given the standing
    /// splits at their `split_at`, and not those that were undone.
    ///
    /// - Throws: what the tables throw, or `RowCodingError` if a row is damaged.
    public func standingSplits(of trip: TripID) throws -> [Decision] {
        var book = self
        let group = try book.entry(trip).group
        let decisions = try decisions(filedUnder: trip).map(\.decision)
            .filter { $0.namedTrips.contains(trip) && $0.concerns(group) }
        let restored = decisions.last { $0.event.body.kind == .tripRestored }
        return decisions.filter { decision in
            guard decision.event.body.kind == .tripSplit else { return false }
            return restored.map { $0 < decision } ?? true
        }
    }
}

// A run that takes many steps and decisions books what follows from them once, and not once for
// each: so its work grows with their number, however many are about the same trip.
extension TripBook {
    /// Takes what a tracker derived, to be booked later.
    ///
    /// - Throws: what the tables throw, or `RowCodingError` if a row is damaged.
    package mutating func note(_ step: TripStep) throws {
        try setMeasured(step.measured, of: step.trip)
    }

    /// Takes a decision, to be booked later.
    ///
    /// - Throws: what the tables throw, or `RowCodingError` if a row is damaged.
    package mutating func note(_ decision: Decision) throws {
        if let topic = DecisionTopic(of: decision) {
            try topic.put(decision, in: &rows)
            if topic == .places { try noteRulesRevised(from: nil) }
            // An odometer reading gives the distance of trips about which nothing else is known.
            return try noteDue(try trips(goingBy: decision))
        }
        switch decision.event.body {
        case .fieldDefined(let definition):
            try FieldCatalogue.put(decision, defining: definition.key, in: &rows)
            try noteDefined(field: definition.key)
        case .routineSaved(let saving):
            try revise(saving.routine, by: decision)
        case .routineRemoved(let removal):
            try revise(removal.routine, by: decision)
        default:
            list(decision)
            try file(decision)
        }
    }

    /// Writes everything except trips that are still to be booked, so that it can be read.
    ///
    /// - Throws: what the tables throw.
    package mutating func write() throws {
        try attachUnfound()
        writeEntries()
    }

    /// Books trips about which there are few decisions; the book's rows say which others are due.
    ///
    /// - Throws: what the tables throw, or `RowCodingError` if a row is damaged.
    package mutating func bookCheapTrips() throws {
        try bookCheap()
        writeEntries()
    }

    /// Books trips that are due, until about `limit` have changed.
    ///
    /// - Returns: whether none is due any more.
    /// - Throws: what the tables throw, or `RowCodingError` if a row is damaged.
    package mutating func bookTrips(upTo limit: Int) throws -> Bool {
        try attachUnfound()
        let isDone = try bookDue(upTo: limit)
        writeEntries()
        return isDone
    }

    /// Returns trips whose splits may take effect elsewhere than before, in order of their ids: at
    /// most `limit` of those after a trip.
    ///
    /// - Throws: what the tables throw.
    package func unsettledTrips(after trip: TripID?, limit: Int) throws -> [TripID] {
        var keys = KeyRange(prefix: BookRowKind.unsettled.prefix)
        if let trip { keys.from = BookKey.unsettled(trip) + [0] }
        return try rows.rows(in: keys, limit: limit)
            .map { BookKey.trip(endOf: $0.key) }
    }

    /// Returns the facts that decide which splits of a trip stand, and which source's tracker they
    /// concern.
    ///
    /// - Throws: what the tables throw, or `RowCodingError` if a row is damaged.
    package mutating func splitTrip(_ trip: TripID) throws -> SplitTrip {
        let entry = try entry(trip)
        return SplitTrip(
            id: trip,
            source: entry.measured?.source,
            splitFrom: entry.splitFrom,
            restorations: entry.restorations
        )
    }

    /// Notes that the splits of a trip, if there are any, may take effect elsewhere than before.
    ///
    /// - Throws: what the tables throw, or `RowCodingError` if a row is damaged.
    package mutating func noteUnsettled(_ trip: TripID) throws {
        if try entry(trip).isCut { listUnsettled(trip) }
    }

    /// Notes that it is known where the splits of a trip take effect.
    package mutating func noteSettled(_ trip: TripID) {
        rows.remove(key: BookKey.unsettled(trip))
    }

    /// Returns what has changed, and forgets it.
    package mutating func takeChanges() -> [BookChange] {
        defer { changes = [] }
        return changes
    }

    /// Lists the trip of a decision that applies a routine among those to which it was applied.
    private mutating func list(_ decision: Decision) {
        guard let name = decision.appliedRoutine, let trip = decision.namedTrips.first else {
            return
        }
        let key = BookKey.application(of: name.utf8, at: decision.order.occurredAt, to: trip)
        rows.put(BookKey.mark, key: key)
    }

    /// Saves or removes a routine, and notes that the trips to which it was applied later are to be
    /// booked again.
    private mutating func revise(_ name: String, by decision: Decision) throws {
        let old = try Routine.current(name, of: decision.group, in: rows)
        guard try Routine.put(decision, about: name, in: &rows) else { return }
        try noteRevision(of: name, from: decision.order.occurredAt)
        try noteRulesRevised(from: Routine.holdsFrom(decision))
        let new = try Routine.current(name, of: decision.group, in: rows)
        if old != new {
            changes.append(
                .routine(
                    RoutineChange(name: name, group: decision.group, old: old, new: new)
                )
            )
        }
    }
}

// The decisions as they were stored, with what their senders said beyond what the book looks at.
extension TripBook {
    /// Returns the decisions that make or name a trip, or were attached to it, in event order.
    ///
    /// - Throws: what the tables throw, or `RowCodingError` if a row is damaged.
    package func decisions(about trip: TripID) throws -> [Decision] {
        let adopted =
            try rows.rows(prefix: BookKey.adopted(trip))
            .map { try FiledDecision(decoding: $0.value).decision }
        let filed = try decisions(filedUnder: trip).map(\.decision)
        return adopted.isEmpty ? filed : (filed + adopted).sorted()
    }

    /// Returns the decisions on a topic, in order of time.
    ///
    /// - Throws: what the tables throw, or `RowCodingError` if a row is damaged.
    package func decisions(on topic: DecisionTopic) throws -> [Decision] {
        try rows.rows(prefix: [topic.keyPrefix])
            .map { try DecisionTopic.decision(decoding: $0.value) }
    }

    /// Returns the decisions about trips that have no effect, in event order.
    ///
    /// - Throws: what the tables throw, or `RowCodingError` if a row is damaged.
    package func decisionsWithoutEffect() throws -> [DecisionWithoutEffect] {
        var restored = LastRestorations()
        return try DecisionWithoutEffect.keyPrefixes.flatMap { try rows.rows(prefix: [$0]) }
            .map { try DecisionWithoutEffect(decoding: $0.value) }
            .filter { try isWanted($0.decision, &restored) }
            .sorted()
    }

    /// Returns the decisions that saved or removed routines, of each routine in event order.
    ///
    /// - Throws: what the tables throw, or `RowCodingError` if a row is damaged.
    package func routineDecisions() throws -> [Decision] {
        try Routine.decisions(in: rows)
    }

    /// Returns the decision about each custom field that holds, in order of the keys.
    ///
    /// - Throws: what the tables throw, or `RowCodingError` if a row is damaged.
    package func fieldDecisions() throws -> [Decision] {
        try FieldCatalogue.decisions(in: rows)
    }
}

// Filing: the entry of a trip says what was measured, and how many decisions there are about it.
extension TripBook {
    /// Returns an entry as it will be.
    mutating func entry(_ id: TripID) throws -> BookEntry {
        if let slot = slots[id] { return slot.entry }
        let stored = try rows.value(forKey: BookKey.entry(id))
        let entry = try stored.map { try BookEntry(id, decoding: $0) } ?? BookEntry(id)
        slots[id] = Slot(stored: entry, entry: entry)
        return entry
    }

    /// Sets, or with `nil` withdraws, the trip as the tracker derives it.
    mutating func setMeasured(_ trip: Trip?, of id: TripID) throws {
        let old = try entry(id)
        guard old.measured != trip else { return }
        let mayGoByOdometer = trip?.mayGoByOdometer ?? false
        let followsRule = try followsRule(trip)
        if mayGoByOdometer || followsRule { try noteDue(id) }
        slots[id]?.entry.measured = trip
        slots[id]?.entry.followsRule = followsRule
        if old.isBookedAsMeasured, !due.contains(id) {
            // Nearly every trip is without decisions and booked as it was measured.
            let change = TripChange(
                old: old.measured.map { BookedTrip($0) },
                new: trip.map { BookedTrip($0) }
            )
            changes.append(.trip(change))
        } else {
            due.insert(id)
        }
        if let measured = old.measured, measured.mayGoByOdometer {
            for key in odometerEndKeys(of: measured) { rows.remove(key: key) }
        }
        if mayGoByOdometer, let trip {
            for key in odometerEndKeys(of: trip) {
                rows.put(BookKey.mark, key: key)
            }
        }
        let spans = [old.measured.map(TripSpan.init), trip.map(TripSpan.init)]
        if spans[0] != spans[1] {
            if let span = spans[0] { rows.remove(key: BookKey.start(span.start, id)) }
            if let span = spans[1] {
                let key = BookKey.start(span.start, id)
                rows.put(span.encoded, key: key)
            }
        }
        if old.isCut, (old.measured == nil) != (trip == nil) { listUnsettled(id) }
        try settle(id, of: trip?.group ?? old.group, wasPresent: old.isPresent)
        if spans[0] != spans[1] {
            try attachAgain(in: spans.compactMap(\.self))
        }
    }

    /// Files a decision under the trips that it is about.
    mutating func file(_ decision: Decision) throws {
        let made = decision.madeTrip
        let filed = FiledDecision(decision)
        for id in decision.namedTrips + (made.map { [$0] } ?? []) {
            let old = try entry(id)
            let key = BookKey.filed(id, decision.order)
            if old.filedCount > 0, try rows.value(forKey: key) != nil { continue }
            try noteDue(id)
            slots[id]?.entry.count(decision)
            if id == made, let report = decision.report {
                let key = BookKey.reported(report.startedAt.timestamp, id)
                rows.put(BookKey.mark, key: key)
            }
            let new = try entry(id)
            if decision.bearsOnCuts, new.isCut {
                listUnsettled(id)
            }
            rows.put(filed, key: key)
            if new.isPresent(for: decision) {
                // A decision that makes its trip is lost at no time; those before it may be.
                if old.filedCount > 0 {
                    try settle(id, of: new.group, wasPresent: old.isPresent)
                }
            } else if id != made {
                unfound[id, default: []].append(decision)
            } else if old.filedCount > 0 {
                for lost in try decisions(filedUnder: id)
                where new.isSplitOff(for: lost.decision) {
                    try move(lost, about: id, to: nil)
                }
            }
        }
    }

    /// Notes that the decisions about a trip change; from now on a row keeps how it was booked
    /// last.
    mutating func noteDue(_ id: TripID) throws {
        let entry = try entry(id)
        if entry.isBookedAsMeasured, !due.contains(id) {
            keep(entry.measured.map { BookedTrip($0) }, of: id)
        }
        due.insert(id)
    }

    /// Keeps a trip as it is booked.
    private mutating func keep(_ booked: BookedTrip?, of id: TripID) {
        var writer = RowEncoder(version: Self.bookedVersion)
        writer.write(booked) { $1.write(to: &$0) }
        let key = BookKey.booked(id)
        rows.put(writer.bytes, key: key)
    }

    /// Notes that the splits of a trip may take effect elsewhere than before, or not any more.
    private mutating func listUnsettled(_ id: TripID) {
        let key = BookKey.unsettled(id)
        rows.put(BookKey.mark, key: key)
        hasLeftWork = true
    }

    /// Returns the decisions that name or make a trip, in event order.
    func decisions(filedUnder id: TripID) throws -> [FiledDecision] {
        try rows.rows(in: KeyRange(prefix: BookKey.filed(id)))
            .map { try FiledDecision(decoding: $0.value) }
    }

    /// Writes the changed entries to the book's rows.
    private mutating func writeEntries() {
        for (id, slot) in slots where slot.stored != slot.entry {
            let key = BookKey.entry(id)
            if slot.entry.isEmpty {
                rows.remove(key: key)
            } else {
                rows.put(slot.entry.encoded, key: key)
            }
            slots[id]?.stored = slot.entry
        }
        guard let count = lostCount, count.stored != count.now else { return }
        lostCount = (count.now, count.now)
        if count.now > 0 {
            var writer = RowEncoder(version: 1)
            writer.write(count.now)
            rows.put(writer.bytes, key: BookKey.lostCount)
        } else {
            rows.remove(key: BookKey.lostCount)
        }
    }
}

// How a trip is booked follows from all decisions about it and about those that merges and splits
// tie to it. They are read and folded once for each time that the trip is booked.
extension TripBook {
    /// Books the trips that are little work, and notes in the book's rows which others are due.
    mutating func bookCheap() throws {
        for trip in due.sorted() {
            if try entry(trip).isCheap {
                try book(trip)
            } else {
                let key = BookKey.due(trip)
                rows.put(BookKey.mark, key: key)
                hasLeftWork = true
            }
        }
        due = []
    }

    /// Notes that a routine was saved or removed at an instant: the trips to which it was applied
    /// since are to be booked again.
    mutating func noteRevision(of name: String, from instant: Timestamp) throws {
        let key = BookKey.revised(name)
        if let stored = try rows.value(forKey: key) {
            guard try instant < Self.instant(decoding: stored) else { return }
        }
        var writer = RowEncoder(version: Self.bookedVersion)
        writer.write(instant)
        rows.put(writer.bytes, key: key)
        hasLeftWork = true
    }

    /// Notes which trips are due because a routine was saved or removed.
    private mutating func takeRevisions() throws {
        let keys = KeyRange(prefix: BookRowKind.revised.prefix)
        for row in try rows.rows(in: keys) {
            let name = row.key.dropFirst()
            let instant = try Self.instant(decoding: row.value)
            let applications = KeyRange(
                from: BookKey.application(of: name, at: instant),
                upTo: KeyRange(prefix: BookKey.applications(of: name)).upTo
            )
            for application in try rows.rows(in: applications) {
                let trip = BookKey.trip(endOf: application.key)
                let hosts =
                    try entry(trip).isPresent
                    ? [] : decisions(filedUnder: trip).compactMap(\.host)
                for trip in [trip] + hosts {
                    let key = BookKey.due(trip)
                    rows.put(BookKey.mark, key: key)
                }
            }
            rows.remove(key: row.key)
        }
    }

    /// Books trips that are due, until about `limit` have changed, and returns whether none is due
    /// any more.
    private mutating func bookDue(upTo limit: Int) throws -> Bool {
        try takeRevisions()
        try bookCheap()
        guard try takeRevisedRules(upTo: limit) else { return false }
        let all = KeyRange(prefix: BookRowKind.due.prefix)
        // Onwards, and not from the start each time: the rows that were removed are still in the
        // way until they are committed.
        var keys = all
        while changes.count < limit {
            let page = try rows.rows(in: keys, limit: 64)
            guard let last = page.last else {
                guard keys != all else {
                    hasLeftWork = false
                    return true
                }
                keys = all
                continue
            }
            for row in page where try changes.count < limit && rows.value(forKey: row.key) != nil {
                try book(BookKey.trip(endOf: row.key))
            }
            keys.from = last.key + [0]
        }
        return false
    }

    /// Books a trip and all trips that merges and splits tie to it.
    private mutating func book(_ trip: TripID) throws {
        let cluster = try cluster(of: trip)
        let (booked, obstacles) = cluster.booked
        try list(obstacles, ofTrips: cluster.ids)
        for id in cluster.ids.sorted() {
            let follows = try followsRule(entry(id).measured)
            slots[id]?.entry.followsRule = follows
            let stored = try rows.value(forKey: BookKey.booked(id))
            // Without decisions and not due it is booked as it was measured.
            let old = try stored.map { try Self.booked(decoding: $0) } ?? nil
            let new = booked[id]
            if !Self.isSame(old, new) {
                changes.append(.trip(TripChange(old: old, new: new)))
            }
            if try entry(id).isBookedAsMeasured {
                rows.remove(key: BookKey.booked(id))
            } else if stored == nil || !Self.isSame(old, new) {
                keep(new, of: id)
            }
            due.remove(id)
            let key = BookKey.due(id)
            if try rows.value(forKey: key) != nil { rows.remove(key: key) }
        }
    }

    /// Lists the decisions that cannot stand because of some trips, in place of those that could
    /// not before.
    private mutating func list(_ obstacles: [DecisionWithoutEffect], ofTrips ids: [TripID]) throws {
        let found = Dictionary(grouping: obstacles, by: \.trip)
        for id in ids {
            let new = found[id] ?? []
            let wasInTheWay = try entry(id).isInTheWay
            guard wasInTheWay || !new.isEmpty else { continue }
            let old = KeyRange(prefix: BookKey.obstacles(to: id))
            for row in try rows.rows(in: old) {
                rows.remove(key: row.key)
                let decision = try DecisionWithoutEffect(decoding: row.value)
                if let key = decision.waitingKey { rows.remove(key: key) }
            }
            for decision in new {
                rows.put(decision)
                if let key = decision.waitingKey {
                    rows.put(BookKey.mark, key: key)
                }
            }
            slots[id]?.entry.isInTheWay = !new.isEmpty
        }
    }

    /// Notes that a custom field is defined: trips whose decisions waited for it are to be booked
    /// again.
    mutating func noteDefined(field name: String) throws {
        let keys = KeyRange(prefix: BookKey.waiting(forField: name))
        for row in try rows.rows(in: keys) {
            let key = BookKey.due(BookKey.trip(endOf: row.key))
            rows.put(BookKey.mark, key: key)
            hasLeftWork = true
        }
    }

    /// Returns a trip and all trips that merges and splits tie to it.
    mutating func cluster(of trip: TripID) throws -> BookedCluster {
        var members: [TripID: BookedCluster.Member] = [:]
        var open = [trip]
        while let next = open.popLast() {
            guard members[next] == nil else { continue }
            let entry = try entry(next)
            guard entry.isPresent || entry.isTied else {
                members[next] = BookedCluster.Member(entry: entry, decisions: [])
                continue
            }
            var decisions = try decisions(filedUnder: next).map(\.decision)
            if entry.isPresent { decisions.removeAll { !$0.concerns(entry.group) } }
            if entry.isTied {
                open += decisions.flatMap(\.tiedTrips).filter { members[$0] == nil }
            }
            if entry.adoptedCount > 0 {
                let keys = KeyRange(prefix: BookKey.adopted(next))
                decisions += try rows.rows(in: keys)
                    .map { try FiledDecision(decoding: $0.value).decision }
                decisions.sort()
            }
            var member = BookedCluster.Member(entry: entry, decisions: decisions)
            if entry.isPresent {
                try member.leaveOut { decision in
                    try FieldCatalogue.missing(by: decision, entry.group, in: rows)
                        .map { .lacksField($0) }
                }
            }
            members[next] = member
        }
        let routines = try routines(of: members)
        for (id, member) in members {
            guard let trip = member.entry.measured, trip.mayGoByOdometer else { continue }
            members[id]?.odometer = try odometerSpan(of: trip)
        }
        return BookedCluster(members, routines: routines, rules: try rules())
    }

    /// Returns the routines that decisions apply, as they were then.
    private func routines(
        of members: [TripID: BookedCluster.Member]
    ) throws -> [EventOrder: Routine] {
        var routines: [EventOrder: Routine] = [:]
        // For a trip that is not there, it is not known whose routines count.
        for member in members.values where member.entry.isPresent {
            for decision in member.decisions {
                guard let name = decision.appliedRoutine else { continue }
                routines[decision.order] = try Routine.named(
                    name,
                    for: member.entry.group,
                    before: decision.order,
                    in: rows
                )
            }
        }
        return routines
    }
}
