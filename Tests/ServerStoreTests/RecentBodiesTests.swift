import DriveSimulation
import ServerStore
import TestSupport
import Testing
import TripEvents

/// When bodies were received first, by a clock of the test.
@Suite struct RecentBodiesTests {
    private let start = Timestamp(milliseconds: 1_800_000_000_000)

    private func time(_ milliseconds: Int) -> Timestamp {
        start.advanced(byMilliseconds: Int64(milliseconds))
    }

    private static func body(_ number: Int) -> [UInt8] { Array("lat=51.9&n=\(number)".utf8) }

    @Test(arguments: Seeds.fresh(20))
    func `a repeat has the time of the first, whatever others deliver`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var bodies = RecentBodies()
        // No token delivers so many different ones that the first is pushed out.
        let tokens = ["a", "b", "caf\u{E9}", "cafe\u{301}"]
        var first: [String: Timestamp] = [:]
        for step in 0..<500 {
            let token = Int(random.next() % 4)
            let (number, door) = (Int(random.next() % 16), Int(random.next() % 2))
            let now = time(step * 9)
            let received = bodies.receipt(
                of: Self.body(number),
                from: tokens[token],
                at: "door \(door)",
                now: now
            )
            let known = first["\(token) \(number) \(door)"] ?? now
            #expect(received == known, "seed \(seed), step \(step)")
            first["\(token) \(number) \(door)"] = known
        }
    }

    @Test func `a body is known among 31 others of its token, and not behind more`() {
        for (others, isKnown) in [(0, true), (31, true), (32, false), (500, false)] {
            var bodies = RecentBodies()
            let first = bodies.receipt(of: Self.body(-1), from: "a", at: "osmand", now: time(0))
            for number in 0..<others {
                _ = bodies.receipt(of: Self.body(number), from: "a", at: "osmand", now: time(1))
            }
            let again = bodies.receipt(of: Self.body(-1), from: "a", at: "osmand", now: time(2))
            #expect((again == first) == isKnown, "\(others)")
        }
    }

    @Test func `other tokens, however much they deliver, push nothing out`() {
        var bodies = RecentBodies()
        let first = bodies.receipt(of: Self.body(-1), from: "a", at: "osmand", now: time(0))
        for number in 0..<1_000 {
            let token = "b\(number % 3)"
            _ = bodies.receipt(of: Self.body(number), from: token, at: "osmand", now: time(1))
        }
        let again = bodies.receipt(of: Self.body(-1), from: "a", at: "osmand", now: time(2))
        #expect(again == first)
    }

    @Test(arguments: [(0, true), (5_000, true), (5_001, false), (-1, false)])
    func `the same body is the same for five seconds`(after: Int, isKnown: Bool) {
        var bodies = RecentBodies()
        let first = bodies.receipt(of: Self.body(1), from: "a", at: "osmand", now: time(0))
        let again = bodies.receipt(of: Self.body(1), from: "a", at: "osmand", now: time(after))
        #expect(again == (isKnown ? first : time(after)))
    }

    @Test(arguments: [(4_096, true), (4_097, false)])
    func `long bodies have times of their own`(count: Int, isKnown: Bool) {
        var bodies = RecentBodies()
        let body = [UInt8](repeating: 0x20, count: count)
        let first = bodies.receipt(of: body, from: "a", at: "osmand", now: time(0))
        let again = bodies.receipt(of: body, from: "a", at: "osmand", now: time(1))
        #expect((again == first) == isKnown)
    }
}
