import EventStore
import LMDB
import Platform
import Proofs
import SystemPackage
public import TripEvents

extension Ledger {
    /// Reads from one snapshot of the ledger.
    ///
    /// The views are brought up to date with the log first. The snapshot then answers from the
    /// entries that its head commits to, whatever others append meanwhile: figures that are shown
    /// together MUST be read together.
    ///
    /// ```swift
    /// let (trips, places) = try ledger.read { snapshot in
    ///     (try snapshot.trips(), try snapshot.places())
    /// }
    /// ```
    ///
    /// Any number of threads may read at once. `body` runs on the caller's thread; it MUST NOT
    /// append to the ledger or read from it by another snapshot. While it runs, writers cannot use
    /// freed pages of the files again, so that these grow by some 20 KB with each append: do not
    /// wait for people or networks inside.
    ///
    /// If a row turns out to be damaged, the views are rebuilt and `body` runs once more from the
    /// start. It does not once ``Snapshot/readTrips(_:_:forEach:)`` has begun to hand over rows;
    /// before that, `body` MUST NOT do what cannot be done twice, such as printing.
    ///
    /// - Parameters:
    ///   - instant: The instant to which time passes: trips end that silence, no movement or a dead
    ///     device has ended by then, without waiting for their sources' next events. `nil` lets
    ///     no time pass after the latest event of each source.
    ///   - body: What to read.
    /// - Returns: What `body` returned.
    /// - Throws: `LedgerError` with `.damaged` or `.inputOutput`, and what `body` throws.
    public func read<Result>(
        asOf instant: Timestamp? = nil,
        _ body: (borrowing Snapshot) throws -> Result
    ) throws -> Result {
        try read(asOf: instant, seenBy: .everything, body)
    }

    /// Reads as ``read(asOf:_:)`` does, but only what a reader with limited sight may see.
    ///
    /// The snapshot leaves out trips, sources, visits, sums and changes that are not seen. It still
    /// gives facts about the whole ledger, such as its size, the issued reports and the rules in
    /// force.
    package func read<Result>(
        asOf instant: Timestamp? = nil,
        seenBy sight: Sight,
        _ body: (borrowing Snapshot) throws -> Result
    ) throws -> Result {
        let asked = instant
        let instant = min(instant ?? .beforeAll, .afterAll)
        var transactions = try LedgerError.translating(at: path) {
            try beginReading(asOf: instant)
        }
        transactions.askedInstant = asked
        let lag = transactions.earlierLag
        let (outcome, reason) = read(in: transactions, seenBy: sight, body)
        guard let reason else { return try outcome.get() }
        var repaired = try LedgerError.translating(at: path) {
            try beginReading(asOf: instant, rebuildingBecause: reason)
        }
        repaired.earlierLag = lag
        repaired.askedInstant = asked
        return try read(in: repaired, seenBy: sight, body).outcome.get()
    }

    /// Reads from one snapshot of the ledger whose views are derived from the log for it alone.
    ///
    /// Nothing from `views/` is used, so that a change there changes no figure: this is for reports
    /// that are handed to others with a head. It takes as long as rebuilding the views, which are
    /// made in a temporary place. The rest is as with ``read(asOf:_:)``.
    ///
    /// With a size, the ledger is read as it was when it had so many entries, whatever came later:
    /// every question is answered from these alone. Only entries erased since are missing.
    ///
    /// - Parameters:
    ///   - instant: The instant to which time passes; `nil` for none after the latest events.
    ///   - size: How many entries are read; `nil` for all.
    ///   - onProgress: Told how many entries have been read, of how many.
    ///   - body: What to read.
    /// - Returns: What `body` returned.
    /// - Throws: `LedgerError` with `.notFound` if there are not so many entries, `.damaged` or
    ///   `.inputOutput`, and what `body` throws.
    public func readFromLog<Result>(
        asOf instant: Timestamp? = nil,
        upTo size: UInt64? = nil,
        onProgress: (_ done: UInt64, _ size: UInt64) -> Void = { _, _ in },
        _ body: (borrowing Snapshot) throws -> Result
    ) throws -> Result {
        let transactions = try LedgerError.translating(at: path) {
            try eventLog.requireAtPath()
            let present = try log.head().size
            if let size, size > present {
                throw LedgerError(
                    .notFound,
                    at: path.string,
                    cause: "there are \(present) entries, not \(size)",
                    hint: "Ask for no more than there are, or use a newer copy of the ledger"
                )
            }
            return try beginReadingTemporaryViews(
                asOf: min(instant ?? .beforeAll, .afterAll),
                upTo: size,
                areFresh: true
            ) { onProgress($0, size ?? present) }
        }
        return try read(in: transactions, body).outcome.get()
    }

    /// Reads from the views as they are: entries appended since they were brought up to date, and
    /// trips that time has ended since, are missing.
    ///
    /// Nothing is written, projected or waited for. This is for looks that must be quick and may be
    /// stale, never for figures.
    ///
    /// - Parameter body: What to read.
    /// - Returns: What `body` returned; `nil` if there are no usable views.
    /// - Throws: `LedgerError` with `.damaged` or `.inputOutput`, and what `body` throws.
    package func readStoredViews<Result>(
        _ body: (borrowing Snapshot) throws -> Result
    ) throws -> Result? {
        let transactions = try LedgerError.translating(at: path) {
            () throws -> SnapshotTransactions? in
            do {
                var transactions = try SnapshotTransactions(of: eventLog, views.current())
                transactions.earlierLag = transactions.lag
                return transactions
            } catch is StaleViews {
                return nil
            }
        }
        guard let transactions else { return nil }
        return try read(in: transactions, body).outcome.get()
    }

    /// Reads for a query of the library: errors are translated like those of a query.
    package func reading<Result>(
        asOf instant: Timestamp? = nil,
        seenBy sight: Sight = .everything,
        _ body: (borrowing Snapshot) throws -> Result
    ) throws(LedgerError) -> Result {
        try LedgerError.translating(at: path) {
            try read(asOf: instant, seenBy: sight) { snapshot in
                try snapshot.asking { try body(snapshot) }
            }
        }
    }

    /// Runs `body` on a snapshot and ends it; says why it is to be repeated with new views.
    private func read<Value>(
        in transactions: consuming SnapshotTransactions,
        seenBy sight: Sight = .everything,
        _ body: (borrowing Snapshot) throws -> Value
    ) -> (outcome: Result<Value, any Error>, reasonToRepeat: StaleViews?) {
        let snapshot = Snapshot(transactions, of: self, seenBy: sight)
        let outcome = Result { try body(snapshot) }
        return (outcome, snapshot.reasonToRepeat)
    }

    /// Returns how many entries the views have not read, or `nil` if there are no usable views.
    package func lag() throws(LedgerError) -> UInt64? {
        try LedgerError.translating(at: path) {
            do {
                return try SnapshotTransactions(of: eventLog, views.current()).lag
            } catch is StaleViews {
                return nil
            }
        }
    }

    /// Returns whether the views know of a source whose clock went back while it went on.
    ///
    /// - Parameter limit: How many sources are looked at.
    /// - Returns: Whether one of these sources has such a clock and no one has said anything about
    ///   it since.
    /// - Throws: `.damaged`, `.inputOutput`; what opening the views throws.
    package func hasClockStep(among limit: Int) throws(LedgerError) -> Bool {
        try LedgerError.translating(at: path) {
            let transactions = try SnapshotTransactions(of: eventLog, views.current())
            var count = 0
            var isFound = false
            try transactions.store.scan(.folds) { _, value in
                isFound = try SourceFold(decoding: value).clockStep != nil
                count += 1
                return !isFound && count < limit
            }
            return isFound
        }
    }
}

extension Ledger {
    /// Returns the decisions without effect that the views know, in event order.
    ///
    /// - Throws: `.damaged`, `.inputOutput`; what opening the views throws.
    package func knownDecisionsWithoutEffect() throws(LedgerError) -> [DecisionWithoutEffect] {
        try LedgerError.translating(at: path) {
            let transactions = try SnapshotTransactions(of: eventLog, views.current())
            let settings = ownClock.settings(founding, transactions.settings)
            return try TripBook(over: transactions.store).decisionsWithoutEffect(beside: settings)
        }
    }
}

extension TripBook {
    /// Returns all decisions that have no effect, in event order.
    ///
    /// - Parameter settings: The settings that hold; those that do not are among the decisions.
    /// - Returns: The decisions.
    /// - Throws: What the tables throw, or `RowCodingError` if a row is damaged.
    func decisionsWithoutEffect(beside settings: SettingsBook) throws -> [DecisionWithoutEffect] {
        let aboutTrips = try decisionsWithoutEffect().map { try tracingSplit(of: $0) }
        return try (aboutTrips + ledgerDecisionsWithoutEffect(beside: settings)).sorted()
    }

    /// Returns the decisions about the whole ledger that have no effect: settings and rates.
    ///
    /// - Parameter settings: The settings that hold.
    /// - Returns: The decisions, in no order.
    /// - Throws: What the tables throw, or `RowCodingError` if a row is damaged.
    func ledgerDecisionsWithoutEffect(
        beside settings: SettingsBook
    ) throws -> [DecisionWithoutEffect] {
        try settings.withoutEffect
            + decisions(on: .rates)
            .compactMap { decision in
                decision.obstacleOfGroup.map { DecisionWithoutEffect(decision, about: nil, $0) }
            }
    }
}

// MARK: - Beginning

extension Ledger {
    /// Begins a snapshot of the log and of views that know all of it.
    ///
    /// - Returns: The snapshot, which knows how many entries the views had not read before.
    private func beginReading(asOf instant: Timestamp) throws -> SnapshotTransactions {
        // The views at the path MUST NOT be made from a log that is no longer at its path.
        try eventLog.requireAtPath()
        var lag: UInt64?
        do {
            // Nearly always the views are up to date: then no lock is needed.
            var transactions = try SnapshotTransactions(of: eventLog, views.current())
            lag = transactions.lag
            transactions.earlierLag = lag
            if lag == 0, try transactions.show(instant) { return transactions }
            transactions.end()
        } catch is StaleViews {}
        var transactions = try beginReading(asOf: instant, rebuildingBecause: nil)
        transactions.earlierLag = lag
        return transactions
    }

    /// Begins a snapshot after bringing the views up to date, or rebuilding them for a reason.
    private func beginReading(
        asOf instant: Timestamp,
        rebuildingBecause damage: StaleViews?
    ) throws -> SnapshotTransactions {
        if let damage { tell(damage) }
        guard !isReadOnly else {
            return try beginReadingTemporaryViews(asOf: instant, areFresh: damage != nil)
        }
        do {
            return try holdingViews {
                if let damage { _ = try rebuild(because: damage.sentence, asOf: instant) }
                do {
                    return try beginReading(bringingUpToDate: try views.current(), to: instant)
                } catch let reason as StaleViews {
                    tell(reason)
                    _ = try rebuild(because: reason.sentence, asOf: instant)
                    return try beginReading(bringingUpToDate: try views.current(), to: instant)
                }
            }
        } catch let error where Self.isLackOfRoom(error) {
            viewNotice?(
                "\(viewsPath): there is no room to store views, so each command makes them again "
                    + "until there is"
            )
            return try beginReadingTemporaryViews(asOf: instant, areFresh: damage != nil)
        } catch let error where Self.isLackOfRights(error) {
            return try beginReadingTemporaryViews(asOf: instant, areFresh: damage != nil)
        }
    }

    /// Tells the opener of the ledger why the views are made anew, if that should not be necessary.
    private func tell(_ reason: StaleViews) {
        guard reason.isDamage else { return }
        viewNotice?("\(reason.sentence); they are made anew from the log")
    }

    /// Begins a snapshot with views that this process alone has.
    private func beginReadingTemporaryViews(
        asOf instant: Timestamp,
        upTo size: UInt64? = nil,
        areFresh: Bool,
        _ onProgress: (UInt64) -> Void = { _ in }
    ) throws -> SnapshotTransactions {
        func begin(_ store: ViewStore) throws -> SnapshotTransactions {
            try beginReading(bringingUpToDate: store, to: instant, upTo: size, onProgress)
        }
        do {
            return try views.withTemporary(isFresh: areFresh, begin)
        } catch let error where Self.isLackOfRoom(error) {
            return try views.withTemporary(isFresh: true, in: Directory.inMemory, begin)
        } catch is StaleViews {
            // Entries were erased that these views have read.
            return try views.withTemporary(isFresh: true, begin)
        }
    }

    /// Brings views up to date with the log and an instant, and begins a snapshot of them and the
    /// log before others can change them.
    ///
    /// The caller holds the lock of the views.
    private func beginReading(
        bringingUpToDate store: ViewStore,
        to instant: Timestamp,
        upTo size: UInt64? = nil,
        _ onProgress: (UInt64) -> Void = { _ in }
    ) throws -> SnapshotTransactions {
        // Without a snapshot of the log first: it may take long, and would let the file grow.
        _ = try catchUp(store, in: log, upTo: size ?? log.head().size, asOf: instant, onProgress)
        let snapshot = try eventLog.snapshot(upTo: size)
        // Reads the entries appended meanwhile. No other process can bring the views beyond this.
        _ = try catchUp(store, in: snapshot.log, upTo: snapshot.log.head().size, asOf: instant)
        return try SnapshotTransactions(beside: snapshot, store)
    }

    /// Whether views cannot be kept for lack of room; the log can still be read.
    private static func isLackOfRoom(_ error: any Error) -> Bool {
        switch error {
        case let error as LMDBError: error.code.isLackOfRoom
        case let error as Errno: error == .noSpace || error == .diskQuotaExceeded
        default: false
        }
    }

    /// Whether views cannot be kept for lack of rights; the log can still be read.
    private static func isLackOfRights(_ error: any Error) -> Bool {
        switch error {
        case let error as LMDBError: error.code.isLackOfRights
        case let error as Errno: error == .readOnlyFileSystem || error == .permissionDenied
        default: false
        }
    }
}
