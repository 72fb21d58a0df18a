import Foundation
import Glibc
import TestSupport
import Testing

/// `ledger-mqtt` between Debian's mosquitto and a ledger.
@Suite struct MQTTTests {
    /// Whether the programs are there that these tests need.
    private static let isPresent = [Broker.program, Broker.sender]
        .allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }
    private static let missing: Comment =
        "mosquitto and mosquitto_pub are not there; `tools/acceptance/setup mqtt` installs them"

    private static let settings = """
        {"broker": "ADDRESS", "home_assistant": "homeassistant", "take": [
          {"topic": "owntracks/anna/+", "as": "owntracks", "token": "anna"},
          {"topic": "teslamate/cars/1/+", "as": "teslamate", "token": "anna", "vehicle": "tesla"}]}
        """

    /// The settings of two people with a phone each.
    private static let settingsOfTwo = """
        {"broker": "ADDRESS", "take": [
          {"topic": "owntracks/eva/+", "as": "owntracks", "token": "eva"},
          {"topic": "car/km", "as": "odometer", "token": "eva", "vehicle": "car"},
          {"topic": "owntracks/bob/+", "as": "owntracks", "token": "bob"}]}
        """

    private static func ledger(
        on broker: Broker,
        takingBy rules: String = settings,
        tokens: [String] = ["anna"]
    ) throws -> LedgerProcess {
        let ledger = try LedgerProcess()
        try ledger.begin()
        for name in tokens {
            #expect(try ledger.run(["token", "new", name, "--source", name]).exitCode == 0)
        }
        let path = ledger.directory.path("mqtt.json")
        let text = rules.replacing("ADDRESS", with: broker.address)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o600)
        return ledger
    }

    private static func bridge(_ ledger: LedgerProcess) -> Subprocess {
        let bridge = ledger.process([ledger.directory.path("book"), "mqtt.json"])
        bridge.executableURL = LedgerProcess.binary.deletingLastPathComponent()
            .appendingPathComponent("ledger-mqtt")
        return bridge
    }

    private static func location(_ second: Int) -> String {
        let place = #""lat":51.\#(100 + second),"lon":4.362"#
        return #"{"_type":"location",\#(place),"tst":\#(1_740_990_000 + second),"acc":5}"#
    }

    private static func entries(_ type: String, of ledger: LedgerProcess) throws -> [String] {
        try ledger.run(["log", "--format", "json"]).lines.filter { $0.contains(type) }
    }

    /// Waits until a ledger has so many events of a type: what is awaited comes, or the test fails.
    private static func wait(
        for count: Int,
        _ type: String,
        in ledger: LedgerProcess
    ) throws -> [String] {
        var found: [String] = []
        for _ in 0..<300 {
            found = try entries(type, of: ledger)
            if found.count >= count { break }
            usleep(50_000)
        }
        return found
    }

    @Test(.enabled(if: isPresent, missing))
    func `messages that came while it was gone are stored, each once`() throws {
        let broker = try Broker()
        let ledger = try Self.ledger(on: broker)
        // What the broker remembers of a topic is no event.
        try broker.send(Self.location(0), to: "owntracks/anna/phone", isRetained: true)
        let first = try FollowedProcess(Self.bridge(ledger))
        #expect(first.nextLine()?.hasPrefix("Connected to mqtt://") == true)
        try broker.send("12345.5", to: "teslamate/cars/1/odometer")
        #expect(try Self.wait(for: 1, "odometer_read", in: ledger).count == 1)
        _ = first.end(with: SIGKILL)
        for second in 1...3 { try broker.send(Self.location(second), to: "owntracks/anna/phone") }
        let second = try FollowedProcess(Self.bridge(ledger))
        #expect(second.nextLine() != nil)
        #expect(try Self.wait(for: 3, "fix_recorded", in: ledger).count == 3)
        _ = second.end(with: SIGTERM)
        #expect(try Self.entries("odometer_read", of: ledger).count == 1)
        #expect(try ledger.run(["verify"]).exitCode == 0)
    }

    @Test(.enabled(if: isPresent, missing))
    func `settings that others may read, or that name no token, are refused`() throws {
        let broker = try Broker()
        let ledger = try Self.ledger(on: broker)
        let path = ledger.directory.path("mqtt.json")
        chmod(path, 0o644)
        let open = try Self.bridge(ledger).outcome()
        #expect(open.exitCode == 64)
        #expect(open.errors.contains("chmod 600"))
        chmod(path, 0o600)
        #expect(try ledger.run(["token", "revoke", "anna"]).exitCode == 0)
        let without = try Self.bridge(ledger).outcome()
        #expect(without.exitCode == 64)
        #expect(without.errors.contains("ledger token new anna"))
    }

    /// How a token ends.
    enum End: CaseIterable {
        case revoked
        case revokedWithDrop
        case expired
    }

    /// Makes the token of eva, which is to end so.
    private static func makeToken(ending end: End, in ledger: LedgerProcess) throws {
        let soon = Date(timeIntervalSinceNow: 6).formatted(.iso8601)
        let expiry = end == .expired ? ["--expires", soon] : []
        let words = ["token", "new", "eva", "--source", "eva"] + expiry
        #expect(try ledger.run(words).exitCode == 0)
    }

    /// Ends the token of eva: by the command, or when its time has come.
    private static func end(_ end: End, of ledger: LedgerProcess) throws {
        switch end {
        case .revoked: #expect(try ledger.run("token", "revoke", "eva").exitCode == 0)
        case .revokedWithDrop:
            #expect(try ledger.run("token", "revoke", "eva", "--drop").exitCode == 0)
        case .expired:
            var hasExpired = false
            for _ in 0..<300 where !hasExpired {
                let list = try ledger.run("token", "list", "--format", "json").lines
                hasExpired = list.contains { $0.contains(#""state":"expired""#) }
                if !hasExpired { usleep(50_000) }
            }
            #expect(hasExpired)
        }
    }

    @Test(.enabled(if: isPresent, missing), arguments: End.allCases)
    func `a token that ends stops no other person's deliveries`(end: End) throws {
        let broker = try Broker()
        let ledger = try Self.ledger(on: broker, takingBy: Self.settingsOfTwo, tokens: ["bob"])
        try Self.makeToken(ending: end, in: ledger)
        let first = try FollowedProcess(Self.bridge(ledger))
        #expect(first.nextLine()?.hasPrefix("Connected to mqtt://") == true)
        try Self.end(end, of: ledger)
        for second in 1...2 { try broker.send(Self.location(second), to: "owntracks/eva/phone") }
        try broker.send("12345", to: "car/km")
        try broker.send(Self.location(3), to: "owntracks/bob/phone")
        #expect(try Self.wait(for: 1, "fix_recorded", in: ledger).count == 1)
        let said = first.end(with: SIGTERM).errors
        // It is said once of each rule, with what to do.
        let notices = said.split(separator: "\n").filter { $0.contains("note: ") }
        #expect(notices.count == 2, "\(said)")
        #expect(notices.allSatisfy { $0.contains("ledger token new eva --source eva") }, "\(said)")
        // A start with such a token is one for the others.
        let second = try FollowedProcess(Self.bridge(ledger))
        #expect(second.nextLine()?.hasPrefix("Connected to mqtt://") == true)
        try broker.send(Self.location(4), to: "owntracks/bob/phone")
        #expect(try Self.wait(for: 2, "fix_recorded", in: ledger).count == 2)
        #expect(second.end(with: SIGTERM).errors.contains("the token \"eva\" "))
        let doctor = try ledger.run("doctor").lines
        #expect(
            doctor.contains { $0.contains("eva") && $0.contains(", last on ") },
            "\(doctor)"
        )
        let aside = try ledger.run("refused", "--format", "json").lines
            .filter { $0.contains(#""token":"eva""#) }
        #expect(aside.count == (end == .revokedWithDrop ? 0 : 3), "\(aside)")
        #expect(try Self.entries("odometer_read", of: ledger).isEmpty)
        // What waits is stored once there is a token again.
        if end == .expired { #expect(try ledger.run("token", "revoke", "eva").exitCode == 0) }
        #expect(try ledger.run("token", "new", "eva", "--source", "eva").exitCode == 0)
        #expect(try ledger.run("refused", "--retry").exitCode == 0)
        let stored = try Self.entries("fix_recorded", of: ledger)
        #expect(stored.count == (end == .revokedWithDrop ? 2 : 4), "\(stored)")
        #expect(try ledger.run("verify").exitCode == 0)
    }
}

/// A mosquitto of its own, on a free port of this machine.
private final class Broker {
    static let program = "/usr/sbin/mosquitto"
    static let sender = "/usr/bin/mosquitto_pub"

    private let directory: TemporaryDirectory
    private let process: Subprocess
    private let port: UInt16

    /// Starts it, and waits until it answers.
    init() throws {
        directory = try TemporaryDirectory()
        port = try LoopbackPort.free()
        let file = directory.path("mosquitto.conf")
        let user = getuid() == 0 ? "user root\n" : ""
        let text = "listener \(port) 127.0.0.1\nallow_anonymous true\n\(user)"
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        process = Subprocess(URL(fileURLWithPath: Self.program), arguments: ["-c", file])
        process.standardError = .null
        try process.start()
        for _ in 0..<200 {
            if (try? send("", to: "ready")) != nil { return }
            usleep(20_000)
        }
        throw POSIXError(.ECONNREFUSED)
    }

    deinit {
        kill(process.processIdentifier, SIGKILL)
        _ = process.waitForEnd()
    }

    /// The address.
    var address: String { "mqtt://127.0.0.1:\(port)" }

    /// Publishes a message with QoS 1.
    func send(_ text: String, to topic: String, isRetained: Bool = false) throws {
        let start = ["-h", "127.0.0.1", "-p", "\(port)", "-q", "1", "-t", topic, "-m", text]
        let process = Subprocess(
            URL(fileURLWithPath: Self.sender),
            arguments: start + (isRetained ? ["-r"] : [])
        )
        process.standardError = .null
        guard try process.outcome().exitCode == 0 else { throw POSIXError(.ECONNREFUSED) }
    }
}
