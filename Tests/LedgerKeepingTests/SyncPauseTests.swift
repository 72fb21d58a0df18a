import DriveSimulation
import Testing

@testable import LedgerKeeping

@Suite struct SyncPauseTests {
    @Test(arguments: [Int.min, -1, 0, 1, 59, 60, 61, 5_000_000, Int.max])
    func `a pause is at most a minute, whatever the other side asks for`(seconds: Int) {
        var random = SplitMix64(seed: 1)
        for tries in 0...100 {
            let pause = SyncPause.milliseconds(
                afterTries: tries,
                askedFor: seconds,
                using: &random
            )
            #expect(pause <= 60_000)
            #expect(pause >= max(0, min(seconds, 60)) * 1_000)
        }
    }

    @Test func `without a wish it is a chance of a time that doubles`() {
        var random = SplitMix64(seed: 2)
        for (tries, longest) in [(1, 2_000), (2, 4_000), (3, 8_000)] {
            let pauses = (0..<100)
                .map { _ in
                    SyncPause.milliseconds(afterTries: tries, askedFor: 0, using: &random)
                }
            #expect(pauses.allSatisfy { $0 <= longest })
            #expect(Set(pauses).count > 50)
        }
    }
}
