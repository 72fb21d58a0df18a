import CivilTime
import DriveSimulation
import Foundation
import LMDB
import Proofs
import SystemPackage
import TestSupport
import Testing
import TripLedger

@testable import ServerStore

@Suite struct ServerStateTests {
    private static let now = Timestamp(milliseconds: 1_900_000_000_000)
    private static let today = CivilDate(of: EventTime(now))
    private static let day = Timestamp.millisecondsPerDay

    let directory: TemporaryDirectory
    let ledger: FilePath
    let state: ServerState

    init() throws {
        directory = try TemporaryDirectory()
        ledger = FilePath(directory.path)
        state = try ServerState.openOrCreate(of: ledger)
    }

    private static func text(_ byte: UInt8, _ scope: TokenScope = .ingest) -> TokenText {
        TokenText(scope: scope, secret: Array(repeating: byte, count: 32))
    }

    private static func phone(_ name: String = "phone") -> Token {
        var token = Token(name: name, scopes: [.ingest], createdAt: now)
        token.sources = [name]
        return token
    }

    private func later(days: Int64) -> Timestamp {
        Self.now.advanced(byMilliseconds: days * Self.day)
    }

    private func code(_ body: () throws -> some Any) -> LedgerError.Code? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? LedgerError)?.code
        }
    }

    @Test func `a token is of use until it expires or is revoked`() throws {
        var token = Self.phone()
        token.expiresAt = later(days: 2)
        try state.add(token, shownAs: Self.text(1))
        let shown = Self.text(1).text
        token.lastUsed = Self.today
        guard case .valid(let found) = try state.answer(to: shown, now: Self.now) else {
            Issue.record("not valid")
            return
        }
        #expect(found.name == "phone" && found.sources == ["phone"])
        #expect(try state.tokens() == [token])
        #expect(try state.answer(to: Self.text(2).text, now: Self.now) == .unknown)
        #expect(try state.answer(to: String(shown.dropLast()), now: Self.now) == .mistyped)
        #expect(try state.answer(to: shown, now: later(days: 2)) == .expired(name: "phone"))
        _ = try state.revoke(named: "phone", dropsDeliveries: false, now: later(days: 3))
        #expect(
            try state.answer(to: shown, now: later(days: 4))
                == .revoked(name: "phone", dropsDeliveries: false)
        )
        _ = try state.revoke(named: "phone", dropsDeliveries: true, now: later(days: 5))
        #expect(
            try state.answer(to: shown, now: later(days: 6))
                == .revoked(name: "phone", dropsDeliveries: true)
        )
        let last = try #require(try state.tokens().first)
        #expect(last.revokedAt == later(days: 3))
        #expect(last.lastUsed == Self.today)
        #expect(last.lastRefused == CivilDate(daysSince1970: Self.today.daysSince1970 + 6))
    }

    @Test func `the day of use costs one write a day and token`() throws {
        try state.add(Self.phone(), shownAs: Self.text(1))
        try state.add(Self.phone("tablet"), shownAs: Self.text(2))
        var written = try #require(try transactionCount())
        for hour: Int64 in 0..<30 {
            let instant = Self.now.advanced(byMilliseconds: hour * 3_600_000)
            for byte: UInt8 in 1...2 {
                _ = try state.answer(to: Self.text(byte).text, now: instant)
            }
        }
        let days = Set(
            (0..<30)
                .map { CivilDate(of: EventTime(Self.now.advanced(byMilliseconds: $0 * 3_600_000))) }
        )
        written = try #require(try transactionCount()) - written
        #expect(written == 2 * days.count && days.count == 2)
    }

    @Test func `a delivery that only names its token is noted as one that shows it`() throws {
        try state.add(Self.phone(), shownAs: Self.text(1))
        try state.add(Self.phone("tablet"), shownAs: Self.text(2))
        func phone() throws -> Token {
            try #require(try state.tokens().first(where: { $0.name == "phone" }))
        }
        let before = try #require(try transactionCount())
        for _ in 1...3 { try state.noteDelivery(with: phone(), now: Self.now) }
        #expect(try transactionCount() == before + 1)
        #expect(try phone().lastUsed == Self.today)
        #expect(try phone().lastRefused == nil)
        // One that was changed since it was read is left alone.
        let read = try phone()
        _ = try state.revoke(named: "phone", dropsDeliveries: true, now: later(days: 1))
        try state.noteDelivery(with: read, now: later(days: 2))
        #expect(try phone().lastUsed == Self.today)
        try state.noteDelivery(with: phone(), now: later(days: 2))
        let last = try phone()
        #expect(last.lastUsed == Self.today)
        #expect(last.lastRefused == CivilDate(daysSince1970: Self.today.daysSince1970 + 2))
        #expect(try state.tokens().filter { $0.lastUsed == nil }.map(\.name) == ["tablet"])
    }

    /// Returns the number of the last transaction, which LMDB counts: from the meta pages of the
    /// file (0.9: at byte 128 of either of the first two pages, as a word).
    private func transactionCount() throws -> Int? {
        let file = URL(fileURLWithPath: directory.path("server/data.mdb"))
        let bytes = [UInt8](try Data(contentsOf: file).prefix(8_192))
        func word(_ offset: Int) -> Int {
            (0..<8).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
        }
        return bytes.count == 8_192 ? max(word(144), word(4_240)) : nil
    }

    @Test func `the link of a trip has a name of its own, and outlives sessions`() throws {
        let trip = try #require(TripID("35e6e93518c9b4fef69cf8ff6df8dac2"))
        let end = later(days: 1)
        let share = Token.share(
            of: trip,
            from: "phone",
            named: "trip",
            now: Self.now,
            until: end
        )
        try state.add(share, shownAs: Self.text(1, .live))
        #expect(code { try state.add(share, shownAs: Self.text(2, .live)) } == .alreadyThere)
        #expect(code { try state.add(Self.phone("trip"), shownAs: Self.text(3)) } == .alreadyThere)
        #expect(try state.tokens() == [share])
        let shown = Self.text(1, .live).text
        #expect(try state.answer(to: shown, now: Self.now) == .unknown)
        guard case .valid(let found) = try state.answer(to: shown, as: .share, now: Self.now) else {
            Issue.record("not valid")
            return
        }
        #expect(found.trip == trip && found.scopes == [.live])
        let login = Token.login(of: "eva", [.admin], now: later(days: 2))
        try state.add(login, shownAs: Self.text(4, .admin))
        var random = SplitMix64(seed: 1)
        _ = try state.beginSession(
            with: Self.text(4, .admin).text,
            using: &random,
            now: later(days: 2)
        )
        #expect(try state.tokens().contains { $0.use == .share })
        #expect(
            try state.answer(to: shown, as: .share, now: later(days: 2)) == .expired(name: "trip")
        )
        _ = try state.revoke(named: "trip", dropsDeliveries: false, now: later(days: 2))
        try state.add(Self.phone("trip"), shownAs: Self.text(3))
    }

    @Test func `a name belongs to one token until it is revoked`() throws {
        try state.add(Self.phone(), shownAs: Self.text(1))
        #expect(code { try state.add(Self.phone(), shownAs: Self.text(2)) } == .alreadyThere)
        #expect(try state.answer(to: Self.text(2).text, now: Self.now) == .unknown)
        _ = try state.revoke(named: "phone", dropsDeliveries: true, now: Self.now)
        try state.add(Self.phone(), shownAs: Self.text(3))
        // Revoking the name means the new token.
        let revoked = try state.revoke(named: "phone", dropsDeliveries: false, now: Self.now)
        #expect(revoked.count == 1)
        #expect(try state.tokens().map(\.dropsDeliveries).sorted { $0 && !$1 } == [true, false])
        #expect(
            code { try state.revoke(named: "fon", dropsDeliveries: false, now: Self.now) }
                == .notFound
        )
    }

    @Test func `what a token has made falls with it, or is the owner's`() throws {
        func made(_ name: String, by maker: String) -> Token {
            var token = Self.phone(name)
            token.maker = maker
            return token
        }
        #expect(code { try state.add(made("a", by: "eva"), shownAs: Self.text(1)) } == .notFound)
        let admin = Token(name: "eva", scopes: [.admin], createdAt: Self.now)
        try state.add(admin, shownAs: Self.text(2, .admin))
        try state.add(made("a", by: "eva"), shownAs: Self.text(3))
        let trip = try #require(TripID("35e6e93518c9b4fef69cf8ff6df8dac2"))
        for (name, byte) in [("link", UInt8(4)), ("other", 5)] {
            var share = Token.share(
                of: trip,
                from: "phone",
                named: name,
                now: Self.now,
                until: later(days: 1)
            )
            share.maker = name == "link" ? "eva" : nil
            try state.add(share, shownAs: Self.text(byte, .live))
        }
        #expect(try state.made(by: "eva", now: Self.now).map(\.name) == ["a", "link"])
        #expect(try state.made(by: "eva", now: later(days: 2)).map(\.name) == ["a"])
        let revoked = try state.revoke(
            named: "eva",
            dropsDeliveries: false,
            revokesDevices: false,
            now: Self.now
        )
        #expect(revoked.map(\.name) == ["eva", "link"])
        let left = try state.tokens().filter { $0.revokedAt == nil }
        #expect(left.map(\.name) == ["a", "other"] && left.allSatisfy { $0.maker == nil })
        // A device of a name that a person has too ends without the person's sessions.
        try state.add(Token.login(of: "a", [.read], now: Self.now), shownAs: Self.text(6, .read))
        let device = try state.revoke(
            named: "a",
            dropsDeliveries: false,
            where: { $0.use == .program },
            now: Self.now
        )
        #expect(device.count == 1)
        #expect(try state.tokens().contains { $0.use == .login && $0.revokedAt == nil })
    }

    @Test(arguments: [true, false])
    func `what was made by what a token has made falls with it, however long the chain`(
        keepsDevices: Bool
    ) throws {
        var count: UInt8 = 0
        func add(_ token: Token, by maker: String?) throws {
            var token = token
            token.maker = maker
            count += 1
            try state.add(token, shownAs: Self.text(count, token.scopes[0]))
        }
        let scopes: Set<TokenScope> = [.admin]
        try add(Token(name: "eva", scopes: scopes, createdAt: Self.now), by: nil)
        try add(Token.login(of: "bob", scopes, now: Self.now), by: nil)
        var maker = "eva"
        for guest in ["guest", "friend", "stranger"] {
            // Two codes of one person, one of them not used.
            for _ in 0..<2 { try add(Token.login(of: guest, scopes, now: Self.now), by: maker) }
            try add(Self.phone("phone of \(guest)"), by: guest)
            maker = guest
        }
        // Someone of that name was there before: what was made under it stays.
        try add(Token.login(of: "bob", scopes, now: Self.now), by: "stranger")
        try add(Self.phone("phone of bob"), by: "bob")
        #expect(try state.made(by: "eva", now: Self.now).count == 10)
        _ = try state.revoke(
            named: "eva",
            dropsDeliveries: false,
            revokesDevices: !keepsDevices,
            now: Self.now
        )
        let left = try state.tokens().filter { $0.revokedAt == nil }
        let phones = ["phone of friend", "phone of guest", "phone of stranger"]
        #expect(
            left.map(\.name).sorted()
                == (["bob", "phone of bob"] + (keepsDevices ? phones : [])).sorted()
        )
        #expect(left.allSatisfy { $0.maker == nil || $0.name == "phone of bob" })
    }

    @Test func `links fall with the only token of a name, however it is meant`() throws {
        try state.add(
            Token(name: "eva", scopes: [.admin], createdAt: Self.now),
            shownAs: Self.text(1, .admin)
        )
        var link = Token.login(of: "guest", [.read], now: Self.now)
        link.maker = "eva"
        try state.add(link, shownAs: Self.text(2, .read))
        _ = try state.revoke(
            named: "eva",
            dropsDeliveries: false,
            where: { $0.createdAt == Self.now },
            now: Self.now
        )
        #expect(try state.tokens().allSatisfy { $0.revokedAt != nil })
    }

    @Test func `what is seen with a token follows from its sources, its group and its scopes`() {
        func sight(
            _ scopes: Set<TokenScope>,
            _ sources: [String],
            _ group: String? = nil
        ) -> Sight {
            var token = Token(name: "a", scopes: scopes, createdAt: Self.now)
            (token.sources, token.group) = (sources, group)
            return token.sight
        }
        #expect(sight([.read], []) == .everything)
        #expect(sight([.read, .edit], ["phone"]) == .of(sources: ["phone"]))
        #expect(sight([.admin], ["phone"]) == .of(sources: ["phone"]))
        #expect(sight([.read, .ingest], ["phone"], "17") == .of(group: "17"))
        #expect(sight([.ingest, .audit], ["phone"]) == .everything)
        #expect(sight([.sync], []) == .everything)
    }

    @Test(arguments: Seeds.fresh(100))
    func `every token is stored and read again`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let scopes = TokenScope.allCases.filter { _ in random.next() % 2 == 0 }
        var token = Token(
            name: "Jörgs Fön \(random.next())",
            scopes: scopes.isEmpty ? [.read] : Set(scopes),
            createdAt: Self.now
        )
        func sometimes<Value>(_ value: Value) -> Value? { random.next() % 2 == 0 ? value : nil }
        token.sources = (0..<random.next() % 4).map { "source \($0)" }
        token.expiresAt = sometimes(later(days: 90))
        token.lastUsed = sometimes(Self.today)
        token.revokedAt = sometimes(later(days: 1))
        token.dropsDeliveries = random.next() % 2 == 0
        token.lastRefused = sometimes(Self.today)
        token.timeZone = sometimes("Europe/Amsterdam")
        token.ownTracksKey = sometimes(Array("a secret".utf8))
        token.group = sometimes("17")
        token.maker = sometimes("Eva")
        #expect(try Token(decoding: token.encoded) == token)
        let bytes = token.encoded
        for count in bytes.indices {
            #expect(throws: (any Error).self) { try Token(decoding: Array(bytes.prefix(count))) }
        }
    }

    @Test(arguments: Seeds.fresh(40))
    func `no bit of a stored token can flip unseen`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let key = Self.text(UInt8(truncatingIfNeeded: random.next())).digest.array
        var stored = ServerState.sealed(Self.phone().encoded, key: key)
        #expect(try state.opened(stored.span, key: key) == Self.phone().encoded)
        let index = Int(random.next() % UInt64(stored.count))
        stored[index] ^= 1 << UInt8(random.next() % 8)
        #expect(code { try state.opened(stored.span, key: key) } == .damaged)
        #expect(code { try state.opened([1, 2].span, key: key) } == .damaged)
    }

    @Test func `the token's text is nowhere in the ledger's directory`() throws {
        try state.add(Self.phone(), shownAs: Self.text(7))
        let shown = Array(Self.text(7).text.utf8)
        for name in ["data.mdb", "lock.mdb"] {
            let file = URL(fileURLWithPath: directory.path("server/" + name))
            let bytes = try Data(contentsOf: file)
            #expect(bytes.range(of: Data(shown[11..<54])) == nil)
            let permissions = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect(permissions[.posixPermissions] as? Int == 0o600)
        }
        let folder = try FileManager.default.attributesOfItem(atPath: directory.path("server"))
        #expect(folder[.posixPermissions] as? Int == 0o700)
    }

    @Test func `a process opens it once, and finds it again`() throws {
        #expect(code { try ServerState.open(of: ledger) } == .inputOutput)
        try state.add(Self.phone(), shownAs: Self.text(1))
        state.close()
        let again = try ServerState.openOrCreate(of: ledger)
        #expect(try again.tokens() == [Self.phone()])
        again.close()
        let other = FilePath(try TemporaryDirectory().path)
        #expect(try ServerState.open(of: other) == nil)
    }

    @Test func `a file that is none of ours is named and left alone`() throws {
        state.close()
        let file = URL(fileURLWithPath: directory.path("server/data.mdb"))
        let garbage = Data(repeating: 0xAB, count: 16_384)
        try garbage.write(to: file)
        #expect(code { try ServerState.openOrCreate(of: ledger) } == .damaged)
        #expect(try Data(contentsOf: file) == garbage)
    }

    @Test func `what an earlier version kept is refused with a word on what to do`() throws {
        let elsewhere = try TemporaryDirectory()
        defer { withExtendedLifetime(elsewhere) {} }
        let other = FilePath(elsewhere.path)
        let path = ServerState.path(of: other)
        // All tables but those that came last.
        try Environment.create(at: path, options: ServerState.options) { transaction in
            for table in ServerTable.allCases.dropLast(2) {
                _ = try transaction.createTable(table.rawValue)
            }
        }
        for isReadOnly in [true, false] {
            let error = #expect(throws: LedgerError.self) {
                _ = try ServerState.open(of: other, isReadOnly: isReadOnly)
            }
            #expect(error?.code == .damaged && error?.place == path.string)
            #expect(error?.cause.contains("earlier version of ledger") == true)
            #expect(error?.hint.contains("ledger token new") == true)
        }
        #expect(code { try ServerState.openOrCreate(of: other) } == .damaged)
    }

    @Test func `a token of the version before is read, and has neither vehicle nor density`() throws
    {
        var token = Self.phone()
        token.vehicle = "golf"
        token.recordsDenselyOnTrips = true
        #expect(try Token(decoding: token.encoded) == token)
        (token.vehicle, token.recordsDenselyOnTrips) = (nil, false)
        // The version before ended before the two bytes that say so.
        let before: [UInt8] = [2] + Array(token.encoded.dropFirst().dropLast(2))
        #expect(try Token(decoding: before) == token)
    }

    @Test func `the link of a report is of use as such alone, until it ends`() throws {
        let link = Token.link(to: "R1", named: "ann", now: Self.now, until: later(days: 30))
        #expect(try Token(decoding: link.encoded) == link)
        // Programs that know no such links say that it is newer; other tokens are as they were.
        #expect(link.encoded.first == 4 && Self.phone().encoded.first == 3)
        #expect(throws: (any Error).self) {
            try Token(decoding: [4] + Self.phone().encoded.dropFirst())
        }
        #expect(throws: (any Error).self) { try Token(decoding: [3] + link.encoded.dropFirst()) }
        try state.add(link, shownAs: Self.text(1, .live))
        let shown = Self.text(1, .live).text
        for use in [TokenUse.program, .login, .session, .share] {
            #expect(try state.answer(to: shown, as: use, now: Self.now) == .unknown, "\(use)")
        }
        guard case .valid(let found) = try state.answer(to: shown, as: .report, now: Self.now)
        else {
            Issue.record("not valid")
            return
        }
        #expect(found.report == "R1" && found.trip == nil && found.mayStandInAddress)
        #expect(
            try state.answer(to: shown, as: .report, now: later(days: 31)) == .expired(name: "ann")
        )
    }

    @Test func `what has expired leaves its name to links, and a link to all`() throws {
        func link(_ name: String, _ start: Int64, _ end: Int64) -> Token {
            Token.link(to: "R1", named: name, now: later(days: start), until: later(days: end))
        }
        var phone = Self.phone()
        phone.expiresAt = later(days: 1)
        try state.add(phone, shownAs: Self.text(1))
        try state.add(link("ann", 0, 1), shownAs: Self.text(2, .live))
        for name in ["phone", "ann"] {
            let other = link(name, 0, 3)
            let refusal = code { try state.add(other, shownAs: Self.text(3, .live)) }
            #expect(refusal == .alreadyThere, "\(name)")
        }
        try state.add(link("ann", 1, 3), shownAs: Self.text(4, .live))
        try state.add(link("phone", 1, 3), shownAs: Self.text(5, .live))
        // Another device would take the place of one that its owner can give a later end.
        var again = Self.phone()
        again.createdAt = later(days: 4)
        #expect(code { try state.add(again, shownAs: Self.text(6)) } == .alreadyThere)
        // A link is listed for seven days when it is over, and what is no link stays.
        try state.add(link("ben", 7, 90), shownAs: Self.text(7, .live))
        #expect(try state.tokens().count == 5)
        try state.add(link("eve", 8, 90), shownAs: Self.text(8, .live))
        #expect(try state.tokens().map(\.name) == ["phone", "ann", "phone", "ben", "eve"])
    }

    @Test func `one who makes tokens makes only so many, devices and links apart`() throws {
        var byte: UInt8 = 100
        func add(_ token: Token, by maker: String?) throws -> Bool {
            var token = token
            token.maker = maker
            byte += 1
            return try state.add(token, shownAs: Self.text(byte), mostMade: 3)
        }
        func link(_ name: String, _ day: Int64) -> Token {
            Token.link(to: "R1", named: name, now: later(days: day), until: later(days: day + 1))
        }
        func login(_ name: String) -> Token { Token.login(of: name, [.read], now: Self.now) }
        for name in ["eva", "bob"] { #expect(try add(Self.phone(name), by: nil)) }
        let devices = try (1...4).map { try add(Self.phone("device \($0)"), by: "eva") }
        let links = try (1...4).map { try add(link("link \($0)", 0), by: "eva") }
        #expect(devices == [true, true, true, false] && links == devices)
        // Codes and sessions count as links do, those in the maker's own name too.
        #expect(try !add(login("guest"), by: "eva"))
        #expect(try !add(login("eva"), by: nil))
        // Others are not concerned, and the owner of the ledger makes as many as he likes.
        #expect(try add(Self.phone("tablet"), by: "bob"))
        #expect(try add(link("bob's link", 0), by: "bob"))
        let owners = try (1...5).map { try add(Self.phone("phone \($0)"), by: nil) }
        #expect(owners.allSatisfy { $0 })
        // Revoked ones stay in the store and count; links leave it seven days after their end.
        for name in ["device 1", "link 1"] {
            _ = try state.revoke(named: name, dropsDeliveries: false, now: Self.now)
        }
        #expect(try !add(Self.phone("device 5"), by: "eva"))
        #expect(try add(link("late", 9), by: "eva"))
    }

    @Test func `a newer form of a token is said to be newer`() throws {
        let key = Self.text(1).digest.array
        try state.environment.write { transaction in
            try state.put([9, 1, 2], key: key, in: .tokens, &transaction)
        }
        #expect(code { try state.tokens() } == .newer)
        #expect(code { try state.answer(to: Self.text(1).text, now: Self.now) } == .newer)
    }
}
