import DriveSimulation

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
