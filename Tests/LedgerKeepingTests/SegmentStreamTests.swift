import DriveSimulation
import EventStore
import Foundation
import LedgerTestSupport
import Proofs
import SystemPackage
import TestSupport
import Testing
import TripEvents

@testable import LedgerKeeping
@testable import TripLedger

/// A stream of segments is the same ledger, or it is refused.
@Suite struct SegmentStreamTests {
    private func book(seed: UInt64) throws -> TemporaryLedger {
        let book = try TemporaryLedger()
        try book.appendRandomBook(seed: seed)
        var random = SplitMix64(seed: seed)
        if let trip = try book.erasableTrip(using: &random) {
            try book.erase(book.ledger.planErasure(of: .prefix(trip.description)))
        }
        return book
    }

    private func stream(
        of book: TemporaryLedger,
        from: UInt64 = 0,
        withholding classes: Set<TripClass> = []
    ) throws -> [UInt8] {
        var bytes: [UInt8] = []
        _ = try book.ledger.export(
            as: .segments,
            from: from,
            withholding: classes,
            signedBy: nil,
            pieces: { bytes += $0 }
        )
        return bytes
    }

    private func write(_ bytes: [UInt8], in book: TemporaryLedger) throws -> FilePath {
        let path = book.directory.path("stream-\(UInt64.random(in: 0 ... .max))")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return FilePath(path)
    }

    @Test(arguments: Seeds.fresh(2))
    func `a stream makes the same ledger again`(seed: UInt64) throws {
        let book = try book(seed: seed)
        let copy = FilePath(book.directory.path("copy"))
        let imported = try Ledger.importing(write(stream(of: book), in: book), into: copy)
        #expect(try imported.head == book.ledger.head(), "seed \(seed)")
        let rows = try TemporaryLedger.with(copy) { try TemporaryLedger.rows(of: $0) }
        #expect(try rows == book.rows(), "seed \(seed)")
    }

    @Test(arguments: Seeds.fresh(2))
    func `what is withheld is only a hash, and the root is the same`(seed: UInt64) throws {
        let book = try book(seed: seed)
        let classes: Set<TripClass> = [.personal, .unclassified, .medical]
        let bytes = try stream(of: book, withholding: classes)
        let copy = FilePath(book.directory.path("copy"))
        let imported = try Ledger.importing(write(bytes, in: book), into: copy)
        #expect(try imported.head == book.ledger.head(), "seed \(seed)")
        #expect(imported.withheld > 0, "seed \(seed)")
    }

    @Test(arguments: Seeds.fresh(2))
    func `pieces of any size make the same frames`(seed: UInt64) throws {
        let bytes = try stream(of: book(seed: seed))
        var whole = SegmentBuffer()
        whole.append(bytes.span)
        var expected: [SegmentFrame] = []
        while let frame = try whole.next() { expected.append(frame) }
        #expect(expected.count >= 3 && whole.isEmpty, "seed \(seed)")
        var random = SplitMix64(seed: seed)
        var buffer = SegmentBuffer()
        var frames: [SegmentFrame] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + Int(random.next() % 997) + 1)
            buffer.append(bytes.span.extracting(start..<end))
            while let frame = try buffer.next() { frames.append(frame) }
            start = end
        }
        #expect(frames == expected && buffer.isEmpty, "seed \(seed)")
    }

    @Test(arguments: Seeds.fresh(1))
    func `a stream in which anything is changed is refused with its code`(seed: UInt64) throws {
        let book = try book(seed: seed)
        let bytes = try stream(of: book)
        let codes = Set(SegmentDamage.Code.allCases.map(\.errorCode))
        var random = SplitMix64(seed: seed)
        for number in 0..<40 {
            var damaged = bytes
            // The first frames are as often hit as all entries are.
            let size = number.isMultiple(of: 2) ? 200 : bytes.count
            let place = Int(random.next() % UInt64(min(size, bytes.count)))
            if number % 4 == 3 {
                damaged.removeLast(bytes.count - max(place, 1))
            } else {
                damaged[place] ^= 1 << UInt8(random.next() % 8)
            }
            let copy = FilePath(book.directory.path("copy"))
            let error = #expect(throws: LedgerError.self, "seed \(seed), \(number)") {
                _ = try Ledger.importing(write(damaged, in: book), into: copy)
            }
            let code = try #require(error?.code)
            #expect(codes.contains(code), "seed \(seed), \(number) at \(place): \(code)")
            #expect(!Ledger.isOne(at: copy), "seed \(seed), \(number)")
        }
    }

    @Test func `each kind of damage has its code`() throws {
        let book = try book(seed: 1)
        let whole = try stream(of: book)
        var buffer = SegmentBuffer()
        buffer.append(whole.span)
        guard case .ledger(let header) = try buffer.next(),
            case .segment(let segment) = try buffer.next()
        else {
            Issue.record("a stream does not begin with a ledger and a segment")
            return
        }
        func code(_ frames: [UInt8]...) throws -> LedgerError.Code? {
            let path = try write(Array(frames.joined()), in: book)
            do throws(LedgerError) {
                _ = try Ledger.importing(path, into: FilePath(book.directory.path("copy")))
                return nil
            } catch {
                return error.code
            }
        }
        let (start, end) = (header.frame, SegmentStream.end)
        #expect(try code(start, [0x51, 0, 0, 0, 0]) == .badFrame)
        #expect(try code(start, [0x53, 2, 0, 0, 0]) == .badFrame)
        #expect(try code(segment.frame, end) == .badFrame)
        #expect(try code(whole, whole) == .badFrame)
        #expect(try code(start) == .truncated)
        #expect(try code(start, segment.frame, segment.frame, end) == .gap)
        #expect(try code(start, end) == .gap)
        var later = segment
        later.first += 1
        #expect(try code(start, later.frame, end) == .gap)
        var other = segment
        other.root = SHA256.leaf([1].span)
        #expect(try code(start, other.frame, end) == .wrongRoot)
        var newer = start
        let version = try #require(newer.firstRange(of: Array("segments/v1".utf8)))
        newer[version.upperBound - 1] = UInt8(ascii: "2")
        #expect(try code(newer, segment.frame, end) == .unknownVersion)
    }

    @Test func `a ledger begins once, at its first entry`() throws {
        let book = try book(seed: 3)
        let whole = try stream(of: book)
        var buffer = SegmentBuffer()
        buffer.append(whole.span)
        guard case .ledger(let header) = try buffer.next(),
            case .segment(var segment) = try buffer.next()
        else {
            Issue.record("a stream does not begin with a ledger and a segment")
            return
        }
        var chain = SegmentChain()
        try chain.begin(header)
        _ = try chain.take(segment)
        // The entry that begins it once more, under a root that is right.
        var tree = MerkleFrontier()
        var first: Digest?
        try segment.eachEntry { _, leaf in
            _ = tree.append(leaf)
            first = first ?? leaf
        }
        _ = tree.append(try #require(first))
        let length = 2 + (Int(segment.bytes[0]) << 8 | Int(segment.bytes[1]))
        segment.bytes += segment.bytes.prefix(length)
        segment.next += 1
        segment.root = tree.root
        let head = TreeHead(size: segment.next, root: tree.root)
        func code(_ body: () throws -> Void) -> SegmentDamage.Code? {
            do {
                try body()
                return nil
            } catch {
                return (error as? SegmentDamage)?.code
            }
        }
        var other = SegmentChain()
        try other.begin(SegmentHeader(ledger: header.ledger, head: head))
        #expect(code { _ = try other.take(segment) } == .badFrame)
        // None is without one.
        let none = TreeHead(size: 0, root: MerkleFrontier().root)
        var empty = SegmentChain()
        #expect(
            code { try empty.begin(SegmentHeader(ledger: header.ledger, head: none)) } == .badFrame
        )
    }

    @Test func `a stream that begins later adds to a copy, and to nothing else`() throws {
        let book = try book(seed: 2)
        let copy = FilePath(book.directory.path("copy"))
        let first = try Ledger.importing(write(stream(of: book), in: book), into: copy)
        try book.append([
            TripEvent(source: "another", occurredAt: book.now, body: .goPressed(GoPressed()))
        ])
        let more = try write(stream(of: book, from: first.head.size), in: book)
        let added = try Ledger.importing(more, into: copy)
        #expect(try added.head == book.ledger.head() && added.known == first.head.size)
        let error = #expect(throws: LedgerError.self) {
            _ = try Ledger.importing(more, into: FilePath(book.directory.path("new")))
        }
        #expect(error?.code == .gap)
    }
}
