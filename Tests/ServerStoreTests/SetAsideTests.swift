import CivilTime
import DriveSimulation
import Foundation
import LedgerTestSupport
import SystemPackage
import Testing

@testable import ServerStore

@Suite struct SetAsideTests {
    let directory: TemporaryDirectory
    let state: ServerState

    init() throws {
        directory = try TemporaryDirectory()
        state = try ServerState.openOrCreate(of: FilePath(directory.path))
    }

    private static func item(
        _ content: [UInt8],
        source: String = "phone",
        door: String = "owntracks",
        mayPassLater: Bool = false
    ) -> SetAsideItem {
        SetAsideItem(
            content,
            door: door,
            source: source,
            token: "phone",
            code: mayPassLater ? "no_key" : "coordinate_out_of_range",
            reason: "latitude 91 is out of range (-90 to 90).",
            mayPassLater: mayPassLater,
            receivedAt: Timestamp(milliseconds: 1_900_000_000_000)
        )
    }

    private func items() throws -> [NumberedItem] {
        var items: [NumberedItem] = []
        try state.forEachSetAside { item in
            items.append(item)
            return true
        }
        return items
    }

    @Test func `what is set aside is found again, oldest first, in one transaction`() throws {
        let first = Self.item([1])
        let second = Self.item([2], mayPassLater: true)
        #expect(try state.setAside([first, second]) == 2)
        #expect(try items().map(\.item) == [first, second])
        #expect(try items().map(\.number) == [0, 1])
        #expect(try state.setAsideTotals().itemCount == 2)
        var seen: [UInt64] = []
        try state.forEachSetAside(from: 1) { item in
            seen.append(item.number)
            return false
        }
        #expect(seen == [1])
    }

    @Test func `the same item again is not kept twice`() throws {
        let item = Self.item([1, 2, 3])
        #expect(try state.setAside([item, item]) == 1)
        #expect(try state.setAside([item]) == 0)
        let others = [
            Self.item([1, 2, 3], source: "car"), Self.item([1, 2, 3], door: "overland"),
            Self.item([1, 2]),
        ]
        #expect(try state.setAside(others) == 3)
        // Names and content do not run into one another.
        let twins = [
            Self.item([], source: "ab", door: "c"), Self.item([], source: "a", door: "bc"),
        ]
        #expect(try state.setAside(twins) == 2)
        #expect(try state.removeSetAside { $0.item == item } == 1)
        #expect(try state.setAside([item]) == 1)
    }

    @Test func `what may pass later is kept whole, and of other items the beginning`() throws {
        let long = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        try state.setAside([Self.item(long, mayPassLater: true), Self.item(long, source: "car")])
        let kept = try items().map(\.item)
        #expect(kept.map(\.isWhole) == [true, false])
        #expect(kept[0].content == long)
        #expect(kept[1].content == Array(long.prefix(4_096)) && kept[1].byteCount == 100_000)
        // What differs only beyond what is kept is another item.
        #expect(try state.setAside([Self.item(long + [1], source: "car")]) == 1)
    }

    @Test(arguments: Seeds.fresh(20))
    func `the oldest make room, and the totals are those of what is there`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let limits = SetAsideLimits(itemCount: 20, byteCount: 6_000)
        var model: [SetAsideItem] = []
        var dropped = 0
        for _ in 0..<30 {
            let batch = (0...random.next() % 8)
                .map { _ in
                    let length = Int(random.next() % 700)
                    let content = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
                    return Self.item(content, mayPassLater: random.next() % 2 == 0)
                }
            try state.setAside(batch, limits: limits)
            for item in batch where !model.contains(item) { model.append(item) }
            while model.count > 20 || model.reduce(0, { $0 + $1.encoded.count }) > 6_000 {
                model.removeFirst()
                dropped += 1
            }
            if random.next() % 4 == 0 {
                let unwanted = model.filter { $0.content.first ?? 0 < 64 }
                let count = try state.removeSetAside { $0.item.content.first ?? 0 < 64 }
                #expect(count == unwanted.count)
                model.removeAll { unwanted.contains($0) }
            }
            #expect(try items().map(\.item) == model)
            let totals = try state.setAsideTotals()
            #expect(totals.itemCount == UInt64(model.count))
            #expect(totals.byteCount == UInt64(model.reduce(0) { $0 + $1.encoded.count }))
            #expect(totals.droppedCount == UInt64(dropped))
        }
    }

    @Test func `one item larger than the limit is kept alone`() throws {
        let limits = SetAsideLimits(itemCount: 3, byteCount: 1_000)
        try state.setAside([Self.item([1]), Self.item([2])], limits: limits)
        let large = Self.item([UInt8](repeating: 7, count: 3_000), mayPassLater: true)
        try state.setAside([large], limits: limits)
        #expect(try items().map(\.item) == [large])
        #expect(try items().map(\.number) == [2])
    }

    @Test func `nothing of what was removed is left in the file after a sweep`() throws {
        let secret = Array("a place that is to be forgotten".utf8)
        try state.setAside([Self.item(secret), Self.item([9], source: "car")])
        let file = URL(fileURLWithPath: directory.path("server/data.mdb"))
        #expect(try Data(contentsOf: file).range(of: Data(secret)) != nil)
        #expect(try !state.setAsideTotals().needsSweep)
        #expect(try state.removeSetAside { $0.item.source == "phone" } == 1)
        #expect(try state.setAsideTotals().needsSweep)
        #expect(try state.sweep())
        #expect(try Data(contentsOf: file).range(of: Data(secret)) == nil)
        let again = try #require(try ServerState.open(of: FilePath(directory.path)))
        var kept: [String] = []
        try again.forEachSetAside { item in
            kept.append(item.item.source)
            return true
        }
        #expect(kept == ["car"])
        #expect(try !again.setAsideTotals().needsSweep)
        #expect(try again.setAsideTotals().itemCount == 1)
        again.close()
    }

    @Test func `an item cut short is none`() throws {
        let bytes = Self.item([1, 2, 3]).encoded
        for count in bytes.indices {
            #expect(throws: (any Error).self) {
                try SetAsideItem(decoding: Array(bytes.prefix(count)))
            }
        }
    }
}
