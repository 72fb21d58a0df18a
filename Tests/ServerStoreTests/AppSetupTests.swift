import CivilTime
import DriveSimulation
import Foundation
import TestSupport
import Testing

@testable import ServerStore

/// Links are read here as phones read them: by Foundation, which the program does without.
@Suite struct AppSetupTests {
    private static let text = TokenText(scope: .ingest, secret: Array(0..<32))

    private func setup(
        _ app: DeliveryApp,
        _ name: String = "phone",
        at address: String = "https://ledger.example",
        key: String? = nil
    ) throws -> AppSetup {
        var token = Token(name: name, scopes: [.ingest], createdAt: .init(milliseconds: 0))
        token.ownTracksKey = key.map { Array($0.utf8) }
        let server = try #require(ServerAddress(address))
        return AppSetup(app, at: server, showing: Self.text, of: token)
    }

    private func parts(_ link: String) throws -> (base: String, query: [String: String]) {
        let components = try #require(URLComponents(string: link))
        let pairs = (components.queryItems ?? []).map { ($0.name, $0.value ?? "") }
        let base = try #require(link.split(separator: "?").first)
        return (String(base), Dictionary(uniqueKeysWithValues: pairs))
    }

    private func configuration(_ text: String?) throws -> [String: Any] {
        let bytes = try #require(text.flatMap { Data(base64Encoded: $0) })
        return try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
    }

    @Test func `OwnTracks gets a configuration of its HTTP mode`() throws {
        let link = try parts(setup(.owntracks, key: "rode fiets").link)
        #expect(link.base == "owntracks:///config")
        let members = try configuration(link.query["inline"])
        #expect(members["_type"] as? String == "configuration")
        #expect(members["mode"] as? Int == 3)
        #expect(members["url"] as? String == "https://ledger.example/in/owntracks")
        #expect(members["auth"] as? Bool == true)
        #expect(members["username"] as? String == "phone")
        #expect(members["password"] as? String == Self.text.text)
        #expect(members["deviceId"] as? String == "phone")
        #expect(members["tid"] as? String == "ne")
        #expect(members["encryptionKey"] as? String == "rode fiets")
        // The mode in which it loses no kilometres.
        #expect(members["monitoring"] as? Int == 2 && members["cmd"] as? Bool == true)
        #expect(members["locatorDisplacement"] as? Int == 10)
        #expect(members["moveModeLocatorInterval"] as? Int == 5)
        #expect(members["remoteConfiguration"] == nil)
        let plain = try parts(setup(.owntracks).link)
        #expect(try configuration(plain.query["inline"])["encryptionKey"] == nil)
    }

    @Test func `OwnTracks that is told to record densely begins sparsely and obeys`() throws {
        var token = Token(name: "phone", scopes: [.ingest], createdAt: .init(milliseconds: 0))
        token.recordsDenselyOnTrips = true
        let server = try #require(ServerAddress("https://ledger.example"))
        let setup = AppSetup(.owntracks, at: server, showing: Self.text, of: token)
        let members = try configuration(parts(setup.link).query["inline"])
        #expect(members["monitoring"] as? Int == 1)
        #expect(members["remoteConfiguration"] as? Bool == true)
        let command = Data(OwnTracksMode.move.command)
        let list = try JSONSerialization.jsonObject(with: command) as? [[String: Any]]
        #expect(list?.first?["action"] as? String == "setConfiguration")
        let said = list?.first?["configuration"] as? [String: Any]
        #expect(said?["_type"] as? String == "configuration")
        #expect(said?["monitoring"] as? Int == 2)
    }

    @Test(arguments: DeliveryApp.allCases)
    func `what is typed says the same as the link`(app: DeliveryApp) throws {
        let setup = try self.setup(app, key: "rode fiets")
        // An address or a password holds the token, or the link does nothing.
        #expect(setup.values.contains { $0.text.contains(Self.text.text) })
        #expect(setup.values.contains { $0.setting == .address })
        #expect(Set(setup.values.map(\.setting)).count == setup.values.count)
        guard app == .owntracks else { return }
        let members = try configuration(parts(setup.link).query["inline"])
        for (setting, name) in [
            (AppSetup.Setting.address, "url"), (.user, "username"), (.password, "password"),
            (.encryptionKey, "encryptionKey"),
        ] {
            let typed = setup.values.first { $0.setting == setting }?.text
            #expect(typed == members[name] as? String, "\(name)")
        }
    }

    @Test func `the name of Basic authentication has no colon`() throws {
        let link = try parts(setup(.owntracks, "a:b").link)
        let members = try configuration(link.query["inline"])
        #expect(members["username"] as? String == "a-b")
        #expect(members["deviceId"] as? String == "a:b")
    }

    @Test func `Overland gets address, token and device`() throws {
        let link = try parts(setup(.overland, "Jörg & co", at: "https://h.example:8443/x").link)
        #expect(link.base == "overland://setup")
        #expect(
            link.query == [
                "url": "https://h.example:8443/x/in/overland", "token": Self.text.text,
                "device_id": "Jörg & co",
            ]
        )
    }

    @Test func `Traccar Client gets the door with settings behind it`() throws {
        let link = try parts(setup(.traccar).link)
        #expect(link.base == "https://ledger.example/in/\(Self.text.text)/osmand")
        #expect(
            link.query == [
                "id": "phone", "accuracy": "high", "distance": "25", "interval": "30",
                "buffer": "true",
            ]
        )
    }

    @Test func `Colota gets a door of its own and its own names`() throws {
        let link = try parts(setup(.colota).link)
        #expect(link.base == "colota://setup")
        let members = try configuration(link.query["config"])
        #expect(members["endpoint"] as? String == "https://ledger.example/in/colota")
        #expect(members["apiTemplate"] as? String == "custom")
        let auth = try #require(members["auth"] as? [String: String])
        #expect(auth == ["type": "bearer", "bearerToken": Self.text.text])
    }

    @Test func `GPSLogger gets what its target with a queue needs, and OsmAnd placeholders`() throws
    {
        let logger = try setup(.gpslogger)
        let link = try parts(logger.link)
        #expect(link.base == "https://ledger.example/api/v1/overland/batches")
        #expect(link.query == ["api_key": Self.text.text])
        #expect(logger.values.map(\.setting) == [.address, .apiKey])
        #expect(logger.values.map(\.text) == ["https://ledger.example", Self.text.text])
        let map = try setup(.osmand).link
        #expect(
            map.hasPrefix("https://ledger.example/in/\(Self.text.text)/osmand?lat={0}&lon={1}&")
        )
        #expect(!map.contains("speed"))
    }

    @Test(arguments: Seeds.fresh(100))
    func `a configuration needs no escape in a link, whatever the names are`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let letters = Array("ab>?~\u{7F}é€😀\"\\/+&= :")
        let name = String((0...random.next() % 12).map { _ in letters[Int(random.next() % 16)] })
        let link = try setup(.owntracks, name).link
        let encoded = link.dropFirst("owntracks:///config?inline=".count)
        #expect(encoded.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }, "\(name)")
        #expect(try configuration(String(encoded))["deviceId"] as? String == name)
    }

    @Test(arguments: [
        "https://ledger.example", "https://ledger.example/", "http://127.0.0.1:8787",
        "http://[::1]:8787/a/b", "https://h-1.example:65535/x_y.z~",
    ])
    func `an address has scheme, host, port and path`(text: String) throws {
        let address = try #require(ServerAddress(text))
        #expect(address.text == (text.hasSuffix("/") ? String(text.dropLast()) : text))
        #expect(address.isPlain == text.hasPrefix("http:"))
        #expect(URL(string: address.text)?.host() != nil)
    }

    @Test(arguments: [
        "", "ledger.example", "ftp://a", "https://", "https:///x", "https://a//", "https://a:0",
        "https://a:65536", "https://a:x", "https://a:", "https://u@a", "https://a?b", "https://a#b",
        "https://a b", "https://a/b c", "https://[]", "https://a:b:1", "https://ä.example",
        "https://a/%41", "HTTPS://a",
    ])
    func `what is no such address is refused`(text: String) {
        #expect(ServerAddress(text) == nil)
    }
}
