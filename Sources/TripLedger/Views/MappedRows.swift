import LMDB

/// Counts rows that are found anywhere in the views, and every so many takes the pages that were
/// read out of this process, so that it does not grow with the views.
struct MappedRows {
    /// How many rows stay mapped, each with what the system maps around it: 64 KiB.
    private static let rowsKept = 32

    private var pages: MappedRegion
    private var count = 0

    /// Begins to count rows of the map that `pages` knows.
    init(_ pages: MappedRegion) {
        self.pages = pages
    }

    /// Counts a row that was read or written.
    mutating func note() {
        count += 1
        if count.isMultiple(of: Self.rowsKept) { pages.forget() }
    }

    /// Takes the pages of all rows out of this process.
    mutating func forget() {
        pages.forget()
    }
}
