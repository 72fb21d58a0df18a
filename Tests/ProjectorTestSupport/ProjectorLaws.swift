import DriveSimulation
public import Projections
public import Testing
public import TripEvents
public import TripTracking

/// The laws that every projector obeys for all events.
///
/// Each projector's tests call ``check(_:events:seed:sourceLocation:)`` with scenarios and with
/// random drives.
public enum ProjectorLaws {
    /// Expects every law to hold for a projector and the events of some sources, to which decisions
    /// about their trips are added.
    ///
    /// - Parameters:
    ///   - projector: the projector.
    ///   - events: the events in order of arrival.
    ///   - rules: the rules that the trackers begin with.
    ///   - seed: what the shuffles and cuts follow from; it is named in every failure.
    ///   - sourceLocation: the call.
    /// - Throws: what reading a stored row or tracker throws, which breaks a law as well.
    public static func check(
        _ projector: some Projector,
        events: [TripEvent],
        rules: TrackingRules = .v1,
        seed: UInt64,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var random = SplitMix64(seed: seed)
        let events = events + (try decisions(about: events, using: &random))
        let log = log(events)
        let plain = Folding(way: .fast, cuts: .none, rules: rules)
        let rows = try rows(of: log, projector: projector, plain)
        try expectRoundTrip(rows, "seed \(seed)", sourceLocation)

        let again = try ProjectorLaws.rows(of: log, projector: projector, plain)
        #expect(
            again.rows == rows.rows && again.book.rows == rows.book.rows,
            "seed \(seed): same events, same rows",
            sourceLocation: sourceLocation
        )
        for way in Folding.Way.allCases {
            let folding = Folding(way: way, cuts: .none, rules: rules)
            let other = try ProjectorLaws.rows(of: log, projector: projector, folding)
            #expect(
                other.rows == rows.rows && other.book.rows == rows.book.rows,
                "seed \(seed): \(way)",
                sourceLocation: sourceLocation
            )
        }
        for cuts in [Folding.Cuts.everywhere] + (0..<8).map({ _ in .at(random.next()) }) {
            let folding = Folding(way: .fast, cuts: cuts, rules: rules)
            let other = try ProjectorLaws.rows(of: log, projector: projector, folding)
            #expect(
                other.rows == rows.rows && other.book.rows == rows.book.rows,
                "seed \(seed): cut \(cuts)",
                sourceLocation: sourceLocation
            )
        }

        let expected = try comparable(rows)
        let arrivals: [(String, [TripEvent])] = [
            ("shuffled", events.shuffled(using: &random)),
            ("last first", events.reversed()),
            ("everything twice", events + events.shuffled(using: &random)),
            ("with unknown events", withUnknownEvents(events, using: &random)),
        ]
        for (name, arrival) in arrivals {
            let log = ProjectorLaws.log(arrival)
            let other = try ProjectorLaws.rows(of: log, projector: projector, plain)
            let actual = try comparable(other)
            #expect(actual == expected, "seed \(seed): \(name)", sourceLocation: sourceLocation)
        }
    }

    /// Expects each stored row to be read back as what it was, under the keys it has.
    private static func expectRoundTrip<Made: Projector>(
        _ booked: BookedRows<Made>,
        _ comment: Comment,
        _ sourceLocation: SourceLocation
    ) throws {
        for stored in booked.rows.inOrder.added {
            let row = try Made.Row(decoding: stored.value)
            #expect(row.value == stored.value, comment, sourceLocation: sourceLocation)
            let found = try booked.rows.value(forKey: row.key)
            #expect(found == stored.value, comment, sourceLocation: sourceLocation)
            #expect(row.orderKey == stored.key, comment, sourceLocation: sourceLocation)
            #expect(
                row.withoutArrival.withoutArrival == row.withoutArrival,
                comment,
                sourceLocation: sourceLocation
            )
        }
    }

    /// Returns the rows in order, without what depends on the order of arrival.
    private static func comparable<Made: Projector>(
        _ booked: BookedRows<Made>
    ) throws -> [Made.Row] {
        try booked.decoded().map(\.withoutArrival)
    }

    /// Returns the events with events of a kind of the future among them.
    private static func withUnknownEvents(
        _ events: [TripEvent],
        using random: inout SplitMix64
    ) -> [TripEvent] {
        events.flatMap { event -> [TripEvent] in
            var unknown = event
            unknown.id = nil
            unknown.body = .unknown(
                UnknownEvent(
                    kind: 0x7F,
                    form: 0,
                    payload: [UInt8.random(in: 0...9, using: &random)]
                )
            )
            return Bool.random(using: &random) ? [event, unknown] : [event]
        }
    }
}
