import DriveSimulation
import ServerStore
import TestSupport
import Testing

/// How long a body may take, at any pace.
@Suite struct BodyPaceTests {
    private static let start = ContinuousClock.now

    /// Returns after how long a body ends that comes in pieces, each some time after the one before
    /// it; `nil` if none of them is too late.
    private static func end(of pieces: [(pause: Duration, byteCount: Int)]) -> Duration? {
        var pace = BodyPace(from: start)
        var now = start
        for piece in pieces {
            now += piece.pause
            if now > pace.end { return pace.end - start }
            pace.note(piece.byteCount, at: now)
        }
        return nil
    }

    @Test func `a byte a second is ended, and so is a body without its last byte`() throws {
        let drops = Array(repeating: (pause: Duration.seconds(1), byteCount: 1), count: 100)
        #expect(Self.end(of: drops) == BodyPace.patience)
        let held = [(Duration.milliseconds(200), (16 << 20) - 1), (.seconds(30), 1)]
        #expect(Self.end(of: held) == .milliseconds(15_200))
        #expect(Self.end(of: [(.seconds(16), 1)]) == BodyPace.patience)
        // A part without bytes gives no time.
        let empty = Array(repeating: (pause: Duration.seconds(1), byteCount: 0), count: 100)
        #expect(Self.end(of: empty) == BodyPace.patience)
    }

    @Test func `a body at the least pace goes on, up to the most time that one may take`() throws {
        let pieces = Array(
            repeating: (pause: Duration.seconds(1), byteCount: BodyPace.leastBytesPerSecond),
            count: 100
        )
        #expect(Self.end(of: pieces) == BodyPace.longest)
        #expect(Self.end(of: Array(pieces.prefix(60))) == nil)
    }

    @Test func `a file may take longer, and keeps its pace too`() throws {
        let start = Self.start
        var pace = BodyPace(from: start, lastingUpTo: .seconds(3_600))
        for second in 1...3_599 {
            let now = start + .seconds(second)
            #expect(now < pace.end)
            pace.note(BodyPace.leastBytesPerSecond, at: now)
        }
        #expect(pace.end == start + .seconds(3_600))
        var slow = BodyPace(from: start, lastingUpTo: .seconds(3_600))
        slow.note(1, at: start + .seconds(10))
        #expect(slow.end == start + BodyPace.patience)
    }

    @Test(arguments: Seeds.fresh(100))
    func `no body lasts longer than it may, and none is ended that keeps its pace`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        var pace = BodyPace(from: Self.start)
        var now = Self.start
        var byteCount = 0
        while true {
            now += .milliseconds(Int.random(in: 0...20_000, using: &random))
            let end = pace.end
            #expect(end - Self.start <= BodyPace.longest)
            guard now <= end else { break }
            byteCount += Int.random(in: 0...30_000, using: &random)
            pace.note(byteCount, at: now)
            #expect(pace.end >= end || pace.end - Self.start == BodyPace.longest)
        }
        #expect(pace.end - Self.start >= min(BodyPace.patience, BodyPace.longest))
    }
}
