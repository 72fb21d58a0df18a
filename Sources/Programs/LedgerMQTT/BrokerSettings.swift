import Importers
import JSONText
import Platform
import Proofs
import SystemPackage
import TripEvents

/// What is wrong with the settings.
struct SettingsProblem: Error {
    /// The cause, without a full stop.
    let cause: String
}

/// A broker, what is taken from it and what it is told: a file of JSON that only its owner may
/// read, for it holds a password (Serving, *A broker of MQTT*).
struct BrokerSettings {
    /// How the messages of some topics are read.
    enum Form: String, CaseIterable {
        /// OwnTracks: a topic for each device.
        case owntracks

        /// TeslaMate: a topic for each property of a car.
        case teslamate

        /// The reading of an odometer, as a plain number.
        case odometer

        /// A flat JSON object, or a table, by a map of its columns.
        case columns
    }

    /// Topics, and what their messages become.
    struct Taken {
        var topic: TopicFilter
        var form: Form

        /// The name of the token that gives the source, group, key and zone.
        var token: String

        /// The vehicle whose odometer it is.
        var vehicle: String?

        /// The unit of readings.
        var unit = DistanceUnit.kilometers

        /// The map of columns.
        var map: ColumnMap?
    }

    /// The availability messages of the broker while this program is gone, and while it is there.
    static let (offline, online) = ("offline", "online")

    private static let mostBytes = 1 << 20

    /// The address, such as `mqtts://broker.example:8883`.
    let address: String

    /// The address as anyone may see it.
    var shownAddress: String { Excerpt.address(address) }

    /// The name of the session.
    let name: String

    /// The user; empty for none.
    private(set) var user = ""

    /// The password; empty for none.
    private(set) var password = ""

    /// The file with the certificates of authorities; empty for those of the system.
    private(set) var authorities = ""

    /// The topics that are taken; the first that fits counts.
    private(set) var taken: [Taken] = []

    /// The prefix under which Home Assistant looks for devices; `nil` if Home Assistant is told
    /// nothing.
    private(set) var discovery: String?

    /// The topic of what is published.
    var stateTopic: String { "\(name)/state" }

    /// The topic that says whether this program is there.
    var availabilityTopic: String { "\(name)/available" }

    /// Whether the connection is encrypted.
    var isSecure: Bool { ["mqtts://", "ssl://", "wss://"].contains { address.hasPrefix($0) } }

    /// Reads a file.
    ///
    /// - Throws: `SettingsProblem`.
    init(file: FilePath) throws(SettingsProblem) {
        let bytes: [UInt8]
        do {
            guard try Directory.permissions(of: file).hasSuffix("00") else {
                throw SettingsProblem(
                    cause: "others may read it, with the password: chmod 600 "
                        + ShellWord.quoted(file.string)
                )
            }
            bytes = try PrivateFile.read(file, maximumByteCount: Self.mostBytes)
        } catch let problem as SettingsProblem {
            throw problem
        } catch {
            throw SettingsProblem(cause: "it cannot be read: \(error)")
        }
        guard let json = try? JSONValue(Self.trimmed(bytes).span), case .object(let members) = json
        else { throw SettingsProblem(cause: "it is no JSON object") }
        let known = ["broker", "name", "user", "password", "ca_file", "take", "home_assistant"]
        if let unknown = members.first(where: { !known.contains($0.name) }) {
            throw SettingsProblem(cause: "no member is called \(Excerpt.of(unknown.name))")
        }
        guard let address = json["broker"]?.text,
            ["mqtt://", "mqtts://", "tcp://", "ssl://"].contains(where: address.hasPrefix)
        else {
            throw SettingsProblem(
                cause: "\"broker\" is to be an address such as mqtts://broker.example:8883"
            )
        }
        self.address = address
        name = json["name"]?.text ?? "trip-ledger"
        let isPlain = name.utf8.allSatisfy { byte in
            byte > 32 && byte < 127 && !"+#/\"\\".utf8.contains(byte)
        }
        guard isPlain, (1...64).contains(name.utf8.count) else {
            throw SettingsProblem(cause: "\"name\" is to be a word of 1 to 64 plain characters")
        }
        user = json["user"]?.text ?? ""
        password = json["password"]?.text ?? ""
        authorities = json["ca_file"]?.text ?? ""
        discovery = json["home_assistant"]?.text
        for (index, value) in (json["take"]?.elements ?? []).enumerated() {
            taken.append(try Self.taken(value, in: "\"take\", item \(index + 1)", beside: file))
        }
        guard !taken.isEmpty || discovery != nil else {
            throw SettingsProblem(cause: "it takes nothing and tells nothing")
        }
    }

    private static func taken(
        _ value: JSONValue,
        in place: String,
        beside file: FilePath
    ) throws(SettingsProblem) -> Taken {
        guard let topic = value["topic"]?.text.flatMap(TopicFilter.init) else {
            throw SettingsProblem(cause: "\(place): \"topic\" is to be a filter of topics")
        }
        guard let form = value["as"]?.text.flatMap(Form.init(rawValue:)) else {
            let names = Form.allCases.map(\.rawValue).joined(separator: ", ")
            throw SettingsProblem(cause: "\(place): \"as\" is to be one of \(names)")
        }
        guard let token = value["token"]?.text else {
            throw SettingsProblem(cause: "\(place): \"token\" is to name a token of the ledger")
        }
        var taken = Taken(topic: topic, form: form, token: token)
        taken.vehicle = value["vehicle"]?.text
        if let unit = value["unit"]?.text {
            guard let unit = DistanceUnit(rawValue: unit) else {
                throw SettingsProblem(cause: "\(place): \"unit\" is to be km or mi")
            }
            taken.unit = unit
        }
        if form == .odometer, taken.vehicle == nil {
            throw SettingsProblem(cause: "\(place): \"vehicle\" is to say whose odometer it is")
        }
        if form == .columns {
            guard let name = value["columns"]?.text else {
                throw SettingsProblem(cause: "\(place): \"columns\" is to name a file with a map")
            }
            let path = file.removingLastComponent().pushing(FilePath(name))
            do {
                let bytes = try WholeFile.read(path, maximumByteCount: mostBytes)
                taken.map = try ColumnMap(json: bytes.span)
            } catch {
                throw SettingsProblem(cause: "\(place): the map \(path) cannot be read: \(error)")
            }
        }
        return taken
    }

    private static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
        let isSpace = { (byte: UInt8) in [32, 9, 10, 13].contains(byte) }
        let start = bytes.firstIndex { !isSpace($0) } ?? 0
        let end = bytes.lastIndex { !isSpace($0) } ?? -1
        return start <= end ? Array(bytes[start...end]) : []
    }
}

/// A filter of topics: `+` stands for one level, `#` at the end for any number.
struct TopicFilter {
    /// The filter.
    let text: String

    private let levels: [Substring]

    /// Creates a filter, or returns `nil` if it is none.
    init?(_ text: String) {
        levels = text.split(separator: "/", omittingEmptySubsequences: false)
        self.text = text
        let isRight = levels.enumerated()
            .allSatisfy { index, level in
                level == "+" || (level == "#" && index == levels.count - 1)
                    || !level.contains { $0 == "+" || $0 == "#" }
            }
        guard isRight, !text.isEmpty, text.utf8.count < 65_536 else { return nil }
    }

    /// Returns whether a topic fits.
    func fits(_ topic: String) -> Bool {
        let others = topic.split(separator: "/", omittingEmptySubsequences: false)
        for (index, level) in levels.enumerated() {
            if level == "#" { return true }
            guard index < others.count, level == "+" || level == others[index] else { return false }
        }
        return levels.count == others.count
    }
}
