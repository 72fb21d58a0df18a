extension TripEvent {
    /// Checks an event that was made in the program by every rule for lines.
    ///
    /// ``EventLineReader/read(_:at:recordedAt:)`` is faster for many events.
    ///
    /// - Parameter recordedAt: when the ledger stores the event.
    /// - Throws: `Rejection` if a line that says the same would be refused.
    public func check(recordedAt: Timestamp) throws(Rejection) {
        var reader = EventLineReader(acceptingReservedTypes: true)
        let events = [self]
        try reader.read(events.span, at: 0, recordedAt: recordedAt)
    }
}
