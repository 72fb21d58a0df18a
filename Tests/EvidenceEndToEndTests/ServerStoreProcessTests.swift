import Foundation
import ServerStore
import SystemPackage
import TestSupport
import Testing
import TripEvents

/// Commands that run while a server, played by these tests, has tokens and items open.
@Suite struct ServerStoreProcessTests {
    private static let now = Timestamp(milliseconds: 1_900_000_000_000)

    private static func text(_ byte: UInt8) -> TokenText {
        TokenText(scope: .ingest, secret: Array(repeating: byte, count: 32))
    }

    private static func item(
        _ content: [UInt8],
        of source: String,
        mayPassLater: Bool = false,
        at time: Timestamp = now
    ) -> SetAsideItem {
        SetAsideItem(
            content,
            door: "owntracks",
            source: source,
            token: "\(source)-token",
            code: "coordinate_out_of_range",
            reason: "latitude 91 is out of range (-90 to 90).",
            mayPassLater: mayPassLater,
            receivedAt: time
        )
    }

    /// Makes a ledger and opens what its server must know.
    private func served() throws -> (ledger: LedgerProcess, path: FilePath, state: ServerState) {
        let ledger = try LedgerProcess()
        #expect(try ledger.run("init").exitCode == 0)
        let path = FilePath(ledger.directory.path("book"))
        return (ledger, path, try ServerState.openOrCreate(of: path))
    }

    @Test func `a server that runs sees at once what is said of tokens`() throws {
        let (ledger, _, state) = try served()
        defer { state.close() }
        let made = try ledger.shell("ledger token new phone | sed -n 's/^Token *//p'")
        let shown = try #require(made.lines.first)
        guard case .valid(let token) = try state.answer(to: shown, now: Self.now) else {
            Issue.record("the token is not valid")
            return
        }
        #expect(token.name == "phone" && token.sources == ["phone"])
        let listed = try ledger.run("token", "list", "--format", "json").lines
        #expect(listed.first?.contains(#""last_used":"2030-03-17""#) == true)
        #expect(try ledger.run("token", "revoke", "phone").exitCode == 0)
        #expect(
            try state.answer(to: shown, now: Self.now)
                == .revoked(name: "phone", dropsDeliveries: false)
        )
        #expect(try ledger.run("token", "revoke", "phone", "--drop").exitCode == 0)
        #expect(
            try state.answer(to: shown, now: Self.now)
                == .revoked(name: "phone", dropsDeliveries: true)
        )
    }

    @Test func `what was set aside is listed with its reason and content`() throws {
        let (ledger, _, state) = try served()
        defer { state.close() }
        let text = #"{"_type":"location","lat":91}"#
        try state.setAside([
            Self.item(Array(text.utf8), of: "phone"),
            Self.item([0xFF, 0xFE], of: "car", mayPassLater: true),
        ])
        let listed = try ledger.run("refused", "--columns", "number,source,reason,bytes").lines
        #expect(
            listed == [
                "NUMBER  SOURCE  REASON                                    BYTES",
                "     0  phone   latitude 91 is out of range (-90 to 90).     29",
                "     1  car     latitude 91 is out of range (-90 to 90).      2",
            ]
        )
        let lines = try ledger.run("refused", "--format", "json").lines
        #expect(
            try JSONSchemaValidator.complaints(about: lines, schema: "refused-item").joined() == ""
        )
        let first = try #require(
            try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any]
        )
        #expect(first["content"] as? String == text)
        #expect(lines[1].hasSuffix(#","bytes":2,"whole":true,"content_base64":"//4="}"#))
        #expect(
            try ledger.run("refused", "--source", "car", "--format", "json").lines == [lines[1]]
        )
        #expect(try ledger.run("refused", "--source", "bike", "--format", "json").lines == [])
    }

    @Test func `erasing what was set aside leaves nothing of it, once no process has it open`()
        throws
    {
        let (ledger, path, state) = try served()
        let secret = Array("the way to the doctor".utf8)
        try state.setAside([Self.item(secret, of: "phone"), Self.item([1], of: "car")])
        let file = URL(fileURLWithPath: ledger.directory.path("book/server/data.mdb"))
        let asked = try ledger.run("erase", "--set-aside", "phone")
        #expect(asked.exitCode == 1)
        #expect(asked.lines == ["Would erase 1 refused item of phone."])
        let first = try ledger.run("erase", "--set-aside", "phone", "--yes")
        #expect(first.exitCode == 74)
        #expect(first.lines == ["Erased 1 refused item of phone."])
        #expect(try state.setAsideTotals().itemCount == 1)
        state.close()
        #expect(try Data(contentsOf: file).range(of: Data(secret)) != nil)
        #expect(try ledger.run("erase", "--sweep").exitCode == 0)
        #expect(try Data(contentsOf: file).range(of: Data(secret)) == nil)
        let again = try #require(try ServerState.open(of: path))
        #expect(try again.setAsideTotals().itemCount == 1)
        #expect(try !again.setAsideTotals().needsSweep)
        again.close()
    }

    @Test func `the doctor names what still delivers with a dead token, and what was never used`()
        throws
    {
        let (ledger, _, state) = try served()
        let day = Timestamp.millisecondsPerDay
        let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
        func ago(_ days: Int64) -> Timestamp { now.advanced(byMilliseconds: -days * day) }
        func add(_ name: String, _ byte: UInt8, expiringDaysAgo expiry: Int64? = nil) throws {
            var token = Token(name: name, scopes: [.ingest], createdAt: ago(40))
            token.expiresAt = expiry.map(ago)
            try state.add(token, shownAs: Self.text(byte))
        }
        try add("phone-2", 1)
        try add("lost", 2)
        try add("quiet one", 3)
        try add("late", 4, expiringDaysAgo: 3)
        try add("over", 5, expiringDaysAgo: 3)
        try add("used", 6)
        try add("gone", 7)
        _ = try state.answer(to: Self.text(6).text, now: ago(1))
        for name in ["phone-2", "lost", "gone"] {
            _ = try state.revoke(named: name, dropsDeliveries: name == "lost", now: ago(20))
        }
        for (byte, days): (UInt8, Int64) in [(1, 2), (2, 2), (4, 2), (7, 35)] {
            _ = try state.answer(to: Self.text(byte).text, now: ago(days))
        }
        try state.setAside([[1], [2]].map { Self.item($0, of: "phone", at: now) })
        state.close()
        let page = try ledger.run("doctor").lines
        let tried = CivilDate(of: EventTime(ago(2)))
        let expired = CivilDate(of: EventTime(ago(3)))
        let made = CivilDate(of: EventTime(ago(40)))
        #expect(page.contains("Tokens       7"))
        #expect(page.contains("Refused      2"))
        let advice = page.filter { $0.contains("token") && $0.hasPrefix("- ") }
        #expect(
            Set(advice) == [
                "- Something delivers with a revoked token named phone-2, last on \(tried); set it "
                    + "up anew: ledger token new phone-2",
                "- What is delivered with the revoked token lost is thrown away, last on \(tried): "
                    + "ledger token list",
                "- The token quiet one of \(made) was never used: ledger token revoke 'quiet one'",
                "- Something delivers with the token late, which expired on \(expired), last on "
                    + "\(tried); revoke it, and set it up anew: ledger token revoke late",
                "- The token over expired on \(expired): ledger token revoke over",
            ]
        )
        #expect(
            page.contains("- Deliveries of the last 7 days could not become events: ledger refused")
        )
        let json = try ledger.run("doctor", "--format", "json").lines
        #expect(try JSONSchemaValidator.complaints(about: json, schema: "health") == [""])
        #expect(json[0].contains(#""tokens":7,"set_aside":2,"advice":"#))
        // A name that was given again is not to be given a third time.
        #expect(try ledger.run("token", "new", "phone-2").exitCode == 0)
        let later = try ledger.run("doctor").lines
        #expect(
            later.contains { $0.hasPrefix("- Something") && $0.hasSuffix(": ledger token list") }
        )
    }

    @Test func `the doctor takes no one who opens a link that has ended for a device`() throws {
        let (ledger, _, state) = try served()
        let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
        func ago(_ days: Int64) -> Timestamp {
            now.advanced(byMilliseconds: -days * Timestamp.millisecondsPerDay)
        }
        let links: [(name: String, byte: UInt8, end: Timestamp)] = [
            ("revoked link", 1, ago(-20)), ("ended link", 2, ago(4)),
        ]
        for link in links {
            let token = Token.link(to: "R1", named: link.name, now: ago(40), until: link.end)
            try state.add(token, shownAs: Self.text(link.byte))
        }
        // The control: a device that does the same.
        let device = Token(name: "device", scopes: [.ingest], createdAt: ago(40))
        try state.add(device, shownAs: Self.text(3))
        for name in ["revoked link", "device"] {
            _ = try state.revoke(named: name, dropsDeliveries: false, now: ago(3))
        }
        for (byte, use): (UInt8, TokenUse) in [(1, .report), (2, .report), (3, .program)] {
            _ = try state.answer(to: Self.text(byte).text, as: use, now: ago(2))
        }
        #expect(try state.tokens().count(where: { $0.lastRefused != nil }) == 3)
        state.close()
        let page = try ledger.run("doctor").lines
        #expect(page.contains("Tokens       3"))
        #expect(!page.contains { $0.contains("ed link") }, "\(page)")
        #expect(page.contains { $0.hasPrefix("- Something delivers with a revoked token named") })
    }

    @Test func `a backup takes along what was set aside, while a server has it open`() throws {
        let (ledger, _, state) = try served()
        defer { state.close() }
        let content = [UInt8](repeating: 7, count: 100_000)
        try state.setAside([Self.item(content, of: "phone", mayPassLater: true)])
        #expect(try ledger.run("backup", "b").exitCode == 0)
        #expect(try ledger.run("restore-backup", "b", "--ledger", "copy").exitCode == 0)
        let path = FilePath(ledger.directory.path("copy"))
        let copy = try #require(try ServerState.open(of: path))
        defer { copy.close() }
        var found: [SetAsideItem] = []
        try copy.forEachSetAside { item in
            found.append(item.item)
            return true
        }
        #expect(found == [Self.item(content, of: "phone", mayPassLater: true)])
    }

    @Test func `two processes may make the directory at once`() throws {
        let ledger = try LedgerProcess()
        let session = """
            ledger init > /dev/null
            for n in $(seq 1 8); do ledger token new phone-$n --format json > $n.json & done
            wait
            cat *.json | grep -c '"token":"tl1_ingest_'
            ledger token list --format json | wc -l
            """
        #expect(try ledger.shell(session).lines == ["8", "8"])
    }
}
