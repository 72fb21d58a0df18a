/// What one thread has made of slices of a table.
struct SliceReading<Part: Sendable>: Sendable {
    /// The slices, in the order in which they were read.
    let slices: [ReadSlice<Part>]

    /// The number of the write whose outcome was read.
    let snapshot: Int
}
