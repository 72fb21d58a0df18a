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
        #expect(
            winding.book.rows == direct.book.rows,
            "seed \(seed)",
            sourceLocation: sourceLocation
        )
        for trip in script.trips {
            let history = try winding.book.history(of: trip)
            #expect(
                try history == direct.book.history(of: trip),
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
    /// The book.
    public private(set) var book = TripBook()

    /// The view's rows.
    public private(set) var rows = ViewRows()

    private let projector: Made

    /// Creates a book without trips and the view of a projector.
    public init(_ projector: Made) {
        self.projector = projector
    }

    /// Takes what a tracker derived.
    public mutating func take(_ step: TripStep) throws {
        for change in try book.evolve(step) {
            try projector.evolve(change, in: &rows)
        }
    }

    /// Takes a decision.
    public mutating func take(_ decision: Decision) throws {
        for change in try book.decide(decision) {
            try projector.evolve(change, in: &rows)
        }
    }

    /// Returns the rows of the view in order.
    public func decoded() throws -> [Made.Row] {
        try rows.inOrder.added.map { try Made.Row(decoding: $0.value) }
    }
}

extension RowTable: Equatable {
    /// Returns whether two tables in memory have the same rows.
    public static func == (left: RowTable, right: RowTable) -> Bool { left.added == right.added }
}

extension ViewRows: Equatable {
    /// Returns whether two views in memory have the same rows, under the same keys.
    public static func == (left: ViewRows, right: ViewRows) -> Bool {
        left.keys == right.keys && left.inOrder == right.inOrder
    }
}
