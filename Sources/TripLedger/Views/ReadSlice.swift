/// What was made of the rows of a ``ViewSlice``.
struct ReadSlice<Part: Sendable>: Sendable {
    /// The slice's place among all slices.
    let index: Int

    /// What was made of its rows.
    let part: Part

    /// The first key that was found, which is after the slice if that is empty; `nil` at the end of
    /// the table.
    let firstKey: [UInt8]?

    /// The first key after the slice; `nil` at the end of the table.
    let endKey: [UInt8]?
}
