extension TripEvent {
    /// Checks an event that was made in the program by every rule for lines.
    ///
    /// - Parameter recordedAt: when the ledger stores the event.
    /// - Throws: `Rejection` if a line that says the same would be refused.
    public func check(recordedAt: Timestamp) throws(Rejection) {
        // The rules stand in one place, the reader; events made here are few.
        var line: [UInt8] = []
        appendJSON(to: &line)
        var reader = EventLineReader(acceptingReservedTypes: true)
        do throws(Rejection) {
            try reader.read(line.span, recordedAt: recordedAt)
        } catch {
            throw error.at(column: nil)
        }
    }
}
