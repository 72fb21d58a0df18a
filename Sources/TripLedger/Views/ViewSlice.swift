/// A part of a table's keys, which one thread reads while others read other parts.
struct ViewSlice: Sendable {
    /// Its place among all slices.
    let index: Int

    /// Which keys.
    let keys: ViewKeyRange
}
