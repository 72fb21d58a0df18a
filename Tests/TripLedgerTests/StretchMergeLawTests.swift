import DriveSimulation
import TestSupport
import Testing
import TripEvents

@testable import TripLedger

/// However stretches overlap, their events come in order of time, each once, and few are kept.
@Suite struct StretchMergeLawTests {
    /// Returns when each event of a log happened: stretches of any length, each with an order of
    /// its own, many of which begin again where others are.
    private func times(using random: inout SplitMix64) -> [Timestamp] {
        var times: [Timestamp] = []
        for _ in 0..<Int.random(in: 1...60, using: &random) {
            var time = Int64.random(in: 0...3_000, using: &random)
            let most = [1, 2, 30, 900].randomElement(using: &random) ?? 1
            for _ in 0..<Int.random(in: 1...most, using: &random) {
                times.append(Timestamp(milliseconds: time))
                time += Int64.random(in: 0...3, using: &random)
            }
        }
        return times
    }

    /// Returns the stretches of such a log in order of their starts.
    private func stretches(of times: [Timestamp]) -> [OrderedStretch] {
        var stretches: [OrderedStretch] = []
        for (position, time) in times.enumerated() {
            if position > 0, times[position - 1] <= time {
                stretches[stretches.count - 1].extend(to: time)
            } else {
                stretches.append(
                    OrderedStretch(EventPlace(occurredAt: time, position: UInt64(position)))
                )
            }
        }
        return stretches.sorted { $0.start < $1.start }
    }

    @Test(arguments: Seeds.fresh(40))
    func `the parts together are all events in order of time`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let times = times(using: &random)
        let most = [1, 100, 1 << 16].randomElement(using: &random) ?? 1
        var merge = StretchMerge(stretches(of: times)[...], keeping: most)
        var merged: [EventPlace] = []
        while true {
            let part = try merge.next { positions in
                #expect(positions == positions.sorted(), "seed \(seed)")
                return positions.map {
                    EventPlace(occurredAt: times[Int($0)], position: $0)
                }
            }
            guard let first = part.first else { break }
            if let last = merged.last {
                #expect(last.occurredAt < first.occurredAt, "seed \(seed): an instant is cut")
            }
            merged += part
        }
        let expected = times.enumerated()
            .map { EventPlace(occurredAt: $0.element, position: UInt64($0.offset)) }
            .sorted()
        #expect(merged == expected, "seed \(seed)")
    }

    @Test func `of two long stretches a part is read at a time`() throws {
        let most = 1_000
        let stretches = [UInt64(0), 100_000]
            .map { start in
                var stretch = OrderedStretch(
                    EventPlace(occurredAt: Timestamp(milliseconds: 0), position: start)
                )
                for index in 1..<100_000 {
                    stretch.extend(to: Timestamp(milliseconds: Int64(index)))
                }
                return stretch
            }
        var merge = StretchMerge(stretches[...], keeping: most)
        var count = 0
        while true {
            let part = try merge.next { positions in
                #expect(positions.count <= 2 * most)
                return positions.map {
                    EventPlace(
                        occurredAt: Timestamp(milliseconds: Int64($0 % 100_000)),
                        position: $0
                    )
                }
            }
            if part.isEmpty { break }
            #expect(part.count <= 2 * most)
            count += part.count
        }
        #expect(count == 200_000)
    }
}
