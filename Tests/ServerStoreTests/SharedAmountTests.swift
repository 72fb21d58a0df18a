import DriveSimulation
import ServerStore
import TestSupport
import Testing

@Suite struct SharedAmountTests {
    @Test func `no one takes more than is his, nor what is kept for those who have little`() {
        var room = SharedAmount(most: 100, mostEach: 60, kept: 20, forThoseWithUpTo: 5)
        func takes(_ amount: Int, _ holder: String) -> Bool { room.take(amount, for: holder) }
        #expect(takes(60, "a"))
        #expect(!takes(1, "a"))
        #expect(!takes(21, "b"))
        #expect(takes(20, "b"))
        #expect(!takes(6, "c"))
        #expect(takes(5, "c"))
        #expect(!takes(1, "c"))
        room.give(60, for: "a")
        #expect(takes(1, "c"))
        #expect(!room.isUntouched)
        room.give(20, for: "b")
        room.give(6, for: "c")
        #expect(room.isUntouched)
    }

    @Test(arguments: Seeds.fresh(50))
    func `whatever others have taken, one who has little finds little more`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var room = SharedAmount(most: 1_000, mostEach: 400, kept: 100, forThoseWithUpTo: 20)
        var held: [String: Int] = [:]
        for _ in 0..<500 {
            let holder = "big \(random.next() % 4)"
            let amount = 21 + Int(random.next() % 200)
            if random.next() % 3 == 0 {
                let all = held[holder] ?? 0
                room.give(all, for: holder)
                held[holder] = 0
            } else if room.take(amount, for: holder) {
                held[holder, default: 0] += amount
            }
            let all = held.values.reduce(0, +)
            #expect(all <= 900 && held.values.allSatisfy { $0 <= 400 })
            #expect(room.isUntouched == (all == 0))
            let isFound = room.take(20, for: "phone")
            try #require(isFound)
            room.give(20, for: "phone")
        }
    }
}
