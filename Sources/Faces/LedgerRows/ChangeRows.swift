import Geodesy
package import Projections
package import Tables
import TripEvents
package import TripLedger
import TripTracking

extension LedgerChanges: Tabular {
    /// A count of entries of a type.
    private struct TypeCount: Tabular {
        let type: String
        let count: UInt64

        static let columns = Columns<TypeCount> {
            Column.name("type") { $0.type }
            Column.integer("count") { $0.count }
        }
    }

    /// The entries after a head or a date: `changes.v1.schema.json`.
    package static let columns = Columns<LedgerChanges> {
        Column.integer("since.size") { $0.since.size }
        Column.name("since.root") { $0.since.root }
        Column.integer("until.size") { $0.until.size }
        Column.name("until.root") { $0.until.root }
        Column.instant("before") { $0.before }
        Column.integer("entries") { $0.entryCount }
        Column.rows("types", TypeCount.columns) { changes in
            changes.entryCounts.map { TypeCount(type: $0.type, count: $0.count) }
        }
        Column.rows("changed_trips", ChangedTrip.columns) { $0.changedTrips }
        Column.rows("added_trips", AddedTrip.columns) { changes in
            changes.addedTrips.map { AddedTrip(booked: $0) }
        }
        Column.integer("later_trips") { $0.laterTripCount }
        Column.rows("decisions", TripAmendment.columns) { $0.amendments.map(\.amendment) }
        Column.integer("orphans") { $0.withoutEffect }
        Column.rows("erasures", StoredEvent.columns) { $0.erasures }
        Column.rows("rules", StoredEvent.columns) { $0.rules }
        Column.rows("clock_shifts", StoredEvent.columns) { $0.clockShifts }
        Column.rows("sources", StoredEvent.columns) { $0.sources }
    }
}

extension BookedTrip {
    /// The figures of a trip in a list of changes.
    fileprivate static let figureColumns = Columns<BookedTrip> {
        Column.text("source") { $0.trip.source }
        Column.time("started_at") { $0.trip.startedAt }
        Column.time("ended_at") { $0.trip.endedAt }
        Column.distance("distance_m") { $0.claimedDistance }
        Column.distance("measured_m") { $0.trip.distance }
        Column.integer("gaps") { $0.trip.gaps.count }
        Column.name("status") { $0.status.rawValue }
        Column.name("class") { $0.tripClass.rawValue }
        Column.trip("merged_into") { $0.mergedInto }
        Column.instant("recorded_at") { $0.trip.recorded.firstAt }
    }
}

extension ChangedTrip: Tabular {
    /// A trip that had ended and has changed since.
    package static let columns = Columns<ChangedTrip> {
        Column.trip("trip", "TRIP") { $0.before.id }
        Column.shown("STARTED", .time) { .time($0.before.trip.startedAt) }
        Column.shown("DISTANCE THEN", .meters) { .distance($0.before.claimedDistance) }
        Column.shown("NOW", .meters) { changed in
            changed.now.map { .distance($0.claimedDistance) } ?? .name("gone")
        }
        Column.integer("late_fixes", "LATE FIXES") { $0.lateFixes }
        Column.shown("ALSO") { changed in
            changed.remarks(by: nil).isEmpty
                ? .none : .telling { changed.remarks(by: $0).joined(separator: ", ") }
        }
        BookedTrip.figureColumns.of("before.") { $0.before }
        BookedTrip.figureColumns.of("now.") { $0.now }
    }

    /// The other differences from before.
    private func remarks(by clock: LocalDay?) -> [String] {
        guard let now else { return [] }
        let text = { (time: EventTime) in LocalTime.text(time.told(by: clock)) }
        var remarks: [String] = []
        if before.adjusted != now.adjusted, now.adjusted != nil {
            remarks.append("set by hand, measured \(DistanceText.meters(now.trip.distance)) m")
        }
        if before.trip.startedAt != now.trip.startedAt {
            remarks.append("start \(text(now.trip.startedAt))")
        }
        if before.trip.endedAt != now.trip.endedAt {
            remarks.append("end \(now.trip.endedAt.map(text) ?? "open")")
        }
        if before.trip.gaps != now.trip.gaps {
            remarks.append("gaps \(before.trip.gaps.count) → \(now.trip.gaps.count)")
        }
        if before.status != now.status {
            remarks.append("\(before.status.rawValue) → \(now.status.rawValue)")
        }
        if before.tripClass != now.tripClass {
            remarks.append("\(before.tripClass.rawValue) → \(now.tripClass.rawValue)")
        }
        return remarks
    }
}

extension LedgerChanges {
    /// A trip that had started before a head and was added since.
    package struct AddedTrip: Tabular {
        private let booked: BookedTrip

        /// Describes an added trip.
        package init(booked: BookedTrip) {
            self.booked = booked
        }

        /// The columns.
        package static let columns = Columns<AddedTrip> {
            Column.trip("trip", "TRIP") { $0.booked.id }
            Column.shown("STARTED", .time) { .time($0.booked.trip.startedAt) }
            Column.shown("STORED", .time) { .time(EventTime($0.booked.trip.recorded.firstAt)) }
            Column.shown("DISTANCE", .meters) { .distance($0.booked.claimedDistance) }
            Column.shown("STATUS") { .name($0.booked.status.rawValue) }
            Column.shown("SOURCE") { .text($0.booked.trip.source) }
            BookedTrip.figureColumns.of { $0.booked }
        }
    }
}

extension StoredEvent {
    /// An erasure, for people.
    package static let erasureColumns = Columns<StoredEvent> {
        Column.shown("POSITIONS") { .name($0.erasure?.positions.description ?? "") }
        Column.shown("ERASED", .time) { .time(EventTime($0.recordedAt)) }
        Column.shown("BY") { $0.decider }
        Column.shown("WHY") { $0.erasure.map { .text($0.why) } ?? .none }
    }

    /// An adoption of rules, for people.
    package static let adoptionColumns = Columns<StoredEvent> {
        Column.shown("IN FORCE FROM", .time) { .time($0.event.time) }
        Column.shown("STORED", .time) { .time(EventTime($0.recordedAt)) }
        Column.shown("BY") { $0.decider }
        Column.shown("RULES") { .text($0.event.contentJSON) }
    }

    /// How the clock of a source was wrong, for people.
    package static let clockColumns = Columns<StoredEvent> {
        Column.shown("DECIDED", .time) { .time($0.event.time) }
        Column.shown("STORED", .time) { .time(EventTime($0.recordedAt)) }
        Column.shown("BY") { $0.decider }
        Column.shown("SHIFT") { .text($0.event.contentJSON) }
    }

    /// A new source, for people.
    package static let sourceColumns = Columns<StoredEvent> {
        Column.shown("SOURCE") { stored in
            guard case .sourceRegistered(let source) = stored.event.body else { return .none }
            return .text(source.name)
        }
        Column.shown("STORED", .time) { .time(EventTime($0.recordedAt)) }
    }

    private var erasure: EntriesErased? {
        guard case .entriesErased(let erased) = event.body else { return nil }
        return erased
    }

    private var decider: Cell {
        let source = event.source.isEmpty ? nil : event.source
        return (event.actor ?? source).map { .text($0) } ?? .none
    }
}
