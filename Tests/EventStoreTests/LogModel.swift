import DriveSimulation
import EventStore

/// A model of the log's answers, in the fewest words: dictionaries instead of blocks and indexes.
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

/// An event as the store sees it: bytes under a name and a time.
struct EventSample: Hashable {
    var source: String
    var occurredAt: Int64
    var id: String?
    var kind: UInt8 = 0x10
    var payload: [UInt8]

    /// Returns events that repeat, clash, run late and share moments, as real senders' do.
    static func events(count: Int, random: inout SplitMix64) -> [EventSample] {
        var clock: Int64 = .random(in: 0...100_000, using: &random)
        return (0..<count)
            .map { _ in
                let isLate = Int.random(in: 0..<4, using: &random) == 0
                clock += .random(in: 0...3, using: &random)
                let id = Int.random(in: 0..<5, using: &random) == 0
                return EventSample(
                    source: ["phone", "watch", "logger"].randomElement(using: &random) ?? "phone",
                    occurredAt: isLate ? clock - .random(in: 1...200, using: &random) : clock,
                    id: id ? "id\(Int.random(in: 0..<40, using: &random))" : nil,
                    kind: .random(in: 0x10...0x12, using: &random),
                    payload: Array(repeating: 5, count: .random(in: 0...3, using: &random))
                )
            }
    }
}
