import Platform
package import Projections
import TripsProjection

extension Snapshot {
    /// Makes parts from trips and hands them over in the order of the filter.
    ///
    /// Two threads read the trips of a long list and make parts of them, this one every other part.
    /// Parts, their order and errors are the same with one thread.
    ///
    /// - Parameters:
    ///   - filter: Which trips; it MUST have no limit.
    ///   - empty: A part of no trips.
    ///   - isAlone: Whether this thread makes all parts; for tests.
    ///   - add: Adds a trip to a part, which gets its trips in order; either thread calls it.
    ///   - begin: Runs before the first part, once all rows were found to be what was written. From
    ///     then on nothing is read twice.
    ///   - body: Takes a part, which may be empty, and MUST leave it empty: it is filled again.
    /// - Throws: `.notFound` if there is no trip to go on after; `.damaged`, `.inputOutput`, and
    ///   what `begin` and `body` throw.
    package func readTrips<Part: Sendable>(
        _ filter: TripFilter,
        inParts empty: Part,
        isAlone: Bool = false,
        adding add: @escaping @Sendable (borrowing BookedTrip, inout Part) -> Void,
        _ begin: () throws -> Void = {},
        forEach body: (inout Part) throws -> Void
    ) throws {
        precondition(filter.limit == nil, "parts are made of all trips of a filter")
        let (parts, isWorthThread) = try asking {
            let keys = try store.orderKeys(of: filter, at: path)
            let rowCount = try store.requireSound(.tripsInOrder, in: keys)
            let parts = TripParts(store, filter, in: keys, from: empty, adding: add)
            return (parts, !isAlone && rowCount >= TripParts<Part>.fewestTripsForThread)
        }
        noteHandingOver()
        try begin()
        // An error that the caller's code throws goes back to the caller unchanged.
        var interruption: (any Error)?
        try asking {
            try parts.forEach(onTwoThreads: isWorthThread) { part in
                do {
                    try body(&part)
                    return true
                } catch {
                    interruption = error
                    return false
                }
            }
        }
        if let interruption { throw interruption }
    }
}

/// Makes parts of a list of trips on two threads, which take turns, and hands them over in order.
///
/// Both threads walk over all rows of one snapshot; each decodes only those of its own parts. On
/// two cores a mileage log of 100,002 trips takes 0.24 s as text and 0.29 s as JSON; on one core it
/// takes 0.39 s and 0.35 s.
private struct TripParts<Part: Sendable>: Sendable {
    /// A part from the other thread.
    private struct Batch: Sendable {
        var part: Part

        /// Why it goes no further after this part.
        var failure: (any Error)?
    }

    /// Fewer trips are written before another thread would have helped much.
    static var fewestTripsForThread: Int { 1_024 }

    /// Few enough for the processor's cache.
    private static var tripsPerPart: Int { 256 }

    /// How many parts a thread may be ahead of the other one.
    private static var partsAhead: Int { 16 }

    private let store: ReadableViews
    private let filter: TripFilter
    private let keys: ViewKeyRange
    private let empty: Part
    private let add: @Sendable (borrowing BookedTrip, inout Part) -> Void

    init(
        _ store: ReadableViews,
        _ filter: TripFilter,
        in keys: ViewKeyRange,
        from empty: Part,
        adding add: @escaping @Sendable (borrowing BookedTrip, inout Part) -> Void
    ) {
        self.store = store
        self.filter = filter
        self.keys = keys
        self.empty = empty
        self.add = add
    }

    /// Hands over all parts, until `body` returns `false`.
    ///
    /// - Throws: `StaleViews` after the trips before the damage, and `LMDBError`.
    func forEach(onTwoThreads: Bool, _ body: (inout Part) -> Bool) throws {
        // If a second reader cannot begin, one is enough.
        guard onTwoThreads, let lent = try? store.lend() else {
            return try forEach(alternatingWith: nil, body)
        }
        let views = lent.views
        let empty = Array(repeating: Batch(part: empty), count: Self.partsAhead)
        let queue = BoundedQueue(empty: empty)
        guard let thread = WorkerThread({ [self] in fill(queue, from: views) }) else {
            return try forEach(alternatingWith: nil, body)
        }
        defer {
            queue.cancel()
            thread.join()
        }
        try forEach(alternatingWith: queue, body)
    }

    /// Makes all parts, or every other one and takes the rest from the queue.
    private func forEach(
        alternatingWith queue: BoundedQueue<Batch>?,
        _ body: (inout Part) -> Bool
    ) throws {
        // Parts of this thread that wait for one that the other thread still makes.
        var waiting: [Part] = []
        var isOwnTurn = true
        var goesOn = true
        /// Hands over the next part; returns `false` if it is not there yet.
        func handOver(isToWait: Bool) throws -> Bool {
            if isOwnTurn {
                guard !waiting.isEmpty else { return false }
                var part = waiting.removeFirst()
                goesOn = body(&part)
            } else if let batch = try isToWait ? queue?.dequeue() : queue?.dequeueIfReady() {
                var batch = batch
                goesOn = body(&batch.part)
                if goesOn, let failure = batch.failure {
                    goesOn = false
                    throw failure
                }
                queue?.recycle(batch)
            } else if !isToWait {
                return false
            }
            isOwnTurn = !isOwnTurn || queue == nil
            return true
        }
        var part = empty
        let outcome = Result {
            try read(store, turn: 0, of: queue == nil ? 1 : 2, into: &part) { part in
                waiting.append(part)
                part = empty
                // Waiting costs both threads time, so this one may be ahead, too.
                while goesOn, try handOver(isToWait: waiting.count > Self.partsAhead) {}
                return goesOn
            }
        }
        // The last trips, or those before the damage.
        waiting.append(part)
        while goesOn, !waiting.isEmpty { _ = try handOver(isToWait: true) }
        try outcome.get()
    }

    /// Makes every other part for another thread, until that wants no more.
    private func fill(_ queue: BoundedQueue<Batch>, from store: ReadableViews) {
        var part = empty
        var last = Batch(part: empty)
        do {
            try read(store, turn: 1, of: 2, into: &part) { part in
                guard var batch = queue.nextEmpty() else { return false }
                swap(&batch.part, &part)
                queue.enqueue(batch)
                return true
            }
        } catch {
            last.failure = error
        }
        last.part = part
        queue.enqueue(last)
        queue.finish()
    }

    /// Walks over all rows and adds the trips of its own turns to a part.
    ///
    /// - Parameters:
    ///   - store: The views as this thread reads them.
    ///   - turn: Which turn it is, counted from 0.
    ///   - turns: How many threads take turns.
    ///   - part: Receives the trips.
    ///   - finish: Takes a part after the last of its rows and leaves an empty one; returns whether
    ///     to go on.
    /// - Throws: `StaleViews` if a row is damaged, `LMDBError`, and what `finish` throws.
    private func read(
        _ store: ReadableViews,
        turn: Int,
        of turns: Int,
        into part: inout Part,
        _ finish: (inout Part) throws -> Bool
    ) throws {
        var rowCount = 0
        var value: [UInt8] = []
        try store.scanSound(
            .tripsInOrder,
            in: keys,
            isDescending: !filter.isOldestFirst
        ) { key, stored in
            let isOwn = rowCount / Self.tripsPerPart % turns == turn
            rowCount += 1
            guard isOwn else { return true }
            guard ViewSeal.open(stored, key: key, into: &value) else {
                throw ReadableViews.damage(of: .tripsInOrder)
            }
            let booked = try StaleViews.takingDamage { try TripRow.bookedTrip(decoding: value) }
            if try store.isSeen(booked) { pass(booked, to: &part) }
            return rowCount.isMultiple(of: Self.tripsPerPart) ? try finish(&part) : true
        }
    }

    // A function, because a trip that it borrows is not copied on its way.
    private func pass(_ booked: borrowing BookedTrip, to part: inout Part) {
        if filter.includes(booked) { add(booked, &part) }
    }
}
