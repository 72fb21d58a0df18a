/// Fixes of one source that stand one after the other in the log and among ``DecodedEntries``, each
/// later than the one before it.
struct FixRun: Sendable {
    /// Where they begin.
    let start: Int

    /// Where they end.
    var end: Int

    /// The source's number; 0, which has no fixes, while there are none.
    var source: UInt32 = 0

    /// Where the senders' counters begin; `nil` if the fixes have none.
    var firstSequence: Int?

    init(startingAt start: Int) {
        self.start = start
        end = start
    }
}
