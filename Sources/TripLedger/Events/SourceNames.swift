import EventStore

/// The names of sources by number, read from the log when first needed.
struct SourceNames {
    private let log: EventLog
    private var names: [UInt32: String] = [0: ""]

    init(_ log: EventLog) {
        self.log = log
    }

    /// Returns the name of a source.
    ///
    /// - Throws: `EventLogError.damaged` if the log has no such source.
    mutating func name(of number: UInt32, at position: UInt64) throws -> String {
        if let name = names[number] { return name }
        guard let source = try log.source(numbered: number) else {
            throw EventLogError.damaged(
                position: position,
                "its source \(number) was never registered"
            )
        }
        names[number] = source.name
        return source.name
    }
}
