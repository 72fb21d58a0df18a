/// Checks events that were made in the program by every rule for lines.
///
/// A checker is made once and used for many events: its reader and its line keep their room.
public struct EventChecker: Sendable {
    // The rules stand in one place, the reader.
    private var reader = EventLineReader(acceptingReservedTypes: true)
    private var line: [UInt8] = []

    /// Creates a checker.
    public init() {}

    /// Checks an event.
    ///
    /// - Parameters:
    ///   - event: what is to be stored.
    ///   - recordedAt: when the ledger stores the event.
    /// - Throws: `Rejection` if a line that says the same would be refused.
    public mutating func check(_ event: TripEvent, recordedAt: Timestamp) throws(Rejection) {
        line.removeAll(keepingCapacity: true)
        event.appendJSON(to: &line)
        // A second reference, not a second copy: the reader changes while the line is lent.
        let written = line
        do throws(Rejection) {
            try reader.read(written.span, recordedAt: recordedAt)
        } catch {
            throw error.at(column: nil)
        }
    }
}
