import EventStore

/// What the log must answer, in the fewest words: dictionaries instead of blocks and indexes.
struct LogModel {
    private struct Name: Hashable {
        var source: String
        var id: String
    }

    /// How many entries the log holds.
    private(set) var size: UInt64

    private var sources: Set<String> = []
    private var named: [Name: (position: UInt64, event: EventSample)] = [:]
    private var unnamed: [EventSample: UInt64] = [:]

    init(size: UInt64) {
        self.size = size
    }

    mutating func append(_ event: EventSample) -> AppendOutcome {
        if let id = event.id {
            if let known = named[Name(source: event.source, id: id)] {
                return known.event == event
                    ? .duplicate(of: known.position) : .conflict(with: known.position)
            }
        } else if let known = unnamed[event] {
            return .duplicate(of: known)
        }
        if sources.insert(event.source).inserted { size += 1 }
        defer { size += 1 }
        if let id = event.id {
            named[Name(source: event.source, id: id)] = (size, event)
        } else {
            unnamed[event] = size
        }
        return .appended(position: size)
    }
}
