internal import LMDB

/// Pieces of work that threads take one after the other until none is left.
// @unchecked because the monitor guards the pieces.
package final class WorkSupply<Piece: Sendable>: @unchecked Sendable {
    private let monitor = Monitor()

    // Guarded by `monitor`.
    private var pieces: ArraySlice<Piece>

    /// Begins with all the work.
    package init(_ pieces: [Piece]) {
        self.pieces = pieces[...]
    }

    /// Returns the next piece, or `nil` after the last.
    package func take() -> Piece? {
        monitor.locked { pieces.popFirst() }
    }

    /// Leaves none, for whoever works on would do so in vain.
    package func end() {
        monitor.locked { pieces = [] }
    }
}
