import Importers
import JSONText
import Proofs

/// An app that delivers positions, and can be set up by one link or address.
package enum DeliveryApp: String, CaseIterable, Sendable {
    /// OwnTracks, for Android and iOS.
    case owntracks

    /// Overland, for iOS.
    case overland

    /// Traccar Client 9 and later.
    case traccar

    /// Colota, for Android.
    case colota

    /// GPSLogger, for Android.
    case gpslogger

    /// OsmAnd, by its online tracking.
    case osmand
}

/// The setup of an app in one step: OwnTracks for Android throws its queue away whenever its
/// address is changed by hand.
///
/// The forms are those that the apps' makers describe: owntracks.org/booklet (Remote
/// configuration), Overland's README (Configuration by Custom URL), `configuration_service.dart` of
/// traccar/traccar-client, colota.app/docs (Deep Link Setup), GPSLogger's FAQ (Custom URL), and
/// OsmAnd's online tracking.
package struct AppSetup: Hashable, Sendable {
    /// The app.
    package let app: DeliveryApp

    /// A link for the phone, or an address for a setting of the app.
    package let link: String

    /// The values that set it up when they are typed, in the order of the app's settings.
    package let values: [Value]

    /// Whether what the app sends can be read on the way.
    package let isPlain: Bool

    /// A value to type.
    package struct Value: Hashable, Sendable {
        /// The setting.
        package let setting: Setting

        /// Its value.
        package let text: String
    }

    /// A setting of an app.
    package enum Setting: String, CaseIterable, Sendable {
        case mode
        case address
        case user
        case password
        case encryptionKey = "encryption_key"
        case monitoring
        case apiKey = "api_key"
        case token
        case device
        case interval
        case distance
    }

    /// Creates the setup.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - server: The address of the server.
    ///   - text: The text of the token.
    ///   - token: The token.
    package init(
        _ app: DeliveryApp,
        at server: ServerAddress,
        showing text: TokenText,
        of token: Token
    ) {
        self.app = app
        isPlain = server.isPlain
        let name = PercentEncoding.encoded(token.name)
        // An app that can send a header keeps the token out of addresses, which proxies write down.
        let door = "\(server.text)/in/\(app.door)"
        let openDoor = "\(server.text)/in/\(text.text)/\(app.door)"
        switch app {
        case .owntracks:
            link = "owntracks:///config?inline=" + Self.ownTracks(door, text.text, token)
            values =
                Self.values([
                    (.mode, "HTTP"), (.address, door), (.user, Self.user(token)),
                    (.password, text.text),
                ]) + Self.key(token) + Self.values([(.monitoring, Self.mode(token).name)])
        case .overland:
            let address = PercentEncoding.encoded(door)
            link = "overland://setup?url=\(address)&token=\(text.text)&device_id=\(name)"
            values = Self.values([
                (.address, door), (.token, text.text), (.device, token.name),
            ])
        case .traccar:
            // Traccar Client takes origin and path for its server, and the query for its settings.
            link = "\(openDoor)?id=\(name)&accuracy=high&distance=25&interval=30&buffer=true"
            values = Self.values([
                (.device, token.name), (.address, openDoor), (.distance, "25"), (.interval, "30"),
            ])
        case .colota:
            link = "colota://setup?config=" + Self.colota(door, text.text)
            values = Self.values([(.address, door), (.token, text.text)])
        case .gpslogger:
            // GPSLogger's target Dawarich keeps a queue and sends again until the answer is 2xx;
            // its custom URL gives up after three tries. The target appends this path to the
            // address by itself.
            link = "\(server.text)/api/v1/overland/batches?api_key=\(text.text)"
            values = Self.values([(.address, server.text), (.apiKey, text.text)])
        case .osmand:
            // Without the speed: it has another unit there than with Traccar's apps.
            link =
                "\(openDoor)?lat={0}&lon={1}&timestamp={2}&accuracy={3}&altitude={4}&bearing={6}"
            values = Self.values([(.address, link), (.interval, "5")])
        }
    }

    /// The instruction for the link, as a sentence without a full stop.
    package var instruction: String {
        switch app {
        case .owntracks, .overland, .colota:
            "Open this link on the phone, or scan it with the phone's camera"
        case .traccar: "Scan this in Traccar Client, under Settings"
        case .gpslogger:
            "In GPSLogger 136 or later, under Auto send, set up the target Dawarich with the "
                + "values; its address and key stand in this one"
        case .osmand: "In OsmAnd, under Trip recording, give online tracking this web address"
        }
    }

    /// The configuration of OwnTracks for its HTTP mode.
    private static func ownTracks(_ door: String, _ secret: String, _ token: Token) -> String {
        var members: [JSONValue.Member] = [
            .init(name: "_type", value: .text("configuration")),
            .init(name: "mode", value: .number(literal: "3")),
            .init(name: "url", value: .text(door)),
            .init(name: "auth", value: .boolean(true)),
            .init(name: "username", value: .text(user(token))),
            .init(name: "password", value: .text(secret)),
            .init(name: "deviceId", value: .text(token.name)),
            .init(name: "tid", value: .text(String(token.name.suffix(2)))),
        ]
        members += recording(token)
            .map {
                JSONValue.Member(name: $0, value: .number(literal: "\($1)"))
            }
        // Without it, the apps for iOS and Android ignore commands in answers.
        members.append(.init(name: "cmd", value: .boolean(true)))
        if token.recordsDenselyOnTrips {
            members.append(.init(name: "remoteConfiguration", value: .boolean(true)))
        }
        if let key = token.ownTracksKey {
            let text = String(decoding: key, as: UTF8.self)
            members.append(.init(name: "encryptionKey", value: .text(text)))
        }
        return encoded(members)
    }

    /// The name for Basic authentication, which ends at the first colon.
    private static func user(_ token: Token) -> String { token.name.replacing(":", with: "-") }

    /// How densely OwnTracks is to record: in the mode that loses no kilometres, unless the server
    /// switches it to that mode during each trip.
    ///
    /// iOS goes by displacement and interval in both modes; Android by the interval of the mode.
    private static func recording(_ token: Token) -> [(name: String, value: Int)] {
        [
            ("monitoring", mode(token).rawValue), ("locatorDisplacement", 10),
            ("locatorInterval", 60), ("moveModeLocatorInterval", 5),
        ]
    }

    private static func mode(_ token: Token) -> OwnTracksMode {
        token.recordsDenselyOnTrips ? .significant : .move
    }

    private static func key(_ token: Token) -> [Value] {
        values(
            token.ownTracksKey.map { [(.encryptionKey, String(decoding: $0, as: UTF8.self))] } ?? []
        )
    }

    private static func values(_ pairs: [(Setting, String)]) -> [Value] {
        pairs.map { Value(setting: $0, text: $1) }
    }

    private static func colota(_ door: String, _ secret: String) -> String {
        encoded([
            .init(name: "endpoint", value: .text(door)),
            .init(name: "apiTemplate", value: .text("custom")),
            .init(name: "httpMethod", value: .text("POST")),
            .init(
                name: "auth",
                value: .object([
                    .init(name: "type", value: .text("bearer")),
                    .init(name: "bearerToken", value: .text(secret)),
                ])
            ),
        ])
    }

    /// Returns an object in base 64 that needs no escape in a link, so that no app can read it
    /// wrongly: `+` is a space to some.
    ///
    /// ASCII makes a `+` or `/` only of `>`, `~`, `?` and DEL, which stand in texts alone and are
    /// escaped there; spaces behind the object make `=` needless.
    private static func encoded(_ members: [JSONValue.Member]) -> String {
        var json: [UInt8] = []
        JSONWriter.append(members, to: &json)
        var ascii: [UInt8] = []
        for unit in String(decoding: json, as: UTF8.self).utf16 {
            switch unit {
            case 0x3E, 0x3F, 0x7E...:
                let digits = String(unit, radix: 16)
                let zeros = String(repeating: "0", count: 4 - digits.count)
                ascii.append(contentsOf: "\\u\(zeros)\(digits)".utf8)
            default: ascii.append(UInt8(unit))
            }
        }
        while ascii.count % 3 != 0 { ascii.append(UInt8(ascii: " ")) }
        return Base64.text(ascii)
    }
}

/// How densely OwnTracks records; the raw value is that of its setting `monitoring`.
package enum OwnTracksMode: Int, Sendable {
    /// Now and then, as cells and networks change.
    case significant = 1

    /// All the time, by GPS.
    case move = 2

    /// Its name in the app.
    var name: String {
        switch self {
        case .significant: "Significant"
        case .move: "Move"
        }
    }

    /// The answer that has an app change to it.
    package var command: [UInt8] {
        let configuration: [JSONValue.Member] = [
            .init(name: "_type", value: .text("configuration")),
            .init(name: "monitoring", value: .number(literal: "\(rawValue)")),
        ]
        let command: JSONValue = .object([
            .init(name: "_type", value: .text("cmd")),
            .init(name: "action", value: .text("setConfiguration")),
            .init(name: "configuration", value: .object(configuration)),
        ])
        var bytes = Array("[".utf8)
        JSONWriter.append(command, to: &bytes)
        return bytes + "]".utf8
    }
}

extension DeliveryApp {
    /// The door through which it delivers.
    fileprivate var door: String {
        let door: DeliveryDoor =
            switch self {
            case .owntracks: .owntracks
            case .overland: .overland
            case .traccar, .osmand: .osmand
            case .colota: .colota
            case .gpslogger: .gpslogger
            }
        return door.rawValue
    }
}

/// The address of a server: `https://ledger.example`, perhaps with a port and a path.
package struct ServerAddress: Hashable, Sendable {
    /// The address of a server on this machine, and in links, if no other one is given.
    package static let usual = "http://127.0.0.1:8787"

    /// The address without a slash at the end.
    package let text: String

    /// Whether what is sent there can be read on the way.
    package let isPlain: Bool

    /// Whether it is that of this machine itself, to which nothing travels.
    package let isOfThisMachine: Bool

    /// Reads an address, or returns `nil` if the text is not one, or has more than scheme, host,
    /// port and path.
    package init?(_ text: String) {
        let plain = "http://"
        let secret = "https://"
        isPlain = text.hasPrefix(plain)
        guard isPlain || text.hasPrefix(secret) else { return nil }
        let rest = text.dropFirst(isPlain ? plain.count : secret.count)
        let host = rest.prefix { $0 != "/" }
        let path = rest.dropFirst(host.count)
        guard Self.isHost(host), path.unicodeScalars.allSatisfy(PercentEncoding.isPathCharacter)
        else { return nil }
        isOfThisMachine = ["127.0.0.1", "localhost", "[::1]"]
            .contains { own in
                host == own || host.hasPrefix(own + ":")
            }
        self.text = String(text.hasSuffix("/") ? text.dropLast() : text[...])
        guard !self.text.hasSuffix("/") else { return nil }
    }

    /// Whether a text is a name or an address, perhaps in brackets, perhaps with a port.
    private static func isHost(_ text: Substring) -> Bool {
        var name = text
        if let colon = text.lastIndex(of: ":"), !text.hasSuffix("]") {
            guard let port = UInt16(text[text.index(after: colon)...]), port > 0 else {
                return false
            }
            name = text[..<colon]
        }
        let isBracketed = name.hasPrefix("[") && name.hasSuffix("]")
        let letters = isBracketed ? name.dropFirst().dropLast() : name
        return !letters.isEmpty
            && letters.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "."), UInt8(ascii: "-"):
                    true
                case UInt8(ascii: ":"): isBracketed
                default: false
                }
            }
    }
}

/// Texts in addresses (RFC 3986).
package enum PercentEncoding {
    /// Returns a text with every byte escaped that has a meaning in an address.
    package static func encoded(_ text: String) -> String {
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(Unicode.Scalar(byte)) {
                encoded.append(byte)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                encoded.append(contentsOf: (byte < 0x10 ? "%0" : "%").utf8)
                encoded.append(contentsOf: digits.utf8)
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Whether a character may stand in a path as it is.
    static func isPathCharacter(_ character: Unicode.Scalar) -> Bool {
        character == "/" || isUnreserved(character)
    }

    private static func isUnreserved(_ character: Unicode.Scalar) -> Bool {
        switch character {
        case "0"..."9", "A"..."Z", "a"..."z", "-", ".", "_", "~": true
        default: false
        }
    }
}
