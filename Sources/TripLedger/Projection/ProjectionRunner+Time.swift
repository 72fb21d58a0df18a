import TripEvents
import TripTracking

// The trackers wait for their sources' next events; the rows show what the time until an instant
// has made of their trips. So rows are a function of the log and of that instant.
extension ProjectionRunner {
    /// Lets time pass to an instant, or back to one: trips end that are due by then, and go on that
    /// are due later.
    ///
    /// - Returns: Whether that has changed anything.
    mutating func passTime(to instant: Timestamp) throws -> Bool {
        var hasChanged = cursor.passingTo != nil
        if let store {
            var keys = cursor.ends(passedBefore: instant)
            cursor.passingTo = instant
            while true {
                var sources: [[UInt8]] = []
                try store.scan(.ends, in: keys) { key, _ in
                    sources.append(key)
                    return sources.count < Self.rowsPerCommit
                }
                guard let last = sources.last else { break }
                for key in sources {
                    let source = ViewKey.end(of: key).source
                    folds[source] = try fold(of: source, at: cursor.size)
                }
                try commit()
                hasChanged = true
                keys.from = last + [0]
            }
        }
        cursor.passingTo = nil
        cursor.passedTo = instant
        return hasChanged
    }

    /// Shows open trips as they are now, or as time has ended them.
    mutating func storeFolds() throws {
        let instant = cursor.passingTo ?? cursor.passedTo
        for source in folds.keys.sorted() {
            guard var fold = folds.removeValue(forKey: source) else { continue }
            try tell(source, &fold)
            folds[source] = fold
            if !news.isEmpty { storedUpTo[source] = cursor.size }
            var settled = try settled(source, fold)
            let endsAt = settled.tracker.endsAt
            if fold.endsAt != endsAt {
                if let end = fold.endsAt { ends.delete(ViewKey.end(at: end, of: source)) }
                if let endsAt { ends.put(ViewKey.end(at: endsAt, of: source), []) }
                fold.endsAt = endsAt
                folds[source] = fold
            }
            try settled.tracker.advance(to: instant, events: directory, steps: &settled.steps)
            for step in settled.steps { views.evolve(step) }
            if let trip = settled.tracker.openTrip { views.evolve(.updated(trip)) }
            storedFolds.put(ViewKey.source(source), fold.encoded)
        }
    }
}
