import Hummingbird
import LedgerHTTP
import LedgerRows
import TripEvents
import TripLedger

/// Answers questions about stays at places.
struct VisitsEndpoint: Sendable {
    private let reader: LedgerReader

    init(reader: LedgerReader) {
        self.reader = reader
    }

    /// The paths.
    var routes: [Route] {
        [
            Route(
                .get,
                "/v1/visits",
                "Stays at places, newest first",
                Query.days + [
                    Parameter("place", .text, "Only at this place"),
                    Parameter("source", .text, "Only of this source"),
                    .cursor, .limit, .atLeast,
                ],
                as: .page(of: "visit"),
                reaching: .seen,
                answer
            )
        ]
    }

    private func answer(_ call: Call) async throws(Problem) -> Response {
        let query = call.query
        var position: Position?
        if let cursor = query.text(Parameter.cursor.name) {
            position = Position(cursor)
            guard position != nil else {
                throw .invalidParameter(Parameter.cursor.name, "next_cursor of a page of visits")
            }
        }
        return try await reader.page(call, of: SourceVisit.columns) { [position] snapshot in
            let filter = try Filter(query, by: snapshot.requireClock())
            var rows: [SourceVisit] = []
            var next: String?
            try snapshot.readVisits(VisitFilter(to: position?.end)) { visit in
                guard position?.precedes(visit) ?? true, filter.allows(visit) else { return true }
                guard rows.count < query.limit else {
                    next = rows.last.map { Position(after: $0).cursor }
                    return false
                }
                rows.append(visit)
                return true
            }
            return (rows, next)
        }
    }
}

extension VisitsEndpoint {
    /// A choice of visits.
    private struct Filter {
        let place: String?
        let source: String?

        /// The days from the first one on.
        let begun: LocalPeriod

        /// The days up to the last one.
        let ended: LocalPeriod

        init(_ query: Query, by clock: LocalDay) throws {
            place = query.text("place")
            source = query.text("source")
            let days = try query.period(by: clock)
            begun = try Query.period(from: days?.from, to: nil, by: clock)
            ended = try Query.period(from: nil, to: days?.to, by: clock)
        }

        /// Returns whether a visit lasted to the first day, and began before the end of the last
        /// day.
        func allows(_ visit: SourceVisit) -> Bool {
            (place ?? visit.visit.place.name).hasSameBytes(as: visit.visit.place.name)
                && (source ?? visit.source).hasSameBytes(as: visit.source)
                && visit.visit.leftAt.map(begun.contains) ?? true
                && ended.contains(visit.visit.enteredAt)
        }
    }

    /// A position in the list: just after a visit, even if that is gone.
    private struct Position {
        private let time: Int64
        private let source: String
        private let place: String

        init(after visit: SourceVisit) {
            time = visit.visit.enteredAt.timestamp.milliseconds
            source = visit.source
            place = visit.visit.place.name
        }

        /// Reads a cursor, or returns `nil` if it is none.
        init?(_ cursor: String) {
            guard let parts = TextCursor.parts(of: cursor), parts.count == 3,
                let time = Int64(parts[0])
            else { return nil }
            self.time = time
            (source, place) = (parts[1], parts[2])
        }

        /// An instant later than the beginning of every visit that follows in the list.
        var end: Timestamp { Timestamp(milliseconds: time == .max ? time : time + 1) }

        var cursor: String { TextCursor.text(of: ["\(time)", source, place]) }

        /// Returns whether a visit comes after it: visits are in order of times, the latest first,
        /// then of sources and of places.
        func precedes(_ visit: SourceVisit) -> Bool {
            let other = Position(after: visit)
            if time != other.time { return time > other.time }
            let sources = (NameKey(source), NameKey(other.source))
            if sources.0 != sources.1 { return sources.0 < sources.1 }
            return place.utf8.lexicographicallyPrecedes(other.place.utf8)
        }
    }
}
