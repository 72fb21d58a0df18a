public import Projections
public import Testing
public import TripTracking

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

/// A book and one view made of it, both in memory.
public struct BookedRows<Made: Projector> {
    /// The book's rows.
    public private(set) var book = MemoryRows()

    /// The view's rows.
    public private(set) var rows = MemoryRows()

    private let projector: Made

    /// Creates a book without trips and the view of a projector.
    public init(_ projector: Made) {
        self.projector = projector
    }

    /// Takes what a tracker derived.
    public mutating func take(_ step: TripStep) throws {
        for change in try TripBook().evolve(step, in: &book) {
            try projector.evolve(change, in: &rows)
        }
    }

    /// Takes a decision.
    public mutating func take(_ decision: Decision) throws {
        for change in try TripBook().decide(decision, in: &book) {
            try projector.evolve(change, in: &rows)
        }
    }

    /// Returns the rows of the view in order.
    public func decoded() throws -> [Made.Row] {
        try rows.inOrder.map { try Made.Row(decoding: $0.value) }
    }
}
