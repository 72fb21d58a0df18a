import CivilTime
import DriveSimulation
import Foundation
import SystemPackage
import TestSupport
import Testing
import TripLedger

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
        token: String = "phone",
        group: String? = nil,
        code: String? = nil,
        mayPassLater: Bool = false
    ) -> SetAsideItem {
        SetAsideItem(
            content,
            door: door,
            source: source,
            token: token,
            group: group,
            code: code ?? (mayPassLater ? "encrypted" : "coordinate_out_of_range"),
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
            Self.item([1, 2]), Self.item([1, 2, 3], group: "17"),
            Self.item([1, 2, 3], group: "18"),
        ]
        #expect(try state.setAside(others) == 5)
        // Names and content do not run into one another.
        let twins = [
            Self.item([], source: "ab", door: "c"), Self.item([], source: "a", door: "bc"),
        ]
        #expect(try state.setAside(twins) == 2)
        #expect(try state.removeSetAside { $0.item == item } == 1)
        #expect(try state.setAside([item]) == 1)
    }

    @Test func `what may pass later is kept whole, and of other items the beginning`() throws {
        let long = (0..<1_100_000).map { UInt8(truncatingIfNeeded: $0) }
        try state.setAside([Self.item(long, mayPassLater: true), Self.item(long, source: "car")])
        let kept = try items().map(\.item)
        #expect(kept.map(\.isWhole) == [true, false])
        #expect(kept[0].content == long)
        #expect(kept[1].content == Array(long.prefix(1 << 20)) && kept[1].byteCount == 1_100_000)
        // An item that differs only beyond the kept bytes is another item.
        #expect(try state.setAside([Self.item(long + [1], source: "car")]) == 1)
    }

    /// Limits that few items reach.
    private static var narrow: SetAsideLimits {
        var limits = SetAsideLimits()
        limits.unreadable = SetAsideLimits.Most(itemCount: 12, byteCount: 4_000)
        limits.waiting = SetAsideLimits.Most(itemCount: 25, byteCount: 9_000)
        return limits
    }

    /// Returns a few items of two tokens, some of which wait.
    private static func batch(_ random: inout SplitMix64) -> [SetAsideItem] {
        (0...random.next() % 8)
            .map { _ in
                let length = Int(random.next() % 700)
                let content = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
                let name = random.next() % 2 == 0 ? "phone" : "car"
                let waits = random.next() % 2 == 0
                return item(content, source: name, token: name, mayPassLater: waits)
            }
    }

    private static func byteCount(_ items: [SetAsideItem]) -> UInt64 {
        items.reduce(0) { $0 + UInt64($1.encoded.count) }
    }

    @Test(arguments: Seeds.fresh(20))
    func `what cannot be read makes room in its own share, and what waits stays`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let limits = Self.narrow
        var model: [SetAsideItem] = []
        var dropped: UInt64 = 0
        for _ in 0..<40 {
            let batch = Self.batch(&random)
            var after = model
            for item in batch where !after.contains(where: { $0.identity == item.identity }) {
                after.append(item)
            }
            var isFull = false
            for (token, kind) in [
                ("phone", SetAsideItem.Kind.waiting), ("car", .waiting),
                ("phone", .unreadable), ("car", .unreadable),
            ] {
                let most = kind == .waiting ? limits.waiting : limits.unreadable
                while case let share = after.filter({ $0.token == token && $0.kind == kind }),
                    share.count > most.itemCount || Self.byteCount(share) > most.byteCount
                {
                    isFull = isFull || kind == .waiting
                    guard kind == .unreadable else { break }
                    after.removeAll { $0.identity == share[0].identity }
                    dropped += isFull ? 0 : 1
                }
            }
            if isFull {
                let error = #expect(throws: LedgerError.self) {
                    try state.setAside(batch, limits: limits)
                }
                #expect(error?.code == .tooManySetAside)
            } else {
                try state.setAside(batch, limits: limits)
                model = after
            }
            if random.next() % 4 == 0 {
                let unwanted = model.filter { $0.content.first ?? 0 < 64 }
                let count = try state.removeSetAside { $0.item.content.first ?? 0 < 64 }
                #expect(count == unwanted.count)
                model.removeAll { unwanted.contains($0) }
            }
            try expectKept(model, dropped: dropped)
        }
    }

    /// Compares what is kept, and what it is said to come to, with what should be.
    private func expectKept(_ model: [SetAsideItem], dropped: UInt64) throws {
        #expect(try items().map(\.item) == model)
        let totals = try state.setAsideTotals()
        #expect(totals.itemCount == UInt64(model.count))
        #expect(totals.byteCount == Self.byteCount(model))
        #expect(totals.droppedCount == dropped)
        let shares = try state.setAsideShares()
        #expect(shares.reduce(0) { $0 + $1.itemCount } == totals.itemCount)
        #expect(shares.reduce(0) { $0 + $1.droppedCount } == dropped)
        for share in shares {
            let own = model.filter { $0.token == share.token && $0.kind == share.kind }
            #expect(share.itemCount == UInt64(own.count))
            #expect(share.byteCount == Self.byteCount(own))
        }
    }

    @Test func `one item larger than the limit is kept alone`() throws {
        var limits = SetAsideLimits()
        limits.unreadable = SetAsideLimits.Most(itemCount: 3, byteCount: 1_000)
        try state.setAside([Self.item([1]), Self.item([2])], limits: limits)
        let large = Self.item([UInt8](repeating: 7, count: 3_000))
        try state.setAside([large], limits: limits)
        #expect(try items().map(\.item) == [large])
        #expect(try items().map(\.number) == [2])
    }

    @Test func `what waits of one token is not pushed out by what another one delivers`() throws {
        let encrypted = (0..<500)
            .map { number in
                Self.item(Array("message \(number)".utf8), mayPassLater: true)
            }
        try state.setAside(encrypted)
        for request in 0..<10 {
            try state.setAside(
                (0..<1_000)
                    .map { number in
                        Self.item(Array("\(request) \(number)".utf8), source: "car", token: "car")
                    }
            )
        }
        let kept = try items().map(\.item)
        #expect(Array(kept.prefix(500)) == encrypted)
        #expect(kept.count == 2_500)
        #expect(kept.last?.content == Array("9 999".utf8))
        #expect(try state.setAsideShares().map(\.droppedCount) == [8_000, 0])
        // More at once than are kept: the newest of them are.
        try state.setAside(
            (0..<5_000)
                .map { number in
                    Self.item(Array("\(number)".utf8), source: "car", token: "car")
                }
        )
        #expect(try items().last?.item.content == Array("4999".utf8))
        #expect(try state.setAsideTotals().itemCount == 2_500)
        #expect(try state.setAsideTotals().droppedCount == 13_000)
    }

    @Test func `no more is taken than may wait, until the owner has given what it waits for`()
        throws
    {
        var limits = SetAsideLimits()
        limits.waiting = SetAsideLimits.Most(itemCount: 2, byteCount: 10_000)
        func add(_ byte: UInt8, _ code: String, token: String = "Eva's phone") throws {
            let item = Self.item([byte], token: token, code: code, mayPassLater: true)
            try state.setAside([item], limits: limits)
        }
        try add(1, "encrypted")
        #expect(try state.setAsideShares().map { $0.isNearlyFull(limits) } == [false])
        try add(2, "encrypted")
        let share = try #require(try state.setAsideShares().first)
        #expect(share.isNearlyFull(limits))
        #expect(
            share.command == #"ledger token change 'Eva'\''s phone' --owntracks-key FILE"#
                + " && ledger refused --retry"
        )
        let error = #expect(throws: LedgerError.self) { try add(3, "invalid_time") }
        #expect(error?.code == .tooManySetAside)
        #expect(error?.hint.contains("--time-zone ZONE") == true)
        // Items that are there already need no room, and others have their own.
        try add(2, "encrypted")
        try add(4, "encrypted", token: "car")
        try state.setAside([Self.item([5], token: "Eva's phone")], limits: limits)
        #expect(try items().map(\.item.content) == [[1], [2], [4], [5]])
        // Items that come from one that had waited take its place, even if they are more.
        let parts = [6, 7, 8]
            .map { (byte: UInt8) in
                Self.item([byte], token: "Eva's phone", mayPassLater: true)
            }
        try state.replaceSetAside([0, 77], with: parts)
        #expect(try items().map(\.item.content) == [[2], [4], [5], [6], [7], [8]])
        #expect(throws: LedgerError.self) { try add(9, "encrypted") }
        #expect(try state.removeSetAside { $0.item.token == "Eva's phone" } == 5)
        try add(9, "encrypted")
        #expect(try state.setAsideShares().map(\.token) == ["Eva's phone", "car"])
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
