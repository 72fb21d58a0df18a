import DriveSimulation
import EventStore
import Foundation
import LedgerTestSupport
import ProjectorTestSupport
import Proofs
import SystemPackage
import TestSupport
import Testing
import TripEvents

@testable import LedgerKeeping
@testable import TripLedger

/// Tiles that are made when they are asked for are those that an export writes.
@Suite struct LogTilesTests {
    /// A head with the export that was made of the log right after it was signed.
    private struct Exported {
        let head: SignedHead
        let files: [String: [UInt8]]
    }

    private static func key() throws -> SigningKey {
        SigningKey(
            name: try #require(KeyName("example.com/book")),
            seed: try #require(SigningSeed([UInt8](repeating: 7, count: 32)))
        )
    }

    /// Signs the log as it is, and exports it.
    private static func export(_ book: TemporaryLedger, _ name: String) throws -> Exported {
        let head = try book.ledger.signHead(with: key(), in: book.heads)
        let folder = book.directory.path(name)
        _ = try book.ledger.export(as: .tiles, into: FilePath(folder))
        var files: [String: [UInt8]] = [:]
        let paths = try #require(FileManager.default.enumerator(atPath: folder + "/tile"))
        for case let path as String in paths {
            let url = URL(fileURLWithPath: folder + "/tile/" + path)
            guard let bytes = try? Data(contentsOf: url) else { continue }
            files[path] = Array(bytes)
        }
        return Exported(head: head, files: files)
    }

    @Test(arguments: Seeds.fresh(4))
    func `every tile of every signed head is the one that an export has`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let book = try TemporaryLedger()
        var exports: [Exported] = []
        for turn in 0..<3 {
            try book.append(ProjectorLaws.randomDrives(seed: seed &+ UInt64(turn)))
            try book.eraseSome(using: &random)
            exports.append(try Self.export(book, "tiles \(turn)"))
        }
        let newest = try #require(exports.last)
        let tiles = try LogTiles(of: book.ledger, under: newest.head)
        #expect(newest.files.values.reduce(0) { $0 + $1.count } > 0, "seed \(seed)")
        for (path, bytes) in newest.files {
            let place = try #require(TilePlace(path: path), "\(path), seed \(seed)")
            #expect(try tiles.bytes(at: place) == bytes, "\(path), seed \(seed)")
        }
        for older in exports {
            let ownTiles = try LogTiles(of: book.ledger, under: older.head)
            for (path, bytes) in older.files {
                let place = try #require(TilePlace(path: path), "\(path), seed \(seed)")
                let served = try #require(try tiles.bytes(at: place), "\(path), seed \(seed)")
                #expect(try ownTiles.bytes(at: place) == served, "\(path), seed \(seed)")
                // Hashes stay for ever; what was erased since is a tombstone now.
                guard place.isOfEntries else {
                    #expect(served == bytes, "\(path), seed \(seed)")
                    continue
                }
                let leaves = TilePlace(.hashes(level: 0), place.index, width: place.width)
                let hashes = try #require(try tiles.bytes(at: leaves), "\(path), seed \(seed)")
                #expect(try Self.leaves(of: served) == hashes, "\(path), seed \(seed)")
            }
        }
    }

    /// Returns the hashes of the entries of a bundle.
    private static func leaves(of bundle: [UInt8]) throws -> [UInt8] {
        var hashes: [UInt8] = []
        var rest = bundle[...]
        while !rest.isEmpty {
            let count = Int(rest.removeFirst()) << 8 | Int(rest.removeFirst())
            let entry = Array(rest.prefix(count))
            rest.removeFirst(count)
            guard let view = EntryView(startOf: entry.span) else {
                Issue.record("an entry that is none")
                return []
            }
            hashes += view.leafHash.array
        }
        return hashes
    }

    @Test(arguments: Seeds.fresh(4))
    func `a head has the tiles that it covers and no others`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let book = try TemporaryLedger()
        try book.append(ProjectorLaws.randomDrives(seed: seed))
        let head = try book.ledger.signHead(with: Self.key(), in: book.heads)
        // Later entries are not covered.
        try book.append(ProjectorLaws.randomDrives(seed: seed &+ 1))
        let tiles = try LogTiles(of: book.ledger, under: head)
        let size = head.head.size
        for _ in 0..<400 {
            let level = Int(random.next() % 3)
            let isOfEntries = random.next() % 4 == 0
            let place = TilePlace(
                isOfEntries ? .entries : .hashes(level: level),
                random.next() % (size / 256 + 2),
                width: Int(random.next() % 256) + 1
            )
            let last = place.index * 256 + UInt64(place.width)
            let isCovered = last << UInt64(isOfEntries ? 0 : 8 * level) <= size
            let bytes = try tiles.bytes(at: place)
            #expect((bytes != nil) == isCovered, "\(place), seed \(seed)")
            if let bytes, !isOfEntries { #expect(bytes.count == 32 * place.width) }
            #expect(TilePlace(path: String(place.path.dropFirst(5))) == place, "\(place)")
        }
        for content in [TilePlace.Content.entries, .hashes(level: 7), .hashes(level: 63)] {
            for index in [0, 1 << 40, 1 << 48, UInt64.max / 256, .max] {
                let place = TilePlace(content, index, width: 256)
                #expect(try tiles.bytes(at: place) == nil || place.entryCount ?? .max <= size)
            }
        }
    }

    @Test(arguments: [
        "0/000", "0/255.p/1", "63/x001/x234/067", "entries/x001/000.p/255", "0/000.p/255",
    ])
    func `a path is read and written alike`(path: String) throws {
        #expect(try #require(TilePlace(path: path)).path == "tile/" + path)
    }

    @Test(arguments: [
        "", "0", "0/", "/000", "0/0", "0/00", "0/0000", "0/1000", "00/000", "64/000", "-1/000",
        "+1/000", "0/x000/001", "0/001/002", "0/x001", "0/x001/x002", "0/000.p", "0/000.p/",
        "0/000.p/0", "0/000.p/256", "0/000.p/01", "0/000.p/+1", "0/000/1", "0/000.p/1/", "0/-01",
        "0/x01/000", "0/X001/000", "Entries/000", "entries", "data/000", "0/000.P/1", "0/ 00",
        "0/x999/x999/x999/x999/x999/x999/x999/999", "0/xx01/000", "0/000.p/1.p/1", "0/٠٠٠",
    ])
    func `what the format does not write names no place`(path: String) {
        #expect(TilePlace(path: path) == nil)
    }

    @Test func `another log has no tiles under a head`() throws {
        let book = try TemporaryLedger()
        try book.append(Array(DriveSimulator.drives(seed: 3, count: 1, fixesPerDrive: 300...300)))
        let head = try book.ledger.signHead(with: Self.key(), in: book.heads)
        let other = try TemporaryLedger()
        try other.append(Array(DriveSimulator.drives(seed: 4, count: 1, fixesPerDrive: 300...300)))
        do {
            _ = try LogTiles(of: other.ledger, under: head)
            Issue.record("tiles of another log")
        } catch {
            #expect(error.code == .forked)
        }
    }
}
