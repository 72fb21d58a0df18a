public import Projections
public import Testing

/// The laws of the book: it is a pure function of the measured trips and the decisions there are.
public enum BookLaws {
    /// Expects the rows of the book, those of a view of it and the history of every trip to be the
    /// same on every way that leads to the same trips and decisions.
    public static func check(
        _ projector: some Projector,
        seed: UInt64,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let script = BookScript(seed: seed)
        let direct = try booked(script.direct, projector)
        let winding = try booked(script.winding, projector)
        #expect(winding.rows == direct.rows, "seed \(seed)", sourceLocation: sourceLocation)
        #expect(winding.book == direct.book, "seed \(seed)", sourceLocation: sourceLocation)
        for trip in script.trips {
            let history = try TripBook().history(of: trip, in: winding.book)
            #expect(
                try history == TripBook().history(of: trip, in: direct.book),
                "seed \(seed)",
                sourceLocation: sourceLocation
            )
        }
    }

    private static func booked<Made: Projector>(
        _ steps: [BookScript.Step],
        _ projector: Made
    ) throws -> BookedRows<Made> {
        var rows = BookedRows(projector)
        for step in steps {
            switch step {
            case .trip(let step): try rows.take(step)
            case .decision(let decision): try rows.take(decision)
            }
        }
        return rows
    }
}
