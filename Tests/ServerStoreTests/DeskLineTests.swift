import DriveSimulation
import ServerStore
import TestSupport
import Testing

/// Whose turn it is at a desk that serves one at a time, by a clock of the test.
@Suite struct DeskLineTests {
    private let start = ContinuousClock.now

    private func time(_ seconds: Int) -> ContinuousClock.Instant { start + .seconds(seconds) }

    @Test func `a turn ends after five minutes, whatever is asked meanwhile`() {
        var line = DeskLine()
        let desk = DeskLine.Desk.served("a", at: time(0))
        for second in stride(from: 0, to: 300, by: 30) {
            #expect(line.goesOn(servedAt: time(0), at: time(second)))
            let isLetIn = line.admits("b", to: desk, at: time(second))
            #expect(!isLetIn, "\(second)")
        }
        #expect(!line.goesOn(servedAt: time(0), at: time(300)))
        let isLetIn = line.admits("b", to: desk, at: time(300))
        #expect(isLetIn)
    }

    @Test func `while nothing waits, a turn goes on, and the next file is one's own`() {
        var line = DeskLine()
        #expect(line.goesOn(servedAt: time(0), at: time(9_000)))
        let isLetIn = line.admits("a", to: .served("a", at: time(0)), at: time(1))
        #expect(isLetIn)
    }

    @Test func `one that waits comes before the next file of the one that is served`() {
        var line = DeskLine()
        let refused = line.admits("b", to: .busy(for: "a"), at: time(0))
        #expect(!refused)
        // The own file that is given up, or was added, leaves the desk to the one that waits.
        for desk in [DeskLine.Desk.busy(for: "a"), .served("a", at: time(1)), .free] {
            let isLetIn = line.admits("a", to: desk, at: time(2))
            #expect(!isLetIn, "\(desk)")
        }
        let isLetIn = line.admits("b", to: .free, at: time(3))
        #expect(isLetIn)
    }

    @Test func `a place in line is lost when it is not asked for again`() {
        var line = DeskLine()
        let refused = line.admits("b", to: .busy(for: "a"), at: time(0))
        let early = line.admits("a", to: .free, at: time(119))
        let late = line.admits("c", to: .free, at: time(239))
        #expect(!refused && !early && late)
    }

    @Test func `one that leaves the line keeps no other one out`() {
        var line = DeskLine()
        let refused = line.admits("b", to: .busy(for: "a"), at: time(0))
        let early = line.admits("c", to: .free, at: time(1))
        line.leave("b")
        let late = line.admits("c", to: .free, at: time(2))
        #expect(!refused && !early && late)
    }

    @Test func `names that Unicode takes for equal are different ones`() {
        var line = DeskLine()
        let desk = DeskLine.Desk.served("caf\u{E9}", at: time(0))
        let other = line.admits("cafe\u{301}", to: desk, at: time(1))
        #expect(!other)
    }

    @Test(arguments: Seeds.fresh(20))
    func `nobody is let in past one that came before and asks again`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var line = DeskLine()
        var desk = DeskLine.Desk.free
        let names = ["a", "b", "c", "d"]
        // The order of coming of those that wait.
        var order: [String] = []
        var now = start
        for _ in 0..<2_000 {
            now += .seconds(Int(random.next() % 20))
            // All that wait keep their places, in any order; then any one asks.
            var asking = order.isEmpty ? [] : [order[Int(random.next() % UInt64(order.count))]]
            asking += [names[Int(random.next() % 4)]]
            for name in order where !asking.contains(name) { asking.append(name) }
            for name in asking {
                var holder: String?
                switch desk {
                case .free: break
                case .busy(let name), .served(let name, _): holder = name
                }
                if line.admits(name, to: desk, at: now) {
                    #expect(order.isEmpty || order[0] == name, "seed \(seed)")
                    order.removeAll { $0 == name }
                    desk = .busy(for: name)
                } else if name != holder, !order.contains(name) {
                    order.append(name)
                }
            }
            if case .busy(let name) = desk, random.next() % 3 == 0 {
                desk = random.next() % 2 == 0 ? .free : .served(name, at: now)
            }
        }
    }
}
